// The visual order (left to right) of graphemes, some of which may be right-to-left. Pure.
//
// Uses bidi-js for the Unicode Bidirectional Algorithm (UAX 9). It works on UTF-16 units, so each grapheme is represented by its first
// character.
import bidiFactory, { type Bidi } from 'bidi-js'

// The package's types describe an ES module, but Node loads the CommonJS one, whose export is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Hebrew, Arabic, Syriac, Thaana, NKo and the other scripts of their blocks. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** A fraction or a circled number belongs to the number before it: `3½` is never reordered to `½3`. UAX 9 classifies them as neutral. */
const NUMBER_SIGN = /^\p{No}/u
/** A 16-bit character of the same class for each class of characters beyond 16 bits. All others are neutral, such as emoji. */
const STAND_INS: Readonly<Record<string, string>> = { L: 'a', R: '\u05d0', AL: '\u0627', EN: '1', AN: '\u0660' }
const NEUTRAL = '!'

/** Returns whether any of the text may be right-to-left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** The index of a grapheme in the text, and whether it runs from right to left. */
export interface Placed {
  index: number
  isRightToLeft: boolean
}

/**
 * The graphemes in visual order. The direction of the text is that of its first letter.
 * @param goesOn true for a further line of a text whose first letter is right-to-left
 */
export function visualOrder(graphemes: readonly string[], goesOn = false): Placed[] {
  const text = graphemes.map(firstUnit).join('')
  const embedding = bidi.getEmbeddingLevels(text, goesOn ? 'rtl' : 'auto')
  const order = bidi.getReorderedIndices(text, embedding)
  return order.map((index) => ({ index, isRightToLeft: (embedding.levels[index] ?? 0) % 2 === 1 }))
}

/** A UTF-16 unit of the same class as the grapheme. */
function firstUnit(grapheme: string): string {
  if (NUMBER_SIGN.test(grapheme)) return '1'
  const isShort = (grapheme.codePointAt(0) ?? 0x10000) < 0x10000
  return isShort ? grapheme.charAt(0) : (STAND_INS[bidi.getBidiCharTypeName(grapheme)] ?? NEUTRAL)
}
