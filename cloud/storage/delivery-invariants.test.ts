// Whatever happens to deliveries, in whichever order: none is lost, sent twice at a time, out of turn or above the allowance.
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changeEndpoint } from '#cloud/webhooks/endpoints.ts'
import type { WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { assertProperty } from '#test/harness/property.ts'
import type { ClaimedDelivery } from './delivery-claim.ts'
import { idRange } from './id-range.ts'

const PER_HOUR = 4
const HOUR_MS = 3_600_000
const LEASE_MS = 30_000

const act = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('record' as const), subjectId: fc.constantFrom('a', 'b') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      limit: fc.integer({ min: 1, max: 3 }),
      retries: fc.integer({ min: 0, max: 2 }),
      retriesFirst: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      pick: fc.nat(),
      how: fc.constantFrom('taken', 'retry', 'last'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give back' as const), pick: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('redeliver' as const), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('disable' as const, 'enable' as const, 'recover' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1_000, 60_000, HOUR_MS) }),
  },
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

/** Its first attempts were asked for by hand; the one after the recovery is the first that counts. */
const SENT_BY_HAND_WHILE_DISABLED: Act[] = [
  { kind: 'disable' },
  { kind: 'record', subjectId: 'a' },
  { kind: 'redeliver', pick: 0 },
  { kind: 'claim', limit: 1, retries: 1, retriesFirst: true },
  { kind: 'settle', pick: 0, how: 'last' },
  { kind: 'enable' },
  { kind: 'recover' },
  { kind: 'claim', limit: 1, retries: 1, retriesFirst: true },
  { kind: 'settle', pick: 0, how: 'retry' },
]

let clock: ManualClock
let site: WebhookSite
let endpointId: WebhookId
/** Claimed and not settled, with the end of the lease. */
let held: { delivery: ClaimedDelivery; untilMs: number }[]

beforeEach(async () => {
  clock = new ManualClock()
  site = await WebhookSite.open({ clock })
})
afterEach(() => site.close())

async function claims(request: { limit: number; retries: number; retriesFirst: boolean }): Promise<ClaimedDelivery[]> {
  const before = await ours()
  const { accountId, environment } = site.merchant
  const nowMs = clock.now()
  const quotas = new Map([[endpointId, { accountId, environment, perHour: PER_HOUR }]])
  const claimed = await site.deliveries.claim([{ endpointId, ...request }], quotas, {
    nowMs,
    leaseUntilMs: nowMs + LEASE_MS,
  })
  held = held.filter(({ untilMs }) => untilMs > nowMs)
  for (const delivery of claimed) {
    expect(held.some((other) => other.delivery.ordinal === delivery.ordinal)).toBe(false)
    const row = before.find(({ ordinal }) => ordinal === delivery.ordinal)
    // An untried one goes only when all older untried ones of its subject are through.
    if (row?.state === 'pending') {
      const waiting = before.filter((one) => one.state === 'pending' && one.subject_id === row.subject_id)
      expect(waiting[0]?.ordinal).toBe(row.ordinal)
    } else expect(row?.manual_at !== null || (row.state === 'retrying' && row.next_at <= nowMs)).toBe(true)
    held.push({ delivery, untilMs: nowMs + LEASE_MS })
  }
  return claimed
}

async function settles(delivery: ClaimedDelivery, how: string): Promise<void> {
  held = held.filter((other) => other.delivery !== delivery)
  const taken = how === 'taken'
  const attempt = {
    number: delivery.attempts + 1,
    atMs: clock.now(),
    durationMs: 1,
    status: taken ? 200 : 500,
    error: taken ? null : 'http_status',
    response: '',
    ours: false,
  }
  const next = how === 'retry' ? { state: 'retrying' as const, nextAtMs: clock.now() + 60_000 } : null
  const end = { state: taken ? ('delivered' as const) : ('failed' as const) }
  await site.deliveries.settle(delivery, attempt, { next: next ?? end, nowMs: clock.now() })
}

async function does(step: Act): Promise<void> {
  switch (step.kind) {
    case 'record':
      await site.record({ subjectId: `${endpointId}-${step.subjectId}` })
      return
    case 'claim':
      await claims(step)
      return
    case 'settle':
    case 'give back': {
      held = held.filter(({ untilMs }) => untilMs > clock.now())
      const one = held[step.pick % Math.max(1, held.length)]
      if (one === undefined) return
      if (step.kind === 'settle') return settles(one.delivery, step.how)
      held = held.filter((other) => other !== one)
      return site.deliveries.release([one.delivery.ordinal])
    }
    case 'redeliver': {
      const rows = await ours()
      const row = rows[step.pick % Math.max(1, rows.length)]
      clock.jump(1)
      if (row) await site.db.unit((tx) => site.deliveryLog.askAgain(tx, row.id, clock.now()))
      return
    }
    case 'disable':
    case 'enable': {
      const status = step.kind === 'enable' ? 'enabled' : 'disabled'
      await site.db.unit((tx) => changeEndpoint(tx, site, { merchant: site.merchant, webhookId: endpointId, status }))
      if (status === 'disabled') await site.deliveries.failDisabled(endpointId, clock.now())
      return
    }
    case 'recover':
      return recovers()
    case 'wait':
      clock.jump(step.ms)
  }
}

async function recovers(): Promise<void> {
  const range = idRange('dlv', {})
  await site.db.unit((tx) => site.deliveryLog.askRecovery(tx, endpointId, { range, nowMs: clock.now() }))
  for (;;) {
    const recovery = await site.deliveryLog.nextRecovery()
    if (recovery === null) return
    await site.deliveryLog.recoverPiece(recovery, 2, clock.now())
  }
}

const ours = () =>
  site.db.read.selectFrom('deliveries').selectAll().where('endpoint_id', '=', endpointId).orderBy('ordinal').execute()

async function expectConsistent(): Promise<void> {
  const rows = await ours()
  const attempts = await site.attempts()
  for (const row of rows) {
    const numbers = attempts.filter((attempt) => attempt.delivery_id === row.id).map(({ number }) => number)
    expect(numbers).toEqual(Array.from({ length: row.attempts }, (_, i) => i + 1))
    const wasTaken = attempts.some((attempt) => attempt.delivery_id === row.id && attempt.error === null)
    // An accepted delivery stays accepted: no later failure changes it.
    expect([row.id, row.state === 'delivered']).toEqual([row.id, wasTaken])
    if (row.state === 'pending') expect(row.attempts).toBe(row.manual_attempts)
    if (row.attempts > row.manual_attempts) expect(row.counted).toBe(1)
    expect(row.manual_attempts).toBeLessThanOrEqual(row.attempts)
  }
  // Every delivery that counts as sent is in its hour, and the other way round.
  const hours = await site.db.read.selectFrom('webhook_hours').selectAll().execute()
  for (const { sent } of hours) expect(sent).toBeLessThanOrEqual(PER_HOUR)
  const counted = await site.db.read.selectFrom('deliveries').select('ordinal').where('counted', '=', 1).execute()
  expect(hours.reduce((sum, { sent }) => sum + sent, 0)).toBe(counted.length)
}

test('it stays so, and in the end everything can be delivered', async () => {
  await assertProperty(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 30 }), async (steps) => {
      await site.db.unit(async (tx) => {
        await tx.deleteFrom('webhook_endpoints').execute()
        await tx.deleteFrom('webhook_hours').execute()
      })
      endpointId = (await site.listen('http://127.0.0.1:9/')).webhookId
      held = []
      for (const step of steps) {
        await does(step)
        await expectConsistent()
      }
      await does({ kind: 'enable' })
      await recovers()
      for (let idle = 0; idle < 2; ) {
        clock.jump(HOUR_MS)
        const claimed = await claims({ limit: 9, retries: 9, retriesFirst: true })
        for (const delivery of claimed) await settles(delivery, 'taken')
        idle = claimed.length === 0 ? idle + 1 : 0
      }
      const rows = await ours()
      expect(rows.map(({ state, manual_at }) => [state, manual_at])).toEqual(rows.map(() => ['delivered', null]))
      await expectConsistent()
    }),
    { numRuns: 100, examples: [[SENT_BY_HAND_WHILE_DISABLED]] },
  )
})
