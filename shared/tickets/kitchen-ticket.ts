// Walk 7/10: comes from gateway/queue/printer-worker.ts, goes on to gateway/printers/print-ticket.ts. Lays out the kitchen ticket of an order as lines; render-ticket.ts encodes them.
import type { KitchenLine } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { coursesOf } from './courses.ts'
import { LONGEST_GUEST, maskedGuest } from './guest-name.ts'
import { heldLines } from './held-courses.ts'
import {
  allergyLines,
  type KitchenTicketInput,
  markLines,
  orderLines,
  orderNoteLines,
  stationLines,
  timeLines,
} from './kitchen-head.ts'
import { itemLines } from './kitchen-item.ts'
import { BLANK_LINE, hangingLines, headingLine, length, ruleLine, type TicketLine, textLines } from './line-layout.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'
import { TicketTimes } from './ticket-times.ts'

/**
 * The lines of one kitchen ticket, none wider than the paper. Sanitizes all foreign text. Prints no prices. Pure: the same input gives the
 * same ticket.
 */
export function kitchenTicketLines(input: KitchenTicketInput, paper: TicketPaper): TicketLine[] {
  const { order, items } = input
  const times = new TicketTimes(order.timeZone, input.nowMs)
  return [
    BLANK_LINE, // the rail's clip covers the top
    ...markLines(input, paper, times),
    ...allergyLines(order, paper),
    ...orderLines(order, paper),
    ...stationLines(input, paper),
    ...timeLines(input, paper, times),
    ...orderNoteLines(order, paper),
    ruleLine(paper.columns),
    ...coursesLines(items, paper),
    ruleLine(paper.columns),
    ...heldLines(input.later ?? [], paper),
    ...footLines(input, paper, times),
  ]
}

const LIMITS = { label: 40 } as const

/**
 * Lines without a course first, since they are made at once; then each course below its heading. Within a course in the order of the
 * client.
 */
function coursesLines(items: readonly KitchenLine[], paper: TicketPaper): TicketLine[] {
  return [
    ...spacedLines(
      items.filter(({ course }) => course === undefined),
      paper,
    ),
    ...coursesOf(items).flatMap((course, i) => [
      ...(i > 0 || items.some((item) => item.course === undefined) ? [BLANK_LINE] : []),
      headingLine(paper.columns, `COURSE ${course}`),
      ...spacedLines(
        items.filter((item) => item.course === course),
        paper,
      ),
    ]),
  ]
}

/** A blank line between items, except between two items of one line each: forty plain items fit one ticket. */
function spacedLines(items: readonly KitchenLine[], paper: TicketPaper): TicketLine[] {
  const blocks = items.map((item) => itemLines(item, paper))
  return blocks.flatMap((block, i) => {
    const above = blocks[i - 1]
    return above === undefined || (above.length === 1 && block.length === 1) ? block : [BLANK_LINE, ...block]
  })
}

function footLines(
  { order, items, printerName, ticketLabel, attempt, nowMs }: KitchenTicketInput,
  paper: TicketPaper,
  times: TicketTimes,
): TicketLine[] {
  const text = (words: string, maxLength: number) => paperText(paper, words, { maxLength })
  const count = items.reduce((sum, item) => sum + item.qty, 0)
  const guest = text(maskedGuest(order.customer?.name ?? ''), LONGEST_GUEST)
  const job = [
    `job ${text(ticketLabel, LIMITS.label)}`,
    text(printerName, LIMITS.label),
    `try ${attempt}`,
    times.timeWithSeconds(nowMs),
  ]
  return [
    ...rowLines([`items ${count}`, ...(guest === '' ? [] : [`guest: ${guest}`])], paper),
    ...hangingLines(paper.columns, { first: 'order ', text: text(order.orderId, TEXT_LENGTHS.orderId) }),
    ...rowLines(job, paper),
  ]
}

/** The parts side by side, wrapped if they do not fit. */
function rowLines(parts: readonly string[], { columns }: TicketPaper): TicketLine[] {
  const line = parts.filter((part) => part !== '').join('  ')
  return length(line) <= columns ? [{ align: 'left', runs: [{ text: line }] }] : textLines(columns, line, {})
}
