// Makes foreign text safe for paper: no control code, nothing invisible, nothing that reorders text, and no endless length.
import { graphemes } from './display-width.ts'

export interface TextLimits {
  /** Longest result in characters; a longer one ends in `...`. */
  maxLength: number
  /** Keep line breaks (notes). Otherwise they become spaces (names). */
  lineBreaks?: boolean
  /** Keep spaces in a row and at the start: columns of a receipt. Otherwise they collapse. */
  keepSpaces?: boolean
}

// Accents of Latin and its neighbours pile up over a letter without an end: no orthography, and no phonetic alphabet, needs more than four
// of them. Marks of a script's own are letters and vowels: Burmese words have six in a row, the longest Tibetan stacks eight
// (U+0F67 U+0F90 U+0FB5 U+0FA8 U+0FB3 U+0FBA U+0FBC U+0FBB U+0F82). UAX #15 takes 30 for far beyond any language (Stream-Safe Text Format).
const MAX_ACCENTS = 4
const MAX_MARKS = 12
/** So many units of text behind each character that is wanted are looked at. */
const MOST_UNITS = MAX_MARKS + 1
const MAX_LINE_BREAKS = 20

// Everything that ends a line: CR LF, CR, LF, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR.
const LINE_END = /\r\n|[\r\n\u0085\u2028\u2029]/g
// What nobody could see and what reorders text: control codes, and all that Unicode calls ignorable (bidi, zero width, tags, variation
// selectors, fillers). Private use and unassigned characters stay: paper must say that there is one. LF stays, and so do the joiners where
// they change what is read: between letters of scripts that join (Persian, Hindi), behind the sign that joins letters of India, and inside of
// an emoji that is made of several.
const JOINING_SCRIPTS = [
  ...['Arab', 'Syrc', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr'],
  ...['Mong', 'Nkoo', 'Adlm', 'Bali', 'Java', 'Lana', 'Tibt'],
]
const JOINING = JOINING_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')
/** Joiners behind these decide between a joined and an open letter also at the end of a word. */
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
/** A sign that stands on nothing: on a dotted circle, as fonts draw it, it has a place of its own. */
const ORPHANS = /(?<=^|[\n\p{Zs}])(?=\p{M})/gu
const ACCENT = /[\u0300-\u036f]|[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/u
const MARK = /\p{M}/u
/** Runs of so many marks are hardly ever met: only they are counted. */
const MANY_MARKS = new RegExp(`\\p{M}(?:[\\u200c\\u200d]?\\p{M}){${MAX_ACCENTS},}`, 'gu')
/** Stands in the place of what was cut: paper must say that there was more. */
const CUT = '\ufffd'
// Most texts are plain: printable ASCII without two spaces in a row, or one at an end.
const PLAIN = /^(?! )(?!.* {2})(?!.* $)[\x20-\x7e]*$/

/**
 * Foreign text (names, notes, sources, ids) as it may be laid out: NFC, trimmed, spaces collapsed, characters that can be seen and, if asked for, LF only.
 * Lone surrogates become U+FFFD. The result may still hold characters that the printer lacks (code-page.ts), or every font (stand-in.ts).
 */
export function sanitizeText(text: string, limits: TextLimits): string {
  if (text.length <= limits.maxLength && PLAIN.test(text)) return text
  // Bound the work before it is done: normalising a long run of combining marks is slow.
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

/** What a letter can carry; behind it a sign that some are missing. */
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

/** Beyond the limit lines run on in the last one: a word about an allergy may stand anywhere. */
function fewLines(lines: readonly string[]): string[] {
  if (lines.length <= MAX_LINE_BREAKS) return [...lines]
  return [...lines.slice(0, MAX_LINE_BREAKS - 1), lines.slice(MAX_LINE_BREAKS - 1).join(' ')]
}

/** Cuts between characters as a reader sees them: half an emoji or a letter without its accent says something else. */
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
