// The words of modifiers: what is left out comes first, its NO in capitals; the rest stands as it was sent.

// What is left out is what a cook misses first. English, Spanish, Portuguese, French, German, Italian.
const REMOVAL = /^(no|without|hold|minus|sin|sem|sans|ohne|senza)\b/i

/** `-` for what is left out, `+` for the rest. */
export function modifierSign(name: string): '-' | '+' {
  return REMOVAL.test(name.trim()) ? '-' : '+'
}

/** `No onion` -> `NO onion`. */
export function removalInCapitals(name: string): string {
  return name.replace(REMOVAL, (verb) => verb.toUpperCase())
}

export function removalsFirst(names: readonly string[]): string[] {
  return [...names.filter((name) => modifierSign(name) === '-'), ...names.filter((name) => modifierSign(name) === '+')]
}
