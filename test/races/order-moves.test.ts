// Two relays move one order at once: what its events and its row say afterwards.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { recordKitchenFact } from '#cloud/orders/record-kitchen-fact.ts'
import { asId, type ServiceOrderId } from '#shared/ids.ts'
import type { Answered } from '#test/doubles/relay-api.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
  await relays.a.desk.pair([printer('pass', { isDefault: true })])
})
afterEach(() => relays.close())

type Move = (relay: Relay, order: Order) => Promise<unknown>
interface Order {
  id: string
  jobId: string
}

const kitchen =
  (fact: 'ready' | 'completed'): Move =>
  (relay, { id }) =>
    recordKitchenFact(relay, { orderId: id, fact, atMs: relays.clock.now(), locationId: relays.locationId })
const printed: Move = (relay, { jobId }) => relay.desk.report(jobId, 'printed')
const failed: Move = (relay, { jobId }) => relay.desk.report(jobId, 'failed')
const voided: Move = (relay, { id }) => allowed(relay.desk.void(id), [200, 409])
const refunded: Move = (relay, { id }) => allowed(relay.desk.post(`/v1/order/${id}/refund`, { amount: 5 }), [200, 409])

async function allowed(call: Promise<Answered>, statuses: readonly number[]): Promise<void> {
  const { status, text } = await call
  if (!statuses.includes(status)) throw new Error(`answered ${status} ${text.replaceAll(/"req_[^"]*"/g, '')}`)
}

/** Each beside each other one, and some beside themselves. */
const PAIRS: readonly (readonly [Move, Move])[] = [
  [printed, kitchen('ready')],
  [printed, kitchen('completed')],
  [kitchen('ready'), kitchen('completed')],
  [printed, voided],
  [kitchen('ready'), voided],
  [kitchen('completed'), voided],
  [printed, printed],
  [kitchen('completed'), refunded],
  [voided, voided],
  [failed, voided],
  [kitchen('completed'), kitchen('completed')],
  [printed, failed],
]

let orders = 0
/** At its gateway. */
async function orderAtKitchen(): Promise<Order> {
  orders++
  const { body } = await relays.a.api.inject({ orderId: `order-${orders}` })
  await relays.a.desk.handOver()
  return { id: body.serviceOrderId, jobId: body.printJobId }
}

/** What an order's row and its events say that they may not. */
async function contradictions(id: ServiceOrderId): Promise<string[]> {
  const row = await relays.db.read.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const events = await relays.db.read
    .selectFrom('events')
    .select(['type', 'sequence'])
    .where('subject_id', '=', id)
    .orderBy('position')
    .execute()
  const sequences = events.map(({ sequence }) => sequence)
  const { status } = row
  const isOneOf = (...all: string[]) => all.includes(status)
  return [
    ...when(new Set(sequences).size < sequences.length, 'two events have one sequence number'),
    ...when(sequences.join() !== sequences.map((_, i) => i + 1).join(), 'the events are not numbered in their order'),
    ...when(row.sequence !== sequences.length, 'the order has another number of events than it says'),
    ...when(row.voided_at !== null && status !== 'voided', `the order was voided and is ${status}`),
    ...when(row.refunded_cents > 0 && status !== 'refunded', `the order was refunded and is ${status}`),
    ...when(row.completed_at !== null && !isOneOf('completed', 'refunded', 'voided'), `completed, and is ${status}`),
    ...when(row.ready_at !== null && isOneOf('accepted', 'printed'), `the order was ready and is ${status}`),
    ...when(row.printed_at !== null && status === 'accepted', 'the order was printed and is accepted'),
    ...when(status === 'voided' && row.completed_at !== null && voidedBefore(events), 'it was completed after its end'),
  ]
}

const voidedBefore = (events: readonly { type: string }[]): boolean =>
  events.findIndex(({ type }) => type === 'order.voided') <
  events.findIndex(({ type }) => ['order.completed', 'order.ready'].includes(type))

describe('two moves of one order', () => {
  it('never give two events one number, and the status never goes back', async () => {
    await race(async (round) => {
      const order = await orderAtKitchen()
      const [one, other] = PAIRS[round % PAIRS.length] ?? [printed, voided]
      const results = await atOnce(
        () => one(relays.relay(round), order),
        () => other(relays.relay(round + 1), order),
      )
      return [...failures(results), ...(await contradictions(asId(order.id)))]
    })
  })

  it('of which three are a print, a step of the kitchen and a void, neither', async () => {
    await race(async (round) => {
      const order = await orderAtKitchen()
      const moves = [printed, kitchen(round % 3 === 0 ? 'completed' : 'ready'), voided]
      const results = await atOnce(...moves.map((move, i) => () => move(relays.relay(round + i), order)))
      return [...failures(results), ...(await contradictions(asId(order.id)))]
    })
  })
})

describe('two refunds of one order', () => {
  it('are never more than its total, and the second is refused and does not fail', async () => {
    await race(async () => {
      orders++
      const { serviceOrderId: id } = (await relays.a.api.inject({ orderId: `order-${orders}`, tip: 5 })).body
      await relays.a.desk.advance(id, 'completed')
      // Of 37.95: one fits, two do not.
      const results = await atOnce(
        () => relays.a.desk.post(`/v1/order/${id}/refund`, { amount: 20 }),
        () => relays.b.desk.post(`/v1/order/${id}/refund`, { amount: 20 }),
      )
      const statuses = results.map((result) => resultOf(result)?.status ?? 0).sort()
      const refunds = await relays.db.read
        .selectFrom('refunds')
        .selectAll()
        .where('order_id', '=', asId<'ord'>(id))
        .execute()
      const sum = refunds.reduce((total, refund) => total + refund.amount_cents, 0)
      return [
        ...failures(results),
        ...when(sum > 37_95, 'more was refunded than was paid'),
        ...when(statuses.join() !== '200,422', `the answers were ${statuses.join(' and ')}`),
        ...(await contradictions(asId(id))),
      ]
    })
  })

  it('that fit both are both in the book, and the balance is what is left', async () => {
    await race(async () => {
      orders++
      const { serviceOrderId: id } = (await relays.a.api.inject({ orderId: `order-${orders}`, tip: 5 })).body
      await relays.a.desk.advance(id, 'completed')
      const results = await atOnce(
        () => allowed(relays.a.desk.post(`/v1/order/${id}/refund`, { amount: 4 }), [200]),
        () => allowed(relays.b.desk.post(`/v1/order/${id}/refund`, { amount: 7 }), [200]),
      )
      const row = await relays.a.orders.find(await relays.merchant(), asId(id))
      return [
        ...failures(results),
        ...when(row?.refunded_cents !== 11_00, `refunded are ${row?.refunded_cents} cents and not 1100`),
        ...(await contradictions(asId(id))),
      ]
    })
  })
})
