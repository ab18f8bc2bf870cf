// The kinds of screen that hang in a restaurant: what each is for, what it is sent, what it may do. Pure.
import type { ActKind } from './kitchen.ts'

/** `kitchen`: makes orders, at its stations or as expo. `runner`: carries out what is ready. `pick-up`: tells guests the numbers. */
export const DISPLAY_KINDS = ['kitchen', 'runner', 'pick-up'] as const
export type DisplayKind = (typeof DISPLAY_KINDS)[number]

/** One number on the guests' board: all that such a screen is ever sent of an order. */
export interface PickUpRow {
  /** As it stands on paper. */
  number: string
  state: 'preparing' | 'ready'
  /** Since when it is in this state, by the box's clock; epoch ms. */
  sinceMs: number
  /** The guest's first name; absent: it is not to be shown, or not known. */
  name?: string
}

/** What somebody at a screen of this kind may do. A runner brings orders out and takes that back; guests do nothing. */
export function mayAct(kind: DisplayKind, act: ActKind): boolean {
  return kind === 'kitchen' || (kind === 'runner' && (act === 'pick-up' || act === 'recall'))
}
