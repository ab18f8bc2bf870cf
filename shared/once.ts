// Makes a value when it is asked for first.

/** @returns what calls `make` at its first call, and returns the same value from then on; a `make` that throws is called again */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
