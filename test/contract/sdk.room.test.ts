// The client of the API against the whole relay: its methods, its errors, and 1,000 orders through a transport that loses, repeats and refuses.
import { afterAll, expect, it } from 'vitest'
import type { InjectOrder } from '#shared/sdk/api.ts'
import { Ticketrail, type TicketrailOptions } from '#shared/sdk/client.ts'
import { ConflictError, isTotalMismatch, NotFoundError, TicketrailError, ValidationError } from '#shared/sdk/error.ts'
import { orderTotal } from '#shared/sdk/order-total.ts'
import { verify } from '#shared/sdk/webhooks.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { drillSeed, seededRandom } from '#test/harness/random.ts'
import { WholeRelay } from './whole-relay.ts'

const relay = await WholeRelay.start()
afterAll(() => relay.stop())

const clientWith = (options: Partial<TicketrailOptions> = {}) =>
  new Ticketrail({ apiKey: relay.account.apiKey, baseUrl: relay.url, merchantId: 'M-TEST-001', ...options })
const client = clientWith()

const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5 }]
const order = (orderId: string, change: Partial<InjectOrder> = {}): InjectOrder => ({
  ...{ orderId, source: 'sdk', items, total: orderTotal(items) },
  ...change,
})

it('an order is sent, found, fired, read, advanced and refunded', async () => {
  const courses = [1, 2].map((course) => ({ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, course }))
  const sent = await client.orders.inject(order('whole', { items: courses, total: orderTotal(courses) }))
  expect(sent.requestId).toMatch(/^req_/)
  expect(sent.printPending).toBe(false)
  const again = await client.orders.inject(order('whole', { items: courses, total: orderTotal(courses) }))
  expect([again.serviceOrderId, again.replayed]).toEqual([sent.serviceOrderId, true])
  const { data } = await client.orders.list({ orderId: 'whole' }).page()
  expect(data.map(({ serviceOrderId }) => serviceOrderId)).toEqual([sent.serviceOrderId])
  expect((await client.orders.fire(sent.serviceOrderId, { course: 2 })).printJobId).toMatch(/^pj_/)
  await client.sandbox.advance(sent.serviceOrderId, { to: 'completed' })
  expect((await client.orders.refund(sent.serviceOrderId, { amount: 5 })).refundable).toBe(20)
  expect((await client.orders.get(sent.serviceOrderId)).status).toBe('refunded')
  await expect(client.orders.void(sent.serviceOrderId)).rejects.toThrow(ConflictError)
})

it('an order whose kitchen is away is a success that prints later', async () => {
  const answer = await client.orders.inject(order('away', { merchantId: 'M-TEST-PRINTER-OFFLINE' }))
  expect([answer.status, answer.printPending]).toEqual(['accepted', true])
  expect(answer.serviceOrderId).toMatch(/^ord_/)
})

it('a refusal has the reason', async () => {
  const mismatch: unknown = await client.orders.inject(order('sum', { total: 13 })).catch((error: unknown) => error)
  expect(isTotalMismatch(mismatch) && mismatch.details).toEqual({ expected: 12.5, received: 13 })
  const field: unknown = await client.orders.inject(order('', {})).catch((error: unknown) => error)
  expect(field).toBeInstanceOf(ValidationError)
  expect((field as ValidationError).errors.map(({ field }) => field)).toEqual(['orderId'])
  await expect(client.orders.get('ord_none')).rejects.toThrow(NotFoundError)
})

it('lists go over all pages, and the paper of the sandbox is read', async () => {
  const all: string[] = []
  for await (const { umsId } of client.skus.list({ limit: 4 })) all.push(umsId)
  expect(new Set(all).size).toBe(all.length)
  expect(all.length).toBeGreaterThan(8)
  const { printJobId } = await client.printJobs.submit({ type: 'kitchen', text: 'Table 12: nut allergy' })
  const tickets = () => client.sandbox.tickets(printJobId).page()
  await expect.poll(async () => (await tickets()).data.length).toBe(1)
  const ticketId = (await tickets()).data[0]?.ticketId ?? ''
  const paper = await client.sandbox.ticket(printJobId, { ticketId, format: 'text' })
  expect(paper.text).toContain('nut allergy')
  expect([paper.contentType, paper.bytes.length > 0]).toEqual(['text/plain; charset=utf-8', true])
  expect((await client.merchants.list().page()).data.length).toBeGreaterThan(1)
  expect((await client.usage.get()).requestId).toMatch(/^req_/)
})

it('an endpoint gets events that verify, and is deleted', async () => {
  const receiver = new WebhookReceiver()
  await receiver.start()
  try {
    const { webhookId, secret } = await client.webhooks.create({ url: receiver.url })
    await client.webhooks.test(webhookId, { type: 'order.ready' })
    const { body, headers } = await receiver.nextEvent(({ type }) => type === 'order.ready')
    expect(await verify(body, headers, secret)).toBe(true)
    await client.webhooks.delete(webhookId)
    await expect(client.webhooks.get(webhookId)).rejects.toThrow(NotFoundError)
  } finally {
    await receiver.stop()
  }
})

it('followed events of an order, oldest first', async () => {
  const { serviceOrderId } = await client.orders.inject(order('followed'))
  const told: string[] = []
  for await (const { data } of client.events.follow({ subjectId: serviceOrderId, pauseMs: 1 })) {
    told.push(...data.map(({ type }) => type))
    if (told.includes('order.printed')) break
  }
  expect(told).toEqual(['order.accepted', 'order.printed'])
})

const seed = drillSeed()

it(`1,000 orders through a bad network are 1,000 orders (DRILL_SEED=${seed})`, async () => {
  const random = seededRandom(seed)
  const counts = { lostBefore: 0, lostAfter: 0, refused: 0, calledAgain: 0 }
  const refuse = (status: number, headers: Record<string, string> = {}) => {
    counts.refused++
    return new Response('', { status, headers })
  }
  const flaky: TicketrailOptions['fetch'] = async (url, init) => {
    const chance = random()
    if (chance < 0.1) {
      counts.lostBefore++
      throw new TypeError('fetch failed')
    }
    if (chance < 0.11) return refuse(429, { 'retry-after': '70' })
    if (chance < 0.14) return refuse(429, { 'retry-after': '1' })
    if (chance < 0.18) return refuse(500)
    if (chance < 0.22) return refuse(503)
    const answer = await fetch(url, init)
    if (chance > 0.9) {
      counts.lostAfter++
      await answer.arrayBuffer()
      throw new TypeError('terminated')
    }
    return answer
  }
  // Pauses end at once, in real time; the time limit of a call counts them.
  let pausedMs = 0
  const clock = {
    monotonicMs: () => pausedMs,
    after: (ms: number, call: () => void) =>
      after(ms, () => {
        pausedMs += ms
        call()
      }),
  }
  const sender = clientWith({ fetch: flaky, clock, random })
  const sendUntilTaken = async (orderId: string): Promise<string> => {
    for (;;) {
      try {
        return (await sender.orders.inject(order(orderId, { print: false }))).serviceOrderId
      } catch (error) {
        // A call that would have to wait too long fails: sending the same order again is what the error asks for.
        if (!(error instanceof TicketrailError) || error.status === 409) throw error
        counts.calledAgain++
      }
    }
  }
  const ids: string[] = []
  const numbers = Array.from({ length: 1_000 }, (_, index) => index).values()
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      for (const number of numbers) ids.push(await sendUntilTaken(`flaky-${number}`))
    }),
  )
  const kept: string[] = []
  for await (const { orderId, serviceOrderId } of client.orders.list({ limit: 100 }))
    if (orderId.startsWith('flaky-')) kept.push(serviceOrderId)
  expect(new Set(ids).size).toBe(1_000)
  expect(kept.toSorted()).toEqual(ids.toSorted())
  expect([counts.lostBefore, counts.lostAfter, counts.refused, counts.calledAgain].every((count) => count > 0)).toBe(
    true,
  )
})

/** The time of a try never ends here; a pause ends in the next turn. */
function after(ms: number, call: () => void): () => void {
  if (ms >= 15_000) return () => undefined
  const turn = setImmediate(call)
  return () => clearImmediate(turn)
}
