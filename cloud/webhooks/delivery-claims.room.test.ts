// When deliveries of a webhook endpoint are claimed: as often as there is something, and at once. The clock is stopped, so that no sweep finds what was missed.
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
  /** Some units later: what follows from an attempt that was settled has begun, or will not. */
  const quiet = async (): Promise<void> => {
    for (let unit = 0; unit < 3; unit++) await site.db.unit(async () => {})
  }

  it('are one for each event while none waits for another one', async () => {
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

  it('bring the events of one order that waited together, one as soon as the other is settled', async () => {
    await prove()
    await site.recordMany(3, { subjectId: 'ord_a' })
    site.deliveries.changed.notify(null)
    await site.settled(4)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('bring an event of an order that came while the one before was under way', async () => {
    await prove()
    receiver.answerWith({ kind: 'status', status: 200, delayMs: 100 })
    const first = await site.record({ subjectId: 'ord_a' })
    await receiver.nextEvent(({ id }) => id === first.eventId)
    await site.record({ subjectId: 'ord_a' })
    await site.settled(3)
    expect(clock.monotonicMs()).toBe(0)
  })

  it('bring the attempt by hand that was asked for while the first one was under way', async () => {
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

  it('bring an event of an order that came while the one before was being settled, and was not seen there', async () => {
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
