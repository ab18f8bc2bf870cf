// An external point of sale over HTTP: what it gets and in which order, how long an answer waits for it, and what its failures cause.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { type ChosenBy, TargetGuard } from '#cloud/webhooks/target-guard.ts'
import { posMessage } from '#shared/wire/pos-message.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { type ReceivedWebhook, WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { OrderDesk } from '#test/fixtures/order-desk.ts'
import { connectPos } from './pos-config.ts'
import { PosWorker } from './pos-worker.ts'

const secretBox = new SecretBox(Buffer.alloc(32, 1))
let clock: ManualClock
let desk: OrderDesk
let pos: WebhookReceiver
let worker: PosWorker

beforeEach(async () => {
  clock = new ManualClock()
  desk = await OrderDesk.open(clock)
  pos = new WebhookReceiver()
  await pos.start()
  const { secret } = await connect('M-TEST-001')
  pos.secret = secret
  worker = newWorker()
  await worker.start()
})
afterEach(async () => {
  await worker.stop()
  await pos.stop()
  await desk.close()
})

function newWorker(guard = new TargetGuard({ allowCidrs: ['127.0.0.0/8'] })): PosWorker {
  return new PosWorker({
    ...desk.api.stores,
    guard,
    secretBox,
    retrySeconds: [60, 300],
    random: () => 0,
  })
}

function connect(
  publicId: string,
  { url = pos.url, chosenBy = 'operator' }: { url?: string; chosenBy?: ChosenBy } = {},
) {
  const merchant = desk.api.account.merchants.find((it) => it.merchantId === publicId)
  return desk.api.db.unit((tx) =>
    connectPos(tx, { ...desk.api.stores, secretBox }, { merchantKey: merchant!.key, url, chosenBy }),
  )
}

const gives = (posOrderId: string) => ({ kind: 'status', status: 200, body: JSON.stringify({ posOrderId }) }) as const
const told = () => pos.received.map((request) => posMessage.parse(JSON.parse(request.body.toString())))
const order = async (id: string) => (await desk.get(`/v1/order/${id}`)).body
const outbox = () => desk.api.db.read.selectFrom('pos_outbox').selectAll().orderBy('ordinal').execute()
type Row = Awaited<ReturnType<typeof outbox>>[number]
/** Lines of the relay's log from `level` on: 40 is a warning, 50 an error. */
const logged = (level: number) => desk.api.logLines.filter((line) => JSON.parse(line).level >= level)
const isUnderWay = ({ state, lease_until, next_at }: Row): boolean =>
  state === 'pending' && (lease_until !== null || next_at <= clock.now())
/** Waits for writes of the outbox, never for time. Fails at once, with the reason, when nothing more can come because the clock is stopped. */
async function until(holds: (rows: readonly Row[]) => boolean): Promise<void> {
  for (;;) {
    const rows = await outbox()
    if (holds(rows)) return
    if (logged(50).length > 0 || !rows.some(isUnderWay)) {
      const seen = rows.map(({ kind, state, attempts, last_error }) => ({ kind, state, attempts, last_error }))
      throw new Error(`it does not come; outbox: ${JSON.stringify(seen)}; log: ${logged(40).join('')}`)
    }
    await new Promise(setImmediate)
  }
}
const settled = (count: number): Promise<void> =>
  until((rows) => rows.filter(({ state }) => state !== 'pending').length >= count)
const attempted = (count: number): Promise<void> =>
  until((rows) => rows.reduce((sum, { attempts }) => sum + attempts, 0) >= count)

/** The next request is not answered. */
function held(): { arrived: Promise<ReceivedWebhook> } {
  pos.answerWith({ kind: 'hang' })
  return { arrived: pos.arrived.next() }
}

describe('an address in a network that the operator opened, in live', () => {
  /** A name that was public when it was saved, and leads inside when it is dialled. */
  const operators = () =>
    new TargetGuard({
      ...{ allowCidrs: ['127.0.0.0/8'], chosenBy: 'operator' },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
  const url = () => `http://till.example:${new URL(pos.url).port}/`

  /** A second attempt of an order whose restaurant went live and got this address meanwhile. */
  async function told(chosenBy: ChosenBy): Promise<void> {
    pos.answerWith({ kind: 'status', status: 500 })
    await desk.api.inject()
    await attempted(1)
    await worker.stop()
    await connect('M-TEST-001', { url: url(), chosenBy })
    pos.received.length = 0
    pos.answerWith(gives('A-1'))
    await desk.api.db.unit((tx) => tx.updateTable('merchants').set({ environment: 'live' }).execute())
    worker = newWorker(operators())
    await worker.start()
    await clock.advance(60_000)
    await attempted(2)
  }

  test('is not dialled when a person has named it', async () => {
    await told('client')
    expect(pos.received).toEqual([])
    expect(await outbox()).toMatchObject([{ state: 'pending', attempts: 2, last_error: 'blocked_address' }])
  })

  test('is called when the operator has named it', async () => {
    await told('operator')
    expect(pos.received).toHaveLength(1)
    expect(await outbox()).toMatchObject([{ state: 'done', attempts: 2, last_error: null }])
  })

  test('is called when it was saved before networks could be named', async () => {
    await connect('M-TEST-001')
    await desk.api.db.unit((tx) =>
      tx
        .updateTable('merchants')
        .set((e) => ({
          pos_config: e.fn<string>('replace', ['pos_config', e.val(',"chosenBy":"operator"'), e.val('')]),
        }))
        .execute(),
    )
    pos.answerWith(gives('A-1'))
    expect((await desk.api.inject()).body.posOrderId).toBe('A-1')
  })
})

describe('an order', () => {
  test('is sent to the point of sale, signed; its id is in the answer, in the order and in every replay', async () => {
    pos.answerWith(gives('A-17'))
    const answer = await desk.api.inject({ customer: { name: 'Ana' } })
    expect([answer.status, answer.body.posOrderId]).toEqual([200, 'A-17'])
    expect(pos.received[0]?.signatureValid).toBe(true)
    expect(told()).toMatchObject([
      { type: 'order', merchantId: 'M-TEST-001', order: { orderId: 'order-1', total: 32.95 } },
    ])
    expect(pos.received[0]?.headers['webhook-id']).toBe(told()[0]?.id)
    const replay = await desk.api.inject({ customer: { name: 'Ana' } })
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([answer.text, 'true'])
    expect((await order(answer.body.serviceOrderId)).posOrderId).toBe('A-17')
    expect(pos.received).toHaveLength(1)
    // The customer's data go with the delivery.
    expect((await outbox())[0]).toMatchObject({ state: 'done', payload: '{}' })
  })

  test('is answered without it after 100 ms; the id that arrives later is in the order and never in the result', async () => {
    const { arrived } = held()
    const answering = desk.api.inject()
    await arrived
    const repeating = desk.api.inject()
    await clock.advance(100)
    const [answer, repeated] = await Promise.all([answering, repeating])
    expect([answer.status, answer.body.posOrderId, repeated.text]).toEqual([200, null, answer.text])
    pos.answerWith(gives('B-1'))
    await clock.advance(10_000) // the time-out of the first try
    await attempted(1)
    await clock.advance(60_000)
    await settled(1)
    expect((await order(answer.body.serviceOrderId)).posOrderId).toBe('B-1')
    expect((await desk.api.inject()).text).toBe(answer.text)
    expect(new Set(told().map((message) => message.id)).size).toBe(1)
    expect(pos.received.map((request) => request.headers['x-service-attempt'])).toEqual(['1', '2'])
  })

  test('does not wait for a point of sale that has refused already', async () => {
    pos.answerWith({ kind: 'status', status: 500 })
    const answer = await desk.api.inject()
    expect([answer.status, answer.body.posOrderId]).toEqual([200, null])
    expect(clock.monotonicMs()).toBe(0)
  })

  test('repeated while the first request waits is answered alike', async () => {
    const { arrived } = held()
    const first = desk.api.inject()
    await arrived
    const second = desk.api.inject()
    await clock.advance(100)
    expect((await second).text).toBe((await first).text)
  })

  test.each([
    ['no JSON', '<html>'],
    ['nothing', ''],
    ['a number', '{"posOrderId":17}'],
    ['one with control characters', '{"posOrderId":"A\\u001b@"}'],
    ['one that is too long', JSON.stringify({ posOrderId: 'A'.repeat(65) })],
    ['one behind 4 KiB', JSON.stringify({ noise: 'x'.repeat(5_000), posOrderId: 'A-1' })],
    ['null', 'null'],
  ])('is taken without an id when the answer names none: %s', async (_, body) => {
    pos.answerWith({ kind: 'status', status: 200, body })
    const answer = await desk.api.inject()
    expect(answer.body.posOrderId).toBeNull()
    await settled(1)
    expect(await outbox()).toMatchObject([{ state: 'done' }])
  })

  test('is taken when the answer never ends: it is read to 4 KiB', async () => {
    pos.answerWith({ kind: 'endless' })
    expect((await desk.api.inject()).body.posOrderId).toBeNull()
    await settled(1)
    expect(await outbox()).toMatchObject([{ state: 'done' }])
  })

  test.each(['reset', 'garbage'] as const)('is sent again to one that answers with a %s', async (kind) => {
    pos.answerWith({ kind })
    const { serviceOrderId } = (await desk.api.inject()).body
    await attempted(1)
    pos.answerWith(gives('G-1'))
    await clock.advance(60_000)
    await settled(1)
    expect((await order(serviceOrderId)).posOrderId).toBe('G-1')
  })

  test('is sent again to one that answers byte by byte for longer than 10 s', async () => {
    pos.answerWith({ kind: 'drip', everyMs: 5 })
    const answering = desk.api.inject()
    await pos.waitFor(1)
    await clock.advance(100)
    expect((await answering).body.posOrderId).toBeNull()
    await clock.advance(10_000)
    await attempted(1)
    expect(await outbox()).toMatchObject([{ state: 'pending', last_error: 'timeout' }])
  })

  test('fails for good after the last retry, and the kitchen has it all the same', async () => {
    pos.answerWith({ kind: 'status', status: 503 })
    const { serviceOrderId } = (await desk.api.inject()).body
    await attempted(1)
    await clock.advance(60_000)
    await attempted(2)
    await clock.advance(300_000)
    await settled(1)
    expect(await outbox()).toMatchObject([{ state: 'failed', attempts: 3, last_error: 'http_status' }])
    expect(await order(serviceOrderId)).toMatchObject({ status: 'accepted', posOrderId: null })
  })
})

describe('void and refund', () => {
  test('follow the order, one after the other, also when the order has to wait', async () => {
    pos.answerWith({ kind: 'status', status: 500 })
    const { serviceOrderId } = (await desk.api.inject()).body
    await attempted(1)
    pos.answerWith(gives('C-1'))
    await desk.advance(serviceOrderId, 'completed')
    await desk.post(`/v1/order/${serviceOrderId}/refund`, { amount: 1 })
    await desk.post(`/v1/order/${serviceOrderId}/refund`, { amount: 2 })
    await clock.advance(1_000)
    expect(told().map((message) => message.type)).toEqual(['order'])
    await clock.advance(60_000)
    await settled(3)
    const messages = told().slice(1)
    expect(messages.map((message) => message.type)).toEqual(['order', 'refund', 'refund'])
    expect(messages.flatMap((message) => ('refund' in message ? message.refund.amount : []))).toEqual([1, 2])
    expect(messages.map(({ order }) => order.refunds.map((refund) => refund.amount))).toEqual([[], [1], [1, 2]])
  })

  test('of an order show its state', async () => {
    pos.answerWith(gives('D-1'))
    const { serviceOrderId } = (await desk.api.inject()).body
    await desk.void(serviceOrderId, { reason: 'left' })
    await settled(2)
    expect(told()[1]).toMatchObject({
      type: 'void',
      order: { posOrderId: 'D-1', status: 'voided', voidReason: 'left' },
    })
  })
})

describe('a wait for the outbox', () => {
  test('ends at once with the reason when the point of sale refuses', async () => {
    pos.answerWith({ kind: 'status', status: 500 })
    await desk.api.inject()
    await expect(settled(1)).rejects.toThrow('"last_error":"http_status"')
  })

  test('ends at once with the reason when the relay itself answers 500', async () => {
    desk.api.stores.posOutbox.insert = () => Promise.reject(new Error('no such column'))
    expect((await desk.api.inject()).status).toBe(500)
    await expect(settled(1)).rejects.toThrow('no such column')
  })
})

describe('the worker', () => {
  test('leaves room for other merchants when one point of sale hangs', async () => {
    await connect('M-TEST-002')
    pos.answerWith({ kind: 'hang' })
    const hanging = Array.from({ length: 6 }, (_, i) => desk.api.inject({ orderId: `h-${i}` }))
    await pos.waitFor(4)
    pos.answerWith(gives('E-1'))
    const other = await desk.api.inject({ merchantId: 'M-TEST-002' })
    expect(other.body.posOrderId).toBe('E-1')
    expect(pos.received).toHaveLength(5)
    await clock.advance(100)
    await Promise.all(hanging)
  })

  test('sends again what it was sending when it was stopped', async () => {
    const { arrived } = held()
    const answering = desk.api.inject()
    await arrived
    await worker.stop()
    await clock.advance(100)
    expect((await answering).status).toBe(200)
    pos.answerWith(gives('F-1'))
    worker = newWorker()
    await worker.start()
    await settled(1)
    expect(pos.received.map((request) => request.headers['x-service-attempt'])).toEqual(['1', '1'])
  })

  test('gives up what no point of sale can take any more', async () => {
    pos.answerWith({ kind: 'status', status: 500 })
    await desk.api.inject()
    await attempted(1)
    await desk.api.db.unit((tx) =>
      desk.api.stores.merchants.change(tx, desk.api.merchantKey, { pos: 'register', pos_config: null }),
    )
    await clock.advance(60_000)
    await settled(1)
    expect(await outbox()).toMatchObject([{ state: 'failed', last_error: 'no_point_of_sale' }])
    expect((await desk.api.inject({ orderId: 'o-2' })).body.posOrderId).toMatch(/^2026-11-20-\d+$/)
  })
})

describe('a clock that is ahead by 400 days for some seconds', () => {
  const AHEAD_MS = 400 * 86_400_000

  test.each(['runs on', 'is started anew'])('puts off nothing that failed meanwhile when the relay %s', async (how) => {
    pos.answerWith({ kind: 'status', status: 500 })
    clock.jump(AHEAD_MS)
    await desk.api.inject()
    await desk.api.inject({ orderId: 'order-2' })
    await attempted(2)
    if (how === 'is started anew') await worker.stop()
    clock.jump(-AHEAD_MS)
    if (how === 'is started anew') {
      worker = newWorker()
      await worker.start()
    }
    pos.answerWith(gives('A-1'))
    // The next sweep finds that the clock was set.
    await clock.advance(1_000)
    while ((await outbox()).some(({ next_at }) => next_at > clock.now() + 60_000)) await new Promise(setImmediate)
    await clock.advance(60_000)
    await settled(2)
    expect((await outbox()).map(({ state, attempts }) => [state, attempts])).toEqual(Array(2).fill(['done', 2]))
  })
})
