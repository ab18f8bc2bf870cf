// Parses JSON from outside that a schema checks next.

/** The value of a JSON text; undefined, which no JSON is, when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
