// A caller's number for those who may not see customers.

/** The country's first digit and the last two: enough to tell two callers apart, too little to call one. */
export function maskedNumber(e164: string): string {
  return `${e164.slice(0, 2)}•••${e164.slice(-2)}`
}
