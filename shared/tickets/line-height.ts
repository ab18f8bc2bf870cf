// How high the lines of a ticket are on paper. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { lineHeight, type TicketLine } from './line-layout.ts'
import { sizeOfSymbol } from './symbols.ts'

const MM_PER_INCH = 25.4
// Line spacing after ESC @ is 1/6 inch on all families; a double-height line takes 48 dots instead of 30.
const LINE_MM = MM_PER_INCH / 6
const TALL_LINE_FACTOR = 1.6
/** Pictures of a 9-pin head: 72 rows per inch, while `dpi` counts half dots across. */
const IMPACT_ROWS_PER_INCH = 72

export type MeasuredProfile = Pick<PrinterProfile, 'image' | 'dpi' | 'dots' | 'symbols'>

/** Height of a line on paper, in millimetres. */
export function lineMm(line: TicketLine, profile: MeasuredProfile): number {
  if (line.bitmap !== undefined) return rowsMm(line.bitmap.heightDots, profile)
  const symbol = line.symbol === undefined ? null : sizeOfSymbol(line.symbol, profile)
  if (symbol !== null) return (symbol.heightDots / profile.dpi) * MM_PER_INCH
  return lineHeight(line) === 2 ? LINE_MM * TALL_LINE_FACTOR : LINE_MM
}

/** The same for a line that will be drawn, before its picture exists. */
export function drawnLineMm(line: TicketLine, profile: MeasuredProfile): number {
  return rowsMm(textPictureDots(cellHeightDots(profile)) * lineHeight(line), profile)
}

/** Height of a picture of text in dots: a letter and the space to the next line. Heads of 8 or 9 pins have no space to spare. */
export function textPictureDots(cellDots: number): number {
  return cellDots < 24 ? cellDots : Math.round((cellDots * 4) / 3)
}

/** Height of a drawn letter in dots. Two passes of 8 pins give a readable one. */
export function cellHeightDots({ image }: Pick<PrinterProfile, 'image'>): number {
  return image === 'column8' ? 16 : 24
}

function rowsMm(rows: number, { image, dpi }: MeasuredProfile): number {
  return (rows / (image === 'column8' ? IMPACT_ROWS_PER_INCH : dpi)) * MM_PER_INCH
}
