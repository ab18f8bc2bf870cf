// The same call reaches two relays at once: its effect is done once, and both answer the same.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { asId } from '#shared/ids.ts'
import type { Answered } from '#test/doubles/relay-api.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { TwoRelays } from './two-relays.ts'

const BRULEE = 'UMS-BRULEE-01'

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
  await relays.a.desk.pair([printer('pass', { isDefault: true })])
})
afterEach(() => relays.close())

let orders = 0
async function completedOrder(): Promise<string> {
  orders++
  const { serviceOrderId: id } = (await relays.a.api.inject({ orderId: `order-${orders}`, tip: 5 })).body
  await relays.a.desk.advance(id, 'completed')
  return id
}

/** Both answers are a success, one of them is a repetition, and their bytes are the same. */
function unlike(results: readonly PromiseSettledResult<Answered>[]): string[] {
  const answers = results.flatMap((result) => resultOf(result) ?? [])
  const replays = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length
  return [
    ...failures(results),
    ...answers.filter(({ status }) => status >= 300).map(({ status, body }) => `answered ${status} ${body?.code}`),
    ...when(new Set(answers.map(({ text }) => text)).size !== 1, 'the answers differ'),
    ...when(replays !== answers.length - 1, `${replays} of ${answers.length} answers say that they are repetitions`),
  ]
}

const count = async (table: 'refunds' | 'pos_outbox' | 'dispatches', orderId: string): Promise<number> =>
  (await relays.db.read.selectFrom(table).select('order_id').where('order_id', '=', asId<'ord'>(orderId)).execute())
    .length

const posted = (path: string, body: object, key: string) =>
  atOnce(
    () => relays.a.desk.post(path, body, { 'idempotency-key': key }),
    () => relays.b.desk.post(path, body, { 'idempotency-key': key }),
  )

describe('two calls under one Idempotency-Key', () => {
  it('refund once', async () => {
    await race(async (round) => {
      const id = await completedOrder()
      const results = await posted(`/v1/order/${id}/refund`, { amount: 5 }, `refund-${round}`)
      return [...unlike(results), ...when((await count('refunds', id)) !== 1, 'it was not refunded once')]
    })
  })

  it('void once', async () => {
    await race(async (round) => {
      orders++
      const { serviceOrderId: id } = (await relays.a.api.inject({ orderId: `order-${orders}` })).body
      const results = await posted(`/v1/order/${id}/void`, {}, `void-${round}`)
      const events = await relays.db.read
        .selectFrom('events')
        .select('id')
        .where('subject_id', '=', id)
        .where('type', '=', 'order.voided')
        .execute()
      return [...unlike(results), ...when(events.length !== 1, 'it was not voided once')]
    })
  })

  it('print once', async () => {
    await race(async (round) => {
      orders++
      const { serviceOrderId: id } = (await relays.a.api.inject({ orderId: `order-${orders}` })).body
      const before = await count('dispatches', id)
      const results = await posted('/v1/print/job', { serviceOrderId: id, type: 'kitchen' }, `print-${round}`)
      return [...unlike(results), ...when((await count('dispatches', id)) !== before + 1, 'it was not printed once')]
    })
  })

  it('with another body each do one of both, and the other is refused', async () => {
    await race(async (round) => {
      const id = await completedOrder()
      const path = `/v1/order/${id}/refund`
      const headers = { 'idempotency-key': `other-${round}` }
      const results = await atOnce(
        () => relays.a.desk.post(path, { amount: 5 }, headers),
        () => relays.b.desk.post(path, { amount: 6 }, headers),
      )
      const statuses = results.map((result) => resultOf(result)?.status ?? 0).sort()
      return [
        ...failures(results),
        ...when(statuses.join() !== '200,409', `the answers were ${statuses.join(' and ')}`),
        ...when((await count('refunds', id)) !== 1, 'it was not refunded once'),
      ]
    })
  })
})

describe('two injects of one orderId', () => {
  it('are one order, one number of the register and one portion of the stock, and the second repeats the bytes of the first', async () => {
    const { catalog } = relays.a
    const merchant = await relays.merchant()
    const stockOf = async () => (await catalog.item(relays.db.read, merchant.key, BRULEE))?.stock ?? null
    const numbers = async () =>
      (await relays.db.read.selectFrom('register_counters').select('value').execute()).reduce((n, r) => n + r.value, 0)
    await relays.db.unit((tx) => catalog.update(tx, { merchant_id: merchant.key, ums_id: BRULEE }, { stock: 100_000 }))
    await race(async (round) => {
      const before = { stock: await stockOf(), number: await numbers() }
      const orderId = `same-${round}`
      const results = await atOnce(
        () => relays.a.api.inject({ orderId }),
        () => relays.b.api.inject({ orderId }),
        () => relays.a.api.inject({ orderId }),
      )
      const rows = await relays.db.read
        .selectFrom('orders')
        .select('id')
        .where('client_order_id', '=', orderId)
        .execute()
      return [
        ...unlike(results),
        ...when(rows.length !== 1, `${rows.length} orders were made`),
        ...when((await stockOf()) !== (before.stock ?? 0) - 1, 'not one portion was taken'),
        ...when((await numbers()) !== before.number + 1, 'not one number was given'),
      ]
    })
  })

  it('with other bodies are one order, and the other is refused', async () => {
    await race(async (round) => {
      const orderId = `differ-${round}`
      const results = await atOnce(
        () => relays.a.api.inject({ orderId, source: 'kiosk-1' }),
        () => relays.b.api.inject({ orderId, source: 'kiosk-2' }),
      )
      const statuses = results.map((result) => resultOf(result)?.status ?? 0).sort()
      return [
        ...failures(results),
        ...when(statuses.join() !== '200,409', `the answers were ${statuses.join(' and ')}`),
      ]
    })
  })
})
