// Reads a JSON object that a person typed. Pure.

/** @returns the object; else why the text is none: `{ }` for other JSON */
export function readObject(text: string): { object: Record<string, unknown> } | { why: string } {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { object: value as Record<string, unknown> } : { why: '{ }' }
  } catch (error) {
    return { why: error instanceof Error ? error.message : '' }
  }
}
