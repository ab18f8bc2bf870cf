// A receiver is away for hours or days while orders go on: afterwards it has every event, or finds it in the list of failed deliveries.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DeliveryWorker } from '#cloud/webhooks/delivery-worker.ts'
import { Recoveries } from '#cloud/webhooks/recoveries.ts'
import { toIso } from '#shared/clock.ts'
import type { Delivery } from '#shared/wire/api/webhooks.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { registerWebhookRoutes } from '#test/fixtures/webhook-routes.ts'
import { inDrill } from '#test/harness/drill.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const merchantId = 'M-TEST-001'
/** Shorter than all tries together, so that none is given up. */
const HOURS = inDrill(14, 3)
const RETRY_SECONDS = [60, 300, 1_800, 7_200, 43_200]

let clock: ManualClock
let api: RelayApi
let worker: DeliveryWorker
let recoveries: Recoveries
let receiver: WebhookReceiver
let webhookId: string
/** The port that the receiver comes back on. */
let port: number
let startMs: number

beforeEach(async () => {
  clock = new ManualClock()
  startMs = clock.now()
  let parts: ReturnType<typeof registerWebhookRoutes> | undefined
  api = await RelayApi.open({
    clock,
    routes: (app, it) => {
      parts = registerWebhookRoutes(app, it)
    },
  })
  if (!parts) throw new Error('the routes were not registered')
  const more = { retrySeconds: RETRY_SECONDS, random: Math.random, allowance: async () => null, isOurs: () => true }
  worker = new DeliveryWorker({ ...parts, ...more })
  recoveries = new Recoveries(parts)
  await worker.start()
  await recoveries.start()
  receiver = new WebhookReceiver()
  await receiver.start()
  port = receiver.port
  const created = await api.call('POST', '/v1/webhooks', { body: { merchantId, url: receiver.url } })
  webhookId = created.body.webhookId
  receiver.secret = created.body.secret
})
afterEach(async () => {
  await receiver.stop()
  await recoveries.stop()
  await worker.stop()
  await api.close()
})

/** Time goes by in steps; after each, everything that has fallen due was tried. */
const pass = async (ms: number, each: () => Promise<unknown> = async () => {}) => {
  const step = 10 * MINUTE
  for (let gone = 0; gone < ms; gone += step) {
    await each()
    clock.stall(step - 500)
    await clock.advance(500)
    await quiet()
  }
}
const quiet = async () => {
  while ((await api.stores.deliveries.endpointsDue(clock.now())).length > 0) {
    await clock.advance(500)
    await api.db.unit(async () => {})
  }
}
let orders = 0
const order = async () => {
  orders += 1
  await api.inject({ orderId: `order-${orders}` })
}
const all = async <T>(path: string, query: Record<string, string> = {}): Promise<T[]> => {
  const found: T[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const params = new URLSearchParams({ merchantId, limit: '100', ...query, ...(cursor === '' ? {} : { cursor }) })
    const { status, body } = await api.call('GET', `${path}?${params}`)
    expect(status).toBe(200)
    found.push(...body.data)
    cursor = body.nextCursor
  }
  return found
}
const eventIds = async () => (await all<WebhookEvent>('/v1/events')).map(({ id }) => id).sort()
const failedIds = async () =>
  (await all<Delivery>(`/v1/webhook/${webhookId}/deliveries`, { state: 'failed' })).map(({ eventId }) => eventId)
const receivedIds = () => new Set(receiver.received.map(({ event }) => event.id))

describe('a receiver that is down', () => {
  it(`for ${HOURS} hours gets every event by itself once it is back`, async () => {
    await receiver.stop()
    await pass(HOURS * HOUR, order)
    expect(receiver.received).toEqual([])
    await receiver.start(port)
    await pass(16 * HOUR)
    const events = await eventIds()
    expect(events).toHaveLength(6 * HOURS)
    expect([...receivedIds()].sort()).toEqual(events)
    expect(await failedIds()).toEqual([])
    expect(receiver.received.every(({ signatureValid }) => signatureValid)).toBe(true)
  })

  it('for three days finds what it has not got in the list of failed deliveries, and gets it by one call', async () => {
    await receiver.stop()
    await pass(24 * HOUR, order)
    await pass(48 * HOUR)
    await receiver.start(port)
    await pass(16 * HOUR, order)
    const events = await eventIds()
    const missing = events.filter((id) => !receivedIds().has(id))
    expect(missing.length).toBeGreaterThan(0)
    expect((await failedIds()).sort()).toEqual(missing)

    const recovered = await api.call('POST', `/v1/webhook/${webhookId}/recover`, {
      body: { merchantId, since: toIso(startMs) },
    })
    expect([recovered.status, recovered.body]).toEqual([202, { queued: missing.length }])
    await receiver.nextEvent(({ id }) => id === missing.at(-1))
    await pass(10 * MINUTE)
    expect([...receivedIds()].sort()).toEqual(events)
    expect(await failedIds()).toEqual([])
  })

  it('for six days is disabled, and nothing is lost: enabled and recovered, it has everything', async () => {
    await receiver.stop()
    await pass(6 * 24 * HOUR, async () => {
      // Now and then an order: every two hours.
      if (Math.floor((clock.now() - startMs) / (10 * MINUTE)) % 12 === 0) await order()
    })
    const endpoint = await api.call('GET', `/v1/webhook/${webhookId}?merchantId=${merchantId}`)
    expect(endpoint.body).toMatchObject({ status: 'disabled', disabledReason: 'failing' })
    await receiver.start(port)
    await order()
    const events = await eventIds()
    expect((await failedIds()).sort()).toEqual(events)

    await api.call('PATCH', `/v1/webhook/${webhookId}`, { body: { merchantId, status: 'enabled' } })
    const body = { merchantId, since: toIso(startMs) }
    await api.call('POST', `/v1/webhook/${webhookId}/recover`, { body })
    await receiver.waitFor(events.length)
    await pass(10 * MINUTE)
    expect([...receivedIds()].sort()).toEqual(events)
    expect(await failedIds()).toEqual([])
  })
})
