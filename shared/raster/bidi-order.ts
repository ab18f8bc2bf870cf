// The order in which graphemes stand on paper from left to right, when some of them are written from right to left. Pure.
//
// The Unicode Bidirectional Algorithm (UAX 9) is that of bidi-js, which works on UTF-16 units: each grapheme counts by its first character.
import bidiFactory, { type Bidi } from 'bidi-js'

// Its types are those of an ES module, but Node loads the CommonJS one, whose export is the function itself.
const bidi = (bidiFactory as unknown as () => Bidi)()

/** Hebrew, Arabic, Syriac, Thaana, NKo and the other scripts of their blocks. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
/** A half or a number in a circle belongs to the number before it: `3½` is never written `½3`. UAX 9 calls them neutral. */
const NUMBER_SIGN = /^\p{No}/u
/** Of characters beyond 16 bits: one of the same class within. All others are neutral, as an emoji is. */
const STAND_INS: Readonly<Record<string, string>> = { L: 'a', R: '\u05d0', AL: '\u0627', EN: '1', AN: '\u0660' }
const NEUTRAL = '!'

/** Whether any of the text may run from right to left. */
export function hasRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(text)
}

/** A grapheme's place in the text, and whether its neighbours in the text stand to the other side. */
export interface Placed {
  index: number
  isRightToLeft: boolean
}

/**
 * The graphemes from left to right. The direction of the text is that of its first letter.
 * @param goesOn a line of a text whose first letter stands in an earlier one and is written from right to left
 */
export function visualOrder(graphemes: readonly string[], goesOn = false): Placed[] {
  const text = graphemes.map(firstUnit).join('')
  const embedding = bidi.getEmbeddingLevels(text, goesOn ? 'rtl' : 'auto')
  const order = bidi.getReorderedIndices(text, embedding)
  return order.map((index) => ({ index, isRightToLeft: (embedding.levels[index] ?? 0) % 2 === 1 }))
}

/** One UTF-16 unit for the grapheme, of the same class. */
function firstUnit(grapheme: string): string {
  if (NUMBER_SIGN.test(grapheme)) return '1'
  const isShort = (grapheme.codePointAt(0) ?? 0x10000) < 0x10000
  return isShort ? grapheme.charAt(0) : (STAND_INS[bidi.getBidiCharTypeName(grapheme)] ?? NEUTRAL)
}
