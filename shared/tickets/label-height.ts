// Die-cut labels: what does not fit the height is left out, and dots say so; or it goes on over the next labels. The last guard behind the layouts. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { graphemes } from './display-width.ts'
import { drawnLineMm, lineMm, type MeasuredProfile } from './line-height.ts'
import { lineWidth, type TicketLine } from './line-layout.ts'

/** Kept free: feeding from one die-cut label to the next is exact to about this much. */
const MARGIN_MM = 2
export const ELLIPSIS = '...'

/**
 * The lines that fit, the last of them ending in `...` when something was left out. All lines on a roll.
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

/** Whether a line, or a code, stands on one label. */
export function fitsLabel(line: TicketLine, profile: MeasuredProfile & Pick<PrinterProfile, 'media'>): boolean {
  const { media } = profile
  return media.kind === 'roll' || lineMm(line, profile) <= media.heightMm - MARGIN_MM
}

/**
 * Whether lines stand together on one label.
 * @param isDrawn whether a line will be a picture of text, which is higher than text
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

/** All lines, label by label: none is printed over the gap between two. One part on a roll. */
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

/** The last run gives up what the dots need. */
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
