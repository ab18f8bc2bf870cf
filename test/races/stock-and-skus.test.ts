// Orders of two relays take from one stock, and two calls change one item at once.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { connectChannel, mapChannelItem } from '#cloud/catalog/channels.ts'
import { RestoreDue } from '#cloud/catalog/restore-due.ts'
import { restoreSku, setStock, silenceSku } from '#cloud/catalog/silence-sku.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { toIso } from '#shared/clock.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

const BURGER = 'UMS-BURGER-01'
const BRULEE = 'UMS-BRULEE-01'

let relays: TwoRelays
let merchant: MerchantRecord
beforeEach(async () => {
  relays = await TwoRelays.open()
  merchant = await relays.merchant()
})
afterEach(() => relays.close())

const stock = (umsId: string, quantity: number, relay = relays.a) =>
  relay.db.unit((tx) => setStock(tx, relay, { merchant, umsId, quantity }))

const stockOf = async (umsId: string) => (await relays.a.catalog.item(relays.db.read, merchant.key, umsId))?.stock

/** The item's events, and its row: what they say that they may not. */
async function contradictions(umsId: string): Promise<string[]> {
  const events = await relays.db.read
    .selectFrom('events')
    .select(['type', 'sequence', 'payload'])
    .where('subject_id', '=', `${merchant.key}/${umsId}`)
    .orderBy('position')
    .execute()
  const row = await relays.a.catalog.item(relays.db.read, merchant.key, umsId)
  const sequences = events.map(({ sequence }) => sequence)
  const wrong = [
    ...when(new Set(sequences).size < sequences.length, 'two events have one sequence number'),
    ...when(sequences.join() !== sequences.map((_, i) => i + 1).join(), 'the events are not numbered in their order'),
    ...when(row?.sequence !== sequences.length, 'the item has another number of events than it says'),
  ]
  const silenced = new Map<string, boolean>()
  for (const { type, payload } of events) {
    const { channels = [] } = (JSON.parse(payload) as { data: { channels?: string[] } }).data
    for (const channel of channels) silenced.set(channel, type === 'sku.silenced')
  }
  const links = await relays.a.channels.links(relays.db.read, merchant.key, umsId)
  const now = [
    ['direct', row?.direct_silenced_at] as const,
    ...links.map((l) => [l.channel_id, l.silenced_at] as const),
  ]
  for (const [channel, at] of now)
    wrong.push(...when((at != null) !== (silenced.get(channel) ?? false), 'the last event says what the item is not'))
  return wrong
}

describe('orders with the same items in opposite order', () => {
  it('never sell more than the stock, and none fails except for lack of stock', async () => {
    await race(async (round) => {
      // One of the eight finds no burger, four no crème brûlée.
      await stock(BURGER, 7)
      await stock(BRULEE, 4)
      const items = [
        { umsId: BURGER, qty: 1, price: 12.5 },
        { umsId: BRULEE, qty: 1, price: 7.95 },
      ]
      const inject = (i: number) => () =>
        relays.relay(i).api.inject({
          orderId: `order-${round}-${i}`,
          items: i % 4 < 2 ? items : items.toReversed(),
          total: 20.45,
        })
      const results = await atOnce(
        inject(0),
        inject(1),
        inject(2),
        inject(3),
        inject(4),
        inject(5),
        inject(6),
        inject(7),
      )
      const sold = results.filter((result) => resultOf(result)?.status === 200).length
      const odd = results
        .flatMap((result) => resultOf(result) ?? [])
        .filter(({ status }) => ![200, 422].includes(status))
      return [
        ...failures(results),
        ...odd.map(({ status, body }) => `an order was answered ${status} ${body?.code}`),
        ...when(sold !== 4, `${sold} orders were taken, and there was enough for 4`),
        ...when((await stockOf(BRULEE)) !== 0, 'the stock is not what was sold'),
        ...when((await stockOf(BURGER)) !== 7 - sold, 'the stock of the other item is not what was sold'),
      ]
    })
  })

  it('of which one half is voided meanwhile, leave the stock that was not sold', async () => {
    await race(async (round) => {
      await stock(BURGER, 100)
      await stock(BRULEE, 100)
      const items = [
        { umsId: BURGER, qty: 1, price: 12.5 },
        { umsId: BRULEE, qty: 1, price: 7.95 },
      ]
      const body = (name: string, isTurned: boolean) => ({
        orderId: `${name}-${round}`,
        items: isTurned ? items.toReversed() : items,
        total: 20.45,
      })
      const first = (await relays.a.api.inject(body('a', false))).body.serviceOrderId
      const second = (await relays.b.api.inject(body('b', true))).body.serviceOrderId
      const results = await atOnce(
        () => relays.a.desk.void(second),
        () => relays.b.api.inject(body('c', true)),
        () => relays.b.desk.void(first),
        () => relays.a.api.inject(body('d', false)),
      )
      const odd = results.flatMap((result) => resultOf(result) ?? []).filter(({ status }) => status !== 200)
      return [
        ...failures(results),
        ...odd.map(({ status, body: { code } }) => `answered ${status} ${code}`),
        ...when((await stockOf(BURGER)) !== 98 || (await stockOf(BRULEE)) !== 98, 'the stock is not what was not sold'),
      ]
    })
  })
})

describe('two changes of one item', () => {
  const run = async <T>(relay: Relay, work: (tx: Tx) => Promise<Effect<T>>): Promise<void> => {
    await relay.db.unit(work)
  }
  const silence = (relay: Relay, until?: string) =>
    run(relay, (tx) => silenceSku(tx, relay, { merchant, umsId: BURGER, ...(until === undefined ? {} : { until }) }))
  const restore = (relay: Relay) => run(relay, (tx) => restoreSku(tx, relay, { merchant, umsId: BURGER }))

  beforeEach(async () => {
    const channel = { channelId: 'dish', platform: 'dish', name: 'Dish', connector: 'simulated' as const }
    await relays.db.unit((tx) => connectChannel(tx, relays.a, { merchant, channel }))
    const mapping = { channelId: 'dish', umsId: BURGER, externalId: 'd-1' }
    await relays.db.unit((tx) => mapChannelItem(tx, relays.a, { merchant, ...mapping }))
  })

  it('a silence and a restore: the last event has the state of the item', async () => {
    await race(async (round) => {
      const results = await atOnce(
        () => silence(relays.relay(round)),
        () => restore(relays.relay(round + 1)),
      )
      return [...failures(results), ...(await contradictions(BURGER))]
    })
  })

  it('a stock that empties it and a call that restores it, too', async () => {
    await race(async (round) => {
      const results = await atOnce(
        () => stock(BURGER, round % 2 === 0 ? 0 : 9, relays.relay(round)),
        () => (round % 3 === 0 ? silence(relays.relay(round + 1)) : restore(relays.relay(round + 1))),
      )
      return [...failures(results), ...(await contradictions(BURGER))]
    })
  })

  it('two sweeps that restore what is due, and a call that silences it for longer, too', async () => {
    const sweeps = [relays.a, relays.b].map((relay) => new RestoreDue(relay))
    await race(async (round) => {
      await silence(relays.a, toIso(relays.clock.now() + 1_000))
      await relays.clock.advance(2_000)
      const later = toIso(relays.clock.now() + 60_000)
      const results = await atOnce(
        ...sweeps.map((service) => () => service.sweep()),
        ...(round % 2 === 0 ? [() => silence(relays.b, later)] : []),
      )
      const wrong = [...failures(results), ...(await contradictions(BURGER))]
      await restore(relays.a)
      return wrong
    })
  })
})
