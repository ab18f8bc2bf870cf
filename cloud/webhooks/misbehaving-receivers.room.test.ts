// Misbehaving receivers: each is limited in time and memory, has its error in the attempt, and gets the event again.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type ReceiverAnswer, WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'

const MINUTE = 60_000
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

const listen = () => site.listen(receiver.url)

describe('a misbehaving receiver', () => {
  const cases: [string, ReceiverAnswer, object][] = [
    ['cuts the connection', { kind: 'reset' }, { status: null, error: 'reset' }],
    ['redirects', { kind: 'redirect', location: 'http://127.0.0.1:1/' }, { status: 302, error: 'redirect' }],
    ['speaks no HTTP', { kind: 'garbage' }, { status: null, error: 'invalid_response' }],
    ['says 410', { kind: 'status', status: 410 }, { status: 410, error: 'http_status' }],
    [
      'sends endless headers',
      { kind: 'status', status: 200, headers: { 'x-long': 'x'.repeat(60_000) } },
      { status: null, error: 'invalid_response' },
    ],
  ]
  it.each(cases)('that %s gets the event again later', async (_, answer, expected) => {
    await listen()
    receiver.answerWith(answer)
    await site.worker().start()
    await site.record()
    await site.settled(1)
    expect(await site.attempts()).toMatchObject([expected])
    expect(await site.rows()).toMatchObject([{ state: 'retrying', next_at: clock.now() + MINUTE }])
  })

  const slow: [string, ReceiverAnswer, number | null][] = [
    ['never answers', { kind: 'hang' }, null],
    ['drips its answer', { kind: 'drip', everyMs: 20 }, 200],
  ]
  it.each(slow)('that %s is given up after 15 s in total', async (_, answer, status) => {
    await listen()
    receiver.answerWith(answer)
    await site.worker().start()
    await site.record()
    await receiver.waitFor(1)
    await clock.advance(14_900)
    expect(await site.attempts()).toEqual([])
    await clock.advance(200)
    await site.settled(1)
    expect(await site.attempts()).toMatchObject([{ status, error: 'timeout' }])
  })

  it('that sends an endless response is read up to one KiB and has accepted the event', async () => {
    await listen()
    receiver.answerWith({ kind: 'endless' })
    await site.worker().start()
    await site.record()
    await site.settled(1)
    expect(await site.rows()).toMatchObject([{ state: 'delivered', last_status: 200 }])
    expect((await site.attempts())[0]?.response).toBe('x'.repeat(1_024))
  })

  it('that is down is refused, and gets everything after it is back', async () => {
    const { port } = receiver
    await listen()
    await receiver.stop()
    await site.worker().start()
    for (let i = 0; i < 10; i++) await site.record()
    await site.settled(10)
    expect((await site.rows()).every((row) => row.last_error === 'refused')).toBe(true)
    await receiver.start(port)
    await clock.advance(MINUTE + 500)
    await site.settled(20)
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).toBe(10)
  })
})
