// An unresponsive endpoint with ten thousand waiting deliveries does not delay a healthy one.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { isOnPostgres } from '#test/harness/engines.ts'
import { recordEvent } from './record-event.ts'

/** On PostgreSQL each takes several round trips. storage/postgres/plans.room.test.ts shows that their number does not matter. */
const BACKLOG = isOnPostgres ? 2_000 : 10_000
let dead: WebhookReceiver
let healthy: WebhookReceiver
let site: WebhookSite

beforeEach(async () => {
  dead = new WebhookReceiver()
  dead.answerWith({ kind: 'hang' })
  healthy = new WebhookReceiver()
  await dead.start()
  await healthy.start()
})
afterEach(async () => {
  await Promise.all([dead.stop(), healthy.stop()])
  await site.close()
})

/** Events that only the unresponsive endpoint subscribes to. */
const pileUp = async () => {
  await site.listen(dead.url, ['sku.low_stock'])
  await site.listen(healthy.url, ['order.accepted'])
  for (let i = 0; i < BACKLOG; i += 1_000) {
    await site.db.unit(async (tx) => {
      for (let j = 0; j < 1_000; j++) await recordEvent(tx, site, site.newEvent({ type: 'sku.low_stock' }))
    })
  }
}

/**
 * A hundred events of the healthy endpoint, one after the other. The clock is stopped, so a hanging attempt is never given up and no event
 * can wait for its end.
 */
async function expectEveryEvent(): Promise<void> {
  for (let i = 0; i < 100; i++) {
    const { eventId } = await site.record({ type: 'order.accepted' })
    await healthy.nextEvent(({ id }) => id === eventId)
  }
}

describe(`an unresponsive endpoint with ${BACKLOG} due deliveries`, () => {
  it('does not delay events of a healthy endpoint', async () => {
    site = await WebhookSite.open({ clock: new ManualClock() })
    await pileUp()
    await site.worker().start()
    await dead.waitFor(1)
    await expectEveryEvent()
    expect(dead.mostOpen).toBe(1)
  })

  it('gets two attempts at a time, even if all of its deliveries are due for a retry', async () => {
    const clock = new ManualClock()
    site = await WebhookSite.open({ clock })
    await pileUp()
    // The query plans in cloud/storage/delivery-store.test.ts check that the backlog is not read for it.
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'retrying', attempts: 1 }).execute())
    for (let i = 0; i < 20; i++) {
      const endpointIds = await site.deliveries.endpointsDue(clock.now())
      const [endpointId = asId<'we'>('')] = endpointIds
      const claimed = await site.claim(endpointId, { leaseMs: 1 })
      expect(claimed).toHaveLength(2)
      await site.deliveries.release(claimed.map(({ ordinal }) => ordinal))
    }
  })
})

describe('thirty hanging endpoints', () => {
  it('do not delay events of a healthy endpoint', async () => {
    site = await WebhookSite.open({ clock: new ManualClock() })
    // Bypasses the limit of twenty per merchant, which is not tested here.
    const insert = site.endpoints.insert.bind(site.endpoints)
    site.endpoints.insert = (tx, row) => insert(tx, row, 1_000)
    for (let i = 0; i < 30; i++) await site.listen(`${dead.url}/${i}`, ['sku.low_stock'])
    await site.listen(healthy.url, ['order.accepted'])
    await site.worker().start()
    for (let i = 0; i < 20; i++) await site.record({ type: 'sku.low_stock' })
    await dead.waitFor(30)
    await expectEveryEvent()
    expect(dead.mostOpen).toBe(30)
  })
})
