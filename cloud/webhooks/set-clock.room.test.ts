// The machine's clock is changed while receivers fail: retries wait for their full time and are not given up early.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const FAILS = { kind: 'status', status: 500 } as const
const TAKES = { kind: 'status', status: 200 } as const
let clock: ManualClock
let site: WebhookSite
let receiver: WebhookReceiver

beforeEach(async () => {
  clock = new ManualClock()
  receiver = new WebhookReceiver()
  await receiver.start()
  site = await WebhookSite.open({ clock })
  receiver.answerWith(FAILS)
  await site.listen(receiver.url)
})
afterEach(async () => {
  await receiver.stop()
  await site.close()
})

/** One sweep of the worker, with all of its writes. */
async function sweep(): Promise<void> {
  await clock.advance(500)
  for (let turn = 0; turn < 10; turn++) await site.db.unit(async () => {})
}
/** Remaining wait of each delivery in milliseconds. */
const waits = async () => (await site.rows()).map(({ next_at }) => next_at - clock.now())
const told = (words: string) => site.logLines.filter((line) => line.includes(words)).map((line) => JSON.parse(line))

describe('a clock that is ahead for some seconds', () => {
  it.each([400 * DAY, 20 * HOUR, 10 * MINUTE])('by %i ms delays no retry of what failed meanwhile', async (ms) => {
    await site.worker().start()
    clock.jump(ms)
    await sweep()
    for (let count = 0; count < 3; count++) await site.record()
    await site.settled(3)
    await clock.advance(8_000)
    clock.jump(-ms)
    await sweep()
    expect(await waits()).toEqual([51_500, 51_500, 51_500])
    expect(told('the clock was set:')).toMatchObject([{ level: 40, what: 'webhook deliveries', count: 3, byMs: -ms }])
    receiver.answerWith(TAKES)
    await clock.advance(52_000)
    await site.settled(6)
    expect((await site.rows()).map(({ state, attempts }) => [state, attempts])).toEqual(Array(3).fill(['delivered', 2]))
  })

  it('uses up no attempt of what waited before', async () => {
    await site.worker().start()
    await site.record()
    await site.settled(1)
    await clock.advance(20_000)
    clock.jump(400 * DAY)
    for (let sweeps = 0; sweeps < 18; sweeps++) await sweep()
    expect(await site.rows()).toMatchObject([{ attempts: 1 }])
    expect(await waits()).toEqual([31_000])
    clock.jump(-400 * DAY)
    await sweep()
    expect(await waits()).toEqual([30_500])
    await clock.advance(30_500)
    await site.settled(2)
    expect(await site.rows()).toMatchObject([{ state: 'retrying', attempts: 2 }])
    expect(await waits()).toEqual([5 * MINUTE])
  })

  it('delays nothing if the relay is restarted after it was corrected', async () => {
    const before = site.worker()
    await before.start()
    clock.jump(400 * DAY)
    await sweep()
    await site.record()
    await site.settled(1)
    await before.stop()
    clock.jump(-400 * DAY)
    await site.worker().start()
    expect(await waits()).toEqual([MINUTE])
    expect(told('retries were due later than any may be')).toMatchObject([{ level: 40, count: 1 }])
    receiver.answerWith(TAKES)
    await clock.advance(MINUTE + 500)
    await site.settled(2)
    expect(await site.rows()).toMatchObject([{ state: 'delivered', attempts: 2 }])
  })

  it('delays nothing if the relay was started while it was ahead', async () => {
    clock.jump(400 * DAY)
    await site.worker().start()
    await site.record()
    await site.settled(1)
    clock.jump(-400 * DAY)
    await sweep()
    expect(await waits()).toEqual([59_500])
  })

  it('delays nothing whose attempt was in flight when it was corrected', async () => {
    await site.worker().start()
    clock.jump(400 * DAY)
    await sweep()
    receiver.answerWith({ kind: 'hang' })
    await site.record()
    await receiver.waitFor(1)
    clock.jump(-400 * DAY)
    await sweep()
    await clock.advance(15_000)
    await site.settled(1)
    expect(await waits()).toEqual([59_500])
  })

  it('delays by a minute only what was computed with it and written after it was corrected', async () => {
    await site.worker().start()
    await site.record()
    await site.settled(1)
    clock.jump(400 * DAY)
    await sweep()
    clock.jump(-400 * DAY)
    await sweep()
    await site.db.unit((tx) =>
      tx
        .updateTable('deliveries')
        .set({ next_at: clock.now() + 400 * DAY })
        .execute(),
    )
    receiver.answerWith(TAKES)
    for (let seconds = 0; seconds < 61; seconds++) await clock.advance(1_000)
    await site.until(async () => (await waits())[0] === 59_500 || (await waits())[0] === MINUTE - 1_000)
    await clock.advance(MINUTE)
    await site.settled(2)
  })

  it('disables no endpoint that has failed for minutes', async () => {
    await site.worker().start()
    for (let count = 0; count < 19; count++) await site.record()
    await site.settled(19)
    clock.jump(400 * DAY)
    await sweep()
    await site.record()
    await site.settled(20)
    const endpoints = () => site.db.read.selectFrom('webhook_endpoints').select(['status', 'failing_since']).execute()
    expect(await endpoints()).toMatchObject([{ status: 'enabled' }])
    clock.jump(-400 * DAY)
    await sweep()
    expect((await endpoints())[0]?.failing_since).toBe(clock.now() - 1_000)
  })
})

describe('a clock that was behind and is corrected', () => {
  it('lets waiting deliveries wait on, and new ones be sent at once', async () => {
    await site.worker().start()
    await site.record()
    await site.settled(1)
    clock.jump(3 * DAY)
    await sweep()
    expect(await waits()).toEqual([59_500])
    receiver.answerWith(TAKES)
    await site.record()
    await site.settled(2)
    await clock.advance(MINUTE)
    await site.settled(3)
    expect(await site.rows()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  })
})

describe('a clock that is changed during a claim', () => {
  it('makes nothing due: what is claimed was due before', async () => {
    let onLook = () => {}
    const allowance = async () => {
      onLook()
      return null
    }
    await site.worker({ allowance }).start()
    await site.record()
    await site.settled(1)
    await sweep()
    // After the worker has read the clock, and before it claims.
    onLook = () => {
      onLook = () => {}
      clock.jump(3 * DAY)
    }
    await site.record()
    await site.settled(2)
    await sweep()
    expect((await site.rows()).map(({ attempts }) => attempts)).toEqual([1, 1])
    expect((await waits())[0]).toBe(59_000)
  })
})

describe('a clock that is set back during a claim', () => {
  it('moves waiting deliveries only when they are claimed: none of them was due', async () => {
    clock.jump(400 * DAY)
    await site.worker().start()
    await site.record()
    await site.settled(1)
    await sweep()
    const claim = site.deliveries.claim.bind(site.deliveries)
    const looked: Promise<void>[] = []
    vi.spyOn(site.deliveries, 'claim').mockImplementation(async (...args) => {
      if (looked.length === 0) {
        clock.jump(-400 * DAY)
        looked.push(clock.advance(500))
        // Long enough to move what waits.
        for (let look = 0; look < 10; look++) await waits()
      }
      return claim(...args)
    })
    await site.record()
    await site.settled(2)
    await Promise.all(looked)
    await sweep()
    expect((await site.rows()).map(({ attempts }) => attempts)).toEqual([1, 1])
  })
})

describe('a clock that nobody changes', () => {
  it('changes no retry at a start, however long it waits, and logs nothing', async () => {
    const before = site.worker({ random: () => 0.999 })
    receiver.answerWith({ ...FAILS, headers: { 'retry-after': '999999' } })
    await before.start()
    await site.record()
    await site.settled(1)
    for (const [n, wait] of [2.1 * MINUTE, 10.5 * MINUTE, 63 * MINUTE, 4.2 * HOUR].entries()) {
      await clock.pass(wait)
      await site.settled(n + 2)
    }
    const [row] = await site.rows()
    expect(row?.attempts).toBe(5)
    await before.stop()
    await site.worker().start()
    expect(await site.rows()).toEqual([row])
    expect(told('clock')).toEqual([])
  })
})
