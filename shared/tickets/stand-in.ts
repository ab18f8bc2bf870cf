// Stand-ins on paper for characters that no font can draw. Never empty, and never mistakable for another character. Pure.
import { graphemes } from './display-width.ts'
import type { TicketLine } from './line-layout.ts'

/** The result of TextRaster.missing: visible characters, with their missing code points. */
export type Missing = ReadonlyMap<string, string>

export const NONE_MISSING: Missing = new Map()

/** Maximum number of code points written in one text, so that a note full of them does not waste paper. Further characters are `?`. */
export const MOST_NAMED = 16
/** Length of the longest stand-in: `[U+10FFFD]`. */
export const STAND_IN_LENGTH = 10

const ASCII_ONLY = /^[\n\x20-\x7e]*$/
const FRACTION = /^\p{No}$/u

/** Replaces each missing character by its code points: `[U+0378]`. Fractions are written in digits: `2⅓` as `2 1/3`. */
export function standIn(text: string, missing: Missing): string {
  if (missing.size === 0 || ASCII_ONLY.test(text)) return text
  let out = ''
  let named = 0
  for (const { text: grapheme } of graphemes(text)) {
    const lacks = missing.get(grapheme)
    const written = lacks === undefined ? grapheme : fractionOf(grapheme, out)
    if (lacks === undefined || written !== null) out += written
    else {
      named += Array.from(grapheme).filter((character) => lacks.includes(character)).length
      out += named > MOST_NAMED ? '?' : inCodePoints(grapheme, lacks)
    }
  }
  return out
}

/** True for a fraction. If no font has it, it is written in digits, and nothing is lost. */
export function isWrittenOut(grapheme: string): boolean {
  return fractionOf(grapheme, '') !== null
}

/** The number of characters in these lines (laid out without stand-ins) that are printed as code points or `?`. */
export function countMissing(lines: readonly TicketLine[], missing: Missing): number {
  if (missing.size === 0) return 0
  return graphemesOf(lines).filter((grapheme) => missing.has(grapheme) && !isWrittenOut(grapheme)).length
}

/** All visible characters of the lines that are not ASCII. */
export function graphemesOf(lines: readonly TicketLine[]): string[] {
  return lines.flatMap(({ runs }) =>
    runs.flatMap(({ text }) => (ASCII_ONLY.test(text) ? [] : graphemes(text).map((each) => each.text))),
  )
}

function inCodePoints(grapheme: string, lacks: string): string {
  let out = ''
  for (const character of grapheme) out += lacks.includes(character) ? `[${codePointName(character)}]` : character
  return out
}

/** A code point in its usual notation: `U+0378`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A fraction in digits, separated from digits before it. Null if it is not a fraction. */
function fractionOf(grapheme: string, before: string): string | null {
  const parts = FRACTION.test(grapheme) ? grapheme.normalize('NFKD') : ''
  if (!/^\d*\u2044\d*$/.test(parts)) return null
  return `${/\d$/.test(before) ? ' ' : ''}${parts.replace('\u2044', '/')}`
}

/** `1 character`, `3 characters`: the number that could not be printed. */
export function charactersOf(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}
