// What has become of a test order, as lines: each printer, each screen, the cook's Ready. Pure.
import type { PrinterAnswer, TestOrderAnswer } from '#gateway/control/answers.ts'
import type { Messages } from '#gateway/web/admin/messages/en.ts'
import { lookup, printerStanding, type Standing, ticketStanding } from '#gateway/web/admin/parts/words.ts'
import type { Tone } from '#shared/ui/parts/mark.tsx'

export interface TestOrderLine extends Standing {
  key: string
  name: string
}

export interface TestOrderVerdict {
  lines: TestOrderLine[]
  isGreen: boolean
}

type Ticket = TestOrderAnswer['tickets'][number]

/** @param duration milliseconds in words */
export function testOrderVerdict(
  order: TestOrderAnswer,
  printers: Readonly<Record<string, PrinterAnswer>>,
  t: Messages,
  duration: (ms: number) => string,
): TestOrderVerdict {
  const lines = [
    ...order.tickets.map((ticket) => ticketLine(ticket, printers[ticket.printerId], t, duration)),
    ...order.displays.map((display) => displayLine(display, t)),
    ...(order.displays.length === 0 ? [] : [readyLine(order, t)]),
  ]
  return { lines, isGreen: lines.every(({ tone }) => tone === 'ok') }
}

function ticketLine(
  ticket: Ticket,
  printer: PrinterAnswer | undefined,
  t: Messages,
  duration: (ms: number) => string,
): TestOrderLine {
  const paper = ticket.paper === 'kitchen' ? '' : lookup(t.paper, ticket.paper)
  const name = [ticket.printer || t.job.noPrinter, paper].filter((part) => part !== '').join(', ')
  return { key: ticket.ticketId, name, ...paperStanding(ticket, printer, t, duration) }
}

function paperStanding(
  ticket: Ticket,
  printer: PrinterAnswer | undefined,
  t: Messages,
  duration: (ms: number) => string,
): Standing {
  const standing = ticketStanding(ticket, t)
  if (ticket.state === 'printed') {
    const proof = ticket.method === null ? '' : lookup(t.job.methods, ticket.method)
    const after = ticket.printedAfterMs === null ? '' : t.testOrder.after(duration(ticket.printedAfterMs))
    return { ...standing, words: [standing.words, proof, after].filter((part) => part !== '').join(' · ') }
  }
  if (ticket.state !== 'queued' && ticket.state !== 'sending') return standing
  if (!printer) return { tone: 'warn', words: t.testOrder.noPrinter, hint: '' }
  // Why it waits, in the words that the printer has everywhere.
  const why = printerStanding(printer, t)
  return why.tone === 'ok' || why.tone === 'idle' ? { ...standing, words: t.testOrder.waiting } : why
}

function displayLine({ displayId, name, isAlive, isSeen }: TestOrderAnswer['displays'][number], t: Messages) {
  const line = (tone: Tone, words: string, hint = ''): TestOrderLine => ({ key: displayId, name, tone, words, hint })
  if (isSeen) return line('ok', t.testOrder.shown)
  return isAlive ? line('idle', t.testOrder.notShown) : line('warn', t.testOrder.screenOff, t.testOrder.screenOffHint)
}

function readyLine({ readyAt, pickedUpAt }: TestOrderAnswer, t: Messages): TestOrderLine {
  const isReady = readyAt !== null || pickedUpAt !== null
  const standing: Standing = isReady
    ? { tone: 'ok', words: t.testOrder.isReady, hint: '' }
    : { tone: 'idle', words: t.testOrder.tapReady, hint: '' }
  return { key: 'ready', name: t.testOrder.ready, ...standing }
}
