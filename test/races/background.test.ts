// What every relay does by the clock, done by two at once: usage that is written down, invoices, and the forgetting of what is old.
import { afterEach, beforeEach, describe, it } from 'vitest'
import { createAccount } from '#cloud/auth/accounts.ts'
import { IssueInvoices } from '#cloud/billing/issue-invoices.ts'
import { UsageMeter } from '#cloud/billing/usage-meter.ts'
import { ForgetCustomers } from '#cloud/orders/forget-customers.ts'
import { ForgetExpired } from '#cloud/retention/forget-expired.ts'
import { ForgetOrders } from '#cloud/retention/forget-orders.ts'
import { ForgetWebhooks } from '#cloud/webhooks/forget-webhooks.ts'
import { type AccountId, asId, type KeyId, newId } from '#shared/ids.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { atOnce, failures, race, resultOf, when } from './race.ts'
import { type Relay, TwoRelays } from './two-relays.ts'

const DAY_MS = 86_400_000

let relays: TwoRelays
beforeEach(async () => {
  relays = await TwoRelays.open()
})
afterEach(() => relays.close())

describe('two relays that write down the calls of the same keys', () => {
  it('in opposite order never wait for each other, and every call is counted', async () => {
    const keys: KeyId[] = Array.from({ length: 8 }, (_, i) => asId<'key'>(`key_${i}`))
    const meters = [relays.a, relays.b].map((relay) => new UsageMeter(relay))
    const call = { accountId: asId<'acc'>('acc_usage'), environment: 'live' as const, status: 200 }
    let expected = 0
    await race(async () => {
      for (const [i, meter] of meters.entries())
        for (const keyId of i === 0 ? keys : keys.toReversed()) {
          meter.count({ ...call, keyId })
          expected++
        }
      const results = await atOnce(...meters.map((meter) => () => meter.flush()))
      const days = await relays.db.read.selectFrom('usage_days').select('calls').execute()
      const sum = days.reduce((total, { calls }) => total + calls, 0)
      return [...failures(results), ...when(sum !== expected, 'another number of calls is written than were made')]
    })
  })
})

describe('two relays that issue the invoices of a month', () => {
  it('issue one of each account, and write it down once', async () => {
    const accounts: AccountId[] = []
    const issuers = () =>
      [relays.a, relays.b].map((relay) => new IssueInvoices({ ...relay, meter: { flush: async () => {} } }))
    for (let i = 0; i < 3; i++)
      await relays.db.unit(async (tx) => {
        const id = await createAccount(tx, relays.a, { name: 'Live' })
        await relays.a.accounts.change(tx, id, { plan: 'starter', live_approved_at: relays.clock.now() })
        accounts.push(id)
      })
    await race(async (round) => {
      relays.clock.jump(31 * DAY_MS)
      const results = await atOnce(...issuers().map((issuer) => () => issuer.sweep()))
      const invoices = await relays.db.read.selectFrom('invoices').select(['account_id', 'month']).execute()
      const audits = await relays.db.read
        .selectFrom('audit_log')
        .select('subject')
        .where('action', '=', 'invoice.issue')
        .execute()
      const each = new Set(invoices.map(({ account_id, month }) => `${account_id} ${month}`))
      const issued = results.reduce((sum, result) => sum + (resultOf(result) ?? 0), 0)
      // A round of 31 days may end two months, and another none.
      await relays.db.unit((tx) => tx.deleteFrom('audit_log').execute())
      return [
        ...failures(results),
        ...when(each.size !== invoices.length, 'a month has two invoices'),
        ...when(audits.length !== issued, 'an invoice was not written down once'),
        ...when(round > 1 && invoices.length < accounts.length, 'an account has no invoice'),
      ]
    })
  })
})

describe('two relays that forget what is old', () => {
  const sweepers = (relay: Relay) => [
    new ForgetCustomers({ ...relay, retentionDays: 9 }),
    new ForgetOrders({
      ...relay,
      ...{ orderDays: 40, exportFolder: null, mayDeleteUnexported: true, pauseMs: 0 },
    }),
    new ForgetWebhooks(relay),
    new ForgetExpired(relay),
  ]
  const rowsOf = async (table: 'orders' | 'events' | 'dispatches' | 'idempotency'): Promise<number> =>
    (
      await relays.db.read
        .selectFrom(table)
        .select((e) => e.fn.countAll<number>().as('n'))
        .executeTakeFirstOrThrow()
    ).n

  /** Orders with customers, settled at the kitchen; a note with its outcome; answers under keys. */
  async function past(round: number): Promise<void> {
    const { desk } = relays.a
    const customer = { name: 'Zoë Secretname', phone: '+15550001', email: 'zoe@example.com' }
    for (let i = 0; i < 3; i++) {
      const { body } = await relays.a.api.inject({ orderId: `old-${round}-${i}`, customer })
      await desk.handOver()
      await desk.report(body.printJobId, 'printed')
    }
    const note = { type: 'kitchen', text: 'Zoë Secretname' }
    for (let i = 0; i < 2; i++) {
      const { body } = await desk.post('/v1/print/job', note, { 'idempotency-key': `note-${round}-${i}` })
      await desk.handOver()
      await desk.report(body.printJobId, 'printed')
    }
  }

  it('neither fail nor leave a customer behind, nor an order after its time', async () => {
    await relays.a.desk.pair([printer('pass', { isDefault: true })])
    const pairs = [sweepers(relays.a), sweepers(relays.b)] as const
    await race(async (round) => {
      await past(round)
      // A thousand rounds stay before 2248, when the positions of events do not fit any more.
      relays.clock.jump(10 * DAY_MS)
      const sweep = async (of: ReturnType<typeof sweepers>): Promise<void> => {
        for (const service of of) await service.sweep()
      }
      const young = await atOnce(
        () => sweep(pairs[0]),
        () => sweep(pairs[1]),
      )
      const bodies = await relays.db.read.selectFrom('orders').select('body').execute()
      const jobs = await relays.db.read.selectFrom('dispatches').select('doc').execute()
      const wrong = [
        ...failures(young),
        ...when(JSON.stringify([bodies, jobs]).includes('Secretname'), 'a customer is left'),
        ...when(bodies.length !== 3, 'an order was deleted before its time'),
        ...when((await rowsOf('idempotency')) > 0, 'an expired answer is left'),
      ]
      relays.clock.jump(40 * DAY_MS)
      const old = await atOnce(
        () => sweep(pairs[0]),
        () => sweep(pairs[1]),
      )
      const left = (await rowsOf('orders')) + (await rowsOf('events')) + (await rowsOf('dispatches'))
      return [...wrong, ...failures(old), ...when(left > 0, 'something of an old order is left')]
    })
  })

  it('while an order is refunded and another is replayed: neither fails, and the ids stay taken', async () => {
    await relays.a.desk.pair([printer('pass', { isDefault: true })])
    const [forget] = [sweepers(relays.b)]
    await race(async (round) => {
      const order = { orderId: `kept-${round}`, tip: 5, customer: { name: 'Zoë Secretname' } }
      const { serviceOrderId: id } = (await relays.a.api.inject(order)).body
      await relays.a.desk.advance(id, 'completed')
      relays.clock.jump(10 * DAY_MS)
      const results = await atOnce(
        async () => {
          for (const service of forget ?? []) await service.sweep()
        },
        () => relays.a.desk.post(`/v1/order/${id}/refund`, { amount: 5 }),
        () => relays.b.api.inject(order),
      )
      const row = await relays.a.orders.find(await relays.merchant(), id)
      const events = await relays.db.read.selectFrom('events').select('payload').where('subject_id', '=', id).execute()
      return [
        ...failures(results),
        ...when(resultOf(results[1])?.status !== 200, 'the refund was refused'),
        ...when(resultOf(results[2])?.status !== 200, 'the replay was refused'),
        ...when(row?.refunded_cents !== 5_00, 'the refund is not in the book'),
        ...when(row?.body.includes('Secretname') === true, 'the order still names its customer'),
        ...when(JSON.stringify(events).includes('Secretname'), 'an event of the order still names its customer'),
      ]
    })
  })

  it('old print jobs and answers by the hundred: the two never wait for each other', async () => {
    await race(async (round) => {
      const nowMs = relays.clock.now()
      const { locationId } = relays
      await relays.db.unit(async (tx) => {
        const jobs = Array.from({ length: 100 }, () => newId('pj', nowMs))
        await tx
          .insertInto('dispatches')
          .values(
            jobs.map((id) => ({
              ...{ id, order_id: null, location_id: locationId, doc: '{}', bytes: 2, state: 'printed' as const },
              ...{ available_at: 0, not_before: null, expires_at: null, possible_duplicate: 0, created_at: 1 },
              ...{ kind: 'label' as const, settled_at: 1, account_id: null, merchant_id: null },
            })),
          )
          .execute()
        const answer = { account_id: relays.a.api.account.accountId, environment: 'sandbox' as const, path: '/v1' }
        const rest = { body_hash: 'h', status: 200, response: '{}', sealed: 0, created_at: 1, expires_at: 2 }
        const keys = jobs.map((key) => ({ ...answer, key: `${key}${round}`, ...rest }))
        await tx.insertInto('idempotency').values(keys).execute()
      })
      const results = await atOnce(
        ...[relays.a, relays.b].flatMap((relay) => [
          () => new ForgetCustomers({ ...relay, retentionDays: 9 }).sweep(),
          () => new ForgetExpired(relay).sweep(),
        ]),
      )
      const left = (await rowsOf('dispatches')) + (await rowsOf('idempotency'))
      return [...failures(results), ...when(left > 0, 'something that is old is left')]
    })
  })
})
