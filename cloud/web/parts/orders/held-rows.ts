// Rows that do not move under the hand: what is new waits behind "3 new" while somebody points at the list. Pure.

export interface Held<R> {
  /** In the order in which they are shown. */
  shown: readonly R[]
  /** New ones that wait. */
  waiting: number
}

/**
 * @param rows newest first, as they are now
 * @param known ids that are shown; null: nothing is shown yet
 */
export function heldRows<R>(
  rows: readonly R[],
  { known, isHeld, idOf }: { known: ReadonlySet<string> | null; isHeld: boolean; idOf: (row: R) => string },
): Held<R> {
  if (known === null || !isHeld) return { shown: rows, waiting: 0 }
  const first = rows.findIndex((row) => known.has(idOf(row)))
  // Below the first known row stands what was loaded as further pages: it comes at the end and moves nothing.
  const waiting = first === -1 ? rows.length : first
  return { shown: rows.slice(waiting), waiting }
}
