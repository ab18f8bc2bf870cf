// How an attempt to print a ticket ended, and what that changes in the ticket's row. Pure.
import type { EpochMs } from '#shared/clock.ts'
import type { Confirmation, ConfirmMethod } from '#shared/print-job.ts'
import { type TicketChange, type TicketRow, unchanged } from './ticket-rows.ts'

/** Instants are relay time. */
export type AttemptEnd =
  | { kind: 'printed'; confirmation: Confirmation; method: ConfirmMethod; firstByteAtMs: EpochMs; printedAtMs: EpochMs }
  | { kind: 'failed'; reason: string; atMs: EpochMs }
  /** Given up: it may be on paper, a person must look. */
  | { kind: 'uncertain'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** Not one byte went out: back to the queue, neither marked nor counted. */
  | { kind: 'not-sent'; atMs: EpochMs }
  /** Some bytes went out without proof: back to the queue, the next copy is marked. */
  | { kind: 'retry-marked'; reason: string; firstByteAtMs: EpochMs | null; atMs: EpochMs }
  /** Not one byte went out, and the job was cancelled meanwhile. */
  | { kind: 'cancelled'; atMs: EpochMs }

/** Reason of what was cancelled by the relay. */
export const CANCELLED = 'cancelled'

/** What becomes of an attempt's end when the job was cancelled meanwhile: nothing of it is printed again. */
export function endOfCancelled(row: TicketRow, end: AttemptEnd): AttemptEnd {
  if (end.kind === 'retry-marked') return { ...end, kind: 'uncertain' }
  if (end.kind !== 'not-sent') return end
  return row.possible_duplicate === 1
    ? { kind: 'uncertain', reason: CANCELLED, firstByteAtMs: null, atMs: end.atMs }
    : { kind: 'cancelled', atMs: end.atMs }
}

export function changeBy(row: TicketRow, end: AttemptEnd): TicketChange {
  const now = unchanged(row)
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
      return { ...now, state: 'queued', attempts: row.attempts - 1 }
    case 'retry-marked': {
      const firstByteAtMs = end.firstByteAtMs ?? row.first_byte_at_ms
      return { ...now, state: 'queued', possibleDuplicate: 1, reason: end.reason, firstByteAtMs }
    }
    case 'cancelled':
      return { ...now, state: 'cancelled', attempts: row.attempts - 1, reason: CANCELLED, settledAtMs: end.atMs }
  }
}
