// The paper for which a ticket is laid out, with functions for foreign text and banners.
import { BLANK_LINE, barLines, type TicketLine, type TicketSymbol } from './line-layout.ts'
import { sanitizeText, type TextLimits } from './sanitize-text.ts'
import { MOST_NAMED, STAND_IN_LENGTH } from './stand-in.ts'

/** Where the ticket is printed. */
export interface TicketPaper {
  columns: number
  /** Replaces what can be neither printed nor drawn: CodePages.printable. */
  printable: (text: string) => string
  /** Returns whether the printer can draw this code on this paper. */
  draws: (symbol: TicketSymbol) => boolean
  /** Returns whether these lines fit one die-cut label. Absent on a roll. */
  fits?: (lines: readonly TicketLine[]) => boolean
}

/** Makes foreign text ready for paper. */
export function paperText(paper: TicketPaper, text: string, limits: TextLimits): string {
  // A replacement may be longer than its character: ':birthday cake:' must not exceed the limit again.
  const whole = paper.printable(sanitizeText(text, limits))
  const most = limits.maxLength * 2 + MOST_NAMED * STAND_IN_LENGTH
  const printable = whole.length <= most ? whole : `${whole.slice(0, most).toWellFormed()}...`
  return limits.keepSpaces === true ? printable.trimEnd() : printable.trim()
}

/** Bars as wide as the paper for the top of a ticket, with a blank line below. Empty without texts. */
export function bannerLines(paper: TicketPaper, texts: readonly string[]): TicketLine[] {
  const bars = texts.flatMap((text) => barLines(paper.columns, text))
  return bars.length === 0 ? [] : [...bars, BLANK_LINE]
}
