// Webhook endpoints between two relays: retries that both take, accounts that share their hours, an endpoint that is disabled and enabled meanwhile.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ClaimedDelivery, Quota } from '#cloud/storage/delivery-claim.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import { newId, type WebhookId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { deadlocksOf } from '#test/fixtures/fresh-relay-database.ts'
import { WebhookSite } from '#test/fixtures/webhook-site.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'

let clock: ManualClock
let a: WebhookSite
let b: WebhookSite
beforeEach(async () => {
  clock = new ManualClock()
  a = await WebhookSite.open({ clock })
  b = await WebhookSite.open({ clock, beside: a })
})
afterEach(async () => {
  await b.close()
  await a.close()
  expect(deadlocksOf(a.db)).toBe(0)
})

const listen = async (owner: Parameters<WebhookSite['listen']>[2] = {}): Promise<WebhookId> =>
  (await a.listen('http://127.0.0.1:9/', ['*'], owner)).webhookId

describe('two claims of one endpoint', () => {
  it.each([
    ['that are due', { manual_at: null }],
    ['that are asked for by hand', { manual_at: 1 }],
  ])('never give a retry to both: of those %s', async (_which, change) => {
    const endpointId = await listen()
    await a.recordMany(6)
    await race(async () => {
      await a.db.unit((tx) =>
        tx
          .updateTable('deliveries')
          .set({ state: 'retrying', attempts: 1, next_at: clock.now(), lease_until: null, ...change })
          .execute(),
      )
      const results = await atOnce(
        () => a.claim(endpointId, { retries: 4 }),
        () => b.claim(endpointId, { retries: 4 }),
      )
      const ids = results.flatMap((result) => resultOf(result) ?? []).map(({ id }) => id)
      return [...failures(results), ...when(new Set(ids).size !== ids.length, 'a retry was given to both')]
    })
  })
})

describe('two claims for the same two accounts', () => {
  it.each([100, null])('in opposite order never wait for each other, with %s webhooks in an hour', async (perHour) => {
    const other = newId('acc', 2)
    await a.db.unit((tx) =>
      tx
        .insertInto('accounts')
        .values({ id: other, name: 'Bar', plan: 'sandbox', live_approved_at: null, created_at: 1 })
        .execute(),
    )
    const accounts = [a.merchant.accountId, other] as const
    const endpoints: [WebhookId, Quota][] = []
    for (const accountId of accounts)
      endpoints.push([await listen({ accountId }), { accountId, environment: 'sandbox', perHour }])
    const claim = (site: WebhookSite, asked: readonly (readonly [WebhookId, Quota])[]): Promise<ClaimedDelivery[]> =>
      site.deliveries.claim(
        asked.map(([endpointId]) => ({ endpointId, limit: 2, retries: 0, retriesFirst: false })),
        new Map(asked),
        { nowMs: clock.now(), leaseUntilMs: clock.now() + 30_000 },
      )
    await race(async () => {
      await a.db.unit(async (tx) => {
        await tx.updateTable('deliveries').set({ state: 'delivered', lease_until: null }).execute()
        for (const accountId of accounts)
          for (let n = 0; n < 4; n++) await recordEvent(tx, a, { ...a.newEvent(), accountId })
      })
      const results = await atOnce(
        () => claim(a, endpoints),
        () => claim(b, endpoints.toReversed()),
      )
      await clock.advance(3_600_000)
      return failures(results)
    })
  })
})

describe('a disabled endpoint', () => {
  let endpointId: WebhookId
  const setStatus = (status: 'enabled' | 'disabled') => ({
    status,
    disabled_reason: status === 'disabled' ? ('failing' as const) : null,
  })
  beforeEach(async () => {
    endpointId = await listen()
  })

  it.each([
    ['first attempts', { state: 'pending', attempts: 0 }],
    ['retries', { state: 'retrying', attempts: 1 }],
  ] as const)('ends nothing that another relay is just taking: %s', async (_which, change) => {
    await race(async () => {
      await a.db.unit((tx) => a.endpoints.change(tx, endpointId, setStatus('enabled')))
      await a.recordMany(4)
      await a.db.unit((tx) => tx.updateTable('deliveries').set(change).where('state', '=', 'pending').execute())
      await a.db.unit((tx) => a.endpoints.change(tx, endpointId, setStatus('disabled')))
      const results = await atOnce(
        () => a.claim(endpointId),
        () => b.deliveries.failDisabled(endpointId, clock.now()),
      )
      const taken = new Set((resultOf(results[0]) ?? []).map(({ ordinal }) => ordinal))
      const rows = await a.rows()
      await a.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'delivered', lease_until: null }).execute())
      return [
        ...failures(results),
        ...when(
          rows.some(({ ordinal, state }) => taken.has(ordinal) && state === 'failed'),
          'what is being sent was ended',
        ),
        ...when(
          rows.some(({ ordinal, state }) => !taken.has(ordinal) && state === change.state),
          'what nobody took was left open',
        ),
      ]
    })
  })

  it('that is enabled meanwhile loses no event that arrives then', async () => {
    await race(async () => {
      await a.db.unit((tx) => a.endpoints.change(tx, endpointId, setStatus('disabled')))
      const results = await atOnce(
        () => a.deliveries.failDisabled(endpointId, clock.now()),
        () =>
          b.db.unit(async (tx) => {
            await b.endpoints.change(tx, endpointId, setStatus('enabled'))
            return recordEvent(tx, b, b.newEvent())
          }),
      )
      const states = (await a.rows()).map(({ state }) => state)
      await a.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'delivered' }).execute())
      return [
        ...failures(results),
        ...when(states.includes('failed'), 'an event was ended that came when it was enabled'),
      ]
    })
  })

  it('is disabled and settled at two relays at once: neither waits for the other', async () => {
    const attempt = { number: 1, atMs: 1, durationMs: 1, status: 500, error: 'status', response: null, ours: false }
    const next = { state: 'retrying', nextAtMs: 1 } as const
    await race(async () => {
      await a.db.unit((tx) => tx.updateTable('deliveries').set({ state: 'delivered', lease_until: null }).execute())
      await a.db.unit((tx) => a.endpoints.change(tx, endpointId, setStatus('enabled')))
      await a.recordMany(2)
      const [one, two] = await a.claim(endpointId, { limit: 2 })
      const end = (store: DeliveryStore, delivery: ClaimedDelivery) =>
        store.settle(delivery, attempt, { next, nowMs: clock.now() })
      const results = await atOnce(
        () => end(a.deliveries, one!),
        () => end(b.deliveries, two!),
        () =>
          b.db.unit(async (tx) => {
            await b.endpoints.change(tx, endpointId, setStatus('disabled'))
            // As a unit of the future may: endpoint -> deliveries.
            await tx.updateTable('deliveries').set({ last_error: 'x' }).where('endpoint_id', '=', endpointId).execute()
          }),
      )
      return failures(results)
    })
  })
})
