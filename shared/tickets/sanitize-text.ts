// Makes foreign text safe for paper: no control codes, nothing invisible, nothing that reorders text, limited length.
import { graphemes } from './display-width.ts'

export interface TextLimits {
  /** Maximum length of the result in characters. A longer text is cut and ends in `...`. */
  maxLength: number
  /** Keep line breaks (notes). Otherwise they become spaces (names). */
  lineBreaks?: boolean
  /** Keep repeated and leading spaces, as in the columns of a receipt. Otherwise they collapse. */
  keepSpaces?: boolean
}

// Without a limit, accents can pile up over a letter. No orthography and no phonetic alphabet needs more than four on a Latin or similar
// letter. Other scripts use marks as letters and vowels: Burmese words have six in a row, the longest Tibetan stack eight (U+0F67 U+0F90
// U+0FB5 U+0FA8 U+0FB3 U+0FBA U+0FBC U+0FBB U+0F82). UAX #15 considers 30 far beyond any language (Stream-Safe Text Format).
const MAX_ACCENTS = 4
const MAX_MARKS = 12
/** Code units that are read for each character of the result. */
const MOST_UNITS = MAX_MARKS + 1
const MAX_LINE_BREAKS = 20

// All line ends: CR LF, CR, LF, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR.
const LINE_END = /\r\n|[\r\n\u0085\u2028\u2029]/g
// Removes what is invisible and what reorders text: control codes, and everything that Unicode calls ignorable (bidi, zero width, tags,
// variation selectors, fillers). Private use and unassigned characters stay, so that the paper shows that there is one. LF stays. Joiners
// stay where they change what is read: between letters of joining scripts (Persian, Hindi), after the joining sign of Indian scripts, and
// inside a composed emoji.
const JOINING_SCRIPTS = [
  ...['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr'],
  ...['Mong', 'Nkoo', 'Adlm', 'Bali', 'Java', 'Lana', 'Tibt'],
]
const JOINING = JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')
/** Joiners after these signs select a joined or an open letter, also at the end of a word. */
const VIRAMA = '\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1b44\ua9c0'
const KEPT = [
  '\\n',
  `(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])`,
  `(?<=[${VIRAMA}])\\u200d`,
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic})',
  '(?<=\\p{Script=Mong})[\\u180b-\\u180f]',
]
const UNSEEN = new RegExp(
  `(?!${KEPT.join('|')})[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u{13430}-\\u{1343f}]`,
  'gu',
)
/** A combining mark without a base character. It is put on a dotted circle, as fonts draw it. */
const ORPHANS = /(?<=^|[\n\p{Zs}])(?=\p{M})/gu
const ACCENT = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/u
const MARK = /\p{M}/u
/** Such long runs of marks are rare; only these are counted. */
const MANY_MARKS = new RegExp(`\\p{M}(?:[\\u200c\\u200d]?\\p{M}){${MAX_ACCENTS},}`, 'gu')
/** Replaces what was cut, so that the paper shows that there was more. */
const CUT = '\ufffd'
// Most texts are plain: printable ASCII without double, leading or trailing spaces.
const PLAIN = /^(?! )(?!.* {2})(?!.* $)[\x20-\x7e]*$/

/**
 * Makes foreign text (names, notes, sources, ids) ready for layout: NFC, trimmed, spaces collapsed, visible characters only, and LF if
 * `lineBreaks` is set. Lone surrogates become U+FFFD. The result may contain characters that the printer lacks (see code-page.ts), or that
 * every font lacks (see stand-in.ts).
 */
export function sanitizeText(text: string, limits: TextLimits): string {
  if (text.length <= limits.maxLength && PLAIN.test(text)) return text
  // Limits the work first: normalizing a long run of combining marks is slow.
  const bounded = text.slice(0, limits.maxLength * MOST_UNITS)
  const lines = bounded
    .toWellFormed()
    .replace(LINE_END, '\n')
    .replace(/\t/g, ' ')
    .replace(UNSEEN, '')
    .replace(MANY_MARKS, fewMarks)
    .replace(ORPHANS, '\u25cc')
    .normalize('NFC')
    .split('\n')
    .map((line) => (limits.keepSpaces === true ? line.replace(/\p{Zs}/gu, ' ') : line.replace(/\p{Zs}+/gu, ' ').trim()))
    .filter((line) => line !== '')
  const kept = limits.lineBreaks === true ? fewLines(lines).join('\n') : lines.join(' ')
  return shorten(bounded.length < text.length ? `${kept}...` : kept, limits.maxLength)
}

/** Keeps the marks that a letter can carry, and adds a sign that some were removed. */
function fewMarks(run: string): string {
  let kept = ''
  let marks = 0
  let accents = 0
  for (const mark of run) {
    if (MARK.test(mark)) marks++
    if (ACCENT.test(mark)) accents++
    if (marks > MAX_MARKS || accents > MAX_ACCENTS) return kept + CUT
    kept += mark
  }
  return kept
}

/** Beyond the limit, lines are joined to the last one: a word about an allergy may be in any of them. */
function fewLines(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINE_BREAKS) return [...lines]
  return [...lines.slice(0, MAX_LINE_BREAKS - 1), lines.slice(MAX_LINE_BREAKS - 1).join(' ')]
}

/** Cuts between visible characters: half an emoji or a letter without its accent would have another meaning. */
function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength || Array.from(text).length <= maxLength) return text
  let kept = ''
  let length = 0
  for (const { text: grapheme } of graphemes(text)) {
    length += Array.from(grapheme).length
    if (length > maxLength - 3) break
    kept += grapheme
  }
  return `${kept}...`
}
