// Fits lines to die-cut labels: cuts what does not fit and adds dots, or continues on the next labels. A safeguard behind the layouts. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { graphemes } from './display-width.ts'
import { drawnLineMm, lineMm, type MeasuredProfile } from './line-height.ts'
import { lineWidth, type TicketLine } from './line-layout.ts'

/** Kept free, because feeding from one die-cut label to the next is accurate to about this much. */
const MARGIN_MM = 2
export const ELLIPSIS = '...'

/**
 * The lines that fit; the last one ends in `...` if something was left out. On a roll, all lines.
 * @param drawn the same lines as they will be printed: pictures of text are higher than text
 */
export function fitToLabel(
  lines: readonly TicketLine[],
  profile: MeasuredProfile & Pick<PrinterProfile, 'media' | 'columns'>,
  drawn: readonly TicketLine[] = lines,
): readonly TicketLine[] {
  const { media, columns } = profile
  if (media.kind === 'roll') return lines
  const printed = withoutBlankEnd(lines)
  let usedMm = 0
  const fitting = printed.findIndex((line, i) => {
    usedMm += lineMm(drawn[i] ?? line, profile)
    return usedMm > media.heightMm - MARGIN_MM
  })
  if (fitting === -1) return printed
  const kept = printed.slice(0, fitting)
  const last = kept.findLastIndex((line) => isText(line) && line.runs.length > 0)
  return kept.map((line, i) => (i === last ? withEllipsis(line, columns) : line))
}

/** Returns whether a line, or a code, fits one label. */
export function fitsLabel(line: TicketLine, profile: MeasuredProfile & Pick<PrinterProfile, 'media'>): boolean {
  const { media } = profile
  return media.kind === 'roll' || lineMm(line, profile) <= media.heightMm - MARGIN_MM
}

/**
 * Returns whether the lines fit one label together.
 * @param isDrawn returns true for a line that will be a picture of text, which is higher than text
 */
export function standOnLabel(
  lines: readonly TicketLine[],
  profile: MeasuredProfile & Pick<PrinterProfile, 'media'>,
  isDrawn: (line: TicketLine) => boolean,
): boolean {
  const { media } = profile
  const mm = lines.reduce((sum, line) => sum + (isDrawn(line) ? drawnLineMm(line, profile) : lineMm(line, profile)), 0)
  return media.kind === 'roll' || mm <= media.heightMm - MARGIN_MM
}

/** All lines, grouped by label: none is printed across the gap between two labels. One group on a roll. */
export function overLabels(
  lines: readonly TicketLine[],
  profile: MeasuredProfile & Pick<PrinterProfile, 'media'>,
): readonly (readonly TicketLine[])[] {
  const { media } = profile
  if (media.kind === 'roll') return [lines]
  const labels: TicketLine[][] = []
  let leftMm = 0
  for (const line of withoutBlankEnd(lines)) {
    const mm = lineMm(line, profile)
    leftMm -= mm
    const open = labels.at(-1)
    if (open !== undefined && leftMm >= 0) open.push(line)
    else {
      labels.push([line])
      leftMm = media.heightMm - MARGIN_MM - mm
    }
  }
  return labels
}

function isText(line: TicketLine): boolean {
  return line.symbol === undefined && line.bitmap === undefined
}

function withoutBlankEnd(lines: readonly TicketLine[]): readonly TicketLine[] {
  const last = lines.findLastIndex((line) => !isText(line) || line.runs.some((run) => run.text.trim() !== ''))
  return lines.slice(0, last + 1)
}

/** Shortens the last run to make room for the dots. */
function withEllipsis(line: TicketLine, columns: number): TicketLine {
  const last = line.runs.at(-1)
  if (last === undefined) return line
  const before = lineWidth({ ...line, runs: line.runs.slice(0, -1) })
  const room = Math.floor((columns - before) / (last.widthScale ?? 1))
  const dots = ELLIPSIS.slice(0, Math.max(0, room))
  const kept = graphemes(last.text.trimEnd())
  let width = kept.reduce((sum, each) => sum + each.width, dots.length)
  while (width > room && kept.length > 0) width -= kept.pop()?.width ?? 0
  return { ...line, runs: [...line.runs.slice(0, -1), { ...last, text: kept.map(({ text }) => text).join('') + dots }] }
}
