// An example answer recorded again: what is new in the answer, with the ids, times and other values that the example had.

/** `fresh` with each value that `old` has in the same place. Fields that `fresh` does not have are gone; lists keep their length. */
export function keptValues(old: unknown, fresh: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(fresh))
    return old.map((one, at) => (fresh.length === 0 ? one : keptValues(one, fresh[Math.min(at, fresh.length - 1)])))
  if (!isRecord(old) || !isRecord(fresh)) return old
  return Object.fromEntries(
    Object.entries(fresh).map(([name, value]) => [name, name in old ? keptValues(old[name], value) : value]),
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
