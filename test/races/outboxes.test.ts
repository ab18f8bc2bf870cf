// Workers of two relays take from the outboxes at once: webhook deliveries, messages to points of sale, items that platforms are told, mail.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectChannel, mapChannelItem } from '#cloud/catalog/channels.ts'
import { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { insertNotice, NoticeStore } from '#cloud/storage/notice-store.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import { asId, newId, type WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { deadlocksOf, openSecondRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

const HOUR_MS = 3_600_000
const repeated = (ids: readonly string[]): string[] => ids.filter((id, i) => ids.indexOf(id) !== i)

describe('two claims of the deliveries of one webhook endpoint', () => {
  let site: WebhookSite
  let clock: ManualClock
  let stores: readonly [DeliveryStore, DeliveryStore]
  let endpointId: WebhookId
  let closeSecond: () => Promise<void>
  beforeEach(async () => {
    clock = new ManualClock()
    site = await WebhookSite.open({ clock })
    const second = await openSecondRelayDatabase(site.db)
    closeSecond = () => second.close()
    stores = [site.deliveries, new DeliveryStore(second)]
    endpointId = (await site.listen('http://127.0.0.1:9/')).webhookId
  })
  afterEach(async () => {
    await closeSecond()
    await site.close()
    expect(deadlocksOf(site.db)).toBe(0)
  })

  /** @param perHour null: as many as there are */
  const claim = (store: DeliveryStore, perHour: number | null, limit: number) => {
    const { accountId, environment } = site.merchant
    const nowMs = clock.now()
    return store.claim(
      [{ endpointId, limit, retries: 0, retriesFirst: false }],
      new Map([[endpointId, { accountId, environment, perHour }]]),
      { nowMs, leaseUntilMs: nowMs + 30_000 },
    )
  }

  /** All is delivered, and the hour is another one. */
  async function settleAll(): Promise<void> {
    await site.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'delivered', lease_until: null }).execute())
    await clock.advance(HOUR_MS)
  }

  /** Five orders' first events, and the next two of the first. */
  async function recordSeven(round: number): Promise<void> {
    await site.db.unit(async (tx) => {
      const event = (subject: string, sequence: number) =>
        recordEvent(tx, site, site.newEvent({ subjectId: `ord_${round}_${subject}`, sequence, type: typeOf(sequence) }))
      for (const subject of ['a', 'b', 'c', 'd', 'e']) await event(subject, 1)
      for (const sequence of [2, 3]) await event('a', sequence)
    })
  }
  const typeOf = (sequence: number) => (['order.accepted', 'order.printed', 'order.ready'] as const)[sequence - 1]!

  it('never give one to both, nor two of one order at a time, nor lose one', async () => {
    await race(async (round) => {
      await recordSeven(round)
      const results = await atOnce(
        () => claim(stores[0], null, 4),
        () => claim(stores[1], null, 4),
      )
      const first = results.flatMap((result) => resultOf(result) ?? [])
      const rest = (await claim(stores[0], null, 20)) ?? []
      const taken = [...first, ...rest]
      await settleAll()
      const subjects = taken.map(({ subjectId }) => subjectId)
      return [
        ...failures(results),
        ...repeated(taken.map(({ id }) => id)).map(() => 'a delivery was given to both'),
        ...repeated(subjects).map(() => 'two of one order are in flight at once'),
        ...when(new Set(subjects).size !== 5, 'a delivery that was free was given to none'),
      ]
    })
  })

  it('never take more than is left of the hour', async () => {
    await race(async (round) => {
      await recordSeven(round)
      const results = await atOnce(
        () => claim(stores[0], 3, 4),
        () => claim(stores[1], 3, 4),
      )
      const taken = results.flatMap((result) => resultOf(result) ?? [])
      const hour = Math.floor(clock.now() / HOUR_MS) * HOUR_MS
      const row = await site.db.read.selectFrom('webhook_hours').select('sent').where('hour', '=', hour).execute()
      await settleAll()
      return [
        ...failures(results),
        ...when(taken.length > 3, 'more were taken than the hour has left'),
        ...when((row[0]?.sent ?? 0) !== taken.length, 'the hour counts another number than were taken'),
      ]
    })
  })
})

describe('two claims of the messages to a point of sale', () => {
  let relays: TwoRelays
  beforeEach(async () => {
    relays = await TwoRelays.open()
  })
  afterEach(() => relays.close())

  const claim = (relay: Relay) =>
    relay.db.unit((tx) => relay.posOutbox.claim(tx, { nowMs: relays.clock.now(), leaseMs: 30_000, limit: 3, busy: [] }))

  it('never give one to both, nor two of one order at a time, nor lose one', async () => {
    await race(async (round) => {
      const nowMs = relays.clock.now()
      await relays.db.unit(async (tx) => {
        for (const kind of ['order', 'void'] as const)
          for (const order of ['a', 'b', 'c', 'd'])
            await relays.a.posOutbox.insert(tx, {
              ...{ id: newId('pos', nowMs), merchant_id: relays.a.api.merchantKey, payload: '{}', state: 'pending' },
              ...{ order_id: asId<'ord'>(`ord_${round}_${order}`), kind, attempts: 0, next_at: nowMs },
              created_at: nowMs,
            })
      })
      const results = await atOnce(
        () => claim(relays.a),
        () => claim(relays.b),
      )
      const taken = [...results.flatMap((result) => resultOf(result) ?? []), ...(await claim(relays.a))]
      await relays.db.unit((tx) => tx.deleteFrom('pos_outbox').execute())
      return [
        ...failures(results),
        ...repeated(taken.map(({ id }) => id)).map(() => 'a message was given to both'),
        ...repeated(taken.map(({ orderId }) => orderId)).map(() => 'two of one order are in flight at once'),
        ...when(new Set(taken.map(({ orderId }) => orderId)).size !== 4, 'an order that was free was given to none'),
        ...when(
          taken.some(({ kind }) => kind !== 'order'),
          'a void came before its order',
        ),
      ]
    })
  })
})

describe('two claims of the items that a platform must get', () => {
  const ITEMS = ['UMS-BURGER-01', 'UMS-BRULEE-01', 'UMS-MOD-CHEESE']
  let relays: TwoRelays
  beforeEach(async () => {
    relays = await TwoRelays.open()
    const merchant = await relays.merchant()
    const channel = { channelId: 'dish', platform: 'dish', name: 'Dish', connector: 'simulated' as const }
    await relays.db.unit((tx) => connectChannel(tx, relays.a, { merchant, channel }))
    for (const umsId of ITEMS)
      await relays.db.unit((tx) =>
        mapChannelItem(tx, relays.a, { merchant, channelId: 'dish', umsId, externalId: umsId }),
      )
  })
  afterEach(() => relays.close())

  it('never give one to both, nor lose one', async () => {
    const key = { merchantKey: relays.a.api.merchantKey, channelId: 'dish' }
    const claim = (relay: Relay) => {
      const nowMs = relays.clock.now()
      return relay.channelOutbox.claim(key, { limit: 2, nowMs, leaseUntilMs: nowMs + 30_000 })
    }
    await race(async () => {
      const results = await atOnce(
        () => claim(relays.a),
        () => claim(relays.b),
      )
      const taken = [...results.flatMap((result) => resultOf(result) ?? []), ...(await claim(relays.a))]
      await relays.db.unit((tx) => tx.updateTable('channel_items').set({ lease_until: null }).execute())
      const ids = taken.map(({ ums_id }) => ums_id)
      return [
        ...failures(results),
        ...repeated(ids).map(() => 'an item was given to both'),
        ...when(new Set(ids).size !== ITEMS.length, 'an item was given to none'),
      ]
    })
  })
})

describe('two claims of the mail that is to leave', () => {
  let relays: TwoRelays
  let stores: readonly [NoticeStore, NoticeStore]
  beforeEach(async () => {
    relays = await TwoRelays.open()
    stores = [new NoticeStore(relays.a.db), new NoticeStore(relays.b.db)]
  })
  afterEach(() => relays.close())

  const times = () => ({ nowMs: relays.clock.now(), leaseUntilMs: relays.clock.now() + 120_000 })

  async function write(count: number): Promise<void> {
    const nowMs = relays.clock.now()
    const sealed = { to_enc: '', text_enc: '', language: 'en' }
    const of = { account_id: null, merchant_id: null, kind: 'test', ...sealed, expires_at: nowMs + 60_000 }
    await relays.db.unit(async (tx) => {
      for (let n = 0; n < count; n++)
        await insertNotice(tx, { ...of, end: null, id: newId('ntc', nowMs), created_at: nowMs })
    })
  }

  const claim = (relay: Relay, store: NoticeStore) =>
    relay.db.unit(async (tx) => {
      await store.endOverdue(tx, relays.clock.now())
      return store.claim(tx, { ...times(), limit: 3 })
    })

  it('never give one to both, nor lose one', async () => {
    await race(async () => {
      await write(5)
      const results = await atOnce(
        () => claim(relays.a, stores[0]),
        () => claim(relays.b, stores[1]),
      )
      const taken = [...results.flatMap((result) => resultOf(result) ?? []), ...(await claim(relays.a, stores[0]))]
      await relays.db.unit((tx) => tx.deleteFrom('notices').execute())
      const ids = taken.map(({ id }) => id)
      return [
        ...failures(results),
        ...repeated(ids).map(() => 'a mail was given to both'),
        ...when(new Set(ids).size !== 5, 'a mail was given to none'),
      ]
    })
  })

  it('of one whose lease ended let only one begin to send', async () => {
    await race(async () => {
      await write(1)
      const [late] = await claim(relays.a, stores[0])
      await relays.db.unit((tx) => tx.updateTable('notices').set({ lease_until: null }).execute())
      const results = await atOnce(
        () => relays.a.db.unit((tx) => stores[0].beginSending(tx, late!)),
        async () => {
          const [next] = await claim(relays.b, stores[1])
          return next !== undefined && (await relays.b.db.unit((tx) => stores[1].beginSending(tx, next)))
        },
      )
      await relays.db.unit((tx) => tx.deleteFrom('notices').execute())
      const begun = results.filter((result) => resultOf(result) === true)
      return [...failures(results), ...when(begun.length !== 1, `${begun.length} relays began to send one mail`)]
    })
  })
})
