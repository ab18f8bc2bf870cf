// Die-cut labels: what does not fit the height is left out, and dots say so. The last guard behind the layouts. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { lineMm, type MeasuredProfile } from './line-height.ts'
import { length, lineWidth, type TicketLine } from './line-layout.ts'

/** Kept free: feeding from one die-cut label to the next is exact to about this much. */
const MARGIN_MM = 2
const ELLIPSIS = '...'

/** The lines that fit, the last of them ending in `...` when something was left out. All lines on a roll. */
export function fitToLabel(
  lines: readonly TicketLine[],
  profile: MeasuredProfile & Pick<PrinterProfile, 'media' | 'columns'>,
): readonly TicketLine[] {
  const { media, columns } = profile
  if (media.kind === 'roll') return lines
  const printed = withoutBlankEnd(lines)
  let usedMm = 0
  const fitting = printed.findIndex((line) => {
    usedMm += lineMm(line, profile)
    return usedMm > media.heightMm - MARGIN_MM
  })
  if (fitting === -1) return printed
  const kept = printed.slice(0, fitting)
  const last = kept.findLastIndex((line) => isText(line) && line.runs.length > 0)
  return kept.map((line, i) => (i === last ? withEllipsis(line, columns) : line))
}

function isText(line: TicketLine): boolean {
  return line.symbol === undefined && line.bitmap === undefined
}

function withoutBlankEnd(lines: readonly TicketLine[]): readonly TicketLine[] {
  const last = lines.findLastIndex((line) => !isText(line) || line.runs.some((run) => run.text.trim() !== ''))
  return lines.slice(0, last + 1)
}

/** The last run gives up what the dots need. */
function withEllipsis(line: TicketLine, columns: number): TicketLine {
  const last = line.runs.at(-1)
  if (last === undefined) return line
  const before = lineWidth({ ...line, runs: line.runs.slice(0, -1) })
  const room = Math.floor((columns - before) / (last.widthScale ?? 1))
  const dots = ELLIPSIS.slice(0, Math.max(0, room))
  const characters = Array.from(last.text.trimEnd())
  while (characters.length > 0 && length(characters.join('')) + dots.length > room) characters.pop()
  return { ...line, runs: [...line.runs.slice(0, -1), { ...last, text: characters.join('') + dots }] }
}
