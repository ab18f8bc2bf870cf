// Latency slices are made of what was settled: each ticket once, however often a relay is killed between.
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EVERY_PLACE, LatencyStore } from '#cloud/storage/latency-store.ts'
import { asId, type LocationId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { FillSlices } from './fill-slices.ts'
import { totalOf } from './latency-buckets.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOON = Date.UTC(2026, 10, 20, 12)

let clock: ManualClock
let api: RelayApi
let latency: LatencyStore
let locationId: LocationId
beforeEach(async () => {
  clock = new ManualClock(NOON)
  api = await RelayApi.open({ clock })
  latency = new LatencyStore(api.db)
  const merchant = await api.authorize({ ...api.account, environment: 'sandbox', wanted: null }, 'M-TEST-001')
  if (merchant.defaultLocationId === null) throw new Error('the test merchant has no location')
  locationId = merchant.defaultLocationId
})
afterEach(() => api.close())

const filler = () => new FillSlices({ db: api.db, latency, clock, log: api.stores.log })
const slices = async () =>
  (await api.db.read.selectFrom('latency_slices').selectAll().execute()).sort((a, b) =>
    JSON.stringify(a) < JSON.stringify(b) ? -1 : 1,
  )
const counted = async (minutes: 5 | 60, stage: string) => {
  const found = (await latency.since([locationId], minutes, 0)).filter((slice) => slice.stage === stage)
  return found.reduce((sum, { counts }) => sum + totalOf(counts), 0)
}

interface Told {
  /** When its ticket came to an end. */
  atMs: number
  paperMs?: number
  fireAtMs?: number | null
  isAway?: boolean
  /** By the sandbox's own kitchen. */
  isSimulated?: boolean
}

/** An order whose ticket is on paper. */
async function printed({
  atMs,
  paperMs = 900,
  fireAtMs = null,
  isAway = false,
  isSimulated = false,
}: Told): Promise<void> {
  const queuedAt = atMs - paperMs
  const orderId = newId('ord', queuedAt)
  const merchant = await api.authorize({ ...api.account, environment: 'sandbox', wanted: null }, 'M-TEST-001')
  const kitchen = await api.db.read
    .selectFrom('gateways')
    .select('id')
    .where('simulated', '=', 1)
    .where('location_id', '=', locationId)
    .executeTakeFirstOrThrow()
  const ways = [{ way: isAway ? null : 'printer' }]
  await api.db.unit(async (tx) => {
    await tx
      .insertInto('orders')
      .values({
        ...{ id: orderId, account_id: api.account.accountId, merchant_id: merchant.key, location_id: locationId },
        ...{ client_order_id: orderId, body_hash: '', body: '{}', result: JSON.stringify({ ways }), item_names: '{}' },
        ...{ status: 'accepted', sequence: 1, total_cents: 0, tip_cents: 0, refunded_cents: 0, print: 1 },
        ...{ print_state: 'printed', queued_at: queuedAt, estimated_ready_at: atMs, printed_at: atMs },
        ...{ fire_at: fireAtMs, fired_at: fireAtMs ?? queuedAt },
      })
      .execute()
    const evidence = JSON.stringify([{ firstByteAtMs: queuedAt + 300, printedAtMs: atMs }])
    await tx
      .insertInto('dispatches')
      .values({
        ...{ id: newId('pj', queuedAt), order_id: orderId, location_id: locationId, doc: '{}', bytes: 2 },
        ...{ state: 'printed', available_at: 0, possible_duplicate: 0, created_at: queuedAt },
        ...{ accepted_at: queuedAt + 20, settled_at: atMs, evidence, kind: 'order' },
        gateway_id: isSimulated ? kitchen.id : null,
      })
      .execute()
  })
}

test('a ticket on paper is counted in each stage of its way, by five minutes and by the hour', async () => {
  await printed({ atMs: NOON - 10 * MINUTE, paperMs: 900 })
  await filler().sweep()
  for (const minutes of [5, 60] as const)
    for (const stage of ['paper', 'handOver', 'firstByte', 'proof']) expect(await counted(minutes, stage)).toBe(1)
  const paper = (await latency.since([locationId], 5, 0)).find(({ stage }) => stage === 'paper')
  expect(paper).toMatchObject({ slot: NOON - 10 * MINUTE })
  // 600 to 1,000 ms.
  expect(paper?.counts.indexOf(1)).toBe(12)
})

test('an order for later, and one whose kitchen was away, have no time', async () => {
  await printed({ atMs: NOON - MINUTE, fireAtMs: NOON - 2 * MINUTE })
  await printed({ atMs: NOON - MINUTE, isAway: true })
  await filler().sweep()
  expect(await slices()).toEqual([])
})

test('an order of the simulated kitchen is in no row: nothing of it reaches paper', async () => {
  await printed({ atMs: NOON - MINUTE, isSimulated: true })
  await filler().sweep()
  expect(await slices()).toEqual([])
  await printed({ atMs: NOON - MINUTE })
  await filler().sweep()
  for (const stage of ['paper', 'handOver', 'firstByte', 'proof']) expect(await counted(60, stage)).toBe(1)
})

test('what was settled less than half a minute ago waits for the next minute, and is not lost', async () => {
  const one = filler()
  await printed({ atMs: NOON - 10_000 })
  await one.sweep()
  expect(await counted(60, 'paper')).toBe(0)
  await clock.advance(MINUTE)
  await one.sweep()
  await one.sweep()
  expect(await counted(60, 'paper')).toBe(1)
})

test('minute by minute an hour grows, at a relay that keeps running', async () => {
  const one = filler()
  for (const total of [1, 2, 3]) {
    await printed({ atMs: clock.now() })
    await clock.advance(MINUTE)
    await one.sweep()
    expect(await counted(60, 'paper')).toBe(total)
    expect(await counted(5, 'paper')).toBe(total)
  }
})

test('the first attempt at an endpoint is counted from its event on, at the location of the order', async () => {
  const merchant = await api.authorize({ ...api.account, environment: 'sandbox', wanted: null }, 'M-TEST-001')
  await printed({ atMs: NOON - 10 * MINUTE })
  const { id: orderId } = await api.db.read.selectFrom('orders').select('id').executeTakeFirstOrThrow()
  const atMs = NOON - 5 * MINUTE
  await api.db.unit(async (tx) => {
    const endpointId = newId('we', 1)
    const owner = { account_id: api.account.accountId, merchant_id: merchant.key, environment: 'sandbox' } as const
    await tx
      .insertInto('webhook_endpoints')
      .values({ ...owner, id: endpointId, url: '', events: '["*"]', secret_enc: '', status: 'enabled', created_at: 1 })
      .execute()
    for (const test of [0, 1]) {
      const event = {
        id: newId('evt', atMs),
        type: 'order.accepted',
        subject_id: orderId,
        sequence: 1 + test,
        position: 1_000 + test,
        payload: '{}',
      }
      await tx
        .insertInto('events')
        .values({ ...owner, ...event, test, created_at: atMs })
        .execute()
      const delivery = { id: newId('dlv', atMs), event_id: event.id, endpoint_id: endpointId, subject_id: orderId }
      await tx
        .insertInto('deliveries')
        .values({
          ...{ ...delivery, type: event.type, state: 'delivered', attempts: 2, next_at: atMs },
          ...{ created_at: atMs, settled_at: atMs + 60_000 },
        })
        .execute()
      for (const number of [1, 2])
        await tx
          .insertInto('delivery_attempts')
          .values({
            ...{ id: newId('att', atMs), delivery_id: delivery.id, number, trigger: 'schedule' },
            ...{ at: atMs + 30 * number, ms: 8, status: 200 },
          })
          .execute()
    }
  })
  await filler().sweep()
  const webhook = (await latency.since([locationId], 60, 0)).find(({ stage }) => stage === 'webhook')
  // One of the two: the other one was fired by hand. 20 to 35 ms.
  expect(webhook?.counts.map((count, index) => (count === 0 ? null : [index, count])).filter(Boolean)).toEqual([[6, 1]])
})

test('live restaurants are also counted together, test restaurants are not', async () => {
  await printed({ atMs: NOON - 10 * MINUTE })
  await filler().sweep()
  expect(await latency.since([EVERY_PLACE], 60, 0)).toEqual([])
  await api.db.unit((tx) => tx.updateTable('merchants').set({ environment: 'live' }).execute())
  await api.db.unit((tx) => tx.deleteFrom('latency_slices').execute())
  await filler().sweep()
  const together = (await latency.since([EVERY_PLACE], 60, 0)).filter(({ stage }) => stage === 'paper')
  expect(together.map(({ counts }) => totalOf(counts))).toEqual([1])
})

describe('however often relays are killed', () => {
  test('each ticket is counted once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 * 60 - 1 }), { minLength: 1, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 8 }),
        async (minutes, kills) => {
          await api.db.unit(async (tx) => {
            for (const table of ['latency_slices', 'dispatches', 'orders'] as const)
              await tx.deleteFrom(table).execute()
          })
          const beganMs = clock.now()
          let one = filler()
          const waiting = [...minutes]
          for (const isKilled of kills) {
            await clock.advance(30 * MINUTE)
            for (const minute of waiting.splice(0, 3))
              await printed({ atMs: clock.now() - 60_000 - (minute % 20) * MINUTE })
            if (isKilled) one = filler()
            await one.sweep()
          }
          for (const minute of waiting) await printed({ atMs: clock.now() - 60_000 - (minute % 20) * MINUTE })
          await filler().sweep()
          expect(await counted(60, 'paper')).toBe(minutes.length)
          expect(await counted(5, 'paper')).toBe(minutes.length)
          expect(clock.now()).toBeGreaterThan(beganMs)
        },
      ),
      { numRuns: 8 },
    )
  })
})

test('a relay that is killed while it writes leaves hours that the next one makes whole', async () => {
  for (const minute of [0, 70, 130]) await printed({ atMs: NOON - minute * MINUTE - 40_000 })
  await filler().sweep()
  const whole = await slices()
  const newest = Math.max(...whole.map(({ slot }) => slot))
  await api.db.unit((tx) => tx.deleteFrom('latency_slices').where('slot', '=', newest).execute())
  await filler().sweep()
  expect(await slices()).toEqual(whole)
})

test('five minutes are kept for 8 days, hours for 90', async () => {
  const old = (minutes: 5 | 60, days: number) => ({
    ...{ location_id: asId<'loc'>(`loc_${days}`), minutes, slot: NOON - days * 24 * HOUR, stage: 'paper' as const },
    counts: '[]',
  })
  const rows = [old(5, 7), old(5, 9), old(60, 89), old(60, 91)]
  await api.db.unit((tx) => tx.insertInto('latency_slices').values(rows).execute())
  await filler().sweep()
  expect((await slices()).map(({ location_id }) => location_id).sort()).toEqual(['loc_7', 'loc_89'])
})

test('however many places are deleted at once, they are deleted in batches', async () => {
  const places = Array.from({ length: 7 }, (_, n) => asId<'loc'>(`loc_${n}`))
  const rows = places.map(
    (location_id) => ({ location_id, minutes: 5, slot: NOON, stage: 'paper', counts: '[]' }) as const,
  )
  await api.db.unit((tx) => tx.insertInto('latency_slices').values(rows).execute())
  const piece = () => api.db.unit((tx) => latency.prune(tx, { minutes: 5, beforeMs: NOON + 1, limit: 3 }))
  const left: number[] = []
  while (await piece()) left.push((await slices()).length)
  expect(left).toEqual([4, 1, 0])
})
