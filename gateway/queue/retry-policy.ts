// What to do after an attempt, and how long to wait before the next one. Pure.

import type { Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { AttemptEnd, WireFacts } from '#gateway/storage/ticket-states.ts'
import type { EpochMs } from '#shared/clock.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'

/** Attempts that put bytes on the wire, at a printer that is known to answer. */
export const MAX_ATTEMPTS = 25
/** The same at a printer that never answers: each attempt may be a whole ticket on paper, and nothing will ever prove one. */
export const MAX_ATTEMPTS_MUTE = 3

const RESEND_WAITS_MS = [250, 500, 1000, 2000, 5000] as const
/** The first byte follows within half a second after the port answers again, also at the slowest of twelve. */
const OFFLINE_WAITS_MS = [250, 400] as const
/** A blocked printer (paper, cover) or one held by another client answers: asked more gently, it has 512 bytes for answers. */
const OCCUPIED_WAITS_MS = [250, 500, 1000] as const

export interface NextStep {
  end: AttemptEnd
  /** Null: the printer can go on at once. Else it is asked after this time whether it can print. */
  waitMs: number | null
}

/**
 * Decides after an attempt.
 * @param attempt number of this attempt, 1 = first
 * @param doubt what the restaurant has decided for this printer
 * @param relayShiftMs relay time minus the wall clock that the outcome's instants are of
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

/** Wait before the printer is asked again whether it can print; `tries` counts from 0. */
export function readinessWaitMs(
  readiness: Exclude<Readiness, { kind: 'ready' }>,
  tries: number,
  random: () => number,
): number {
  return jittered(readiness.kind === 'offline' ? OFFLINE_WAITS_MS : OCCUPIED_WAITS_MS, tries, random)
}

/** Between half of the step and the whole of it, so that several printers behind one switch are not asked in step. */
function jittered(steps: readonly number[], index: number, random: () => number): number {
  const stepMs = steps[Math.min(index, steps.length - 1)] ?? 0
  return stepMs * (0.5 + random() / 2)
}
