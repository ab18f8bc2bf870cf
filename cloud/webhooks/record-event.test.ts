// Events are recorded in the caller's transaction or not at all, with one delivery for each subscribed endpoint.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId, newId, timeOfId, type WebhookId } from '#shared/ids.ts'
import { WEBHOOK_EVENT_DATA, webhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { recordEvent, recordTestEvent } from './record-event.ts'

const clock = new ManualClock()
let site: WebhookSite
beforeEach(async () => {
  site = await WebhookSite.open({ clock })
})
afterEach(() => site.close())

describe('recordEvent', () => {
  it('fixes the bytes of the envelope', async () => {
    const { eventId } = await site.record({
      type: 'order.printed',
      subjectId: 'ord_1',
      sequence: 2,
      atMs: Date.UTC(2026, 10, 20, 17, 59, 59, 7),
      data: { order: { note: 'crème' } },
    })
    const row = await site.db.read.selectFrom('events').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ id: eventId, subject_id: 'ord_1', sequence: 2, created_at: clock.now() })
    expect(row.payload).toBe(
      `{"id":"${eventId}","type":"order.printed","timestamp":"2026-11-20T17:59:59.007Z","apiVersion":"v1",` +
        `"environment":"sandbox","merchantId":"M-TEST-0001","sequence":2,"data":{"order":{"note":"crème"}}}`,
    )
  })

  it('creates one delivery per endpoint that subscribes to the type, or to `*`', async () => {
    const all = await site.listen('http://127.0.0.1:9/all')
    const printed = await site.listen('http://127.0.0.1:9/printed', ['order.printed', 'order.voided'])
    expect(await site.record({ type: 'order.accepted' })).toMatchObject({ endpointIds: [all.webhookId] })
    const both = await site.record({ type: 'order.printed' })
    expect(both.endpointIds.toSorted()).toEqual([all.webhookId, printed.webhookId].toSorted())
    const rows = await site.rows()
    expect(rows.filter((row) => row.endpoint_id === all.webhookId)).toHaveLength(2)
    expect(rows.filter((row) => row.endpoint_id === printed.webhookId)).toHaveLength(1)
    expect(rows.every((row) => row.state === 'pending' && row.attempts === 0)).toBe(true)
  })

  it('skips endpoints of other merchants and environments', async () => {
    await site.listen('http://127.0.0.1:9/')
    expect(await site.record({ merchantKey: asId('mer_other') })).toMatchObject({ endpointIds: [] })
    expect(await site.record({ environment: 'live' })).toMatchObject({ endpointIds: [] })
  })

  it('stores a failed delivery for a disabled endpoint instead of dropping the event', async () => {
    await site.listen('http://127.0.0.1:9/')
    await site.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).execute())
    expect(await site.record()).toMatchObject({ endpointIds: [] })
    expect(await site.rows()).toMatchObject([
      { state: 'failed', last_error: 'endpoint_disabled', attempts: 0, settled_at: clock.now() },
    ])
  })

  it('leaves nothing behind when the transaction fails', async () => {
    await site.listen('http://127.0.0.1:9/')
    const unit = site.db.unit(async (tx) => {
      await recordEvent(tx, site, site.newEvent())
      throw new Error('the order was refused')
    })
    await expect(unit).rejects.toThrow('refused')
    expect(await site.rows()).toEqual([])
    expect(await site.db.read.selectFrom('events').selectAll().execute()).toEqual([])
  })

  it('refuses the same event of a subject twice', async () => {
    await site.record({ subjectId: 'ord_1', sequence: 1 })
    await expect(site.record({ subjectId: 'ord_1', sequence: 1 })).rejects.toThrow(/unique/i)
  })
})

describe('the id of an event', () => {
  /** A relay that was restored from a backup: it does not have the event, and its clock continued. */
  const forgetEvents = () => {
    clock.jump(60_000)
    return site.db.unit((tx) => tx.deleteFrom('events').execute())
  }
  const idOf = async (event: Parameters<typeof site.record>[0]) => (await site.record(event)).eventId

  it('is the same if a relay that had lost the event records it again', async () => {
    const printed = {
      type: 'order.printed' as const,
      subjectId: newId('ord', clock.now()),
      sequence: 2,
      atMs: clock.now(),
    }
    const first = await idOf(printed)
    await forgetEvents()
    expect(await idOf({ ...printed, data: { order: { note: 'told in other words' } } })).toBe(first)
  })

  it('differs by account, merchant, subject, type, sequence and act', async () => {
    const base = {
      subjectId: newId('ord', clock.now()),
      type: 'order.printed' as const,
      sequence: 2,
      atMs: clock.now(),
    }
    const others: Parameters<typeof site.record>[0][] = [
      {},
      { accountId: newId('acc', 1) },
      { merchantKey: newId('mer', 1) },
      { subjectId: newId('ord', clock.now()) },
      { type: 'order.ready' },
      { sequence: 3 },
      { act: 'rfd_1' },
      { act: 'rfd_2' },
    ]
    const ids: string[] = []
    for (const other of others) {
      ids.push(await idOf({ ...base, ...other }))
      await forgetEvents()
    }
    expect(new Set(ids).size).toBe(others.length)
  })

  it('contains the order’s time, so that the index of ids grows at its end', async () => {
    const subjectId = newId('ord', clock.now())
    clock.jump(3_600_000)
    expect(timeOfId(asId<'evt'>(await idOf({ subjectId })))).toBe(timeOfId(subjectId))
    expect(timeOfId(asId<'evt'>(await idOf({ subjectId: 'mer_1/UMS-1', atMs: clock.now() })))).toBe(clock.now())
  })
})

describe('an audience', () => {
  /** Other accounts with an endpoint at this merchant: one with a grant, one that has lost it. */
  const others = async () => {
    const listener = async (granted: boolean) => {
      const accountId = newId('acc', 1)
      await site.db.unit(async (tx) => {
        await tx
          .insertInto('accounts')
          .values({ id: accountId, name: 'Partner', plan: 'growth', live_approved_at: 1, created_at: 1 })
          .execute()
        if (granted)
          await tx
            .insertInto('merchant_grants')
            .values({ account_id: accountId, merchant_id: site.merchant.key, created_at: 1 })
            .execute()
      })
      return site.listen('http://127.0.0.1:9/', ['*'], { accountId })
    }
    return { granted: await listener(true), former: await listener(false) }
  }

  it('of an order is the endpoints of its account only', async () => {
    const own = await site.listen('http://127.0.0.1:9/')
    await others()
    expect(await site.record()).toMatchObject({ endpointIds: [own.webhookId] })
    expect((await site.rows()).map((row) => row.endpoint_id)).toEqual([own.webhookId])
  })

  it('of a SKU is every account that may still act on the merchant', async () => {
    const own = await site.listen('http://127.0.0.1:9/')
    const { granted } = await others()
    const { endpointIds } = await site.record({ type: 'sku.silenced', audience: 'merchant' })
    expect(endpointIds.toSorted()).toEqual([own.webhookId, granted.webhookId].toSorted())
    expect((await site.rows()).map((row) => row.endpoint_id).sort()).toEqual(endpointIds.toSorted())
    expect(await site.db.read.selectFrom('events').select('audience').execute()).toEqual([{ audience: 'merchant' }])
  })
})

describe('recordTestEvent', () => {
  const fire = ({ webhookId }: { webhookId: WebhookId }, type: WebhookEventType, merchant = site.merchant) =>
    site.db.unit((tx) => recordTestEvent(tx, site, { merchant, endpointId: webhookId, event: { type } }))

  it.each(WEBHOOK_EVENT_TYPES)('creates a valid %s, marked as a test, as often as needed', async (type) => {
    const endpoint = await site.listen('http://127.0.0.1:9/')
    const first = await fire(endpoint, type)
    const second = await fire(endpoint, type)
    expect(second.eventId).not.toBe(first.eventId)
    const rows = await site.db.read.selectFrom('events').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      const event = webhookEvent.strict().parse(JSON.parse(row.payload))
      expect(event).toMatchObject({ id: row.id, type, test: true, merchantId: 'M-TEST-0001', sequence: row.sequence })
      expect(event.data).toEqual(WEBHOOK_EVENT_DATA[type].strict().parse(event.data))
      expect(row.test).toBe(1)
    }
  })

  it('goes to one endpoint only, whatever its subscriptions', async () => {
    const one = await site.listen('http://127.0.0.1:9/', ['order.voided'])
    await site.listen('http://127.0.0.1:9/')
    const { deliveryId } = await fire(one, 'order.printed')
    expect(await site.rows()).toMatchObject([{ id: deliveryId, endpoint_id: one.webhookId, state: 'pending' }])
  })
  it('is stored as failed for a disabled endpoint, and refused for an endpoint of others', async () => {
    const endpoint = await site.listen('http://127.0.0.1:9/')
    const stranger = { ...site.merchant, accountId: newId('acc', 1) }
    await expect(fire(endpoint, 'order.ready', stranger)).rejects.toMatchObject({ code: 'webhook.not_found' })
    await site.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).execute())
    expect(await fire(endpoint, 'order.ready')).toMatchObject({ endpointIds: [] })
    expect(await site.rows()).toMatchObject([{ state: 'failed', last_error: 'endpoint_disabled' }])
  })
})
