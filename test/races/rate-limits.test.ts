// Two relays count the calls of one account together, by tokens that they lease from its row: hammered from both, never more than the plan allows.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fullBucket, lease } from '#cloud/limits/leased-bucket.ts'
import { LeasedBuckets } from '#cloud/limits/leased-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import { systemClock } from '#shared/clock.ts'
import { asId, newId } from '#shared/ids.ts'
import { isOnPostgres } from '#test/harness/engines.ts'
import { atOnce, failures, race, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

let relays: TwoRelays
let limits: [LeasedBuckets, LeasedBuckets]
beforeEach(async () => {
  relays = await TwoRelays.open()
  limits = [limitsOf(relays.a, 'r_a'), limitsOf(relays.b, 'r_b')]
})
afterEach(async () => {
  for (const each of limits) await each.stop()
  await relays.close()
})

/** On the database's own time: no clock of a relay counts. */
function limitsOf({ rateBuckets }: Relay, relay: string): LeasedBuckets {
  return new LeasedBuckets({
    clock: systemClock,
    fleet: { relays: 2, isKnownToAll: true },
    lease: (name, rates, ask) =>
      rateBuckets.change({ accountId: asId(name), environment: 'live' }, (stored, nowMs) => {
        const { bucket, leased } = lease(stored ?? fullBucket(rates, nowMs), rates, { ask: { ...ask, relay }, nowMs })
        return { bucket, result: leased }
      }),
  })
}

/** So many calls at once. @returns how many were let through */
async function calls(at: LeasedBuckets, account: string, rates: Rates, count: number): Promise<number> {
  const taken = await Promise.all(Array.from({ length: count }, async () => at.take(account, rates)))
  return taken.filter(({ ok }) => ok).length
}

/** What the plan allows within the time that `work` takes, and a call that was nearly there. */
async function allowedDuring(rates: Rates, work: () => Promise<number>): Promise<{ got: number; allowed: number }> {
  const beganMs = systemClock.monotonicMs()
  const got = await work()
  const tookMs = systemClock.monotonicMs() - beganMs
  return { got, allowed: rates.burstPerMinute - rates.steadyPerMinute + (tookMs * rates.steadyPerMinute) / 60_000 + 1 }
}

describe('the calls of one account', () => {
  it('are never more than its plan allows, at two relays together', async () => {
    await race(async (round) => {
      const account = newId('acc', relays.clock.now())
      const rates = { steadyPerMinute: 600, burstPerMinute: 600 + 10 + (round % 90) }
      let results: readonly PromiseSettledResult<number>[] = []
      const { got, allowed } = await allowedDuring(rates, async () => {
        results = await atOnce(
          () => calls(limits[0], account, rates, 70),
          () => calls(limits[1], account, rates, 70),
        )
        const later = await Promise.all(limits.map((each) => calls(each, account, rates, 20)))
        return [...results.map((result) => (result.status === 'fulfilled' ? result.value : 0)), ...later].reduce(
          (sum, count) => sum + count,
        )
      })
      const most = rates.burstPerMinute - rates.steadyPerMinute
      return [
        ...failures(results),
        ...when(got > allowed, 'more calls were let through than the plan allows'),
        // Each may have a chunk ahead.
        ...when(got < Math.min(most, 180) - 2 * Math.max(1, Math.floor(most / 16)), 'fewer were let through'),
      ]
    })
  })

  it('are counted to the millionth: what is not a whole call yet is not rounded up to one', async () => {
    const key = { accountId: newId('acc', relays.clock.now()), environment: 'live' as const }
    const kept: number[] = []
    for (const tokens of [0.4, 0.6, 0.999_999, 59_999.25]) {
      await relays.a.rateBuckets.change(key, (_, nowMs) => ({
        bucket: { tokens, atMs: nowMs, ahead: {} },
        result: null,
      }))
      kept.push(
        await relays.b.rateBuckets.change(key, (stored) => {
          if (stored === null) throw new Error('it was not stored')
          return { bucket: stored, result: stored.tokens }
        }),
      )
    }
    expect(kept).toEqual([0.4, 0.6, 0.999_999, 59_999.25])
  })

  it('may all arrive at one relay, which may use the whole plan', async () => {
    const account = newId('acc', relays.clock.now())
    const rates = { steadyPerMinute: 600, burstPerMinute: 1_100 }
    await calls(limits[1], account, rates, 1)
    await limits[1].stop()
    const { got, allowed } = await allowedDuring(rates, () => calls(limits[0], account, rates, 1_000))
    expect(got).toBeGreaterThanOrEqual(499)
    expect(got).toBeLessThanOrEqual(allowed)
  })
})

describe.runIf(isOnPostgres)('a row that is locked', () => {
  it('keeps no call waiting for long: the relay lets its part through', async () => {
    const account = newId('acc', relays.clock.now())
    const rates = { steadyPerMinute: 60, burstPerMinute: 160 }
    await calls(limits[0], account, rates, 1)
    await limits[0].stop()
    let got = 0
    await relays.db.unit(async (tx) => {
      await tx.updateTable('rate_buckets').set({ millionths: 0 }).where('account_id', '=', account).execute()
      got = await calls(limits[1], account, rates, 100)
    })
    expect(got).toBe(50)
  })
})
