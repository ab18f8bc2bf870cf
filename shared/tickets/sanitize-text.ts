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

const MAX_COMBINING_MARKS = 4
const MAX_LINE_BREAKS = 20

// Everything that ends a line: CR LF, CR, LF, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR.
const LINE_END = /\r\n|[\r\n\u0085\u2028\u2029]/g
// Control codes, formatting (bidi, zero width, tags), private use, unassigned, variation selectors. LF stays, and so do the joiners where
// they change what is read: between letters of scripts that join (Persian, Hindi), and inside of an emoji that is made of several.
const JOINING =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Deva}\\p{Script=Beng}\\p{Script=Guru}\\p{Script=Gujr}\\p{Script=Orya}\\p{Script=Taml}\\p{Script=Telu}\\p{Script=Knda}\\p{Script=Mlym}\\p{Script=Sinh}\\p{Script=Khmr}\\p{Script=Mymr}'
const UNPRINTABLE = new RegExp(
  `(?!\\n|(?<=[${JOINING}])[\\u200c\\u200d](?=[${JOINING}])|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?=\\p{Extended_Pictographic}))` +
    '(?:[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}]|\\p{Variation_Selector})',
  'gu',
)
const EXCESS_MARKS = new RegExp(`(\\p{M}{${MAX_COMBINING_MARKS}})\\p{M}+`, 'gu')
// Most texts are plain: printable ASCII without two spaces in a row, or one at an end.
const PLAIN = /^(?! )(?!.* {2})(?!.* $)[\x20-\x7e]*$/

/**
 * Foreign text (names, notes, sources, ids) as it may be laid out: NFC, trimmed, spaces collapsed, printable characters and, if asked for, LF only.
 * Lone surrogates become U+FFFD. The result may still hold characters that the printer lacks: see code-page.ts.
 */
export function sanitizeText(text: string, limits: TextLimits): string {
  if (text.length <= limits.maxLength && PLAIN.test(text)) return text
  // Bound the work before it is done: normalising a long run of combining marks is slow.
  const bounded = text.slice(0, limits.maxLength * (MAX_COMBINING_MARKS + 1))
  const lines = bounded
    .toWellFormed()
    .replace(LINE_END, '\n')
    .replace(/\t/g, ' ')
    .replace(UNPRINTABLE, '')
    .replace(EXCESS_MARKS, '$1')
    .normalize('NFC')
    .split('\n')
    .map((line) => (limits.keepSpaces === true ? line.replace(/\p{Zs}/gu, ' ') : line.replace(/\p{Zs}+/gu, ' ').trim()))
    .filter((line) => line !== '')
  const kept = limits.lineBreaks === true ? fewLines(lines).join('\n') : lines.join(' ')
  return shorten(kept, limits.maxLength)
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
