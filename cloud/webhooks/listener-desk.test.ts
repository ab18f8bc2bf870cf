// Streams of listeners: each event reaches the program's server as often as the log of attempts has it, whatever happens to streams and relays.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Listener } from '#cloud/storage/listener-store.ts'
import { type DeliveryId, newId } from '#shared/ids.ts'
import { HeardStream, tell } from '#test/doubles/heard-stream.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { seededRandom } from '#test/harness/random.ts'
import { redeliver } from './deliveries.ts'
import { ListenerDesk } from './listener-desk.ts'
import { createListener } from './listeners.ts'
import { signedHeaders } from './signature.ts'

interface Relay {
  site: WebhookSite
  desk: ListenerDesk
}

let clock: ManualClock
let a: Relay
let b: Relay

beforeEach(async () => {
  clock = new ManualClock()
  const first = await WebhookSite.open({ clock })
  a = relayOn(first)
  b = relayOn(await WebhookSite.open({ clock, beside: first }))
  // A start ends the streams of dead relays, on SQLite all streams, so it runs before any is open.
  await a.desk.start()
  await b.desk.start()
})
afterEach(async () => {
  for (const { desk, site } of [b, a]) {
    await desk.stop()
    await site.close()
  }
})

function relayOn(site: WebhookSite): Relay {
  return { site, desk: new ListenerDesk({ ...deskDeps(site), isAlone: false }) }
}

const deskDeps = ({ listeners, deliveries, endpoints, secretBox, log }: WebhookSite) => {
  return { listeners, deliveries, endpoints, secretBox, clock, log }
}

async function listen(wanted: { like?: string } = {}): Promise<Listener & { secret: string | null }> {
  const { site } = a
  const { merchant } = site
  const { answer } = await site.db.unit((tx) => createListener(tx, site, { merchant, events: ['*'], ...wanted }))
  const { webhookId: endpointId, secret } = answer
  const found = await site.listeners.find(merchant, endpointId)
  if (found === null) throw new Error('the listener was not stored')
  return { ...found, secret }
}

const states = async (): Promise<string[]> => (await a.site.rows()).map(({ state }) => state)
/** `1 204`: number and status, in the order of the deliveries. */
const attempts = async (): Promise<string[]> =>
  (await a.site.attempts()).map(({ number, status, trigger }) => `${number} ${status} ${trigger}`)

/** A delivery whose first attempt has failed. */
async function failedOne() {
  const listener = await listen()
  const stream = await HeardStream.open(a.desk, listener)
  await a.site.record()
  const [first] = await stream.heard(1)
  const deliveryId = first?.deliveryId as never
  await tell(a, listener, { deliveryId, number: 1, status: 500 })
  return { listener, stream, deliveryId }
}

/** Asks for one more attempt. */
async function byHand(deliveryId: DeliveryId): Promise<void> {
  const { wake } = await a.site.db.unit((tx) => redeliver(tx, a.site, { merchant: a.site.merchant, deliveryId }))
  wake?.()
}

/** Time passes until the desk has looked, with the database's work in between. */
const look = () => clock.advance(1_000)

describe('a stream', () => {
  it('sends waiting and new events, signed, and the results are in the log of attempts', async () => {
    const listener = await listen()
    await a.site.record()
    const stream = await HeardStream.open(a.desk, listener)
    expect(stream.messages[0]).toEqual({ event: 'ready', data: { webhookId: listener.endpointId, waiting: 1 } })
    await a.site.record({ type: 'order.ready' })
    const [first, second] = await stream.heard(2)
    expect([first?.type, second?.type]).toEqual(['order.accepted', 'order.ready'])
    const { body = '', eventId = '', deliveryId = '', headers } = first ?? {}
    const secrets = { current: listener.secret ?? '', previous: null }
    const signed = { body, secrets, eventId, deliveryId, eventType: 'order.accepted', attempt: 1, nowMs: clock.now() }
    expect(headers).toEqual(signedHeaders(signed))
    expect(await tell(a, listener, { deliveryId, number: 1, response: 'stored' })).toBe('delivered')
    expect(await tell(a, listener, { deliveryId: second?.deliveryId ?? '', number: 1, status: 500 })).toBe('failed')
    expect(await states()).toEqual(['delivered', 'failed'])
    expect(await attempts()).toEqual(['1 204 schedule', '1 500 schedule'])
    await clock.advance(3_600_000)
    expect(stream.deliveries).toHaveLength(2)
  })

  it('sends the events of one order one after the other, and at most 16 at a time', async () => {
    const listener = await listen()
    const subjectId = newId('ord', clock.now())
    for (const type of ['order.accepted', 'order.printed'] as const) await a.site.record({ type, subjectId })
    await a.site.recordMany(20)
    const stream = await HeardStream.open(a.desk, listener)
    const [first] = await stream.heard(16)
    await look()
    expect(stream.deliveries.map(({ type }) => type)).not.toContain('order.printed')
    expect(stream.deliveries).toHaveLength(16)
    await tell(a, listener, { deliveryId: first?.deliveryId ?? '', number: 1 })
    expect((await stream.heard(17)).at(-1)?.type).toBe('order.printed')
  })

  it('repeats a delivery without a result as the same attempt, and accepts a late result', async () => {
    const listener = await listen()
    const stream = await HeardStream.open(a.desk, listener)
    await a.site.record()
    const [first] = await stream.heard(1)
    await clock.advance(31_000)
    const [, again] = await stream.heard(2)
    expect([again?.deliveryId, again?.number, again?.body]).toEqual([first?.deliveryId, 1, first?.body])
    const result = { deliveryId: first?.deliveryId ?? '', number: 1 }
    expect(await tell(a, listener, result)).toBe('delivered')
    expect(await tell(a, listener, { ...result, status: 500 })).toBe('delivered, as before')
    expect(await attempts()).toEqual(['1 204 schedule'])
  })

  it('brings what is asked for by hand as the next attempt', async () => {
    const { listener, stream, deliveryId } = await failedOne()
    await byHand(deliveryId)
    const [, second] = await stream.heard(2)
    expect(second?.number).toBe(2)
    expect(await tell(a, listener, { deliveryId, number: 2 })).toBe('delivered')
    expect(await attempts()).toEqual(['1 500 schedule', '2 204 manual'])
  })

  it('brings an attempt that was broken off again at once, before the next event of its order', async () => {
    const listener = await listen()
    const subjectId = newId('ord', clock.now())
    for (const type of ['order.accepted', 'order.printed'] as const) await a.site.record({ type, subjectId })
    const stream = await HeardStream.open(a.desk, listener)
    const [{ deliveryId = '' } = {}] = await stream.heard(1)
    expect(await tell(a, listener, { deliveryId, number: 1, error: 'reset', again: true })).toBe('pending')
    await stream.heard(2)
    await look()
    expect(stream.deliveries.map(({ type, number }) => [type, number])).toEqual([
      ['order.accepted', 1],
      ['order.accepted', 2],
    ])
    await tell(a, listener, { deliveryId, number: 2 })
    expect((await stream.heard(3)).at(-1)?.type).toBe('order.printed')
    expect(await attempts()).toEqual(['1 null schedule', '2 204 schedule'])
  })

  it('brings an attempt again a hundred times when it is asked to, and no more', async () => {
    const listener = await listen()
    const stream = await HeardStream.open(a.desk, listener)
    await a.site.record()
    const told: string[] = []
    for (let number = 1; number <= 101; number++) {
      const { deliveryId = '' } = (await stream.heard(number)).at(-1) ?? {}
      told.push(await tell(a, listener, { deliveryId, number, error: 'reset', again: true }))
    }
    expect(told).toEqual([...Array(100).fill('pending'), 'failed'])
  })

  it('brings an attempt by hand that was broken off once more, and the schedule stays as it was', async () => {
    const { listener, stream, deliveryId } = await failedOne()
    await byHand(deliveryId)
    await stream.heard(2)
    expect(await tell(a, listener, { deliveryId, number: 2, error: 'reset', again: true })).toBe('failed')
    await stream.heard(3)
    expect(await tell(a, listener, { deliveryId, number: 3 })).toBe('delivered')
    expect(await attempts()).toEqual(['1 500 schedule', '2 null manual', '3 204 manual'])
  })

  it('gives way to a newer one, also at another relay, which gets at once what was not answered', async () => {
    const listener = await listen()
    const old = await HeardStream.open(a.desk, listener)
    await a.site.record()
    await old.heard(1)
    const newer = await HeardStream.open(b.desk, listener)
    const [delivery] = await newer.heard(1)
    expect(delivery?.number).toBe(1)
    // The relay of the old one gets the notification first, and must not claim the event.
    await a.site.record()
    expect(await old.ended()).toBe('replaced')
    b.site.deliveries.announce([listener.endpointId])
    await newer.heard(2)
    expect(old.deliveries).toHaveLength(1)
  })

  it('continues when the result comes to another relay', async () => {
    const listener = await listen()
    const subjectId = newId('ord', clock.now())
    const stream = await HeardStream.open(a.desk, listener)
    for (const type of ['order.accepted', 'order.printed'] as const) await a.site.record({ type, subjectId })
    const [first] = await stream.heard(1)
    expect(await tell(b, listener, { deliveryId: first?.deliveryId ?? '', number: 1 })).toBe('delivered')
    await look()
    expect((await stream.heard(2))[1]?.type).toBe('order.printed')
  })

  it('ends when the relay stops, when the listener is deleted, and when its owner may not listen any more', async () => {
    const [kept, deleted, refused] = [await listen(), await listen(), await listen()]
    let mayListen = true
    const streams = {
      kept: await HeardStream.open(a.desk, kept),
      deleted: await HeardStream.open(a.desk, deleted),
      refused: await HeardStream.open(a.desk, refused, async () => mayListen),
    }
    const { accountId, key: merchantKey, environment } = a.site.merchant
    await a.site.endpoints.delete({ accountId, merchantKey, environment }, deleted.endpointId)
    await look()
    mayListen = false
    await clock.advance(30_000)
    await a.desk.leave()
    const reasons = Object.entries(streams).map(([name, { reason }]) => `${name} ${reason}`)
    expect(reasons).toEqual(['kept draining', 'deleted deleted', 'refused refused'])
  })
})

describe('a listener', () => {
  it('keeps waiting deliveries for 15 minutes after its last stream, and is deleted then', async () => {
    const listener = await listen()
    const stream = await HeardStream.open(a.desk, listener)
    stream.cut()
    await a.site.record()
    await clock.advance(14 * 60_000)
    const again = await HeardStream.open(b.desk, listener)
    expect(again.messages[0]?.data).toMatchObject({ waiting: 1 })
    again.cut()
    await clock.advance(17 * 60_000)
    await a.site.until(async () => (await a.site.endpoints.byId(listener.endpointId)) === null)
    expect(await a.site.rows()).toEqual([])
    await expect(HeardStream.open(a.desk, listener)).rejects.toMatchObject({ code: 'webhook.not_found' })
  })

  it('is ignored by the worker that sends to URLs', async () => {
    await a.site.worker().start()
    await listen()
    await a.site.record()
    await clock.advance(60_000)
    expect(await states()).toEqual(['pending'])
    expect(await attempts()).toEqual([])
  })

  it('does not use the hourly allowance of its account', async () => {
    const listener = await listen()
    const stream = await HeardStream.open(a.desk, listener)
    await a.site.record()
    await stream.heard(1)
    expect(await a.site.db.read.selectFrom('webhook_hours').selectAll().execute()).toEqual([])
  })

  it('signs with the secret of its `like` endpoint, which is not shown', async () => {
    const { webhookId: like, secret: current } = await a.site.listen('http://127.0.0.1:9/hook', ['alert.started'])
    const listener = await listen({ like })
    expect(listener.secret).toBeNull()
    const stream = await HeardStream.open(a.desk, listener)
    await a.site.record()
    const [{ body, eventId, deliveryId, headers } = never()] = await stream.heard(1)
    const signed = { body, eventId, deliveryId, eventType: 'order.accepted', attempt: 1, nowMs: clock.now() }
    expect(headers).toEqual(signedHeaders({ ...signed, secrets: { current, previous: null } }))
  })

  it('is one of at most five of an account, which do not count among its endpoints', async () => {
    for (let n = 1; n <= 4; n++) await listen()
    await a.site.record()
    await HeardStream.open(a.desk, await listen())
    await expect(listen()).rejects.toMatchObject({ code: 'webhook.listener_limit' })
    for (let n = 1; n <= 20; n++) await a.site.listen('http://127.0.0.1:9/hook')
  })
})

describe('of five listeners', () => {
  it('one that nobody listens to and for which nothing waits gives its place up, and is gone within a minute', async () => {
    const idle = await listen()
    for (let n = 2; n <= 5; n++) await HeardStream.open(a.desk, await listen())
    const sixth = await listen()
    expect(await a.site.listeners.find(a.site.merchant, idle.endpointId)).toBeNull()
    await clock.advance(60_000)
    await a.site.until(async () => (await a.site.endpoints.byId(idle.endpointId)) === null)
    expect(await a.site.endpoints.byId(sixth.endpointId)).not.toBeNull()
  })
})

describe('a result', () => {
  it('of an attempt by hand is refused until that attempt was sent', async () => {
    const { listener, stream, deliveryId } = await failedOne()
    stream.close()
    await look()
    await byHand(deliveryId)
    expect(await tell(a, listener, { deliveryId, number: 2 })).toBe('webhook.result_unexpected')
    const next = await HeardStream.open(a.desk, listener)
    await next.heard(1)
    expect(await tell(a, listener, { deliveryId, number: 2 })).toBe('delivered')
  })

  it('is refused for what was not sent, was another listener’s, or does not exist', async () => {
    const [listener, other] = [await listen(), await listen()]
    const stream = await HeardStream.open(a.desk, listener)
    await a.site.record()
    const [{ deliveryId } = never()] = await stream.heard(1)
    const waiting = (await a.site.rows()).find(({ endpoint_id }) => endpoint_id === other.endpointId)?.id ?? ''
    const refusals = [
      await tell(a, other, { deliveryId, number: 1 }),
      await tell(a, listener, { deliveryId: 'dlv_1', number: 1 }),
      await tell(a, listener, { deliveryId: newId('dlv', clock.now()), number: 1 }),
      await tell(a, listener, { deliveryId, number: 2 }),
      await tell(a, other, { deliveryId: waiting, number: 1 }),
    ]
    const unknown = 'webhook.delivery_not_found'
    const unexpected = 'webhook.result_unexpected'
    expect(refusals).toEqual([unknown, unknown, unknown, unexpected, unexpected])
    expect(await states()).toEqual(['pending', 'pending'])
  })
})

it('reaches the server as often as the attempts show, over 100 streams that are cut at any time', async () => {
  const random = seededRandom(1)
  const listener = await listen()
  /** Requests to the program's server by delivery and number, and its responses. */
  const asked: string[] = []
  const seen = new Set<string>()
  const at = (): Relay => (random() < 0.5 ? a : b)
  let events = 0
  for (let stream = 1; stream <= 101; stream++) {
    const isLast = stream === 101
    const pipe = await HeardStream.open(at().desk, listener)
    for (let n = 0; n < 3 && !isLast; n++, events++) {
      const { endpointIds } = await a.site.record()
      b.site.deliveries.announce(endpointIds)
    }
    await (isLast ? settle(pipe) : pipe.heard(1 + Math.floor(random() * 2)))
    for (const { deliveryId, number } of pipe.deliveries) {
      const name = `${deliveryId} ${number}`
      if (!seen.has(name)) asked.push(deliveryId)
      seen.add(name)
      // Sometimes the result is lost with the stream: it is sent when the delivery is repeated.
      if (isLast || random() < 0.6) await tell(at(), listener, { deliveryId, number })
    }
    pipe.cut()
  }
  const rows = await a.site.rows()
  expect(rows).toHaveLength(events)
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['delivered']))
  expect(asked.toSorted()).toEqual((await a.site.attempts()).map(({ delivery_id }) => delivery_id as string).toSorted())

  /** Until everything is answered. */
  async function settle(pipe: HeardStream): Promise<void> {
    let told = 0
    while ((await states()).some((state) => state !== 'delivered')) {
      for (const { deliveryId, number } of pipe.deliveries.slice(told)) {
        const name = `${deliveryId} ${number}`
        if (!seen.has(name)) asked.push(deliveryId)
        seen.add(name)
        await tell(at(), listener, { deliveryId, number })
        told++
      }
      await look()
    }
  }
})

function never(): never {
  throw new Error('nothing came')
}
