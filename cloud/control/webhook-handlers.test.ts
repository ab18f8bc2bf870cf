// Webhook endpoints and deliveries at the dashboard: who may, what each shows, and events fired with edited data.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEndpoint, ownerOf } from '#cloud/webhooks/endpoints.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import { toIso } from '#shared/clock.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { AskingDesk } from '#test/fixtures/asking-desk.ts'

const merchantId = 'M-TEST-001'
const DAY = 86_400_000
let desk: AskingDesk

beforeEach(async () => {
  desk = await AskingDesk.open()
})
afterEach(() => desk.close())

const url = 'https://hooks.bistro.test/in?token=s3cret'
const create = (more: { url?: string; events?: ['order.ready'] } = {}) =>
  desk.ask('endpoints.create', { merchantId, url, ...more })
const get = (webhookId: WebhookId) => desk.ask('endpoints.get', { merchantId, webhookId })
const audit = async () => (await desk.context.audit.list(desk.api.account.accountId, 1))[0]

const merchant = () => desk.context.merchants.byKey(desk.api.merchantKey)

/** As an order records it. */
async function record(subjectId: string = newId('ord', desk.clock.now()), sequence = 1) {
  const { key: merchantKey, accountId, publicId, environment } = await merchant()
  const data = { order: { serviceOrderId: subjectId, orderId: 'kiosk-7', sequence, customer: { name: 'Ana' } } }
  return desk.context.db.unit((tx) =>
    recordEvent(tx, desk, {
      ...{
        type: 'order.accepted',
        accountId,
        merchantKey,
        merchantId: publicId,
        environment,
        subjectId,
        sequence,
        data,
      },
      atMs: desk.clock.now(),
    }),
  )
}

/** One attempt of everything that waits at the endpoint, as the worker settles it. */
async function attempt(webhookId: WebhookId, outcome: { status: number | null; error: string | null }) {
  const { accountId, environment } = await merchant()
  const nowMs = desk.clock.now()
  const quotas = new Map([[webhookId, { accountId, environment, perHour: null }]])
  const requests = [{ endpointId: webhookId, limit: 50, retries: 50, retriesFirst: true }]
  const claimed = await desk.context.deliveries.claim(requests, quotas, { nowMs, leaseUntilMs: nowMs + 30_000 })
  for (const delivery of claimed) {
    const next =
      outcome.error === null
        ? ({ state: 'delivered' } as const)
        : ({ state: 'retrying', nextAtMs: nowMs + 60_000 } as const)
    const made = {
      ...outcome,
      number: delivery.attempts + 1,
      atMs: nowMs,
      durationMs: 7,
      response: 'oops',
      ours: false,
    }
    await desk.context.deliveries.settle(delivery, made, { next, nowMs })
  }
  return claimed
}

describe('an endpoint', () => {
  test('is made with its secret shown once, and only its site is in the audit log', async () => {
    const { webhookId, secret } = await create()
    expect(secret).toMatch(/^whsec_/)
    expect(await get(webhookId)).toMatchObject({
      url,
      kind: 'url',
      status: 'enabled',
      successShare: null,
      lastFailure: null,
    })
    expect(JSON.stringify(await get(webhookId))).not.toContain(secret)
    const told = await audit()
    expect(told).toMatchObject({ action: 'endpoint.create', subject: webhookId, via: 'dashboard' })
    expect(JSON.stringify(told)).not.toContain('s3cret')
  })

  test('with an address of our own network is refused by its field', async () => {
    expect(await desk.refused('endpoints.create', { merchantId, url: 'https://10.0.0.8/in' })).toMatchObject({
      code: 'invalid',
      fields: ['url'],
    })
    const { webhookId } = await create()
    const moved = { merchantId, webhookId, url: 'https://169.254.169.254/latest' }
    expect(await desk.refused('endpoints.change', moved)).toMatchObject({
      code: 'invalid',
      fields: ['url'],
    })
    expect((await get(webhookId)).url).toBe(url)
  })

  test('shows what it accepted in 24 hours, its last failure and the next retry', async () => {
    const { webhookId } = await create()
    await record()
    await attempt(webhookId, { status: 200, error: null })
    desk.clock.stall(2 * DAY)
    for (let i = 0; i < 3; i++) await record()
    await attempt(webhookId, { status: 200, error: null })
    await record()
    await attempt(webhookId, { status: 503, error: 'http_status' })
    await record()
    expect(await get(webhookId)).toMatchObject({
      day: { delivered: 3, retrying: 1, pending: 1, failed: 0, isCapped: false },
      successShare: 0.75,
      lastFailure: { status: 503, error: 'http_status', response: 'oops', type: 'order.accepted' },
      nextRetryAt: toIso(desk.clock.now() + 60_000),
      failures: 1,
      disablesAt: toIso(desk.clock.now() + 5 * DAY),
    })
    expect((await desk.ask('endpoints.list', { merchantId })).map((one) => one.webhookId)).toEqual([webhookId])
  })

  test('is changed, disabled and enabled, and what it did not take is recovered', async () => {
    const { webhookId } = await create()
    await desk.ask('endpoints.change', { merchantId, webhookId, status: 'disabled', events: ['order.accepted'] })
    await record()
    expect(await get(webhookId)).toMatchObject({
      status: 'disabled',
      disabledReason: 'owner',
      events: ['order.accepted'],
    })
    const since = toIso(desk.clock.now() - DAY)
    expect(await desk.refused('endpoint.recover', { merchantId, webhookId, since })).toMatchObject({
      code: 'webhook.disabled',
    })
    await desk.ask('endpoints.change', { merchantId, webhookId, status: 'enabled' })
    expect(await desk.ask('endpoint.recover', { merchantId, webhookId, since })).toEqual({ queued: 1 })
    expect(await audit()).toMatchObject({ action: 'endpoint.recover' })
  })

  test('gets a new secret, and the old one counts down', async () => {
    const { webhookId, secret } = await create()
    const rotated = await desk.ask('endpoints.rotate', { merchantId, webhookId, expireOldInHours: 2 })
    expect(rotated.secret).not.toBe(secret)
    expect((await get(webhookId)).oldSecretEndsAt).toBe(toIso(desk.clock.now() + 2 * 3_600_000))
    desk.clock.stall(3 * 3_600_000)
    expect((await get(webhookId)).oldSecretEndsAt).toBeNull()
  })

  test('is deleted with its deliveries, and a second tap finds nothing', async () => {
    const { webhookId } = await create()
    await record()
    await desk.ask('endpoints.delete', { merchantId, webhookId })
    expect(await audit()).toMatchObject({ action: 'endpoint.delete', subject: webhookId })
    expect(await desk.ask('deliveries.list', { merchantId })).toEqual({ data: [], nextCursor: null })
    expect(await desk.refused('endpoints.delete', { merchantId, webhookId })).toMatchObject({
      code: 'webhook.not_found',
    })
  })

  test.each(['endpoints.list', 'deliveries.list', 'inspector.list', 'events.list'] as const)(
    'and all that belongs to it is not for staff: %s',
    async (name) => {
      expect(await desk.refused(name, { merchantId }, { role: 'staff' })).toMatchObject({ code: 'forbidden' })
    },
  )

  test('is read by a manager and changed by a developer', async () => {
    await desk.ask('endpoints.list', { merchantId }, { role: 'manager' })
    expect(await desk.refused('endpoints.create', { merchantId, url }, { role: 'manager' })).toMatchObject({
      code: 'forbidden',
    })
    await desk.ask('endpoints.create', { merchantId, url }, { role: 'developer' })
  })
})

describe('an event fired by hand', () => {
  test('of every type has a sample that may be sent as it is', async () => {
    const { webhookId } = await create()
    const samples = await desk.ask('endpoint.samples', { merchantId })
    expect(samples.map(({ type }) => type)).toEqual(WEBHOOK_EVENT_TYPES)
    for (const { type, data } of samples) await desk.ask('endpoint.testData', { merchantId, webhookId, type, data })
    const { data } = await desk.ask('deliveries.list', { merchantId, webhookId })
    expect(new Set(data.map(({ type }) => type))).toEqual(new Set(samples.map(({ type }) => type)))
  })

  test('carries the edited data, marked as a test', async () => {
    const { webhookId } = await create()
    const [sample] = await desk.ask('endpoint.samples', { merchantId })
    const data = structuredClone(sample!.data) as { order: { note: string; sequence: number } }
    data.order.note = 'no peanuts'
    data.order.sequence = 7
    const fired = await desk.ask('endpoint.testData', { merchantId, webhookId, type: sample!.type, data })
    const { body } = await desk.ask('deliveries.get', { merchantId, deliveryId: fired.deliveryId as never })
    expect(JSON.parse(body)).toMatchObject({ test: true, sequence: 7, data: { order: { note: 'no peanuts' } } })
  })

  test('about a real order leaves the place of its real event free', async () => {
    const { webhookId } = await create()
    const [sample] = await desk.ask('endpoint.samples', { merchantId })
    const data = structuredClone(sample!.data) as { order: { serviceOrderId: string; sequence: number } }
    data.order.serviceOrderId = newId('ord', desk.clock.now())
    data.order.sequence = 1
    await desk.ask('endpoint.testData', { merchantId, webhookId, type: 'order.accepted', data })
    await record(data.order.serviceOrderId)
  })

  test('with data that no such event has is refused by the path of each field', async () => {
    const { webhookId } = await create()
    const [sample] = await desk.ask('endpoint.samples', { merchantId })
    const data = structuredClone(sample!.data) as { order: { total: unknown; items: { qty: unknown }[] } }
    data.order.total = 'much'
    data.order.items[0]!.qty = 'two'
    const refused = await desk.refused('endpoint.testData', { merchantId, webhookId, type: sample!.type, data })
    expect(refused).toMatchObject({ code: 'invalid' })
    expect(refused.fields.toSorted()).toEqual(['data.order.items.0.qty', 'data.order.total'])
    const long = { ...sample!.data, more: 'x'.repeat(70_000) }
    expect(
      await desk.refused('endpoint.testData', { merchantId, webhookId, type: sample!.type, data: long }),
    ).toMatchObject({
      fields: ['data'],
    })
  })
})

describe('deliveries', () => {
  test('of all endpoints continue page by page, each once', async () => {
    const [first, second] = [await create(), await create({ events: ['order.ready'] })]
    for (let i = 0; i < 3; i++) {
      desk.clock.stall(1)
      await record()
      await desk.ask('endpoints.test', { merchantId, webhookId: second.webhookId, type: 'order.ready' })
    }
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await desk.ask('deliveries.list', { merchantId, limit: 2, ...(cursor && { cursor }) })
      seen.push(...page.data.map(({ deliveryId }) => deliveryId))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toHaveLength(6)
    const newestFirst = [...new Set(seen)].sort((a, b) => (a < b ? 1 : -1))
    expect(seen).toEqual(newestFirst)
    const own = await desk.ask('deliveries.list', { merchantId, webhookId: first.webhookId, state: 'pending' })
    expect(own.data).toHaveLength(3)
    const ready = await desk.ask('deliveries.list', { merchantId, type: 'order.ready' })
    expect(ready.data.map(({ webhookId }) => webhookId)).toEqual(Array(3).fill(second.webhookId))
  })

  test('of one order are found by its id, also the one that was sent by hand', async () => {
    const first = await create()
    const orderId = newId('ord', desk.clock.now())
    await record(orderId)
    await record()
    // Ids are in the order of their times: of one millisecond, in none.
    desk.clock.stall(1)
    const second = await create()
    const [event] = (await desk.ask('events.list', { merchantId, subjectId: orderId })).data
    await desk.ask('events.resend', { merchantId, eventId: event!.eventId, webhookId: second.webhookId })
    const found = async (more = {}) =>
      (await desk.ask('deliveries.list', { merchantId, subjectId: orderId, ...more })).data
    expect((await found()).map(({ webhookId }) => webhookId)).toEqual([second.webhookId, first.webhookId])
    expect(await found({ webhookId: first.webhookId })).toHaveLength(1)
    expect(await found({ state: 'failed' })).toEqual([])
    const page = await desk.ask('deliveries.list', { merchantId, subjectId: orderId, limit: 1 })
    expect(await found({ limit: 1, cursor: page.nextCursor })).toMatchObject([{ webhookId: first.webhookId }])
    const stranger = await desk.stranger()
    const asked = { merchantId, subjectId: orderId }
    expect((await desk.ask('deliveries.list', asked, { accountId: stranger })).data).toEqual([])
  })

  test('of one item are found by its umsId', async () => {
    const { webhookId } = await create()
    for (const umsId of ['UMS-BURGER-01', 'UMS-FRIES-01']) await desk.ask('sku.silence', { merchantId, umsId })
    const { data } = await desk.ask('deliveries.list', { merchantId, subjectId: 'UMS-BURGER-01' })
    expect(data).toMatchObject([{ webhookId, type: 'sku.silenced' }])
  })

  test('show each attempt with the headers and the body as they were sent', async () => {
    const { webhookId } = await create()
    await record()
    const [sent] = await attempt(webhookId, { status: 500, error: 'http_status' })
    const detail = await desk.ask('deliveries.get', { merchantId, deliveryId: sent!.id })
    expect(detail).toMatchObject({
      state: 'retrying',
      body: sent!.payload,
      isMasked: false,
      endpoint: { webhookId, url },
    })
    expect(detail.attempts).toMatchObject([
      { number: 1, ms: 7, status: 500, error: 'http_status', response: 'oops', headers: { 'X-Service-Attempt': '1' } },
    ])
    expect(detail.attempts[0]!.headers!['X-Service-Signature']).toMatch(/^[0-9a-f]{64}$/)
    desk.clock.stall(1_000)
    await desk.ask('endpoints.rotate', { merchantId, webhookId })
    const later = await desk.ask('deliveries.get', { merchantId, deliveryId: sent!.id })
    expect(later.attempts[0]!.headers, 'no signature by the new secret is made up for it').toBeNull()
  })

  test('are sent once more by hand', async () => {
    const { webhookId } = await create()
    await record()
    const [sent] = await attempt(webhookId, { status: 200, error: null })
    const again = await desk.ask('deliveries.resend', { merchantId, deliveryId: sent!.id })
    expect(again.nextAttemptAt).toBe(toIso(desk.clock.now()))
    const [asked] = await attempt(webhookId, { status: 204, error: null })
    expect(asked).toMatchObject({ id: sent!.id, manualAt: desk.clock.now() })
  })

  test('of another account are not found', async () => {
    const { webhookId } = await create()
    await record()
    const [sent] = await attempt(webhookId, { status: 200, error: null })
    const other = newId('acc', 1)
    const who = { accountId: other }
    expect((await desk.refused('deliveries.get', { merchantId, deliveryId: sent!.id }, who)).code).toBe(
      'merchant.not_found',
    )
    expect((await desk.refused('endpoints.get', { merchantId: 'M-TEST-002', webhookId })).code).toBe(
      'webhook.not_found',
    )
  })

  test('to a live endpoint hide the customer from a developer, not from the owner', async () => {
    const live = { ...(await merchant()), environment: 'live' as const, publicId: 'M-PROD-1' }
    await desk.context.db.unit((tx) =>
      tx
        .updateTable('merchants')
        .set({ environment: 'live', public_id: 'M-PROD-1' })
        .where('id', '=', live.key)
        .execute(),
    )
    const secretBox = desk.context.secretBox!
    const { answer } = await desk.context.db.unit((tx) =>
      createEndpoint(tx, { ...desk.context, secretBox }, { merchant: live, url, events: ['*'] }),
    )
    await record()
    const [row] = await desk.context.deliveryLog.list(
      { endpointId: answer.webhookId, range: { from: 'dlv_' as never, below: 'dlv_~' as never } },
      1,
    )
    const read = (role: 'developer' | 'owner') =>
      desk.ask('deliveries.get', { merchantId: 'M-PROD-1', deliveryId: row!.id }, { role })
    const masked = await read('developer')
    expect(masked.isMasked).toBe(true)
    expect(JSON.parse(masked.body).data.order).toMatchObject({ customer: { name: '***' }, sequence: 1 })
    expect(JSON.parse((await read('owner')).body).data.order.customer).toEqual({ name: 'Ana' })
    const fire = { merchantId: 'M-PROD-1', webhookId: answer.webhookId, type: 'order.ready' as const }
    expect((await desk.refused('endpoints.test', fire)).code).toBe('elevate')
    await desk.ask('endpoints.test', fire, { isElevated: true })
    expect((await desk.refused('inspector.open', { merchantId: 'M-PROD-1' })).code).toBe('refused')
    expect(await desk.context.endpoints.list(ownerOf(live))).toHaveLength(1)
  })
})

describe('events', () => {
  test('show the readable name of their subject', async () => {
    await record()
    const { data } = await desk.ask('events.list', { merchantId })
    expect(data).toMatchObject([{ subjectId: expect.stringMatching(/^ord_/), subjectName: 'kiosk-7' }])
  })

  test('show which sequence numbers of one order are missing', async () => {
    const order = newId('ord', desk.clock.now())
    for (const sequence of [1, 2, 5]) await record(order, sequence)
    const { data } = await desk.ask('events.list', { merchantId, subjectId: order })
    expect(data.map(({ sequence, missingBefore }) => [sequence, missingBefore])).toEqual([
      [5, [3, 4]],
      [2, []],
      [1, []],
    ])
    const narrowed = await desk.ask('events.list', { merchantId, type: 'order.accepted' })
    expect(narrowed.data.flatMap(({ missingBefore }) => missingBefore)).toEqual([])
    const one = await desk.ask('events.get', { merchantId, eventId: data[2]!.eventId })
    expect(one).toMatchObject({ missing: [3, 4], subjectId: order, deliveries: [] })
  })

  test('are sent to an endpoint that did not exist then, and once more to one that has them', async () => {
    const { eventId } = await record()
    const { webhookId } = await create({ events: ['order.ready'] })
    const first = await desk.ask('events.resend', { merchantId, eventId, webhookId })
    const [sent] = await attempt(webhookId, { status: 200, error: null })
    expect(sent).toMatchObject({ id: first.deliveryId, eventId })
    const second = await desk.ask('events.resend', { merchantId, eventId, webhookId })
    expect(second.deliveryId).toBe(first.deliveryId)
    expect((await desk.ask('events.get', { merchantId, eventId })).deliveries).toHaveLength(1)
    await desk.ask('endpoints.change', { merchantId, webhookId, status: 'disabled' })
    expect(await desk.refused('events.resend', { merchantId, eventId, webhookId })).toMatchObject({
      code: 'webhook.disabled',
    })
  })
})
