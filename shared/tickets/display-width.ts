// How many columns text takes on paper, and where it may be split. A Chinese character or an emoji takes two columns, an accent none, a
// letter of an Indian script its drawn width in eighths of a column.
import { LETTER_WIDTHS } from './letter-widths.ts'

/** One character as a reader sees it: a letter with its accents, a family of emoji. It is never split. */
export interface Grapheme {
  text: string
  /** Columns: integers in most scripts, eighths for scripts whose letters are measured. */
  width: number
}

// Characters of one column that take no accents: nearly all text in kitchens.
const NARROW =
  /^[\x20-\x7e\xa1-\xac\xae-\u02e9\u02ec-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u0482\u048a-\u052f\u2010-\u2027\u20a0-\u20a4\u20a6\u20a7\u20a9-\u20ba\u20bd\u20bf\u20c0]*$/
const ASCII = /^[\x20-\x7e]*$/

// East Asian Width "wide" and "fullwidth" of Unicode 16, without emoji, which are found by their properties.
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]/u
// Characters drawn as pictures: those with emoji presentation, and signs such as the warning triangle, which are unreadable at half size.
// Signs below U+2600 and the suits of cards are letters of old code pages.
const EMOJI =
  /\p{Emoji_Presentation}|\p{Regional_Indicator}|(?=\p{Extended_Pictographic})[\u2600-\u2639\u263b-\u263f\u2641\u2643-\u265f\u2661\u2662\u2664\u2667-\u27bf\u{1f000}-\u{1faff}]/u
/**
 * An attacker can join a thousand letters that Unicode never splits. That is more than the engine can draw. The longest real syllables have
 * ten.
 */
const LONGEST_SYLLABLE = 24
const MARKS_ONLY = /^[\p{M}\u200c\u200d]*$/u
const SPREADING = /[^\p{M}\p{Cf}\u1160-\u11ff]/gu

/** The width of one line of sanitized text, in whole columns. */
export function displayWidth(text: string): number {
  if (NARROW.test(text)) return text.length
  if (isOneCodePoint(text)) return Math.ceil(widthOf(text))
  return Math.ceil(graphemes(text).reduce((sum, { width }) => sum + width, 0))
}

/** True if each code point of the text takes exactly one column and does not combine. */
export function isNarrow(text: string): boolean {
  return NARROW.test(text)
}

/** Splits sanitized text into visible characters, in order. */
export function graphemes(text: string): Grapheme[] {
  if (NARROW.test(text)) return Array.from(text, (character) => ({ text: character, width: 1 as const }))
  return syllables(text).map((each) => ({ text: each, width: widthOf(each) }))
}

/**
 * Letters that a sign joins to the next one are one character to a reader, also where Unicode's segments end between them (Khmer, Kannada).
 * The same is true of a vowel sign that Unicode separates from its letter (Burmese).
 */
function syllables(text: string): string[] {
  const parts: string[] = []
  let isJoined = false
  for (const { segment } of segmenterOf().segment(text)) {
    const last = parts.at(-1) ?? ''
    const goesOn = isJoined ? LETTER.test(segment) : MARK.test(segment) && ENDS_IN_LETTER.test(last)
    if (goesOn && last.length + segment.length <= LONGEST_SYLLABLE) parts[parts.length - 1] = last + segment
    else if (segment.length <= LONGEST_SYLLABLE) parts.push(segment)
    else parts.push(...inPieces(segment))
    isJoined = JOINING.test(segment)
  }
  return parts
}

function inPieces(segment: string): string[] {
  const characters = Array.from(segment)
  const pieces: string[] = []
  for (let i = 0; i < characters.length; i += LONGEST_SYLLABLE / 2)
    pieces.push(characters.slice(i, i + LONGEST_SYLLABLE / 2).join(''))
  return pieces
}

/** Avoids the segmenter, which is ten times slower: building character tables calls this for every character. */
function isOneCodePoint(text: string): boolean {
  return text.length === 1 || (text.length === 2 && (text.codePointAt(0) ?? 0) > 0xffff)
}

/** True for graphemes that are drawn as pictures. */
export function isEmoji(grapheme: string): boolean {
  return EMOJI.test(grapheme)
}

/** True for Chinese, Japanese and Korean characters, which take two columns. */
export function isWide(grapheme: string): boolean {
  return WIDE.test(grapheme)
}

function widthOf(grapheme: string): number {
  if (ASCII.test(grapheme)) return 1
  if (WIDE.test(grapheme) || EMOJI.test(grapheme)) return 2
  const measured = measuredWidth(grapheme)
  if (measured > 0) return measured
  if (MARKS_ONLY.test(grapheme)) return 0
  // Thai SARA AM spans several letters, and so do scripts whose widths are not in the table.
  return (grapheme.match(SPREADING)?.length ?? 1) > 1 ? 2 : 1
}

/**
 * The share of its width that a letter adds after a joining sign: beside the letter before (full), overlapping it (part), or below it (0).
 */
const JOINED: ReadonlyMap<string, number> = new Map([
  ['\u094d', 0.6], // Devanagari
  ['\u09cd', 0.6], // Bengali
  ['\u0a4d', 0.6], // Gurmukhi
  ['\u0acd', 0.7], // Gujarati
  ['\u0b4d', 0.3], // Odia
  ['\u0c4d', 0.4], // Telugu
  ['\u0ccd', 0.4], // Kannada
  ['\u0d4d', 0.5], // Malayalam
  ['\u1039', 0], // Burmese
  ['\u17d2', 0.3], // Khmer
  ['\u1a60', 0.3], // Tai Tham
  ['\u1b44', 0.3], // Balinese
  ['\ua9c0', 0.3], // Javanese
])

const JOINING = new RegExp(`[${[...JOINED.keys()].join('')}]$|\\u0dca\\u200d$`, 'u')
const LETTER = /^\p{Lo}/u
const MARK = /^\p{M}/u
const ENDS_IN_LETTER = /[\p{L}\p{M}]$/u

/** Columns by the measured widths of the letters; 0 if none is in the table. */
function measuredWidth(grapheme: string): number {
  let eighths = 0
  let share = 1
  for (const character of grapheme) {
    const own = eighthsOf(character.codePointAt(0) ?? 0)
    eighths += own * share
    if (own > 0) share = 1
    share = JOINED.get(character) ?? share
  }
  return Math.ceil(eighths) / 8
}

const ROW = 64
// Built on first use.
let rows: ReadonlyMap<number, string> | undefined

function eighthsOf(point: number): number {
  rows ??= new Map(LETTER_WIDTHS)
  const at = point % ROW
  const digit = rows.get(point - at)?.charAt(at)
  return digit === undefined ? 0 : Number.parseInt(digit, 36)
}

// Built on first use, which takes a few milliseconds.
let segmenter: Intl.Segmenter | undefined

function segmenterOf(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter
}
