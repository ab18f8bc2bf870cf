// How many columns text takes on paper, and where it may be cut: a Chinese character or an emoji takes two, an accent none.

/** What a reader takes for one character: a letter with its accents, a family of emoji. It is never cut. */
export interface Grapheme {
  text: string
  /** Columns: 0, 1 or 2. */
  width: 0 | 1 | 2
}

// One column a code point, and no accents of their own: nearly everything that kitchens write.
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u052f\u2010-\u2027\u20a0-\u20c0]*$/
const ASCII = /^[\x20-\x7e]*$/

// East Asian Width "wide" and "fullwidth" of Unicode 16, without emoji: those are told by their properties.
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
// Shown as pictures: those of emoji presentation, and signs such as a warning triangle, which no reader wants in half the size.
// The signs below U+2600 and the suits of cards are letters of old code pages.
const EMOJI =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}|(?=\p{Extended_Pictographic})[\u2600-\u2639\u263b-\u263f\u2641\u2643-\u265f\u2661\u2662\u2664\u2667-\u27bf\u{1f000}-\u{1faff}]/u
const MARKS_ONLY = /^[\p{M}\u200c\u200d]*$/u
const SPREADING = /[^\p{M}\p{Cf}\u1160-\u11ff]/gu

/** Columns of sanitised text in a line. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  if (isOneCodePoint(text)) return widthOf(text)
  return graphemes(text).reduce((sum, { width }) => sum + width, 0)
}

/** True when each code point of the text takes exactly one column and stands alone. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text)
}

/** Sanitised text in the pieces that a reader sees, in order. */
export function graphemes(text: string): Grapheme[] {
  if (NARROW.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 as const }))
  return Array.from(segmenterOf().segment(text), ({ segment }) => ({ text: segment, width: widthOf(segment) }))
}

/** It needs no segmenter, which takes ten times as long: tables of characters ask for each of them. */
function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

/** True for the pictures among the graphemes. */
export function isEmoji(grapheme: string): boolean {
  return EMOJI.test(grapheme)
}

function widthOf(grapheme: string): 0 | 1 | 2 {
  if (ASCII.test(grapheme)) return 1
  if (WIDE.test(grapheme) || EMOJI.test(grapheme)) return 2
  if (MARKS_ONLY.test(grapheme)) return 0
  // Conjuncts of Indic scripts and Thai SARA AM join several letters.
  return (grapheme.match(SPREADING)?.length ?? 1) > 1 ? 2 : 1
}

// Made at the first need (a few milliseconds) and then kept: a value that never changes, not state.
let segmenter: Intl.Segmenter | undefined

function segmenterOf(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter
}
