// Adding a tenth event type: it goes to endpoints that name it, not to `*`, and is in every list.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { STAR_EVENT_TYPES, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { listDeliveries } from './deliveries.ts'
import { listEvents } from './events.ts'

/** As a later release would add it. */
const TENTH = 'order.delayed' as WebhookEventType
const NINE = [
  ...['order.accepted', 'order.printed', 'order.ready', 'order.completed', 'order.voided', 'order.refunded'],
  ...['sku.silenced', 'sku.restored', 'sku.low_stock'],
]

const all = WEBHOOK_EVENT_TYPES as unknown as WebhookEventType[]
let site: WebhookSite
beforeEach(async () => {
  all.push(TENTH)
  site = await WebhookSite.open({ clock: new ManualClock() })
})
afterEach(async () => {
  all.pop()
  await site.close()
})

it('`*` stands for the nine of the specification, whatever is added', () => {
  expect(WEBHOOK_EVENT_TYPES).toContain(TENTH)
  expect(STAR_EVENT_TYPES).toEqual(NINE)
})

describe('an event of the tenth type', () => {
  it('goes to endpoints that name it, with `*` or alone, and to no other', async () => {
    const star = await site.listen('http://127.0.0.1:9/')
    const named = await site.listen('http://127.0.0.1:9/', [TENTH])
    const both = await site.listen('http://127.0.0.1:9/', ['*', TENTH])
    const { endpointIds } = await site.record({ type: TENTH })
    const receivers = (await site.rows()).map((row) => row.endpoint_id)
    expect(receivers.sort()).toEqual([named.webhookId, both.webhookId].sort())
    expect(endpointIds.toSorted()).toEqual(receivers)
    expect(receivers).not.toContain(star.webhookId)
  })

  it('is in every list that is not filtered by other types', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/', [TENTH])
    const { eventId } = await site.record({ type: TENTH })
    const shared = await site.record({ type: TENTH, audience: 'merchant' })
    const events = await listEvents(site, site.merchant, { limit: 10 })
    expect(events.data.map(({ id }) => id)).toEqual([shared.eventId, eventId])
    expect((await listEvents(site, site.merchant, { limit: 10, type: 'order.ready' })).data).toEqual([])
    const deliveries = await listDeliveries(site, site.merchant, { webhookId, limit: 10 })
    expect(deliveries.data.map((one) => one.eventId).sort()).toEqual([eventId, shared.eventId].sort())
  })

  it('is sent again by a recovery like any other', async () => {
    const { webhookId } = await site.listen('http://127.0.0.1:9/', [TENTH])
    await site.record({ type: TENTH })
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'failed' }).execute())
    const range = { from: asId<'dlv'>('dlv_0'), below: asId<'dlv'>('dlv_~') }
    await site.db.unit((tx) => site.deliveryLog.askRecovery(tx, webhookId, { range, nowMs: site.clock.now() }))
    const recovery = await site.deliveryLog.nextRecovery()
    if (recovery === null) throw new Error('no recovery')
    expect(await site.deliveryLog.recoverPiece(recovery, 10, site.clock.now())).toBe(1)
    expect(await site.rows()).toMatchObject([{ state: 'pending' }])
  })
})
