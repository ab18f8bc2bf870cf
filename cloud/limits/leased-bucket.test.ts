// A bucket that relays share: whatever they lease, use, keep or lose, together they let no more calls through than one bucket would.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { fullBucket, LEASE_MS, type LeaseAsk, lease, type SharedBucket, unusedOf } from './leased-bucket.ts'
import { capacityOf, type Rates } from './token-bucket.ts'

const RATES = { steadyPerMinute: 600, burstPerMinute: 640 }
const asks = (relay: string, ask: Partial<LeaseAsk> = {}): LeaseAsk => ({
  ...{ relay, waiting: 1, ahead: 0, unused: 0, atMost: null },
  ...ask,
})

/** A row and relays that ask it one after the other. */
class Row {
  bucket: SharedBucket
  nowMs = 0
  readonly #rates: Rates

  constructor(rates: Rates) {
    this.#rates = rates
    this.bucket = fullBucket(rates, 0)
  }

  ask(relay: string, ask: Partial<LeaseAsk> = {}) {
    const { bucket, leased } = lease(this.bucket, this.#rates, { ask: asks(relay, ask), nowMs: this.nowMs })
    // As it is read again.
    this.bucket = JSON.parse(JSON.stringify(bucket))
    return leased
  }
}

describe('a bucket that relays share', () => {
  it('counts as free what relays have leased and had no call for yet', () => {
    const row = new Row(RATES)
    row.ask('a', { waiting: 1, ahead: 5 })
    row.ask('b', { waiting: 2, ahead: 5 })
    expect(unusedOf(row.bucket, RATES, row.nowMs)).toBe(37)
    // A relay that kept its lease for too long has lost it; meanwhile the row was filled up.
    row.nowMs += 60_000
    expect(unusedOf(row.bucket, RATES, row.nowMs)).toBe(40)
  })

  it('gives one relay the whole plan: the full burst at once, and the steady rate from then on', () => {
    const row = new Row(RATES)
    expect(row.ask('a', { waiting: 100 })).toMatchObject({ got: 40, left: 0 })
    for (let i = 0; i < 100; i++) {
      row.nowMs += 100
      expect([row.ask('a').got, row.ask('a').got]).toEqual([1, 0])
    }
  })

  it('returns when the next token arrives', () => {
    const row = new Row(RATES)
    row.ask('a', { waiting: 40 })
    expect(row.ask('b').nextInMs).toBe(100)
    row.nowMs += 75
    expect(row.ask('b').nextInMs).toBeCloseTo(25)
  })

  it('takes back what was not used, once', () => {
    const row = new Row(RATES)
    row.ask('a', { waiting: 30, ahead: 10 })
    expect(row.ask('b').got).toBe(0)
    row.ask('a', { waiting: 0, unused: 10 })
    expect(row.ask('b', { waiting: 20 }).got).toBe(10)
    row.ask('a', { waiting: 0, unused: 10 })
    expect(row.ask('b').got).toBe(0)
  })

  it('has no room for what a relay has ahead, as long as it may still use it', () => {
    const row = new Row(RATES)
    row.ask('a', { waiting: 0, ahead: 10 })
    row.nowMs += LEASE_MS
    expect(row.ask('b', { waiting: 100 }).got).toBe(30)
  })

  it('forgets what a dead relay had ahead, and fills up', () => {
    const row = new Row(RATES)
    row.ask('a', { waiting: 0, ahead: 10 })
    row.nowMs += 10_000
    expect(row.ask('b', { waiting: 100 }).got).toBe(40)
    expect(row.bucket.ahead).toEqual({})
  })

  it('counts what a relay had counted while it was alone', () => {
    const row = new Row(RATES)
    expect(row.ask('a', { waiting: 10, atMost: 3.5 })).toMatchObject({ got: 3, left: 0.5 })
    row.nowMs += 50
    expect(row.ask('b', { waiting: 10 }).got).toBe(1)
  })

  it('never lets through more than the plan allows, whatever its relays do', () => {
    const step = fc.record({
      relay: fc.constantFrom('a', 'b', 'c'),
      pauseMs: fc.oneof(fc.nat(50), fc.nat(1_500), fc.nat(20_000)),
      waiting: fc.nat(60),
      ahead: fc.nat(20),
      does: fc.constantFrom('asks', 'uses', 'gives back', 'dies'),
    })
    const rates = fc.record({ steadyPerMinute: fc.integer({ min: 1, max: 6_000 }), more: fc.nat(6_000) })
    assertProperty(
      fc.property(rates, fc.array(step, { maxLength: 60 }), ({ steadyPerMinute, more }, steps) => {
        const plan = { steadyPerMinute, burstPerMinute: steadyPerMinute + more }
        const row = new Row(plan)
        const held = new Map<string, { tokens: number; untilMs: number }>()
        const calls: { atMs: number; count: number }[] = []
        for (const { relay, pauseMs, waiting, ahead, does } of steps) {
          row.nowMs += pauseMs
          const mine = held.get(relay)
          const usable = mine && row.nowMs < mine.untilMs ? mine.tokens : 0
          if (does === 'uses') {
            const count = Math.min(waiting, usable)
            if (mine) mine.tokens -= count
            calls.push({ atMs: row.nowMs, count })
          } else if (does === 'dies') held.delete(relay)
          else {
            const isAsking = does === 'asks'
            const ask = { waiting: isAsking ? waiting : 0, ahead: isAsking ? ahead : 0 }
            const { got } = row.ask(relay, { ...ask, unused: mine?.tokens ?? 0 })
            calls.push({ atMs: row.nowMs, count: Math.min(got, ask.waiting) })
            held.set(relay, { tokens: Math.max(0, got - ask.waiting), untilMs: row.nowMs + LEASE_MS })
          }
          for (const [n, { atMs }] of calls.entries()) {
            const since = calls.slice(n).reduce((sum, { count }) => sum + count, 0)
            const allowed = capacityOf(plan) + ((row.nowMs - atMs) * steadyPerMinute) / 60_000
            expect(since).toBeLessThanOrEqual(allowed + 1e-6)
          }
        }
      }),
    )
  })
})
