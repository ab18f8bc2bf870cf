// Long lists in slices: after each, other work of this thread has its turn, orders above all.

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** What the list gives, in slices of this many. The list may be made as it is read. */
export async function* slicesOf<T>(list: Iterable<T>, size: number): AsyncGenerator<T[]> {
  let slice: T[] = []
  for (const one of list) {
    slice.push(one)
    if (slice.length < size) continue
    yield slice
    slice = []
    await turn()
  }
  if (slice.length > 0) yield slice
}
