// Sending again: one manual attempt in addition to the schedule, and the recovery of failed deliveries, in pieces.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toIso } from '#shared/clock.ts'
import { asId, type DeliveryId, type WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import { getDelivery, listDeliveries, recoverEndpoint, redeliver } from './deliveries.ts'
import { changeEndpoint } from './endpoints.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
let clock: ManualClock
let site: WebhookSite
let receiver: WebhookReceiver

beforeEach(async () => {
  clock = new ManualClock()
  receiver = new WebhookReceiver()
  await receiver.start()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  await receiver.stop()
  await site.close()
})

const listen = async () => {
  const endpoint = await site.listen(receiver.url)
  receiver.secret = endpoint.secret
  return endpoint
}
const again = async (deliveryId: DeliveryId, merchant = site.merchant) => {
  const { answer, wake } = await site.db.unit((tx) => redeliver(tx, site, { merchant, deliveryId }))
  wake?.()
  return answer
}
const recover = async (webhookId: WebhookId, sinceMs: number, untilMs?: number) => {
  const body = { since: toIso(sinceMs), ...(untilMs === undefined ? {} : { until: toIso(untilMs) }) }
  const { answer, wake } = await site.db.unit((tx) =>
    recoverEndpoint(tx, site, { merchant: site.merchant, webhookId, ...body }),
  )
  wake?.()
  return answer
}
const only = async () => (await site.rows())[0]!

describe('a redelivery', () => {
  it('is one more attempt with the next number and does not change the schedule', async () => {
    await listen()
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    const planned = (await only()).next_at
    expect(await again((await only()).id)).toMatchObject({ state: 'retrying', nextAttemptAt: toIso(clock.now()) })
    await site.settled(2)
    expect(await only()).toMatchObject({ state: 'retrying', attempts: 2, next_at: planned, manual_at: null })
    await clock.advance(MINUTE)
    await site.settled(3)
    expect((await only()).next_at).toBe(clock.now() + 5 * MINUTE)
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3'])
    expect((await site.attempts()).map(({ trigger }) => trigger)).toEqual(['schedule', 'manual', 'schedule'])
  })

  it('that succeeds ends the schedule', async () => {
    await listen()
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    receiver.answerWith({ kind: 'status', status: 200 })
    await again((await only()).id)
    await site.settled(2)
    expect(await only()).toMatchObject({ state: 'delivered', attempts: 2, settled_at: clock.now() })
  })

  it('may follow a success, with the same bytes, and a failure does not undo the success', async () => {
    await listen()
    await site.worker().start()
    await site.record()
    await site.settled(1)
    const { id } = await only()
    await again(id)
    await site.settled(2)
    receiver.answerWith({ kind: 'status', status: 503 })
    await again(id)
    await site.settled(3)
    expect(await only()).toMatchObject({ state: 'delivered', attempts: 3, last_status: 503 })
    expect(new Set(receiver.received.map(({ body }) => body.toString())).size).toBe(1)
    expect(receiver.received.every(({ signatureValid }) => signatureValid)).toBe(true)
  })

  it('requested while one is in flight is made after it', async () => {
    await listen()
    await site.worker().start()
    await site.record()
    await site.settled(1)
    const { id } = await only()
    receiver.answerWith({ kind: 'hang' })
    await again(id)
    await receiver.waitFor(2)
    await clock.advance(1_000)
    receiver.answerWith({ kind: 'status', status: 200 })
    await again(id)
    await clock.advance(15_000)
    await receiver.waitFor(3)
    await site.settled(3)
    expect(await only()).toMatchObject({ attempts: 3, manual_attempts: 2, manual_at: null })
  })

  it('reaches a disabled endpoint too, because its owner requested it', async () => {
    const { webhookId } = await listen()
    await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { status: 'disabled', disabled_reason: 'failing' }))
    await site.worker().start()
    await site.record()
    await again((await only()).id)
    await receiver.waitFor(1)
    await site.settled(1)
    expect(await only()).toMatchObject({ state: 'delivered', attempts: 1 })
    expect(await site.endpoints.byId(webhookId)).toMatchObject({ status: 'disabled', failing_since: null })
  })

  it('survives a crash between the request and the attempt', async () => {
    await listen()
    const first = site.worker()
    await first.start()
    await site.record()
    await site.settled(1)
    await first.stop()
    await again((await only()).id)
    await site.worker().start()
    await receiver.waitFor(2)
    await site.settled(2)
    expect(await only()).toMatchObject({ attempts: 2, manual_at: null })
  })

  it('is refused for a delivery of others like for one that does not exist', async () => {
    await listen()
    await site.record()
    const { id } = await only()
    const stranger = { ...site.merchant, accountId: asId<'acc'>('acc_other') }
    for (const call of [
      () => again(id, stranger),
      () => again(asId('dlv_none')),
      () => getDelivery(site, stranger, id),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'webhook.delivery_not_found', status: 404 })
  })
})

describe('a recovery', () => {
  const outage = async (events: number) => {
    receiver.answerWith({ kind: 'status', status: 500 })
    const worker = site.worker({ retrySeconds: [] })
    await worker.start()
    for (let i = 0; i < events; i++) await site.record()
    await site.settled(events)
    await worker.stop()
    receiver.answerWith({ kind: 'status', status: 200 })
  }

  it('sends again everything that failed in the span, and nothing else', async () => {
    const { webhookId } = await listen()
    await outage(2)
    clock.jump(60 * MINUTE)
    const fromMs = clock.now()
    await outage(1)
    clock.jump(60 * MINUTE)
    expect(await recover(webhookId, fromMs)).toEqual({ queued: 1 })
    await site.recoveries().start()
    await site.worker().start()
    await receiver.waitFor(4)
    await site.settled(4)
    expect((await site.rows()).map(({ state }) => state)).toEqual(['failed', 'failed', 'delivered'])
    expect((await site.attempts()).map(({ number }) => number).sort()).toEqual([1, 1, 1, 2])
  })

  it('gives each the whole schedule again, with continued numbers', async () => {
    const { webhookId } = await listen()
    await outage(1)
    receiver.answerWith({ kind: 'status', status: 500 })
    await recover(webhookId, clock.now() - DAY)
    await site.recoveries().start()
    await site.worker().start()
    await site.settled(2)
    expect(await only()).toMatchObject({ state: 'retrying', attempts: 2, next_at: clock.now() + MINUTE })
  })

  it('of thousands runs in pieces and survives a stop in the middle', async () => {
    const { webhookId } = await listen()
    await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { status: 'disabled' }))
    await site.recordMany(1_100)
    expect((await site.rows()).every(({ state }) => state === 'failed')).toBe(true)
    await site.db.unit((tx) => changeEndpoint(tx, site, { merchant: site.merchant, webhookId, status: 'enabled' }))
    const recoveries = site.recoveries()
    await recoveries.start()
    expect(await recover(webhookId, clock.now() - DAY)).toEqual({ queued: 1_100 })
    await recoveries.stop()
    const half = (await site.rows()).filter(({ state }) => state === 'pending').length
    expect(half).toBeLessThan(1_100)
    await site.recoveries().start()
    await site.worker().start()
    await receiver.waitFor(1_100)
    await site.settled(1_100)
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(1_100)
    expect((await site.rows()).every(({ state, attempts }) => state === 'delivered' && attempts === 1)).toBe(true)
    expect(await site.db.read.selectFrom('webhook_recoveries').selectAll().execute()).toEqual([])
  })

  it('of more than 14 days, of an empty span or of a disabled endpoint is refused with the reason', async () => {
    const { webhookId } = await listen()
    const fieldOf = (field: string) => ({ code: 'request.invalid', status: 422, errors: [{ field }] })
    await expect(recover(webhookId, clock.now() - 14 * DAY - 1)).rejects.toMatchObject(fieldOf('since'))
    await expect(recover(webhookId, clock.now() - DAY, clock.now() - DAY)).rejects.toMatchObject(fieldOf('until'))
    await site.db.unit((tx) => site.endpoints.change(tx, webhookId, { status: 'disabled' }))
    await expect(recover(webhookId, clock.now() - DAY)).rejects.toMatchObject({ code: 'webhook.disabled' })
    await expect(recover(asId('we_none'), clock.now())).rejects.toMatchObject({ code: 'webhook.not_found' })
  })
})

describe('the list of deliveries', () => {
  it('is newest first, in pages without gaps or duplicates, filtered by state, type and time', async () => {
    const { webhookId } = await listen()
    for (let i = 0; i < 7; i++) {
      await site.record({ type: i % 2 === 0 ? 'order.accepted' : 'order.printed' })
      clock.jump(1_000)
    }
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed' }).where('ordinal', '>', 4).execute())
    const newestFirst = (await site.rows()).reverse()
    const pages = []
    for (let cursor: string | undefined; ; ) {
      const page = await listDeliveries(site, site.merchant, { webhookId, limit: 3, cursor })
      pages.push(page.data.map(({ deliveryId }) => deliveryId))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1])
    expect(pages.flat()).toEqual(newestFirst.map(({ id }) => id))
    const narrowed = async (query: object) =>
      (await listDeliveries(site, site.merchant, { webhookId, limit: 100, ...query })).data.length
    expect(await narrowed({ state: 'failed' })).toBe(3)
    expect(await narrowed({ type: 'order.printed' })).toBe(3)
    expect(await narrowed({ state: 'failed', type: 'order.printed' })).toBe(1)
    const [newest, , third] = newestFirst
    expect(await narrowed({ from: toIso(third!.created_at), to: toIso(newest!.created_at) })).toBe(2)
  })

  it('and the log of one delivery show what happened', async () => {
    const { webhookId } = await listen()
    receiver.answerWith({ kind: 'status', status: 500, body: 'kaput' })
    await site.worker().start()
    const { eventId } = await site.record()
    await site.settled(1)
    const { data } = await listDeliveries(site, site.merchant, { webhookId, limit: 25 })
    expect(data).toMatchObject([{ eventId, webhookId, type: 'order.accepted', attempts: 1, lastError: 'http_status' }])
    const detail = await getDelivery(site, site.merchant, data[0]!.deliveryId as DeliveryId)
    expect(detail).toMatchObject({
      nextAttemptAt: toIso(clock.now() + MINUTE),
      attempts: [{ number: 1, trigger: 'schedule', status: 500, error: 'http_status', response: 'kaput' }],
      event: { id: eventId, type: 'order.accepted' },
    })
  })

  ofSqlite(PLANS)('reads no more than the page, whatever the filter', async () => {
    const { webhookId } = await listen()
    await site.record()
    await site.record({ type: 'order.printed' })
    const plans = await queryPlans(site.file, async () => {
      await listDeliveries(site, site.merchant, { webhookId, limit: 25 })
      await listDeliveries(site, site.merchant, { webhookId, limit: 25, state: 'failed', type: 'order.voided' })
    })
    const pages = plans.filter(({ sql }) => /select id from deliveries/.test(sql))
    expect(pages).toHaveLength(2)
    const hops = plans.filter(({ sql }) => /with recursive there/.test(sql))
    expect(hops).toHaveLength(1)
    for (const step of hops.flatMap(({ steps }) => steps).filter((one) => / deliveries /.test(one)))
      expect(step).toMatch(/^SEARCH deliveries USING COVERING INDEX deliveries_list \(endpoint_id=\? AND state=\?/)
    for (const { steps } of pages) {
      const searches = steps.filter((step) => / deliveries /.test(step))
      expect(searches.length).toBeGreaterThan(0)
      for (const step of searches)
        expect(step).toMatch(
          /USING COVERING INDEX deliveries_list \(endpoint_id=\? AND state=\? AND type=\? AND id>\? AND id<\?\)/,
        )
    }
  })
})
