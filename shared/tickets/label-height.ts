// Die-cut labels: what does not fit the height is left out, and dots say so. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { lineHeight, lineWidth, type TicketLine } from './line-layout.ts'
import { sizeOfSymbol } from './symbols.ts'

const MM_PER_INCH = 25.4
/** A line of text is 1/6 inch high; a double one as high as its letters, in dots. */
const TALL_LINE_DOTS = 48
/** Kept free at both edges: paper does not stop on the dot. */
const MARGIN_MM = 3
const ELLIPSIS = '...'

type Measured = Pick<PrinterProfile, 'media' | 'dpi' | 'dots' | 'columns' | 'symbols'>

/** Lines of normal height that a label has room for, or null on a roll, which ends when the ticket does. */
export function labelLines(profile: Measured): number | null {
  const dots = printableDots(profile)
  return dots === null ? null : Math.floor(dots / lineDots(profile))
}

/** The lines that fit, the last of them ending in `...` when something was left out. All lines on a roll. */
export function fitToLabel(lines: readonly TicketLine[], profile: Measured): readonly TicketLine[] {
  const room = printableDots(profile)
  if (room === null) return lines
  const printed = withoutBlankEnd(lines)
  let used = 0
  const fitting = printed.findIndex((line) => {
    used += heightDots(line, profile)
    return used > room
  })
  if (fitting === -1) return printed
  const kept = printed.slice(0, fitting)
  const last = kept.findLastIndex(
    (line) => line.symbol === undefined && line.bitmap === undefined && line.runs.length > 0,
  )
  return kept.map((line, i) => (i === last ? withEllipsis(line, profile.columns) : line))
}

function printableDots({ media, dpi }: Measured): number | null {
  return media.kind === 'roll' ? null : Math.floor(((media.heightMm - MARGIN_MM) / MM_PER_INCH) * dpi)
}

function lineDots({ dpi }: Measured): number {
  return Math.ceil(dpi / 6)
}

function heightDots(line: TicketLine, profile: Measured): number {
  if (line.bitmap !== undefined) return line.bitmap.heightDots
  const symbol = line.symbol === undefined ? null : sizeOfSymbol(line.symbol, profile)
  if (symbol !== null) return symbol.heightDots
  return lineHeight(line) === 2 ? TALL_LINE_DOTS : lineDots(profile)
}

function withoutBlankEnd(lines: readonly TicketLine[]): readonly TicketLine[] {
  const last = lines.findLastIndex((line) => line.symbol !== undefined || line.bitmap !== undefined || !isBlank(line))
  return lines.slice(0, last + 1)
}

function isBlank(line: TicketLine): boolean {
  return line.runs.every((run) => run.text.trim() === '')
}

/** The line with dots at its end, shortened where there is no room for them. */
function withEllipsis(line: TicketLine, columns: number): TicketLine {
  const last = line.runs.at(-1)
  if (last === undefined) return line
  const dots = { ...last, text: ELLIPSIS }
  const wide = lineWidth({ ...line, runs: [...line.runs, dots] }) > columns
  const text = wide ? last.text.trimEnd().slice(0, -ELLIPSIS.length) : last.text
  return { ...line, runs: [...line.runs.slice(0, -1), { ...last, text: `${text}${ELLIPSIS}` }] }
}
