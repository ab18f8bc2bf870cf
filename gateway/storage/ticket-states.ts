// A ticket as data: its states and the moves between them, its columns, how an attempt ends, what is reported of its job. Pure.
// TicketDoor (ticket-door.ts) is the one door through which a state changes, TicketRows (ticket-rows.ts) has the SQL.
//
// | state     | means                                             | may become                                               |
// |-----------|---------------------------------------------------|----------------------------------------------------------|
// | held      | waits for its fire time                           | queued (due, at the end of the queue), cancelled,        |
// |           |                                                   | uncertain (as queued)                                    |
// | queued    | waits for its printer                             | sending (claim), parked (too old after an outage),       |
// |           |                                                   | cancelled, uncertain (cancelled or expired when a copy,  |
// |           |                                                   | of this box or of an older disk, may stand on paper)     |
// | sending   | intent committed: bytes may be on their way       | printed, failed, uncertain, parked (in doubt, and the    |
// |           |                                                   | printer's policy is hold), cancelled (cancelled during   |
// |           |                                                   | an attempt of which no byte went out), queued (not sent; |
// |           |                                                   | or sent without proof, then marked; or found so at start)|
// | parked    | waits for a person (reason: doubt or stale)       | queued (print it), printed (seen on paper), cancelled,   |
// |           |                                                   | uncertain (given up when it may stand on paper)          |
// | printed   | the printer confirmed it, or took it unverifiably,| -                                                        |
// |           | or a person saw it                                |                                                          |
// | failed    | cannot be printed: its bytes could not be made    | -                                                        |
// | uncertain | may be on paper; a person must look               | -                                                        |
// | cancelled | will not print, and nothing of it is on paper     | -                                                        |
import type { EpochMs } from '#shared/clock.ts'
import type { Confirmation, ConfirmMethod, TicketEvidence } from '#shared/print-job.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import type { ResultPayload } from './report-store.ts'

export type TicketState = 'held' | 'queued' | 'sending' | 'parked' | 'printed' | 'failed' | 'uncertain' | 'cancelled'
/**
 * `order`: the tickets of the job itself, whatever its kind; only these decide its result. `void`: the slip of a cancelled job. `extra`:
 * receipt or label of an order. `reprint`: requested at the gateway. `local`: the gateway's own document.
 */
export type TicketKind = 'order' | 'void' | 'extra' | 'reprint' | 'local'

const MOVES: Readonly<Record<TicketState, readonly TicketState[]>> = {
  held: ['queued', 'cancelled', 'uncertain'],
  queued: ['sending', 'parked', 'cancelled', 'uncertain'],
  sending: ['printed', 'failed', 'uncertain', 'cancelled', 'queued', 'parked'],
  parked: ['queued', 'printed', 'cancelled', 'uncertain'],
  printed: [],
  failed: [],
  uncertain: [],
  cancelled: [],
}

/** @throws Error if the table has no such move, which is a bug: the program must not continue */
export function assertMove(from: TicketState, to: TicketState): void {
  if (!MOVES[from].includes(to)) throw new Error(`a ticket cannot go from ${from} to ${to}`)
}

/** True while the ticket may still print. */
export function isOpen(state: TicketState): boolean {
  return MOVES[state].length > 0
}

/** A row of the tickets table. */
export interface TicketRow {
  position: number
  ticket_id: string
  job_id: string
  printer_id: string
  kind: TicketKind
  content: string
  digest: string
  state: TicketState
  attempts: number
  possible_duplicate: number
  paper: PaperType
  urgent: number
  moved_from: string | null
  moved_at_ms: number | null
  not_before_ms: number | null
  started_at_ms: number | null
  attempted_at_ms: number | null
  connected_at_ms: number | null
  first_byte_at_ms: number | null
  last_byte_at_ms: number | null
  settled_at_ms: number | null
  confirmation: Confirmation | null
  method: ConfirmMethod | null
  reason: string | null
  unprintable: number | null
}

/** A row of the attempts table. */
export interface AttemptRow {
  ticket_id: string
  attempt: number
  printer_id: string
  started_at_ms: number | null
  connected_at_ms: number | null
  first_byte_at_ms: number | null
  last_byte_at_ms: number | null
  ended_at_ms: number
  outcome: 'printed' | 'failed' | 'uncertain' | 'retry' | 'parked'
  method: ConfirmMethod | null
  reason: string | null
  detail: string | null
}

/** Columns of a ticket that an attempt or its end may change. */
export interface TicketChange {
  position: number
  jobId: string
  from: TicketState
  state: TicketState
  attempts: number
  possibleDuplicate: number
  startedAtMs: number | null
  attemptedAtMs: number | null
  connectedAtMs: number | null
  firstByteAtMs: number | null
  lastByteAtMs: number | null
  settledAtMs: number | null
  confirmation: Confirmation | null
  method: ConfirmMethod | null
  reason: string | null
  unprintable: number | null
}

/** The columns as they are, for a change of some of them. */
export function unchanged(row: TicketRow): TicketChange {
  return {
    position: row.position,
    jobId: row.job_id,
    from: row.state,
    state: row.state,
    attempts: row.attempts,
    possibleDuplicate: row.possible_duplicate,
    startedAtMs: row.started_at_ms,
    attemptedAtMs: row.attempted_at_ms,
    connectedAtMs: row.connected_at_ms,
    firstByteAtMs: row.first_byte_at_ms,
    lastByteAtMs: row.last_byte_at_ms,
    settledAtMs: row.settled_at_ms,
    confirmation: row.confirmation,
    method: row.method,
    reason: row.reason,
    unprintable: row.unprintable,
  }
}

/** Facts about the transmission in an attempt, for the timeline. Null: not seen. */
export interface WireFacts {
  connectedAtMs: EpochMs | null
  lastByteAtMs: EpochMs | null
  /** Technical, of the transport's own words. */
  detail: string
}

/** Instants are relay time. */
export type AttemptEnd = {
  wire?: WireFacts
  /** Characters that this paper shows as code points. Absent: not counted. */
  unprintable?: number
} & (
  | {
      kind: 'printed'
      confirmation: Confirmation
      method: ConfirmMethod
      firstByteAtMs: EpochMs
      printedAtMs: EpochMs
      /** This paper has POSSIBLE DUPLICATE, although no earlier attempt is in doubt. */
      isMarked?: boolean
    }
  | { kind: 'failed'; reason: string; atMs: EpochMs }
  /** Given up: it may be on paper, a person must check. */
  | { kind: 'uncertain'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** No byte was sent: back to the queue, neither marked nor counted. */
  | { kind: 'not-sent'; atMs: EpochMs }
  /** Some bytes were sent without proof: back to the queue, the next copy is marked. */
  | { kind: 'retry-marked'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** The same at a printer where a person decides about doubt. */
  | { kind: 'parked'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** No byte was sent, and the job was cancelled meanwhile. */
  | { kind: 'cancelled'; atMs: EpochMs }
)

/** Reason of what was cancelled by the relay. */
export const CANCELLED = 'cancelled'
/** Why a ticket is parked. */
export const DOUBT = 'doubt'
export const STALE = 'stale'
/** Why a queued ticket is never too old: a person has released it. */
export const RELEASED = 'released'

/** The end of an attempt if the job was cancelled meanwhile: nothing of it is printed again. */
export function endOfCancelled(row: TicketRow, end: AttemptEnd): AttemptEnd {
  if (end.kind === 'retry-marked' || end.kind === 'parked') return { ...end, kind: 'uncertain' }
  if (end.kind !== 'not-sent') return end
  return row.possible_duplicate === 1
    ? { kind: 'uncertain', reason: CANCELLED, firstByteAtMs: null, atMs: end.atMs }
    : { kind: 'cancelled', atMs: end.atMs }
}

/** Everything except the count of attempts: only the door knows whether one was sent. */
export function changeBy(row: TicketRow, end: AttemptEnd): TicketChange {
  const { connectedAtMs = row.connected_at_ms, lastByteAtMs = row.last_byte_at_ms } = end.wire ?? {}
  const now = { ...unchanged(row), connectedAtMs, lastByteAtMs, unprintable: end.unprintable ?? row.unprintable }
  switch (end.kind) {
    case 'printed': {
      const { confirmation, method, firstByteAtMs, printedAtMs } = end
      const possibleDuplicate = end.isMarked ? 1 : row.possible_duplicate
      const proof = { confirmation, method, firstByteAtMs, settledAtMs: printedAtMs, reason: null }
      return { ...now, ...proof, state: 'printed', possibleDuplicate }
    }
    case 'failed':
      return { ...now, state: 'failed', reason: end.reason, settledAtMs: end.atMs }
    case 'uncertain': {
      const firstByteAtMs = end.firstByteAtMs ?? row.first_byte_at_ms
      return { ...now, state: 'uncertain', reason: end.reason, firstByteAtMs, settledAtMs: end.atMs }
    }
    case 'not-sent':
      return { ...unchanged(row), state: 'queued' }
    case 'retry-marked':
    case 'parked': {
      const facts = { possibleDuplicate: 1, firstByteAtMs: end.firstByteAtMs ?? row.first_byte_at_ms }
      return end.kind === 'parked'
        ? { ...now, ...facts, state: 'parked', reason: DOUBT }
        : { ...now, ...facts, state: 'queued', reason: end.reason }
    }
    case 'cancelled':
      return { ...unchanged(row), state: 'cancelled', reason: CANCELLED, settledAtMs: end.atMs }
  }
}

/** The stored attempt; null if no byte of it was sent. */
export function attemptOf(row: TicketRow, end: AttemptEnd): AttemptRow | null {
  if (end.kind === 'not-sent' || end.kind === 'cancelled') return null
  const { connectedAtMs = null, lastByteAtMs = null, detail = '' } = end.wire ?? {}
  return {
    ticket_id: row.ticket_id,
    attempt: row.attempts,
    printer_id: row.printer_id,
    started_at_ms: row.attempted_at_ms,
    connected_at_ms: connectedAtMs,
    first_byte_at_ms: end.kind === 'failed' ? null : end.firstByteAtMs,
    last_byte_at_ms: lastByteAtMs,
    ended_at_ms: end.kind === 'printed' ? end.printedAtMs : end.atMs,
    outcome: end.kind === 'retry-marked' ? 'retry' : end.kind,
    method: end.kind === 'printed' ? end.method : null,
    reason: end.kind === 'printed' ? null : end.reason,
    detail: detail === '' ? null : detail.slice(0, 300),
  }
}

/** A settled ticket as the report needs it: with the name of its printer. */
export type SettledTicket = TicketRow & { printer_name: string | null }

/** Why a ticket was cancelled when its job's expiry had passed. */
export const EXPIRED = 'expired'

/**
 * The job's result. The worst ticket decides: failed, then uncertain, then printed; cancelled or expired only when nothing was printed.
 * @param tickets the order's tickets, all settled; none of an order for the displays alone, which ends by its time or is called off; void slips, receipts and labels of an order, and reprints asked for here are not among them
 */
export function jobResult(jobId: string, tickets: readonly SettledTicket[], nowMs: number): ResultPayload {
  const state = stateOf(tickets)
  const started = tickets.flatMap((ticket) => ticket.started_at_ms ?? [])
  return {
    jobId,
    state,
    startedAt: started.length === 0 ? null : Math.min(...started),
    endedAt: tickets.length === 0 ? nowMs : Math.max(...tickets.map((ticket) => ticket.settled_at_ms ?? nowMs)),
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
    throw new Error(`ticket ${ticket.ticket_id} is reported while it is ${state}`)
  return {
    ticketId: ticket.ticket_id,
    printerId: ticket.printer_id,
    printerName: ticket.printer_name ?? ticket.printer_id,
    ...(ticket.moved_from === null ? {} : { movedFrom: ticket.moved_from }),
    state,
    attempts: ticket.attempts,
    confirmation: ticket.confirmation,
    method: ticket.method,
    connectedAtMs: ticket.connected_at_ms,
    firstByteAtMs: ticket.first_byte_at_ms,
    lastByteAtMs: ticket.last_byte_at_ms,
    printedAtMs: state === 'printed' ? ticket.settled_at_ms : null,
    possibleDuplicate: ticket.possible_duplicate === 1 && ticket.attempts > 0,
    ...(ticket.unprintable === null ? {} : { unprintable: ticket.unprintable }),
    reason: ticket.reason,
  }
}
