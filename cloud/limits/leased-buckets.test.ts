// What a relay counts by: in memory when it is alone, else tokens that it leases; and what it does when the row cannot be had.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { fullBucket, lease, type SharedBucket } from './leased-bucket.ts'
import { LeasedBuckets } from './leased-buckets.ts'
import type { Rates, Taken } from './token-bucket.ts'

const RATES: Rates = { steadyPerMinute: 600, burstPerMinute: 1_400 }

let clock: ManualClock
let rows: Map<string, SharedBucket>
let asked: number
let isReachable: boolean
let fleets: { relays: number; isKnownToAll: boolean }[]
let relays: LeasedBuckets[]
beforeEach(() => {
  clock = new ManualClock()
  rows = new Map()
  asked = 0
  isReachable = true
  fleets = [0, 1].map(() => ({ relays: 2, isKnownToAll: true }))
  relays = fleets.map(
    (fleet, n) =>
      new LeasedBuckets({
        clock,
        fleet,
        lease: async (name, rates, ask) => {
          asked += 1
          if (!isReachable) throw new Error('another relay has it')
          const nowMs = clock.monotonicMs()
          const before = rows.get(name) ?? fullBucket(rates, nowMs)
          const { bucket, leased } = lease(before, rates, { ask: { ...ask, relay: `r_${n}` }, nowMs })
          rows.set(name, bucket)
          return leased
        },
      }),
  )
})

const at = (n: number) => relays[n] as LeasedBuckets
const fleetOf = (n: number) => fleets[n] as { relays: number; isKnownToAll: boolean }
const take = async (n: number, name = 'acc'): Promise<Taken> => at(n).take(name, RATES)
/** How many of so many calls at once are let through. */
async function through(n: number, calls: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: calls }, () => take(n)))
  return taken.filter(({ ok }) => ok).length
}

describe('a relay among several', () => {
  it('leases a second’s calls from the row at once, and answers from the lease', async () => {
    expect(at(0).take('acc', RATES)).toBeInstanceOf(Promise)
    await clock.advance(0)
    for (let i = 0; i < 9; i++) expect(at(0).take('acc', RATES)).toMatchObject({ ok: true })
    expect(asked).toBe(1)
  })

  it('leases once for all waiting calls', async () => {
    expect(await through(0, 300)).toBe(300)
    expect(asked).toBeLessThanOrEqual(2)
  })

  it('can use the whole plan alone while the others rest', async () => {
    expect(await through(0, 1_000)).toBe(800)
    await clock.advance(60_000)
    expect(await through(0, 1_000)).toBe(600)
  })

  it('has ahead, with the others, at most an eighth of the capacity', async () => {
    // A second's calls would be 100 for each.
    const rates: Rates = { steadyPerMinute: 6_000, burstPerMinute: 6_160 }
    for (const n of [0, 1]) await at(n).take('acc', rates)
    const ahead = Object.values(rows.get('acc')?.ahead ?? {}).map(({ tokens }) => tokens)
    expect(ahead).toHaveLength(2)
    expect(ahead.reduce((sum, tokens) => sum + tokens, 0)).toBeLessThanOrEqual(20)
  })

  it('shares the plan with the others, and none gets more of it', async () => {
    const [a, b] = await Promise.all([through(0, 700), through(1, 700)])
    expect(a + b).toBeLessThanOrEqual(800)
    // Each may have a chunk that it had no call for.
    expect(a + b).toBeGreaterThanOrEqual(780)
  })

  it('returns the rest, and when all of it is available again', async () => {
    const first = await take(0)
    expect(first).toEqual({ ok: true, remaining: 799, retryAfterSeconds: 0, fullInMs: 100 })
    expect(await take(0)).toMatchObject({ remaining: 798, fullInMs: 200 })
    await through(1, 900)
    await through(0, 20)
    expect(await take(0)).toMatchObject({ ok: false, remaining: 0, retryAfterSeconds: 1, fullInMs: 80_000 })
  })

  it('does not query an empty row with each call', async () => {
    await through(0, 1_000)
    asked = 0
    expect(await through(0, 1_000)).toBe(0)
    expect(asked).toBe(0)
    await clock.advance(100)
    expect(await through(0, 1_000)).toBe(1)
    expect(asked).toBe(1)
  })

  it('gives back after two seconds what it has not used', async () => {
    await take(0)
    await through(1, 1_000)
    expect(await through(1, 1)).toBe(0)
    await clock.advance(2_000)
    // Two seconds' calls, and what the other had ahead.
    expect(await through(1, 100)).toBe(30)
  })

  it('uses nothing that is older, however long it stood still', async () => {
    await take(0)
    clock.stall(10_000)
    asked = 0
    await take(0)
    expect(asked).toBe(1)
  })

  it('gives back at its end what it has not used', async () => {
    await take(0)
    await at(0).stop()
    expect(await through(1, 1_000)).toBe(799)
  })

  it('keeps nothing of accounts that rest', async () => {
    for (let i = 0; i < 100; i++) await take(0, `acc_${i}`)
    await clock.advance(10_000)
    asked = 0
    await at(0).stop()
    expect(asked).toBe(0)
  })
})

describe('where the row cannot be had', () => {
  it('a relay lets its part of the plan through, and leases again a second later', async () => {
    isReachable = false
    expect(await through(0, 1_000)).toBe(400)
    await through(0, 10)
    expect(asked).toBe(1)
    isReachable = true
    await clock.advance(1_000)
    expect(await through(0, 1_000)).toBe(800)
  })

  it('so does one that the others have not noticed yet: they count as if they were alone', async () => {
    fleetOf(0).isKnownToAll = false
    expect(await through(0, 1_000)).toBe(400)
    expect(asked).toBe(0)
  })
})

describe('a relay that is alone', () => {
  it('counts in memory without a query', () => {
    fleetOf(0).relays = 1
    for (let i = 0; i < 800; i++) expect(at(0).take('acc', RATES)).toMatchObject({ ok: true, remaining: 799 - i })
    expect(at(0).take('acc', RATES)).toMatchObject({ ok: false, retryAfterSeconds: 1 })
    expect(asked).toBe(0)
  })

  it('writes its count to the row when another one comes', async () => {
    fleetOf(0).relays = 1
    await through(0, 700)
    fleetOf(0).relays = 2
    expect(await through(0, 10)).toBe(10)
    expect(await through(1, 1_000)).toBeLessThanOrEqual(90)
    // Once: what was given back since then counts.
    await clock.advance(60_000)
    expect(await through(0, 1_000)).toBeGreaterThanOrEqual(600)
  })

  it('continues with the rest when the other one ended', async () => {
    await through(0, 790)
    await through(1, 1)
    fleetOf(0).relays = 1
    expect(await through(0, 1_000)).toBeLessThanOrEqual(10)
  })
})
