// Whether two names of a time zone mean the same one: zones have several names.

/** A name that this program does not have is equal only to itself. */
export function isSameZone(one: string, other: string): boolean {
  return one === other || nameOf(one) === nameOf(other)
}

function nameOf(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return zone
  }
}
