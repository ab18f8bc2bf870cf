// What stands on paper for characters that no font can draw: never nothing, and never a sign that could be read as another one. Pure.
import { graphemes } from './display-width.ts'
import type { TicketLine } from './line-layout.ts'

/** As TextRaster tells it: characters as a reader sees them, with their code points that are missing. */
export type Missing = ReadonlyMap<string, string>

export const NONE_MISSING: Missing = new Map()

/** So many code points are told in one text: a note full of them must not become a metre of paper. Further characters are `?`. */
export const MOST_NAMED = 16
/** Longest stand-in: `[U+10FFFD]`. */
export const STAND_IN_LENGTH = 10

const ASCII_ONLY = /^[\n\x20-\x7e]*$/
const FRACTION = /^\p{No}$/u

/** The text with each character that is missing written as its code points: `[U+0378]`. Fractions are written out: `2⅓` as `2 1/3`. */
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

/** True for a fraction: where no font has it, it is written in digits, and nothing is lost. */
export function isWrittenOut(grapheme: string): boolean {
  return fractionOf(grapheme, '') !== null
}

/** How many characters of these lines, laid out without stand-ins, will be read as their code points or as `?`. */
export function countMissing(lines: readonly TicketLine[], missing: Missing): number {
  if (missing.size === 0) return 0
  return graphemesOf(lines).filter((grapheme) => missing.has(grapheme) && !isWrittenOut(grapheme)).length
}

/** All characters of the lines that are not ASCII, as a reader sees them. */
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

/** As it is called: `U+0378`. */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

/** A fraction in digits, apart from digits before it; null: it is none. */
function fractionOf(grapheme: string, before: string): string | null {
  const parts = FRACTION.test(grapheme) ? grapheme.normalize('NFKD') : ''
  if (!/^\d*\u2044\d*$/.test(parts)) return null
  return `${/\d$/.test(before) ? ' ' : ''}${parts.replace('\u2044', '/')}`
}

/** `1 character`, `3 characters`: of which that could not be printed. */
export function charactersOf(count: number): string {
  return count === 1 ? '1 character' : `${count} characters`
}
