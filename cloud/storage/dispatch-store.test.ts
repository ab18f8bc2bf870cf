// The outbox to the kitchen on a real SQLite file: claiming, accepting, taking back, settling once.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type AccountId, asId, type GatewayId, type LocationId, type MerchantKey } from '#shared/ids.ts'
import { kitchenOrder } from '#shared/order.ts'
import { openFreshRelayDatabase } from '#test/fixtures/fresh-relay-database.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { isOnPostgres, ofSqlite, PLANS } from '#test/harness/engines.ts'
import { COUNTS, ofOneRun } from '#test/harness/units-twice.ts'
import type { RelayDatabase } from './database.ts'
import { statesBefore } from './dispatch-states.ts'
import { DispatchStore } from './dispatch-store.ts'
import { GatewayStore } from './gateway-store.ts'
import { PrintJobStore } from './print-job-store.ts'
import { SandboxKitchenStore } from './sandbox-kitchen-store.ts'

const STREAM = 'stream-a'
const ACCOUNT: AccountId = asId('acc')
const MERCHANT: MerchantKey = asId('mer')
const LOCATION: LocationId = asId('loc')
const GATEWAY: GatewayId = asId('gw')
let dir: string
let db: RelayDatabase
let dispatches: DispatchStore
let gateways: GatewayStore

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'dispatch-'))
  db = await openFreshRelayDatabase(join(dir, 'relay.db'))
  dispatches = new DispatchStore(db)
  gateways = new GatewayStore(db)
  await db.unit(async (tx) => {
    await tx.insertInto('accounts').values({ id: ACCOUNT, name: 'a', plan: 'sandbox', created_at: 0 }).execute()
    await tx
      .insertInto('merchants')
      .values({
        id: MERCHANT,
        account_id: ACCOUNT,
        public_id: 'M-TEST-1',
        environment: 'sandbox',
        name: 'm',
        time_zone: 'UTC',
        prep_minutes: 10,
        fire_at_horizon_ms: 0,
        created_at: 0,
      })
      .execute()
    await tx
      .insertInto('locations')
      .values({ id: LOCATION, merchant_id: MERCHANT, name: 'l', is_default: 1, created_at: 0 })
      .execute()
    await gateways.insert(tx, {
      id: GATEWAY,
      locationId: LOCATION,
      name: 'g',
      tokenHash: 'h',
      shard: 1,
      createdAtMs: 0,
    })
    await gateways.recordHello(tx, hello({ epoch: 1 }))
  })
})

afterEach(async () => {
  await db.close()
  rmSync(dir, { recursive: true })
})

function hello(at: { epoch: number; stream?: string; last?: number }) {
  return {
    gatewayId: GATEWAY,
    stream: at.stream ?? STREAM,
    ackedSeq: at.last ?? 0,
    lastSeq: at.last ?? 0,
    sessionEpoch: at.epoch,
    bootId: 'b',
    caps: [],
    appVersion: '1',
    nowMs: 5,
  }
}

async function insert(id: string, availableAtMs = 0): Promise<void> {
  await db.unit((tx) =>
    dispatches.insert(tx, {
      id: asId(id),
      orderId: null,
      locationId: LOCATION,
      doc: {
        kind: 'order',
        order: kitchenOrder.parse({
          serviceOrderId: id,
          orderId: id,
          merchantId: 'M',
          locationId: LOCATION,
          source: 'test',
          queuedAtMs: 0,
          timeZone: 'UTC',
          items: [{ umsId: 'u', name: 'Soup', qty: 1 }],
        }),
      },
      availableAtMs,
      notBeforeMs: null,
      expiresAtMs: null,
      createdAtMs: 1,
    }),
  )
}

async function claim(overrides: Partial<Parameters<DispatchStore['claim']>[1]> = {}) {
  return db.unit(async (tx) =>
    dispatches.claim(tx, {
      lastSeq: (await gateways.byId(GATEWAY, tx))?.lastSeq ?? 0,
      gatewayId: GATEWAY,
      locationId: LOCATION,
      stream: STREAM,
      epoch: 1,
      maxJobs: 16,
      maxBytes: 1e6,
      atLeastOne: true,
      nowMs: 10,
      ...overrides,
    }),
  )
}

const stateOf = async (id: string) =>
  (await db.read
    .selectFrom('dispatches')
    .select(['state', 'seq'])
    .where('id', '=', asId<'pj'>(id))
    .executeTakeFirst()) ?? null

describe('claiming', () => {
  test('jobs get contiguous sequence numbers in the order of insertion, once', async () => {
    for (const id of ['a', 'b', 'c']) await insert(id)
    const first = await claim({ maxJobs: 2 })
    const second = await claim()
    expect(first?.map((j) => [j.jobId, j.seq])).toEqual([
      ['a', 1],
      ['b', 2],
    ])
    expect(second?.map((j) => [j.jobId, j.seq])).toEqual([['c', 3]])
    expect(await claim()).toEqual([])
    expect((await gateways.byId(GATEWAY))?.lastSeq).toBe(3)
  })

  test('a job of the future waits for its time', async () => {
    await insert('later', 1_000)
    expect(await dispatches.hasQueued(LOCATION, 999)).toBe(false)
    expect(await claim({ nowMs: 999 })).toEqual([])
    expect(await dispatches.locationsWithQueued(1_000)).toEqual(['loc'])
    expect((await claim({ nowMs: 1_000 }))?.length).toBe(1)
  })

  test('a session that was taken over claims nothing', async () => {
    await insert('a')
    await db.unit((tx) => gateways.recordHello(tx, hello({ epoch: 2 })))
    expect(await claim({ epoch: 1 })).toBeNull()
    expect(await claim({ epoch: 2, lastSeq: 7 })).toBeNull()
    expect(await stateOf('a')).toEqual({ state: 'queued', seq: null })
  })

  test('the byte window holds, but never keeps a single large job back', async () => {
    await insert('a')
    await insert('b')
    expect((await claim({ maxBytes: 10, atLeastOne: false }))?.length).toBe(0)
    expect((await claim({ maxBytes: 10, atLeastOne: true }))?.length).toBe(1)
  })

  const whereUnitsShareOneCommit = isOnPostgres ? ofSqlite('units that share one COMMIT') : ofOneRun(COUNTS)
  whereUnitsShareOneCommit('a claim that starts when the job is inserted shares the commit and finds it', async () => {
    const claimed = new Promise<string[]>((resolve) => {
      dispatches.inserted.subscribe(() => void claim().then((jobs) => resolve((jobs ?? []).map((j) => j.jobId))))
    })
    await insert('a')
    expect(await claimed).toEqual(['a'])
  })

  ofSqlite(PLANS)('no hot query reads the whole table', async () => {
    const plans = await queryPlans(join(dir, 'relay.db'), async () => {
      await insert('a')
      await claim()
      await dispatches.hasQueued(LOCATION, 1)
      await dispatches.claimedAfter({ gatewayId: GATEWAY, stream: STREAM, afterSeq: 0, count: 16 })
      await dispatches.cancelsOf(GATEWAY)
      const at = { gatewayId: GATEWAY, stream: STREAM, afterSeq: 0 }
      await db.unit((tx) => dispatches.accept(tx, { ...at, upToSeq: 1, nowMs: 1 }))
      await db.unit((tx) => dispatches.rewind(tx, at))
      await db.unit((tx) => dispatches.requeueAfterLostStream(tx, GATEWAY))
      await db.unit((tx) => dispatches.settle(tx, { jobId: asId('a'), state: 'printed', evidence: [], atMs: 1 }))
    })
    const hot = plans.filter(({ sql }) => /"dispatches"/.test(sql))
    expect(hot.length).toBeGreaterThan(9)
    for (const { sql, steps } of hot.filter(({ sql }) => !sql.startsWith('insert')))
      expect(steps[0], sql).toMatch(/^SEARCH .* USING .*INDEX/)
  })

  ofSqlite(PLANS)('a start and a pairing read only what is open', async () => {
    const plans = await queryPlans(join(dir, 'relay.db'), async () => {
      await new SandboxKitchenStore(db).open()
      await db.unit(async (tx) => {
        await tx.updateTable('gateways').set({ simulated: 1 }).where('id', '=', GATEWAY).execute()
        const paired = { id: asId<'gw'>('gw-2'), locationId: LOCATION, name: 'g', tokenHash: 'h', shard: 1 }
        await gateways.insert(tx, { ...paired, createdAtMs: 1 })
      })
    })
    const ofJobs = plans.flatMap(({ steps }) => steps.filter((step) => /^\w+ (d|dispatches)\b/.test(step)))
    expect(ofJobs).toHaveLength(3)
    for (const step of ofJobs) expect(step).toMatch(/USING INDEX dispatches_open/)
  })
})

describe('acceptance', () => {
  test('is cumulative and moves only what was sent', async () => {
    for (const id of ['a', 'b', 'c']) await insert(id)
    await claim()
    await db.unit((tx) =>
      dispatches.accept(tx, { gatewayId: GATEWAY, stream: STREAM, afterSeq: 0, upToSeq: 2, nowMs: 11 }),
    )
    expect([await stateOf('a'), await stateOf('b'), await stateOf('c')].map((s) => s?.state)).toEqual([
      'accepted',
      'accepted',
      'sent',
    ])
    expect((await gateways.byId(GATEWAY))?.ackedSeq).toBe(2)
    const open = await dispatches.claimedAfter({ gatewayId: GATEWAY, stream: STREAM, afterSeq: 2, count: 16 })
    expect(open.map((j) => j.jobId)).toEqual(['c'])
  })

  test('a gateway that went back in time gets its open jobs again, marked', async () => {
    for (const id of ['a', 'b']) await insert(id)
    await claim()
    await db.unit((tx) =>
      dispatches.accept(tx, { gatewayId: GATEWAY, stream: STREAM, afterSeq: 0, upToSeq: 2, nowMs: 11 }),
    )
    await db.unit((tx) => dispatches.rewind(tx, { gatewayId: GATEWAY, stream: STREAM, afterSeq: 1 }))
    const again = await dispatches.claimedAfter({ gatewayId: GATEWAY, stream: STREAM, afterSeq: 1, count: 16 })
    expect(again).toMatchObject([{ jobId: 'b', state: 'sent', possibleDuplicate: true }])
  })

  test('after a lost disk every open job is queued again as a possible duplicate, final and cancelled ones are not', async () => {
    for (const id of ['a', 'b', 'c', 'd']) await insert(id)
    await claim({ maxJobs: 3 })
    await db.unit((tx) => dispatches.settle(tx, { jobId: asId('a'), state: 'printed', evidence: [], atMs: 12 }))
    await db.unit((tx) => dispatches.requestCancel(tx, asId('c'), 12))
    expect(await db.unit((tx) => dispatches.requeueAfterLostStream(tx, GATEWAY))).toEqual(['b'])
    expect(await dispatches.cancelsOf(GATEWAY)).toEqual([
      { jobId: 'c', seq: 3, stream: STREAM, isOrderVoided: false, voidReason: null },
    ])
    await db.unit((tx) => gateways.recordHello(tx, hello({ epoch: 1, stream: 'stream-b' })))
    const again = await claim({ stream: 'stream-b' })
    expect(again?.map((j) => [j.jobId, j.seq, j.possibleDuplicate])).toEqual([
      ['b', 1, true],
      ['d', 2, false],
    ])
    expect(await db.unit((tx) => dispatches.highestSeq(tx, GATEWAY, STREAM))).toBe(3)
  })
})

describe('cancelling and settling', () => {
  test('a queued job is cancelled here, a sent one is requested back, a final one stays', async () => {
    for (const id of ['a', 'b']) await insert(id)
    await claim({ maxJobs: 1 })
    const ask = (id: string) => db.unit((tx) => dispatches.requestCancel(tx, asId(id), 20))
    expect([await ask('a'), await ask('b'), await ask('b'), await ask('nobody')]).toEqual([
      'requested',
      'cancelled',
      'settled',
      'unknown',
    ])
    expect(await dispatches.cancelsOf(GATEWAY)).toEqual([
      { jobId: 'a', seq: 1, stream: STREAM, isOrderVoided: false, voidReason: null },
    ])
    expect(await claim()).toEqual([])
  })

  test('a queued job that a gateway had before it lost its disk may be on paper: it is uncertain', async () => {
    await insert('a')
    await claim()
    await db.unit((tx) => dispatches.requeueAfterLostStream(tx, GATEWAY))
    expect(await db.unit((tx) => dispatches.requestCancel(tx, asId('a'), 20))).toBe('uncertain')
    expect((await stateOf('a'))?.state).toBe('uncertain')
    expect([await dispatches.cancelsOf(GATEWAY), await claim()]).toEqual([[], []])
  })

  test('a printed job is requested back as well, for its VOID slip, until the gateway has answered', async () => {
    for (const id of ['a', 'b']) await insert(id)
    await claim()
    for (const id of ['a', 'b'])
      await db.unit((tx) => dispatches.settle(tx, { jobId: asId(id), state: 'printed', evidence: [], atMs: 12 }))
    expect(await db.unit((tx) => dispatches.requestCancel(tx, asId('a'), 20))).toBe('requested')
    expect((await dispatches.cancelsOf(GATEWAY)).map((cancel) => cancel.jobId)).toEqual(['a'])
    await db.unit((tx) => dispatches.cancelAnswered(tx, asId('a'), 21))
    expect(await dispatches.cancelsOf(GATEWAY)).toEqual([])
  })

  test('a job that was never on paper is not requested any more', async () => {
    await insert('a')
    await claim()
    await db.unit((tx) => dispatches.requestCancel(tx, asId('a'), 20))
    await db.unit((tx) => dispatches.settle(tx, { jobId: asId('a'), state: 'cancelled', evidence: [], atMs: 21 }))
    expect(await dispatches.cancelsOf(GATEWAY)).toEqual([])
  })

  test('the first outcome stays: final states absorb', async () => {
    await insert('a')
    const settle = (state: 'printed' | 'failed') =>
      db.unit((tx) => dispatches.settle(tx, { jobId: asId('a'), state, evidence: [], atMs: 30 }))
    expect(await settle('printed')).toEqual({ orderId: null, firedOf: null })
    expect(await settle('failed')).toBeNull()
    expect((await stateOf('a'))?.state).toBe('printed')
    expect(
      await db.unit((tx) => dispatches.settle(tx, { jobId: asId('x'), state: 'failed', evidence: [], atMs: 1 })),
    ).toBeNull()
  })

  test('no move leads out of a final state', () => {
    expect(statesBefore('printed')).toEqual(['queued', 'sent', 'accepted'])
    expect(statesBefore('accepted')).toEqual(['sent'])
    expect(statesBefore('queued')).toEqual(['sent', 'accepted'])
  })
})

describe('what is known of the kitchen', () => {
  const report = (printerId: string, isDefault = false) => ({
    printerId,
    name: printerId,
    stations: ['grill'],
    isDefault,
    state: 'online' as const,
    reasons: [],
    queued: 0,
  })
  const presence = async () => (await gateways.byId(GATEWAY))?.presence
  const printers = async () => {
    const [kitchen] = await new PrintJobStore(db).kitchensAt(LOCATION)
    return kitchen?.printers.map(({ printerId }) => printerId)
  }

  test('a location without a gateway has no kitchen', async () => {
    expect(await new PrintJobStore(db).kitchensAt(asId('nowhere'))).toEqual([])
  })

  test('printers are in the order in which the gateway chooses: the default one, then as it reports them', async () => {
    const reports = [report('pass', true), report('z-old'), report('a-new')]
    await db.unit((tx) => gateways.replacePrinters(tx, GATEWAY, { printers: reports, nowMs: 1 }))
    expect(await printers()).toEqual(['pass', 'z-old', 'a-new'])
    const later = [report('a-new', true), report('pass'), report('z-old')]
    await db.unit((tx) => gateways.replacePrinters(tx, GATEWAY, { printers: later, nowMs: 2 }))
    expect(await printers()).toEqual(['a-new', 'pass', 'z-old'])
    await db.unit((tx) => gateways.replacePrinters(tx, GATEWAY, { printers: [report('z-old')], nowMs: 3 }))
    expect(await printers()).toEqual(['z-old'])
    expect((await new PrintJobStore(db).kitchens(MERCHANT)).map(({ gatewayId }) => gatewayId)).toEqual(['gw'])
  })

  test('after a start a gateway is unknown until it is heard, or its time is over', async () => {
    expect(await presence()).toBe('online')
    await db.unit((tx) => gateways.forgetPresence(tx))
    expect(await presence()).toBe('unknown')
    expect(await db.unit((tx) => gateways.unknownToOffline(tx, 1))).toEqual(['gw'])
    expect(await presence()).toBe('offline')
  })

  ofSqlite(PLANS)('a sweep finds who is unknown and who was revoked without reading all gateways', async () => {
    const plans = await queryPlans(join(dir, 'relay.db'), async () => {
      await gateways.hasUnknown(1)
      await gateways.revokedSince(1)
      await db.unit((tx) => gateways.unknownToOffline(tx, 1))
    })
    const steps = plans.map((plan) => plan.steps.join())
    expect(steps).toEqual([
      expect.stringMatching(/USING (COVERING )?INDEX gateways_unknown/),
      expect.stringMatching(/USING (COVERING )?INDEX gateways_revoked/),
      expect.stringMatching(/USING (COVERING )?INDEX gateways_unknown/),
    ])
  })

  test('presence of an older session is not written', async () => {
    await db.unit((tx) =>
      gateways.setPresence(tx, { gatewayId: GATEWAY, presence: 'offline', epoch: 0, seenAtMs: null }),
    )
    expect(await presence()).toBe('online')
  })

  test('a revoked gateway has no credentials and is no kitchen', async () => {
    expect(await gateways.tokenHash(GATEWAY)).toBe('h')
    await db.unit((tx) => gateways.revoke(tx, GATEWAY, 40))
    expect(await gateways.tokenHash(GATEWAY)).toBeNull()
    expect(await gateways.revokedSince(40)).toEqual(['gw'])
    expect(await new PrintJobStore(db).kitchensAt(LOCATION)).toEqual([])
  })
})
