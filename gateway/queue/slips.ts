// Slips of the gateway after an outage: which tickets went to another printer, which wait for a person. Pure.
import type { ListedTicket } from '#gateway/storage/outage-store.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import { TicketTimes } from '#shared/tickets/ticket-times.ts'

interface When {
  nowMs: number
  /** IANA zone of the restaurant. */
  timeZone: string
}

const MOST_LINES = 100

/** One slip at a printer that is back: what its backup printed. Nothing on it must be made. */
export function movedSlip(moved: readonly ListedTicket[], { nowMs, timeZone }: When): LocalDoc {
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `THIS PRINTER WAS AWAY. ${count(moved.length)} WENT ELSEWHERE`,
    lines: shortened(moved, (ticket) => `${nameOf(ticket)} ${whereabouts(ticket)}`),
    footer: 'They do not print here again.',
  }
}

/** One slip instead of a flood of old tickets. */
export function staleSlip(stale: readonly ListedTicket[], { nowMs, timeZone }: When): LocalDoc {
  const times = new TicketTimes(timeZone, nowMs)
  const oldestMs = Math.min(...stale.map(({ dueAtMs }) => dueAtMs))
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `${count(stale.length)} WAITED ${times.time(oldestMs)}-${times.time(nowMs)}`,
    lines: shortened(stale, (ticket) => `${nameOf(ticket)} from ${times.time(ticket.dueAtMs)}`),
    footer: 'They are held. Print or dismiss them at the kitchen box.',
  }
}

function shortened(tickets: readonly ListedTicket[], lineOf: (ticket: ListedTicket) => string): string[] {
  if (tickets.length <= MOST_LINES) return tickets.map(lineOf)
  const shown = tickets.slice(0, MOST_LINES - 1)
  return [...shown.map(lineOf), `... and ${tickets.length - shown.length} more`]
}

function count(n: number): string {
  return n === 1 ? '1 TICKET' : `${n} TICKETS`
}

function nameOf({ called, kind, paper, possibleDuplicate }: ListedTicket): string {
  const what = kind === 'void' ? 'VOID ' : ''
  const which = paper === 'kitchen' ? '' : ` ${paper}`
  return `${what}${called}${which}${possibleDuplicate ? ' (part may be here)' : ''}`
}

function whereabouts({ state, printerName }: ListedTicket): string {
  switch (state) {
    case 'printed':
      return `-> ${printerName}`
    case 'cancelled':
      return '- cancelled'
    case 'uncertain':
    case 'failed':
      return `-> ${printerName}: LOOK THERE`
    default:
      return `-> ${printerName}, waits there`
  }
}
