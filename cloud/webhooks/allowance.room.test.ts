// The hourly allowance: deliveries beyond it wait for the next hour and are not lost, and other accounts do not wait.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

const HOUR = 3_600_000
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

/** One sweep at the beginning of the next hour. */
const nextHour = async () => {
  clock.jump(HOUR - (clock.now() % HOUR))
  await clock.advance(500)
}
const hours = () => site.db.read.selectFrom('webhook_hours').select(['hour', 'sent']).orderBy('hour').execute()
const waiting = async () => (await site.rows()).filter(({ state }) => state === 'pending').length

describe('an account over its allowance', () => {
  it('gets the rest in the next hours, in order, each event once', async () => {
    await site.listen(receiver.url)
    await site.worker({ allowance: async () => 10 }).start()
    const startMs = clock.now()
    for (let i = 0; i < 25; i++) await site.record({ subjectId: 'ord_a' })
    await site.settled(10)
    await clock.advance(2_000)
    expect([receiver.received.length, await waiting()]).toEqual([10, 15])
    await nextHour()
    await site.settled(20)
    await clock.advance(2_000)
    expect([receiver.received.length, await waiting()]).toEqual([20, 5])
    await nextHour()
    await site.settled(25)
    expect(receiver.received.map(({ event }) => event.sequence)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1))
    expect(await hours()).toEqual([
      { hour: startMs, sent: 10 },
      { hour: startMs + HOUR, sent: 10 },
      { hour: startMs + 2 * HOUR, sent: 5 },
    ])
  })

  it('does not delay another account', async () => {
    const busy = site.merchant.accountId
    await site.listen(receiver.url)
    const other = new WebhookReceiver()
    await other.start()
    const accountId = newId('acc', 1)
    await site.listen(other.url, ['*'], { accountId })
    await site.worker({ allowance: async (id) => (id === busy ? 1 : null) }).start()
    for (let i = 0; i < 50; i++) await site.record()
    for (let i = 0; i < 50; i++) await site.record({ accountId })
    await other.waitFor(50)
    await site.settled(51)
    expect([receiver.received.length, await waiting()]).toEqual([1, 49])
    await other.stop()
  })

  it('does not delay another one even with more endpoints than there are places', async () => {
    for (let i = 0; i < 5; i++) {
      const accountId = newId('acc', 1)
      for (let j = 0; j < 20; j++) await site.listen(receiver.url, ['*'], { accountId })
      for (let j = 0; j < 2; j++) await site.record({ accountId })
    }
    // The younger id is claimed last.
    clock.jump(1_000)
    const healthy = new WebhookReceiver()
    await healthy.start()
    await site.listen(healthy.url)
    const { eventId } = await site.record()
    const own = site.merchant.accountId
    await site.worker({ allowance: async (id) => (id === own ? null : 0) }).start()
    await healthy.nextEvent(({ id }) => id === eventId)
    expect(receiver.received).toEqual([])
    await healthy.stop()
  })

  it('still gets its retries and manual redeliveries', async () => {
    await site.listen(receiver.url)
    receiver.answerWith({ kind: 'status', status: 500 })
    await site.worker({ allowance: async () => 1 }).start()
    await site.record()
    await site.record()
    await site.settled(1)
    receiver.answerWith({ kind: 'status', status: 200 })
    await clock.advance(60_500)
    await site.settled(2)
    expect((await site.rows()).map(({ state }) => state)).toEqual(['delivered', 'pending'])
    expect(await hours()).toMatchObject([{ sent: 1 }])
  })

  it('is charged once for a delivery that was claimed twice', async () => {
    const { webhookId } = await site.listen(receiver.url)
    for (let i = 0; i < 3; i++) await site.record()
    const claimed = await site.claim(webhookId)
    expect(claimed).toHaveLength(3)
    await site.deliveries.release(claimed.map(({ ordinal }) => ordinal))
    await site.worker({ allowance: async () => 3 }).start()
    await site.settled(3)
    expect(await hours()).toMatchObject([{ sent: 3 }])
  })

  it('is not held back after its allowance is raised', async () => {
    await site.listen(receiver.url)
    let perHour: number | null = 0
    await site.worker({ allowance: async () => perHour }).start()
    for (let i = 0; i < 5; i++) await site.record()
    await clock.advance(1_000)
    expect(receiver.received).toEqual([])
    perHour = null
    await clock.advance(500)
    await site.settled(5)
  })
})
