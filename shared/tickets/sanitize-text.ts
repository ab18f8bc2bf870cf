// Makes foreign text safe for paper: no control code, nothing invisible, nothing that reorders text, and no endless length.

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
// Control codes, formatting (bidi, zero width, tags), private use, unassigned, variation selectors. LF stays.
const UNPRINTABLE = /(?!\n)(?:[\p{Cc}\p{Cf}\p{Co}\p{Cn}]|\p{Variation_Selector})/gu
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

function shorten(text: string, maxLength: number): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  return `${characters.slice(0, Math.max(0, maxLength - 3)).join('')}...`
}
