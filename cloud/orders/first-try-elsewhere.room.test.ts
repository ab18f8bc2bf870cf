// A client repeats an order at another relay while the first one waits for its point of sale: both answer the same bytes, and the order is entered once.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type ReceiverAnswer, WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { OrderDesk } from '#test/fixtures/order-desk.ts'
import { isOnPostgres } from '#test/harness/engines.ts'
import { connectPos } from './pos-config.ts'
import { PosWorker } from './pos-worker.ts'

const secretBox = new SecretBox(Buffer.alloc(32, 1))
let clock: ManualClock
let a: OrderDesk
let b: OrderDesk
let pos: WebhookReceiver
let workers: PosWorker[]

// On SQLite a relay is alone.
describe.runIf(isOnPostgres)('an order that is repeated at another relay', () => {
  beforeEach(async () => {
    clock = new ManualClock()
    a = await OrderDesk.open(clock)
    b = await OrderDesk.open(clock, a)
    pos = new WebhookReceiver()
    await pos.start()
    const key = a.api.account.merchants.find(({ merchantId }) => merchantId === 'M-TEST-001')!.key
    const connected = a.api.db.unit((tx) =>
      connectPos(tx, { ...a.api.stores, secretBox }, { merchantKey: key, url: pos.url, chosenBy: 'operator' }),
    )
    pos.secret = (await connected).secret
    workers = [a, b].map(
      ({ api }) =>
        new PosWorker({
          ...api.stores,
          guard: new TargetGuard({ allowCidrs: ['127.0.0.0/8'] }),
          secretBox,
          retrySeconds: [60, 300],
          random: () => 0,
        }),
    )
    for (const worker of workers) await worker.start()
  })
  afterEach(async () => {
    await pos.stop()
    for (const worker of workers) await worker.stop()
    await b.api.close()
    await a.api.close()
  })

  const outbox = () => a.api.db.read.selectFrom('pos_outbox').selectAll().execute()
  const order = async () => (await a.api.db.read.selectFrom('orders').selectAll().execute())[0]!
  const stored = async () => {
    const { pos_order_id: posOrderId, result } = await order()
    return { posOrderId, answered: (JSON.parse(result) as { posOrderId: string | null }).posOrderId }
  }
  /** The point of sale answers with this id when the returned function is called. */
  function slowPos(posOrderId: string): () => void {
    const { promise, resolve } = Promise.withResolvers<ReceiverAnswer>()
    pos.answerWith({ kind: 'later', answer: promise })
    return () => resolve({ kind: 'status', status: 200, body: JSON.stringify({ posOrderId }) })
  }

  test('while its point of sale is slow gets the id that the first answer has, in the same bytes', async () => {
    const answer = slowPos('POS-7')
    const first = a.api.inject()
    await pos.waitFor(1)
    const again = b.api.inject()
    await clock.advance(50)
    answer()
    const text = (await first).text
    expect(JSON.parse(text).posOrderId).toBe('POS-7')
    await clock.advance(100)
    expect((await again).text).toBe(text)
    expect(pos.received).toHaveLength(1)
    expect(await stored()).toEqual({ posOrderId: 'POS-7', answered: 'POS-7' })
  })

  test('gets none when the first was answered without: the id that arrives later is in the order and in no answer', async () => {
    const answer = slowPos('POS-8')
    const first = a.api.inject()
    await pos.waitFor(1)
    const again = b.api.inject()
    await clock.advance(100)
    const text = (await first).text
    expect(JSON.parse(text).posOrderId).toBeNull()
    for (let n = 0; n < 4; n++) await clock.advance(100)
    expect((await again).text).toBe(text)
    answer()
    await expect.poll(async () => (await outbox())[0]?.state).toBe('done')
    expect(await stored()).toEqual({ posOrderId: 'POS-8', answered: null })
    expect((await b.api.inject()).text).toBe(text)
    expect((await a.api.inject()).text).toBe(text)
    expect(pos.received).toHaveLength(1)
  })

  test('by a relay whose clock is a minute ahead ends the wait of the first: neither gets the id', async () => {
    const answer = slowPos('POS-9')
    const first = a.api.inject()
    await pos.waitFor(1)
    await a.api.db.unit((tx) =>
      tx
        .updateTable('pos_outbox')
        .set({ held_until: clock.now() - 60_000 })
        .execute(),
    )
    const again = await b.api.inject()
    answer()
    const text = (await first).text
    expect([JSON.parse(text).posOrderId, again.text]).toEqual([null, text])
    expect(await stored()).toEqual({ posOrderId: 'POS-9', answered: null })
  })

  test('after the relay that took it died before it called its point of sale: it is answered without, and sent by the other', async () => {
    await workers[0]!.stop()
    const dies = a.api.inject()
    await expect.poll(async () => (await outbox()).length).toBe(1)
    const again = b.api.inject()
    for (let n = 0; n < 4; n++) await clock.advance(100)
    const text = (await again).text
    expect(JSON.parse(text).posOrderId).toBeNull()
    await clock.advance(1_000)
    await pos.waitFor(1)
    await expect.poll(async () => (await outbox())[0]?.state).toBe('done')
    expect((await dies).text).toBe(text)
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'round %i: three requests at once at two relays are answered alike',
    async (round) => {
      pos.answerWith({ kind: 'status', status: 200, body: JSON.stringify({ posOrderId: `POS-${round}` }) })
      const answers = [a, b, a].map(({ api }) => api.inject())
      for (let n = 0; n < 5; n++) await clock.advance(100)
      const texts = (await Promise.all(answers)).map(({ text }) => text)
      expect(new Set(texts).size).toBe(1)
      await expect.poll(async () => (await outbox())[0]?.state).toBe('done')
      expect(pos.received).toHaveLength(1)
    },
  )
})
