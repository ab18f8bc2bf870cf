// The outbox of two relays on one database: each keeps the leases and times of the other, whatever its own clock shows, and takes over what a dead one left.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { isOnPostgres } from '#test/harness/engines.ts'
import type { RelayDatabase } from './database.ts'
import { PosOutboxStore } from './pos-outbox-store.ts'
import { ReplicaStore } from './replica-store.ts'

const DAY = 86_400_000
const limits = { leaseMs: 30_000, retrySeconds: [60, 300] }

describe.runIf(isOnPostgres)('two relays', () => {
  const WAIT = 50_000
  let site: WebhookSite
  let other: WebhookSite
  let clock: ManualClock
  let replicas: ReplicaStore
  const living = (db: RelayDatabase) => replicas.beat({ id: db.replicaId ?? '', version: '1', draining: false })
  beforeEach(async () => {
    clock = new ManualClock()
    site = await WebhookSite.open({ clock })
    for (const name of ['a', 'b']) await site.listen(`http://127.0.0.1:1/${name}`)
    await site.record()
    other = await WebhookSite.open({ clock, beside: site })
    replicas = new ReplicaStore(site.db)
    for (const { db } of [site, other]) await living(db)
  })
  afterEach(async () => {
    await other.close()
    await site.close()
  })

  /** Each has tried one delivery, which waits now. */
  async function bothWait(): Promise<void> {
    const endpoints = await site.db.read.selectFrom('webhook_endpoints').select('id').orderBy('id').execute()
    await site.claim(endpoints[0]!.id, { limit: 1 })
    await other.claim(endpoints[1]!.id, { limit: 1 })
    await site.db.unit(async (tx) => {
      const next = { state: 'retrying', attempts: 1, next_at: clock.now() + WAIT, lease_until: null } as const
      await tx.updateTable('deliveries').set(next).execute()
    })
  }
  const waitsOf = async ({ db }: WebhookSite) =>
    (await site.rows()).filter(({ lease_by }) => lease_by === db.replicaId).map(({ next_at }) => next_at - clock.now())

  test.each([DAY, -DAY])(
    'the one whose clock is set by %i ms moves what it has timed, and nothing else',
    async (byMs) => {
      await bothWait()
      expect(await site.deliveries.move({ byMs, nowMs: clock.now() + byMs })).toBe(1)
      expect([await waitsOf(site), await waitsOf(other)]).toEqual([[WAIT + byMs], [WAIT]])
    },
  )

  test('one with a clock that is behind shortens no time that the other has set', async () => {
    await bothWait()
    expect(await site.deliveries.shorten({ ...limits, nowMs: clock.now() - DAY })).toBe(1)
    expect(await waitsOf(other)).toEqual([WAIT])
  })

  test('what one has timed by a clock that is ahead is shortened by the other when that one has died', async () => {
    await bothWait()
    await other.deliveries.move({ byMs: DAY, nowMs: clock.now() + DAY })
    await site.deliveries.shorten({ ...limits, nowMs: clock.now() })
    expect(await waitsOf(other)).toEqual([DAY + WAIT])
    await replicas.leave(other.db.replicaId ?? '')
    await site.deliveries.takeOver({ ...limits, nowMs: clock.now() })
    expect([await waitsOf(site), await waitsOf(other)]).toEqual([[WAIT], [60_000]])
  })

  test('the one that is left moves also what those before it have timed', async () => {
    await bothWait()
    await replicas.leave(other.db.replicaId ?? '')
    expect(await site.deliveries.move({ byMs: DAY, nowMs: clock.now() + DAY })).toBe(2)
  })

  test('each counts the failing endpoints that fall to it by its own clock', async () => {
    const endpoints = await site.db.read.selectFrom('webhook_endpoints').select('id').orderBy('id').execute()
    const sinceMs = clock.now()
    await site.db.unit((tx) => tx.updateTable('webhook_endpoints').set({ failing_since: sinceMs }).execute())
    await site.endpoints.moveFailing({ byMs: -DAY, nowMs: clock.now() - DAY }, (id) => id === endpoints[0]!.id)
    const rows = await site.db.read.selectFrom('webhook_endpoints').select('failing_since').orderBy('id').execute()
    expect(rows.map(({ failing_since }) => failing_since)).toEqual([sinceMs - DAY, sinceMs])
  })

  test('leave each other what they have under lease, and take it when one has died: messages to points of sale', async () => {
    const ours = new PosOutboxStore(site.db)
    const theirs = new PosOutboxStore(other.db)
    const nowMs = clock.now()
    await other.db.unit((tx) =>
      theirs.insert(tx, {
        ...{ id: newId('pos', nowMs), merchant_id: site.merchant.key, order_id: newId('ord', nowMs), kind: 'order' },
        ...{ payload: '{}', state: 'pending', attempts: 0, next_at: nowMs, created_at: nowMs },
      }),
    )
    const claim = (store: PosOutboxStore, { db }: WebhookSite, atMs: number) =>
      db.unit((tx) => store.claim(tx, { nowMs: atMs, leaseMs: 30_000, limit: 1, busy: [] }))
    expect(await claim(theirs, other, nowMs)).toHaveLength(1)
    await ours.releaseDead()
    expect(await claim(ours, site, nowMs + 1_000)).toEqual([])
    await replicas.leave(other.db.replicaId ?? '')
    await ours.takeOver({ ...limits, nowMs })
    expect(await claim(ours, site, nowMs + 1_000)).toHaveLength(1)
  })

  test('leave each other the webhooks that they have under lease', async () => {
    const [endpoint] = await site.db.read.selectFrom('webhook_endpoints').select('id').execute()
    await other.claim(endpoint!.id)
    await site.deliveries.releaseDead()
    expect((await site.rows()).filter(({ lease_until }) => lease_until !== null)).toHaveLength(1)
    await replicas.leave(other.db.replicaId ?? '')
    await site.deliveries.releaseDead()
    expect((await site.rows()).filter(({ lease_until }) => lease_until !== null)).toEqual([])
  })
})
