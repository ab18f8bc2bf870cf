// The list of events: only those of the account, newest first, without gaps; deleted after 30 days.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toIso } from '#shared/clock.ts'
import { asId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import { getEvent, listEvents } from './events.ts'

const DAY = 24 * 3_600_000
let clock: ManualClock
let site: WebhookSite
beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await site.close()
})

const list = (query: object = {}, merchant = site.merchant) => listEvents(site, merchant, { limit: 100, ...query })
const ids = async (query: object = {}, merchant = site.merchant) =>
  (await list(query, merchant)).data.map(({ id }) => id)

describe('the list of events', () => {
  it('needs no endpoint, is newest first and has pages without gaps', async () => {
    const made: string[] = []
    for (let i = 0; i < 5; i++) {
      made.unshift((await site.record({ type: i % 2 === 0 ? 'order.accepted' : 'sku.restored' })).eventId)
      clock.jump(1_000)
    }
    const first = await list({ limit: 3 })
    const second = await list({ limit: 3, cursor: first.nextCursor })
    expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(made)
    expect(second.nextCursor).toBeNull()
  })

  it('can be filtered by type, subject and time', async () => {
    const orderId = newId('ord', clock.now())
    const accepted = await site.record({ subjectId: orderId })
    clock.jump(1_000)
    const printed = await site.record({ subjectId: orderId, type: 'order.printed' })
    clock.jump(1_000)
    const sku = { type: 'sku.silenced' as const, audience: 'merchant' as const }
    const silenced = await site.record({ ...sku, subjectId: `${site.merchant.key}/UMS-1` })
    expect(await ids({ type: 'order.printed' })).toEqual([printed.eventId])
    expect(await ids({ subjectId: orderId })).toEqual([printed.eventId, accepted.eventId])
    expect(await ids({ subjectId: orderId, type: 'order.accepted' })).toEqual([accepted.eventId])
    expect(await ids({ subjectId: 'UMS-1' })).toEqual([silenced.eventId])
    const startMs = clock.now() - 2_000
    expect(await ids({ from: toIso(startMs), to: toIso(startMs + 1_000) })).toEqual([accepted.eventId])
  })

  it('has the orders of the account only, and the SKUs of the merchant for every account that may act on it', async () => {
    const order = await site.record()
    const sku = await site.record({ type: 'sku.low_stock', audience: 'merchant' })
    const partner = { ...site.merchant, accountId: newId('acc', 1) }
    const elsewhere = { ...site.merchant, key: newId('mer', 1) }
    expect(await ids({}, partner)).toEqual([sku.eventId])
    expect(await ids({}, elsewhere)).toEqual([])
    expect(await getEvent(site, partner, asId(sku.eventId))).toMatchObject({ type: 'sku.low_stock' })
    const refused = { code: 'event.not_found', status: 404 }
    await expect(getEvent(site, partner, asId(order.eventId))).rejects.toMatchObject(refused)
    await expect(getEvent(site, elsewhere, asId(sku.eventId))).rejects.toMatchObject(refused)
    await expect(getEvent(site, site.merchant, asId('evt_none'))).rejects.toMatchObject(refused)
  })

  ofSqlite(PLANS)('reads no more than the page, whatever the filter', async () => {
    await site.record()
    const plans = await queryPlans(site.file, async () => {
      await list()
      await list({ type: 'order.voided' })
      await list({ subjectId: 'ord_1' })
    })
    const pages = plans.filter(({ sql }) => /select position from events/.test(sql))
    expect(pages).toHaveLength(3)
    // The types of the account's own events, and those of the shared ones.
    const hops = plans.filter(({ sql }) => /with recursive there/.test(sql))
    expect(hops).toHaveLength(2)
    for (const { steps } of [...pages, ...hops]) {
      const searches = steps.filter((step) => / events /.test(step))
      expect(searches.length).toBeGreaterThan(0)
      for (const step of searches)
        expect(step).toMatch(/^SEARCH events USING (COVERING )?INDEX (events_own|events_shared|sqlite_autoindex)/)
    }
  })
})

describe('after 30 days', () => {
  const forget = () => site.forgetWebhooks().sweep()

  it('events are deleted with their deliveries and attempts; younger ones stay', async () => {
    await site.listen('http://127.0.0.1:9/')
    const worker = site.worker({ retrySeconds: [] })
    await worker.start()
    for (let i = 0; i < 450; i++) await site.record()
    await site.settled(450)
    clock.jump(30 * DAY)
    expect(await forget()).toEqual({ attempts: 0, events: 0 })
    clock.jump(1)
    const young = await site.record()
    await site.settled(451)
    expect(await forget()).toEqual({ attempts: 450, events: 450 })
    expect(await ids()).toEqual([young.eventId])
    expect(await site.rows()).toHaveLength(1)
    expect(await site.attempts()).toHaveLength(1)
  })

  it('an event that is still to be sent stays until it is', async () => {
    await site.listen('http://127.0.0.1:9/')
    const waits = await site.record()
    const done = await site.record()
    await site.db.unit((tx) =>
      tx.updateTable('deliveries').set({ state: 'failed' }).where('event_id', '=', asId<'evt'>(done.eventId)).execute(),
    )
    clock.jump(31 * DAY)
    expect(await forget()).toMatchObject({ events: 1 })
    expect(await ids()).toEqual([waits.eventId])
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'delivered' }).execute())
    expect(await forget()).toMatchObject({ events: 1 })
    expect(await ids()).toEqual([])
  })

  it('the deletion runs every hour', async () => {
    await site.record()
    await site.forgetWebhooks().start()
    clock.jump(31 * DAY)
    await site.until(async () => {
      await clock.advance(3_600_000)
      return (await ids()).length === 0
    })
  })
})
