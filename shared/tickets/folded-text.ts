// Folds text for comparing words: lower case, no accents, special letters replaced by plain ones.

const ASCII = /^[\x20-\x7e]*$/
/** Letters that Unicode does not decompose. */
const SPECIAL: Readonly<Record<string, string>> = {
  ı: 'i',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  '’': "'",
  '‘': "'",
}
const SPECIAL_LETTERS = /[ıøłđðþßæœ’‘]/g

/** `Größe` -> `grosse`, `ΧΩΡΊΣ` -> `χωρις`. Full-width forms become plain ones. */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(SPECIAL_LETTERS, (letter) => SPECIAL[letter] ?? letter)
}
