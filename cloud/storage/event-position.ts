// Positions of events: whole numbers that rise in the order of commits and contain the time, so that lists are filtered by time without an index of times.

/** Events of one millisecond that have its time as their position; those beyond take from the next. Exact in a double until the year 2248. */
export const POSITIONS_PER_MS = 1_024

/** No event that was recorded at `ms` or later has a smaller position, as long as the clock has not gone back. */
export function positionAt(ms: number): number {
  return Math.min(Math.max(0, Math.floor(ms)) * POSITIONS_PER_MS, Number.MAX_SAFE_INTEGER)
}

/** When the event of this position was recorded. */
export function msOf(position: number): number {
  return Math.floor(position / POSITIONS_PER_MS)
}
