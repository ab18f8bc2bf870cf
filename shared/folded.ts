// Normalises text for searching. Pure.

/** Without case and accents: `creme` finds `Crème`. */
export function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
