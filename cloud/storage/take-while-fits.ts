// How many of the next jobs fit into a gateway's window. Pure.

/** @param atLeastOne takes the first even if it alone is larger */
export function takeWhileFits<R extends { bytes: number }>(
  rows: readonly R[],
  maxBytes: number,
  atLeastOne: boolean,
): R[] {
  const taken: R[] = []
  let total = 0
  for (const row of rows) {
    total += row.bytes
    if (total > maxBytes && !(atLeastOne && taken.length === 0)) break
    taken.push(row)
  }
  return taken
}
