// How an attempt to print a ticket ended, and what that changes in the ticket's row and adds to its history. Pure.
import type { EpochMs } from '#shared/clock.ts'
import type { Confirmation, ConfirmMethod } from '#shared/print-job.ts'
import { type AttemptRow, type TicketChange, type TicketRow, unchanged } from './ticket-rows.ts'

/** What the wire showed of an attempt, for the timeline. Null: not seen. */
export interface WireFacts {
  connectedAtMs: EpochMs | null
  lastByteAtMs: EpochMs | null
  /** Technical, of the transport's own words. */
  detail: string
}

/** Instants are relay time. */
export type AttemptEnd = {
  wire?: WireFacts
  /** Characters that this paper tells by their code points. Absent: nobody knows. */
  unprintable?: number
} & (
  | { kind: 'printed'; confirmation: Confirmation; method: ConfirmMethod; firstByteAtMs: EpochMs; printedAtMs: EpochMs }
  | { kind: 'failed'; reason: string; atMs: EpochMs }
  /** Given up: it may be on paper, a person must look. */
  | { kind: 'uncertain'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** Not one byte went out: back to the queue, neither marked nor counted. */
  | { kind: 'not-sent'; atMs: EpochMs }
  /** Some bytes went out without proof: back to the queue, the next copy is marked. */
  | { kind: 'retry-marked'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** The same at a printer where a person decides about doubt. */
  | { kind: 'parked'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** Not one byte went out, and the job was cancelled meanwhile. */
  | { kind: 'cancelled'; atMs: EpochMs }
)

/** Reason of what was cancelled by the relay. */
export const CANCELLED = 'cancelled'
/** Why a ticket is parked. */
export const DOUBT = 'doubt'
export const STALE = 'stale'
/** Why a queued ticket is never too old: a person has let it print. */
export const RELEASED = 'released'

/** What becomes of an attempt's end when the job was cancelled meanwhile: nothing of it is printed again. */
export function endOfCancelled(row: TicketRow, end: AttemptEnd): AttemptEnd {
  if (end.kind === 'retry-marked' || end.kind === 'parked') return { ...end, kind: 'uncertain' }
  if (end.kind !== 'not-sent') return end
  return row.possible_duplicate === 1
    ? { kind: 'uncertain', reason: CANCELLED, firstByteAtMs: null, atMs: end.atMs }
    : { kind: 'cancelled', atMs: end.atMs }
}

export function changeBy(row: TicketRow, end: AttemptEnd): TicketChange {
  const { connectedAtMs = row.connected_at_ms, lastByteAtMs = row.last_byte_at_ms } = end.wire ?? {}
  const now = { ...unchanged(row), connectedAtMs, lastByteAtMs, unprintable: end.unprintable ?? row.unprintable }
  switch (end.kind) {
    case 'printed': {
      const { confirmation, method, firstByteAtMs, printedAtMs } = end
      return { ...now, state: 'printed', confirmation, method, firstByteAtMs, settledAtMs: printedAtMs, reason: null }
    }
    case 'failed':
      return { ...now, state: 'failed', reason: end.reason, settledAtMs: end.atMs }
    case 'uncertain': {
      const firstByteAtMs = end.firstByteAtMs ?? row.first_byte_at_ms
      return { ...now, state: 'uncertain', reason: end.reason, firstByteAtMs, settledAtMs: end.atMs }
    }
    case 'not-sent':
      return { ...unchanged(row), state: 'queued', attempts: row.attempts - 1 }
    case 'retry-marked':
    case 'parked': {
      const facts = { possibleDuplicate: 1, firstByteAtMs: end.firstByteAtMs ?? row.first_byte_at_ms }
      return end.kind === 'parked'
        ? { ...now, ...facts, state: 'parked', reason: DOUBT }
        : { ...now, ...facts, state: 'queued', reason: end.reason }
    }
    case 'cancelled':
      return {
        ...unchanged(row),
        state: 'cancelled',
        attempts: row.attempts - 1,
        reason: CANCELLED,
        settledAtMs: end.atMs,
      }
  }
}

/** What is kept of the attempt; null when not one byte of it went out. */
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
