// Two relays on one database share the webhook endpoints: each sends to its own, and takes over what the other leaves.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { relayOf } from '#cloud/replica/replica.ts'
import type { DirectKysely } from '#cloud/storage/database.ts'
import type { WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

let clock: ManualClock
let a: WebhookSite
let b: WebhookSite
let receivers: WebhookReceiver[]
/** The running relays, as both see them. */
let relays: string[]

beforeEach(async () => {
  clock = new ManualClock()
  a = await WebhookSite.open({ clock })
  b = await WebhookSite.open({ clock, beside: a })
  receivers = []
  relays = ['a', 'b']
})
afterEach(async () => {
  // First, since a stop waits for hanging attempts while the clock is stopped.
  for (const receiver of receivers) await receiver.stop()
  await b.close()
  await a.close()
})

const start = (site: WebhookSite, id: string) =>
  site.worker({ isOurs: (endpointId) => relayOf(endpointId, relays) === id }).start()

/** A new endpoint that belongs to this relay. */
async function endpointOf(relay: string): Promise<{ receiver: WebhookReceiver; endpointId: WebhookId }> {
  for (;;) {
    const receiver = new WebhookReceiver()
    receivers.push(receiver)
    await receiver.start()
    const { webhookId: endpointId, secret } = await a.listen(receiver.url)
    receiver.secret = secret
    if (relayOf(endpointId, relays) === relay) return { receiver, endpointId }
    await a.endpoints.delete(
      { ...a.merchant, accountId: a.merchant.accountId, merchantKey: a.merchant.key },
      endpointId,
    )
  }
}

/** Relays notify each other like this. */
async function record(event: Parameters<WebhookSite['record']>[0] = {}): Promise<void> {
  const { endpointIds } = await a.record(event)
  b.deliveries.announce(endpointIds)
}

const attemptsOf = (site: WebhookSite, endpointId: WebhookId): number =>
  site.logLines.filter((line) => line.includes('"walk":"10/10"') && line.includes(endpointId)).length

describe('an endpoint', () => {
  it('is sent to by its relay, wherever its events come from', async () => {
    const ofA = await endpointOf('a')
    const ofB = await endpointOf('b')
    await start(a, 'a')
    await start(b, 'b')
    for (let n = 1; n <= 5; n++) await record()
    await a.settled(5)
    await b.settled(5)
    await clock.advance(10_000)
    expect([attemptsOf(a, ofA.endpointId), attemptsOf(b, ofA.endpointId)]).toEqual([5, 0])
    expect([attemptsOf(a, ofB.endpointId), attemptsOf(b, ofB.endpointId)]).toEqual([0, 5])
  })

  it('that hangs has one open attempt at a time, although there are two relays', async () => {
    const { receiver } = await endpointOf('a')
    receiver.answerWith({ kind: 'hang' })
    await start(a, 'a')
    await start(b, 'b')
    for (let n = 0; n < 20; n++) await record()
    await receiver.waitFor(1)
    // Far beyond 5 s: deliveries are late, and the other relay sees them, but a relay is working on them.
    for (let n = 0; n < 4; n++) {
      await clock.advance(15_000)
      await receiver.waitFor(n + 2)
    }
    expect(receiver.mostOpen).toBe(1)
    expect(b.logLines.filter((line) => line.includes('10/10'))).toEqual([])
  })

  it('whose relay does nothing is sent to by another one when a delivery has waited for 5 seconds', async () => {
    const { receiver, endpointId } = await endpointOf('a')
    await start(b, 'b')
    await record()
    await clock.advance(4_500)
    expect(receiver.received).toEqual([])
    await clock.advance(1_000)
    await receiver.waitFor(1)
    await b.settled(1)
    expect(attemptsOf(b, endpointId)).toBe(1)
  })

  it('of a relay that is known to be dead is sent to at once by its new relay', async () => {
    const { receiver } = await endpointOf('a')
    await start(b, 'b')
    relays = ['b']
    await record()
    await receiver.waitFor(1)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('with more waiting than one claim holds is given back to its relay as soon as that is back', async () => {
    const { receiver, endpointId } = await endpointOf('a')
    await a.recordMany(200)
    await clock.advance(6_000)
    await start(b, 'b')
    await b.settled(1)
    const taken = attemptsOf(b, endpointId)
    expect(taken).toBeLessThan(20)
    await start(a, 'a')
    await receiver.waitFor(200)
    await a.settled(180)
    expect(attemptsOf(b, endpointId)).toBeLessThan(20)
  })
})

describe('an endpoint of a relay that does nothing', () => {
  it('is claimed for again as soon as the deliveries of one claim are sent', async () => {
    const { endpointId } = await endpointOf('a')
    await a.recordMany(60)
    await clock.advance(6_000)
    await start(b, 'b')
    const inFlight = () =>
      b.db.read.selectFrom('deliveries').select('id').where('lease_until', 'is not', null).execute()
    while (attemptsOf(b, endpointId) < 40 && clock.monotonicMs() < 9_000) {
      await clock.advance(500)
      await b.until(async () => (await inFlight()).length === 0)
    }
    expect(attemptsOf(b, endpointId)).toBeGreaterThanOrEqual(40)
  })
})

describe('an endpoint of another relay whose account has used up its hour', () => {
  it('is claimed for without result every 5 seconds and not every half second', async () => {
    await endpointOf('a')
    await b.worker({ isOurs: () => false, allowance: () => Promise.resolve(0) }).start()
    await record()
    const claim = vi.spyOn(b.deliveries, 'claim')
    await clock.advance(26_000)
    expect(claim).toHaveBeenCalledTimes(5)
  })
})

describe('events of one order', () => {
  it('keep their order while the endpoint moves from one relay to the other', async () => {
    const { receiver } = await endpointOf('a')
    receiver.answerWith((received) => ({ kind: 'status', status: received.event.sequence % 3 === 0 ? 500 : 200 }))
    await start(a, 'a')
    await start(b, 'b')
    const subjectId = 'ord_1'
    for (let sequence = 1; sequence <= 40; sequence++) {
      if (sequence % 5 === 0) relays = relays.length === 2 ? ['b'] : ['a', 'b']
      await record({ subjectId, sequence })
    }
    const isQuiet = async (): Promise<boolean> => (await a.rows()).every(({ lease_until }) => lease_until === null)
    while ((await a.rows()).some(({ state }) => state === 'pending')) {
      // The next sweep finds what a relay has left to the other.
      await clock.advance(500)
      await a.until(isQuiet)
    }
    const first = receiver.received.map(({ event }) => event.sequence)
    expect([...new Set(first)]).toEqual([...new Set(first)].toSorted((x, y) => x - y))
    expect(new Set(first).size).toBe(40)
  })
})

describe('a poll for due deliveries', () => {
  it('makes no more queries than at a single relay, while nothing waits', async () => {
    const asked = vi.spyOn(b.db.read, 'getExecutor')
    await endpointOf('a')
    const count = async (whose: () => 'ours' | 'others' | 'skip'): Promise<number> => {
      asked.mockClear()
      await b.deliveries.endpointsDue(clock.now(), whose)
      return asked.mock.calls.length
    }
    expect(await count(() => 'others')).toBe(await count(() => 'ours'))
    await a.record()
    expect(await count(() => 'others')).toBe((await count(() => 'ours')) + 1)
    expect(await count(() => 'skip')).toBe(await count(() => 'ours'))
  })

  it('is one statement, twice a second, while nothing waits', async () => {
    await endpointOf('a')
    await start(a, 'a')
    await record()
    await a.settled(1)
    await clock.advance(1_000)
    const prepared = vi.spyOn((a.db.read as DirectKysely).direct, 'rows')
    const asked = vi.spyOn(a.db.read, 'getExecutor')
    await clock.advance(5_000)
    expect([asked.mock.calls.length, prepared.mock.calls.length]).toEqual([10, 0])
  })
})
