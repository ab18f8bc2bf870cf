// The paper that a ticket is laid out for, and the two things that every ticket does with it: foreign text, and banners.
import { BLANK_LINE, barLines, type TicketLine, type TicketSymbol } from './line-layout.ts'
import { sanitizeText, type TextLimits } from './sanitize-text.ts'
import { MOST_NAMED, STAND_IN_LENGTH } from './stand-in.ts'

/** Where the ticket is printed. */
export interface TicketPaper {
  columns: number
  /** Replaces what can neither be printed nor drawn: CodePages.printable. */
  printable: (text: string) => string
  /** Whether the printer can draw this code on this paper. */
  draws: (symbol: TicketSymbol) => boolean
  /** Whether these lines stand together on one die-cut label; absent on a roll. */
  fits?: (lines: readonly TicketLine[]) => boolean
}

/** Foreign text, ready for paper. */
export function paperText(paper: TicketPaper, text: string, limits: TextLimits): string {
  // A replacement may be longer than its character: ':birthday cake:' must not make a note endless again.
  const whole = paper.printable(sanitizeText(text, limits))
  const most = limits.maxLength * 2 + MOST_NAMED * STAND_IN_LENGTH
  const printable = whole.length <= most ? whole : `${whole.slice(0, most).toWellFormed()}...`
  return limits.keepSpaces === true ? printable.trimEnd() : printable.trim()
}

/** Bars over the whole width at the top of a ticket, with a blank line below; nothing without texts. */
export function bannerLines(paper: TicketPaper, texts: readonly string[]): TicketLine[] {
  const bars = texts.flatMap((text) => barLines(paper.columns, text))
  return bars.length === 0 ? [] : [...bars, BLANK_LINE]
}
