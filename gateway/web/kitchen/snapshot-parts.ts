// What a snapshot of the kitchen's page says of acts: what can be taken back, what is asked, what was refused, what is to be acknowledged.
import type { ActResult } from '#shared/wire/kitchen.ts'

export const UNDO_KINDS = ['ready', 'pick-up', 'start', 'strike', 'unstrike', 'void-seen', 'change-seen'] as const
export type UndoKind = (typeof UNDO_KINDS)[number]

/** An act of this screen that can be taken back. */
export interface Undo {
  /** Of the act. */
  id: string
  orderId: string
  number: string
  kind: UndoKind
  /** By the gateway's clock. */
  atMs: number
}

/** A void or a change that this screen has not acknowledged. */
export interface StripItem {
  kind: 'void' | 'change'
  orderId: string
  number: string
  /** Of a void, in the words of whoever called it off. */
  reason?: string | null
}

/** A question before an act: Ready of an order whose stations are not done. */
export interface Asking {
  orderId: string
  number: string
  /** `lines` of each that are not made. */
  open: readonly { name: string; lines: number }[]
}

/** Waits for the second tap: of a double tap, or of a fire. */
export interface Armed {
  orderId: string
  kind: 'ready' | 'pick-up' | 'fire'
  /** Only with `fire`. */
  course?: number | undefined
}

/** `stations-open`: this screen is set to refuse Ready of an order whose stations are not done. */
export type RefusedReason = ActResult['reason'] | 'stations-open'

export interface Refused {
  orderId: string
  number: string
  reason: RefusedReason
}
