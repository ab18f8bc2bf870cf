// The words of modifiers: what is left out comes first, and the verb stands in capitals.

// What is left out is what a cook misses first. English, Spanish, Portuguese, French, German, Italian.
const REMOVAL = /^(no|without|hold|minus|sin|sem|sans|ohne|senza)\b/i
const VERB = /^(no|without|hold|minus|sin|sem|sans|ohne|senza|add|extra|double|triple|light|sub|substitute|swap)\b/i

/** `-` for what is left out, `+` for the rest. */
export function modifierSign(name: string): '-' | '+' {
  return REMOVAL.test(name.trim()) ? '-' : '+'
}

/** `No onion` -> `NO onion`. */
export function verbInCapitals(name: string): string {
  return name.replace(VERB, (verb) => verb.toUpperCase())
}

export function removalsFirst(names: readonly string[]): string[] {
  return [...names.filter((name) => modifierSign(name) === '-'), ...names.filter((name) => modifierSign(name) === '+')]
}
