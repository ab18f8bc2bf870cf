// What is reported of a job once its last ticket has settled: one state for the whole and the evidence of each ticket. Pure.
import type { Confirmation, ConfirmMethod, TicketEvidence } from '#shared/print-job.ts'
import type { ResultPayload } from './report-store.ts'
import type { TicketState } from './ticket-states.ts'

/** A settled ticket as the report needs it. */
export interface SettledTicket {
  ticketId: string
  printerId: string
  printerName: string | null
  state: TicketState
  attempts: number
  possibleDuplicate: boolean
  startedAtMs: number | null
  connectedAtMs: number | null
  firstByteAtMs: number | null
  lastByteAtMs: number | null
  settledAtMs: number | null
  confirmation: Confirmation | null
  method: ConfirmMethod | null
  reason: string | null
  /** Null: not known. */
  unprintable: number | null
}

/** Why a ticket was cancelled when its job's expiry had passed. */
export const EXPIRED = 'expired'

/**
 * The job's result. The worst ticket decides: failed, then uncertain, then printed; cancelled or expired only when nothing was printed.
 * @param tickets the order's tickets, all settled; none of an order for the displays alone, which ends by its time or is called off; void slips, receipts and labels of an order, and reprints asked for here are not among them
 */
export function jobResult(jobId: string, tickets: readonly SettledTicket[], nowMs: number): ResultPayload {
  const state = stateOf(tickets)
  const started = tickets.flatMap((ticket) => ticket.startedAtMs ?? [])
  return {
    jobId,
    state,
    startedAt: started.length === 0 ? null : Math.min(...started),
    endedAt: tickets.length === 0 ? nowMs : Math.max(...tickets.map((ticket) => ticket.settledAtMs ?? nowMs)),
    reason: state === 'printed' ? null : (tickets.find((t) => t.state !== 'printed' && t.reason)?.reason ?? null),
    tickets: tickets.map(evidenceOf),
  }
}

function stateOf(tickets: readonly SettledTicket[]): ResultPayload['state'] {
  const has = (state: TicketState): boolean => tickets.some((ticket) => ticket.state === state)
  if (has('failed')) return 'failed'
  if (has('uncertain')) return 'uncertain'
  if (has('printed')) return 'printed'
  return tickets.some((ticket) => ticket.reason === EXPIRED) ? 'expired' : 'cancelled'
}

function evidenceOf(ticket: SettledTicket): TicketEvidence {
  const { state } = ticket
  if (state === 'held' || state === 'queued' || state === 'sending' || state === 'parked')
    throw new Error(`ticket ${ticket.ticketId} is reported while it is ${state}`)
  return {
    ticketId: ticket.ticketId,
    printerId: ticket.printerId,
    printerName: ticket.printerName ?? ticket.printerId,
    state,
    attempts: ticket.attempts,
    confirmation: ticket.confirmation,
    method: ticket.method,
    connectedAtMs: ticket.connectedAtMs,
    firstByteAtMs: ticket.firstByteAtMs,
    lastByteAtMs: ticket.lastByteAtMs,
    printedAtMs: state === 'printed' ? ticket.settledAtMs : null,
    possibleDuplicate: ticket.possibleDuplicate && ticket.attempts > 0,
    ...(ticket.unprintable === null ? {} : { unprintable: ticket.unprintable }),
    reason: ticket.reason,
  }
}
