// What follows after each kind of outcome.
import { describe, expect, it } from 'vitest'
import type { SendOutcome } from '#gateway/printers/transport.ts'
import { afterAttempt, MAX_ATTEMPTS, MAX_ATTEMPTS_MUTE, readinessWaitMs } from './retry-policy.ts'

const facts = { nowMs: 5_000, doubt: 'reprint' as const, relayShiftMs: 1_000, random: () => 1 }
const uncertain = (answering: boolean): SendOutcome => ({
  kind: 'uncertain',
  reason: 'timed-out',
  detail: '',
  firstByteAtMs: 10,
  bytesWritten: 7,
  answering,
})
const offline = { kind: 'offline', reason: 'offline', detail: '' } as const

describe('afterAttempt', () => {
  it('settles a printed ticket with its times in relay time', () => {
    const outcome = {
      kind: 'printed',
      confirmation: 'confirmed',
      method: 'gs-i',
      connectedAtMs: 5,
      firstByteAtMs: 10,
      lastByteAtMs: 15,
      printedAtMs: 20,
    } as const
    const wire = { connectedAtMs: 1_005, lastByteAtMs: 1_015, detail: '' }
    const instants = { firstByteAtMs: 1_010, printedAtMs: 1_020 }
    expect(afterAttempt(outcome, { attempt: 1, ...facts })).toEqual({
      end: { kind: 'printed', confirmation: 'confirmed', method: 'gs-i', ...instants, wire },
      waitMs: null,
    })
  })

  it('queues what was not sent again, unmarked', () => {
    const step = afterAttempt({ kind: 'not-sent', readiness: offline }, { attempt: 40, ...facts })
    expect(step).toEqual({ end: { kind: 'not-sent', atMs: 5_000 }, waitMs: 250 })
  })

  it('marks what has no proof and waits longer each time', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) => afterAttempt(uncertain(true), { attempt, ...facts }).waitMs)
    expect(waits).toEqual([250, 500, 1000, 2000, 5000, 5000])
    expect(afterAttempt(uncertain(true), { attempt: 1, ...facts }).end.kind).toBe('retry-marked')
  })

  it.each([
    [true, MAX_ATTEMPTS],
    [false, MAX_ATTEMPTS_MUTE],
  ])('gives up a printer that answers=%s after attempt %i', (answering, limit) => {
    expect(afterAttempt(uncertain(answering), { attempt: limit - 1, ...facts }).end.kind).toBe('retry-marked')
    expect(afterAttempt(uncertain(answering), { attempt: limit, ...facts })).toMatchObject({
      end: { kind: 'uncertain', reason: 'timed-out' },
      waitMs: null,
    })
  })
})

describe('readinessWaitMs', () => {
  it('never waits longer than half a second for a port that may return', () => {
    for (let tries = 0; tries < 100; tries++) expect(readinessWaitMs(offline, tries, () => 1)).toBeLessThanOrEqual(500)
  })

  it('queries a blocked printer less often', () => {
    expect(readinessWaitMs({ kind: 'blocked', reason: 'media-empty', detail: '' }, 9, () => 1)).toBe(1_000)
  })
})
