// The part of a snapshot about actions: what can be undone, confirmed and acknowledged, and what was refused.
import type { ActResult } from '#shared/wire/kitchen.ts'

export const UNDO_KINDS = ['ready', 'pick-up', 'start', 'strike', 'unstrike', 'void-seen', 'change-seen'] as const
export type UndoKind = (typeof UNDO_KINDS)[number]

/** An action of this display that can be undone. */
export interface Undo {
  /** Id of the action. */
  id: string
  orderId: string
  number: string
  kind: UndoKind
  /** By the gateway's clock. */
  atMs: number
}

/** A void or a change that was not acknowledged at this display. */
export interface StripItem {
  kind: 'void' | 'change'
  orderId: string
  number: string
  /** Of a void: the client's reason. */
  reason?: string | null
}

/** A confirmation before an action: Ready of an order with open stations. */
export interface Asking {
  orderId: string
  number: string
  /** `lines`: the number of open lines of each. */
  open: readonly { name: string; lines: number }[]
}

/** Waits for the second tap of a double tap or of a fire. */
export interface Armed {
  orderId: string
  kind: 'ready' | 'pick-up' | 'fire'
  /** Only with `fire`. */
  course?: number | undefined
}

/** `stations-open`: this display is set to refuse Ready of an order with open stations. */
export type RefusedReason = ActResult['reason'] | 'stations-open'

export interface Refused {
  orderId: string
  number: string
  reason: RefusedReason
}
