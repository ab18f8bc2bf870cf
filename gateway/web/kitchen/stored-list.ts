// A list as it was kept in the browser's storage, which can hold anything: what makes no sense is as if it were not there.

/** @param text JSON; null: nothing was kept @returns what of the list is of its kind, in its order */
export function storedList<T>(text: string | null, isOne: (value: unknown) => value is T): T[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(value) ? value.filter(isOne) : []
  } catch {
    return []
  }
}
