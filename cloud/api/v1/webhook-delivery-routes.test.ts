// Test events, the log of deliveries, sending again and the list of events over HTTP: in the contract's shape, and nothing of others.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandboxAccount } from '#cloud/sandbox/fixtures.ts'
import {
  deliveriesPage,
  delivery,
  deliveryDetail,
  eventsPage,
  recoverResult,
  testWebhookResult,
} from '#shared/wire/api/webhooks.ts'
import { webhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { registerWebhookRoutes } from '#test/fixtures/webhook-routes.ts'

const merchantId = 'M-TEST-001'
let api: RelayApi
let webhookId: string
beforeEach(async () => {
  api = await RelayApi.open({ routes: (app, it) => void registerWebhookRoutes(app, it) })
  webhookId = (await post('/v1/webhooks', { url: 'http://127.0.0.1:9/hook' })).body.webhookId
})
afterEach(() => api.close())

const post = (path: string, more: object = {}, key?: string) =>
  api.call('POST', path, { body: { merchantId, ...more }, ...(key === undefined ? {} : { key }) })
const get = (path: string, query: Record<string, string> = {}, key?: string) =>
  api.call('GET', `${path}?${new URLSearchParams({ merchantId, ...query })}`, key === undefined ? {} : { key })
const fire = async (type = 'order.printed') => (await post(`/v1/webhook/${webhookId}/test`, { type })).body

describe('POST /v1/webhook/{webhookId}/test', () => {
  it.each(WEBHOOK_EVENT_TYPES)('fires a %s that reads like a real one', async (type) => {
    const answer = await post(`/v1/webhook/${webhookId}/test`, { type })
    expect(answer.status).toBe(200)
    const { eventId, deliveryId } = testWebhookResult.strict().parse(answer.body)
    const event = await get(`/v1/event/${eventId}`)
    expect(webhookEvent.strict().parse(event.body)).toMatchObject({ id: eventId, type, test: true })
    expect((await get(`/v1/webhook/delivery/${deliveryId}`)).body).toMatchObject({ state: 'pending', type, eventId })
  })

  it('refuses a type that does not exist', async () => {
    const answer = await post(`/v1/webhook/${webhookId}/test`, { type: 'order.eaten' })
    expect([answer.status, answer.body.code]).toEqual([422, 'request.invalid'])
  })

  it('is refused for a disabled endpoint, and nothing is recorded', async () => {
    await api.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).execute())
    const answer = await post(`/v1/webhook/${webhookId}/test`, { type: 'order.ready' })
    expect([answer.status, answer.body.code]).toEqual([409, 'webhook.disabled'])
    expect(await api.db.read.selectFrom('deliveries').selectAll().execute()).toEqual([])
  })

  it('does not exist for a live key', async () => {
    await api.db.unit((tx) => tx.updateTable('api_keys').set({ environment: 'live' }).execute())
    const answer = await post(`/v1/webhook/${webhookId}/test`, { type: 'order.ready' })
    expect([answer.status, answer.body.code]).toEqual([404, 'request.not_found'])
  })
})

describe('deliveries', () => {
  it('are listed in pages and read with their event', async () => {
    for (let i = 0; i < 3; i++) await fire()
    const path = `/v1/webhook/${webhookId}/deliveries`
    const first = deliveriesPage.strict().parse((await get(path, { limit: '2', state: 'pending' })).body)
    const second = (await get(path, { limit: '2', cursor: first.nextCursor ?? '', state: 'pending' })).body
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([2, 1, null])
    const detail = await get(`/v1/webhook/delivery/${first.data[0]?.deliveryId}`)
    expect(deliveryDetail.strict().parse(detail.body)).toMatchObject({ webhookId, attempts: [], state: 'pending' })
  })

  it('refuse a cursor that is none, and times without a zone', async () => {
    const path = `/v1/webhook/${webhookId}/deliveries`
    const cursor = await get(path, { cursor: 'abc' })
    expect([cursor.status, cursor.body.errors[0].field]).toEqual([422, 'cursor'])
    const time = await get(path, { from: '2026-11-20T00:00:00' })
    expect([time.status, time.body.errors[0].field]).toEqual([422, 'from'])
  })

  it('are sent again one by one, and the worker is woken', async () => {
    const { deliveryId } = await fire()
    await api.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed', attempts: 6 }).execute())
    const told = api.stores.deliveries.changed.next()
    const answer = await post(`/v1/webhook/delivery/${deliveryId}/redeliver`)
    expect(answer.status).toBe(200)
    expect(delivery.strict().parse(answer.body)).toMatchObject({
      deliveryId,
      state: 'failed',
      attempts: 6,
      nextAttemptAt: '2026-11-20T18:00:00.000Z',
    })
    expect(await told).toBe(webhookId)
  })

  it('are recovered all together with 202', async () => {
    for (let i = 0; i < 3; i++) await fire()
    await api.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed' }).execute())
    const answer = await post(`/v1/webhook/${webhookId}/recover`, { since: '2026-11-20T12:00:00-05:00' })
    expect([answer.status, recoverResult.strict().parse(answer.body)]).toEqual([202, { queued: 3 }])
    const late = await post(`/v1/webhook/${webhookId}/recover`, { since: '2026-11-01T12:00:00Z' })
    expect([late.status, late.body.errors[0].field]).toEqual([422, 'since'])
  })
})

describe('GET /v1/events', () => {
  it('lists events also without an endpoint for them', async () => {
    await api.call('DELETE', `/v1/webhook/${webhookId}?merchantId=${merchantId}`)
    const { serviceOrderId } = (await api.inject()).body
    const answer = await get('/v1/events', { subjectId: serviceOrderId })
    const { data } = eventsPage.strict().parse(answer.body)
    expect(data).toMatchObject([{ type: 'order.accepted', sequence: 1, data: { order: { serviceOrderId } } }])
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('what belongs to others', () => {
  it('is answered like what does not exist, whatever the route', async () => {
    const { eventId, deliveryId } = await fire()
    const { apiKey } = await createSandboxAccount({ db: api.db, clock: api.clock }, { name: 'Other' })
    const routes = (ids: { we: string; dlv: string; evt: string }, key: string) => [
      get(`/v1/webhook/${ids.we}`, {}, key),
      get(`/v1/webhook/${ids.we}/deliveries`, {}, key),
      get(`/v1/webhook/delivery/${ids.dlv}`, {}, key),
      get(`/v1/event/${ids.evt}`, {}, key),
      post(`/v1/webhook/${ids.we}/rotate-secret`, {}, key),
      post(`/v1/webhook/${ids.we}/test`, { type: 'order.ready' }, key),
      post(`/v1/webhook/${ids.we}/recover`, { since: '2026-11-20T12:00:00Z' }, key),
      post(`/v1/webhook/delivery/${ids.dlv}/redeliver`, {}, key),
      api.call('PATCH', `/v1/webhook/${ids.we}`, { body: { merchantId, status: 'disabled' }, key }),
      api.call('DELETE', `/v1/webhook/${ids.we}?merchantId=${merchantId}`, { key }),
    ]
    const none = '0'.repeat(26)
    const theirs = await Promise.all(routes({ we: webhookId, dlv: deliveryId, evt: eventId }, apiKey))
    const unknown = await Promise.all(routes({ we: `we_${none}`, dlv: `dlv_${none}`, evt: `evt_${none}` }, apiKey))
    const shapeless = await Promise.all(routes({ we: 'x', dlv: 'x', evt: 'x' }, apiKey))
    const bare = ({ status, body }: (typeof theirs)[number]) => ({ status, ...body, requestId: '' })
    expect(theirs.map(bare)).toEqual(unknown.map(bare))
    expect(theirs.map(bare)).toEqual(shapeless.map(bare))
    expect(theirs.every(({ status }) => status === 404)).toBe(true)
    expect((await get('/v1/events', {}, apiKey)).body.data).toEqual([])
    expect((await get(`/v1/webhook/${webhookId}`)).body).toMatchObject({ status: 'enabled' })
  })
})
