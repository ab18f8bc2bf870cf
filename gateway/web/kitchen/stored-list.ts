// Reads a list from the browser's storage, which can contain anything: invalid entries are ignored.

/** @param text JSON; null: nothing was stored @returns the valid entries, in their order */
export function storedList<T>(text: string | null, isOne: (value: unknown) => value is T): T[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isOne) : []
  } catch {
    return []
  }
}
