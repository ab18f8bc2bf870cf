// How high the lines of a ticket stand on paper. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { lineHeight, type TicketLine } from './line-layout.ts'
import { sizeOfSymbol } from './symbols.ts'

const MM_PER_INCH = 25.4
// Line spacing after ESC @ is 1/6 inch on all families; a double-height line takes 48 dots instead of 30.
const LINE_MM = MM_PER_INCH / 6
const TALL_LINE_FACTOR = 1.6
/** Pictures of a 9-pin head: 72 rows an inch, while `dpi` counts the half dots across. */
const IMPACT_ROWS_PER_INCH = 72

export type MeasuredProfile = Pick<PrinterProfile, 'image' | 'dpi' | 'dots' | 'symbols'>

/** Height of a line on paper, millimetres. */
export function lineMm(line: TicketLine, profile: MeasuredProfile): number {
  const rowsPerInch = profile.image === 'column8' ? IMPACT_ROWS_PER_INCH : profile.dpi
  if (line.bitmap !== undefined) return (line.bitmap.heightDots / rowsPerInch) * MM_PER_INCH
  const symbol = line.symbol === undefined ? null : sizeOfSymbol(line.symbol, profile)
  if (symbol !== null) return (symbol.heightDots / profile.dpi) * MM_PER_INCH
  return lineHeight(line) === 2 ? LINE_MM * TALL_LINE_FACTOR : LINE_MM
}
