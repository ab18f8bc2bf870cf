// When the deliveries of an endpoint are claimed: only if there are any, and at once. The clock is stopped, so no sweep can find missed ones.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { asId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { redeliver } from './deliveries.ts'

let clock: ManualClock
let site: WebhookSite
let receiver: WebhookReceiver

beforeEach(async () => {
  clock = new ManualClock()
  receiver = new WebhookReceiver()
  await receiver.start()
  site = await WebhookSite.open({ clock })
  const { secret } = await site.listen(receiver.url)
  receiver.secret = secret
})
afterEach(async () => {
  vi.restoreAllMocks()
  await receiver.stop()
  await site.close()
})

describe('claims', () => {
  /** From now on the endpoint has its four places. */
  const prove = async (): Promise<void> => {
    await site.worker().start()
    await site.record()
    await site.settled(1)
  }
  /** Waits for some units, after which the consequences of a settled attempt have begun or will not. */
  const quiet = async (): Promise<void> => {
    for (let unit = 0; unit < 3; unit++) await site.db.unit(async () => {})
  }

  it('are made once per event while none waits for another', async () => {
    await prove()
    await quiet()
    const claim = vi.spyOn(site.deliveries, 'claim')
    for (let n = 2; n <= 5; n++) {
      await site.record()
      await site.settled(n)
      await quiet()
    }
    expect(claim).toHaveBeenCalledTimes(4)
  })

  it('return the waiting events of one order one by one, as soon as the one before is settled', async () => {
    await prove()
    await site.recordMany(3, { subjectId: 'ord_a' })
    site.deliveries.changed.notify(null)
    await site.settled(4)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('return an event of an order that came while the one before was in flight', async () => {
    await prove()
    receiver.answerWith({ kind: 'status', status: 200, delayMs: 100 })
    const first = await site.record({ subjectId: 'ord_a' })
    await receiver.nextEvent(({ id }) => id === first.eventId)
    await site.record({ subjectId: 'ord_a' })
    await site.settled(3)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('return the manual attempt that was requested while the first one was in flight', async () => {
    await prove()
    receiver.answerWith({ kind: 'status', status: 200, delayMs: 100 })
    const { eventId } = await site.record()
    await receiver.nextEvent(({ id }) => id === eventId)
    const row = await site.db.read
      .selectFrom('deliveries')
      .selectAll()
      .where('event_id', '=', asId<'evt'>(eventId))
      .executeTakeFirstOrThrow()
    const { wake } = await site.db.unit((tx) => redeliver(tx, site, { merchant: site.merchant, deliveryId: row.id }))
    wake?.()
    await site.settled(3)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('return an event of an order that came unnoticed while the one before was being settled', async () => {
    await prove()
    const claim = vi.spyOn(site.deliveries, 'claim')
    const settle = site.deliveries.settle.bind(site.deliveries)
    vi.spyOn(site.deliveries, 'settle').mockImplementationOnce(async (...args) => {
      const claims = claim.mock.calls.length
      await site.record({ subjectId: 'ord_a' })
      await site.until(async () => claim.mock.settledResults.length > claims)
      return { ...(await settle(...args)), freesMore: false }
    })
    await site.record({ subjectId: 'ord_a' })
    await site.settled(3)
    expect(clock.monotonicMs()).toBe(0)
  })
})
