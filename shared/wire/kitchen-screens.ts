// The kinds of screen that hang in a restaurant, and what the guests' board is sent. Pure.

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
