// What to do after an attempt, and how long to wait before the next one. Pure.

import type { Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { AttemptEnd, WireFacts } from '#gateway/storage/ticket-states.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'

/** Maximum number of attempts that sent bytes, at a printer that is known to answer. */
export const MAX_ATTEMPTS = 25
/** The same at a printer that never answers: each attempt may be a complete ticket on paper, and nothing will ever prove one. */
export const MAX_ATTEMPTS_MUTE = 3

const RESEND_WAITS_MS = [250, 500, 1000, 2000, 5000] as const
/** The first byte follows within half a second after the port answers again, even at the slowest of twelve printers. */
const OFFLINE_WAITS_MS = [250, 400] as const
/**
 * A blocked printer (paper, cover), or one in use by another client, answers. It is queried less often, since its buffer for answers has
 * 512 bytes.
 */
const OCCUPIED_WAITS_MS = [250, 500, 1000] as const

export interface NextStep {
  end: AttemptEnd
  /** Null: the printer can continue at once. Otherwise it is checked after this time. */
  waitMs: number | null
}

/**
 * Decides what follows an attempt.
 * @param attempt number of this attempt, from 1
 * @param doubt the restaurant's setting for this printer
 * @param relayShiftMs relay time minus the wall clock of the outcome's times
 */
export function afterAttempt(
  outcome: SendOutcome,
  {
    attempt,
    nowMs,
    doubt,
    relayShiftMs,
    random,
  }: {
    attempt: number
    nowMs: EpochMs
    doubt: PrinterSettings['doubt']
    relayShiftMs: number
    random: () => number
  },
): NextStep {
  switch (outcome.kind) {
    case 'printed': {
      const { confirmation, method } = outcome
      const firstByteAtMs = Math.round(outcome.firstByteAtMs + relayShiftMs)
      const printedAtMs = Math.round(outcome.printedAtMs + relayShiftMs)
      const wire = wireOf(outcome, relayShiftMs)
      return { end: { kind: 'printed', confirmation, method, firstByteAtMs, printedAtMs, wire }, waitMs: null }
    }
    case 'not-sent':
      return { end: { kind: 'not-sent', atMs: nowMs }, waitMs: readinessWaitMs(outcome.readiness, 0, random) }
    case 'uncertain': {
      const firstByteAtMs = Math.round(outcome.firstByteAtMs + relayShiftMs)
      const facts = { reason: outcome.reason, firstByteAtMs, atMs: nowMs, wire: wireOf(outcome, relayShiftMs) }
      const waitMs = jittered(RESEND_WAITS_MS, attempt - 1, random)
      if (doubt === 'hold') return { end: { kind: 'parked', ...facts }, waitMs }
      const isLast = attempt >= (outcome.answering ? MAX_ATTEMPTS : MAX_ATTEMPTS_MUTE)
      if (isLast) return { end: { kind: 'uncertain', ...facts }, waitMs: null }
      return { end: { kind: 'retry-marked', ...facts }, waitMs }
    }
  }
}

function wireOf(outcome: Exclude<SendOutcome, { kind: 'not-sent' }>, shiftMs: number): WireFacts {
  const { connectedAtMs, lastByteAtMs } = outcome
  return {
    connectedAtMs: connectedAtMs === undefined ? null : Math.round(connectedAtMs + shiftMs),
    lastByteAtMs: lastByteAtMs === undefined ? null : Math.round(lastByteAtMs + shiftMs),
    detail: outcome.kind === 'uncertain' ? outcome.detail : '',
  }
}

/** Wait before the printer is checked again; `tries` counts from 0. */
export function readinessWaitMs(
  readiness: Exclude<Readiness, { kind: 'ready' }>,
  tries: number,
  random: () => number,
): number {
  return jittered(readiness.kind === 'offline' ? OFFLINE_WAITS_MS : OCCUPIED_WAITS_MS, tries, random)
}

/** A random time between half of the step and the whole step, so that several printers behind one switch are not queried in step. */
function jittered(steps: readonly number[], index: number, random: () => number): number {
  const stepMs = steps[Math.min(index, steps.length - 1)] ?? 0
  return stepMs * (0.5 + random() / 2)
}
