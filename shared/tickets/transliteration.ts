// Replaces characters that the printer has in none of its code pages: readable Latin where that is customary, otherwise `?`.

/** Signs with the same meaning as a plain one. No line is drawn only because of them. */
const PUNCTUATION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '‘': "'",
    '’': "'",
    '‚': "'",
    '‛': "'",
    '“': '"',
    '”': '"',
    '„': '"',
    '‟': '"',
    '«': '"',
    '»': '"',
    '‹': "'",
    '›': "'",
    '‐': '-',
    '‑': '-',
    '‒': '-',
    '–': '-',
    '—': '-',
    '―': '-',
    '−': '-',
    '…': '...',
  }),
)

const PAIRS: Readonly<Record<string, string>> = {
  '•': '*',
  '·': '.',
  '×': 'x',
  '÷': '/',
  '€': 'EUR',
  '£': 'GBP',
  '¥': 'JPY',
  '°': ' deg',
  '©': '(c)',
  '®': '(R)',
  '№': 'No.',
  '→': '->',
  '←': '<-',
  '≤': '<=',
  '≥': '>=',
  '≠': '!=',
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  '¿': '?',
  '¡': '!',
  // Emoji that guests use in notes, by meaning.
  '\u26a0': ':warning:',
  '\u2705': ':yes:',
  '\u2714': ':yes:',
  '\u274c': ':no:',
  '\u{1f6ab}': ':no:',
  '\u2764': ':heart:',
  '\u{1f95c}': ':peanuts:',
  '\u{1f330}': ':chestnut:',
  '\u{1f33e}': ':wheat:',
  '\u{1f95b}': ':milk:',
  '\u{1f95a}': ':egg:',
  '\u{1f990}': ':shrimp:',
  '\u{1f41f}': ':fish:',
  '\u{1f336}': ':hot pepper:',
  '\u{1f525}': ':fire:',
  '\u{1f382}': ':birthday cake:',
  '\u{1f64f}': ':please:',
  '\u{1f44d}': ':thumbs up:',
  '\u{1f642}': ':smile:',
  '\u{1f600}': ':smile:',
  '\u{1f60a}': ':smile:',
}

const GREEK = 'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o'
const CYRILLIC =
  'а a б b в v г g д d е e ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch ' +
  'ъ - ы y ь - э e ю yu я ya і i ї yi є ye ґ g ў u ђ dj ј j љ lj њ nj ћ c џ dz ѓ gj ќ kj ѕ dz'

function alphabet(pairs: string): [string, string][] {
  const words = pairs.split(' ')
  const letters: [string, string][] = []
  for (let i = 0; i + 1 < words.length; i += 2) {
    const letter = words[i] ?? ''
    const latin = words[i + 1] === '-' ? '' : (words[i + 1] ?? '')
    letters.push([letter, latin], [letter.toUpperCase(), latin.charAt(0).toUpperCase() + latin.slice(1)])
  }
  return letters
}

const TABLE: ReadonlyMap<string, string> = new Map([
  ...PUNCTUATION,
  ...alphabet(GREEK),
  ...alphabet(CYRILLIC),
  ...Object.entries(PAIRS),
])

/** The plain sign with the same meaning as this punctuation mark, or null. */
export function plainPunctuation(character: string): string | null {
  return PUNCTUATION.get(character) ?? null
}

/**
 * One character (code point) in printable ASCII. Never empty, so that nothing vanishes, except for silent signs, joiners and combining
 * marks.
 */
export function transliterate(character: string): string {
  const known = TABLE.get(character)
  if (known !== undefined) return known
  if (/^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d)$/u.test(character)) return ''
  // Letters with marks, full-width forms, ligatures and fractions: their parts without the marks.
  const parts = Array.from(character.normalize('NFKD').replace(/\p{M}/gu, ''))
  const ascii = parts
    .map((part) => (isAscii(part) ? part : part === '\u2044' ? '/' : (TABLE.get(part) ?? '?')))
    .join('')
  return ascii === '' ? '?' : ascii
}

function isAscii(character: string): boolean {
  return character >= ' ' && character <= '~'
}
