// Lays out documents that are not orders: a kitchen note in its frame, or a receipt or label as the client wrote it.
import type { ContentLine, PrintDoc } from '#shared/wire/print-doc.ts'
import {
  BLANK_LINE,
  length,
  type RunStyle,
  ruleLine,
  type TicketLine,
  type TicketSymbol,
  textLines,
} from './line-layout.ts'
import { unframed } from './own-words.ts'
import { copyBanners, kitchenBanners, type TicketMarks } from './ticket-marks.ts'
import { bannerLines, paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

export interface NoteTicketInput {
  kind: 'note' | 'receipt' | 'label' | 'void'
  print: PrintDoc
  printerName: string
  marks: TicketMarks
  ticketLabel: string
  attempt: number
  nowMs: number
}

const LIMITS = { title: 120, text: 500, label: 40 } as const
const TITLE: RunStyle & { align: 'center' } = { heightScale: 2, widthScale: 2, bold: true, align: 'center' }

/**
 * The lines of one note, receipt or label, none wider than the paper. A note (and its VOID slip) has a title and a time, so that it cannot
 * be mistaken for an order. A receipt or label is exactly what the client wrote, with a banner only if it may be a duplicate. Pure.
 */
export function noteTicketLines(input: NoteTicketInput, paper: TicketPaper): TicketLine[] {
  const { kind, print } = input
  const isOwn = kind === 'receipt' || kind === 'label'
  const title = print.title === null ? '' : paperText(paper, print.title, { maxLength: LIMITS.title })
  // In a kitchen, a row of stars is reserved for our banners.
  const titleLines = title === '' ? [] : textLines(paper.columns, isOwn ? title : unframed(title), TITLE)
  const content = print.content.flatMap((line) => contentLines(line, paper))
  const banners = bannerLines(paper, bannersOf(input, paper))
  if (isOwn) return [...banners, ...titleLines, ...content]
  const times = new TicketTimes(print.timeZone, input.nowMs)
  return [
    BLANK_LINE, // the rail's clip covers the top
    ...banners,
    ...textLines(paper.columns, `KITCHEN NOTE ${times.time(print.queuedAtMs)}`, { heightScale: 2 }),
    ...titleLines,
    ruleLine(paper.columns),
    ...content,
    ruleLine(paper.columns),
    ...footLines(input, paper, times),
  ]
}

function bannersOf({ kind, marks, print, nowMs }: NoteTicketInput, paper: TicketPaper): string[] {
  if (kind === 'receipt' || kind === 'label') return copyBanners(marks)
  const sent = new TicketTimes(print.timeZone, nowMs).time(print.queuedAtMs)
  return [
    ...(kind === 'void' ? ['*** VOID ***', 'DISREGARD THIS NOTE'] : []),
    ...copyBanners(marks),
    ...kitchenBanners(marks, `sent ${sent}`, (text) => paperText(paper, text, { maxLength: LIMITS.label })),
  ]
}

function contentLines(line: ContentLine, paper: TicketPaper): TicketLine[] {
  switch (line.type) {
    case 'rule':
      return [ruleLine(paper.columns)]
    case 'text':
      return textContent(line, paper)
    case 'qr':
    case 'barcode': {
      const symbol: TicketSymbol = { what: line.type, data: line.data }
      if (paper.draws(symbol)) return [{ align: 'center', runs: [], symbol }]
      // If the printer cannot draw the code, or is too narrow for it, its data is printed as text.
      const data = paperText(paper, line.data, { maxLength: LIMITS.text })
      return textLines(paper.columns, data, { align: 'center' })
    }
  }
}

/** A line that fits keeps its spaces, so that the columns of a receipt stay aligned. A longer line is wrapped. */
function textContent(line: Extract<ContentLine, { type: 'text' }>, paper: TicketPaper): TicketLine[] {
  const text = paperText(paper, line.text, { maxLength: LIMITS.text, keepSpaces: true })
  if (text === '') return [BLANK_LINE]
  const scale = line.size === 'large' ? 2 : 1
  const style: RunStyle = {
    ...(scale === 2 ? { heightScale: 2, widthScale: 2 } : {}),
    ...(line.bold === true ? { bold: true } : {}),
  }
  const align = line.align ?? 'left'
  if (length(text) * scale <= paper.columns) return [{ align, runs: [{ ...style, text }] }]
  return textLines(paper.columns, text, { ...style, align })
}

function footLines(input: NoteTicketInput, paper: TicketPaper, times: TicketTimes): TicketLine[] {
  const label = (text: string) => paperText(paper, text, { maxLength: LIMITS.label })
  const parts = [
    `job ${label(input.ticketLabel)}`,
    label(input.printerName),
    `try ${input.attempt}`,
    times.timeWithSeconds(),
  ]
  return textLines(paper.columns, parts.filter((part) => part !== '').join(' '), {})
}
