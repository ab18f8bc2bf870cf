// Alerts: each begins once and ends once, whatever happens in between, and contains what is wrong and what to do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#shared/ids.ts'
import { AlertDesk, OWNER } from '#test/fixtures/alert-desk.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { isOnPostgres } from '#test/harness/engines.ts'

const HOUR_MS = 3_600_000
const SILENT = 'The box of bistro, Main is not connected'
const [BEGAN, ENDED] = [`Alert: ${SILENT}`, `Over: ${SILENT}`]
let at: AlertDesk
beforeEach(async () => {
  at = await AlertDesk.open()
})
afterEach(() => at.close())

const kinds = async () => (await at.shown()).map(({ kind }) => kind)

describe('a box that is silent', () => {
  it('sends one mail when it has lasted for its minutes, none while it lasts, and one when it is over', async () => {
    await at.switchOn('box-silent')
    await at.away()
    await at.minutes(4)
    expect([await at.mailed(), await kinds()]).toEqual([[], []])
    await at.minutes(1)
    expect(await at.mailed()).toEqual([BEGAN])
    await at.minutes(60)
    expect(await at.mailed()).toEqual([BEGAN])
    await at.back()
    await at.minutes(60)
    expect(await at.mailed(OWNER)).toEqual([BEGAN, ENDED])
    expect(await kinds()).toEqual([])
  })

  it('that is back before its minutes are over was never away', async () => {
    await at.switchOn('box-silent')
    for (let n = 0; n < 5; n++) {
      await at.away()
      await at.minutes(4)
      await at.back()
      await at.minutes(1)
    }
    expect(await at.mailed()).toEqual([])
    expect(await at.desk.context.db.read.selectFrom('alerts').selectAll().execute()).toEqual([])
  })

  it('sends nothing twice and ends nothing when the relay restarts and has heard no box yet', async () => {
    await at.switchOn('box-silent')
    await at.away()
    await at.minutes(5)
    at.watch = at.newWatch()
    await at.set({ presence: 'unknown' })
    await at.minutes(5)
    expect([await at.mailed(), await kinds()]).toEqual([[BEGAN], ['box-silent']])
    await at.back()
    at.watch = at.newWatch()
    await at.minutes(2)
    expect(await at.mailed()).toEqual([BEGAN, ENDED])
  })

  it('is over when it is removed for good', async () => {
    await at.away()
    await at.minutes(5)
    expect(await kinds()).toEqual(['box-silent'])
    await at.set({ revoked_at: at.clock.now() })
    await at.minutes(1)
    expect(await kinds()).toEqual([])
  })

  it('is mailed once although two relays check at the same time', async () => {
    await at.switchOn('box-silent')
    await at.away()
    // It is known before it begins.
    await at.minutes(4)
    await at.clock.advance(60_000)
    const other = await at.otherRelay()
    await Promise.all([at.watch.sweep(), other.sweep()])
    expect(await at.mailed()).toEqual([BEGAN])
    await at.back()
    await at.clock.advance(60_000)
    await Promise.all([at.watch.sweep(), other.sweep()])
    expect(await at.mailed()).toEqual([BEGAN, ENDED])
  })

  it('is shown with what to do, in the requested language, although no mail is sent', async () => {
    await at.away()
    const sinceMs = at.clock.now()
    await at.minutes(5)
    expect(await at.mailed()).toEqual([])
    expect(await at.shown('es')).toMatchObject([
      {
        ...{ kind: 'box-silent', severity: 'critical', page: 'kitchens', subject: at.gatewayId },
        ...{ title: 'El equipo de bistro, Main no está conectado', merchantId: 'M-PROD-BISTRO', environment: 'live' },
        act: expect.stringContaining('Compruebe que el equipo tiene corriente'),
        since: new Date(sinceMs).toISOString(),
      },
    ])
  })

  it('of which there are too many at once fills no mailbox; all are shown', async () => {
    await at.switchOn('box-silent')
    for (let n = 0; n < 12; n++) {
      const id = newId('gw', at.clock.now() + n)
      await at.box(id)
      await at.set({ presence: 'offline', last_seen_at: at.clock.now() }, id)
    }
    await at.minutes(5)
    expect(await kinds()).toHaveLength(12)
    expect(await at.mailed()).toHaveLength(10)
  })
})

describe('a printer that does not print', () => {
  const BROKEN = 'Alert: The printer Grill of bistro, Main does not print'
  /** A ticket that the box has, and that is not on paper. */
  async function waitingTicket(): Promise<void> {
    await at.desk.order(at.bistro.merchantId, at.bistro.apiKey, `o${at.clock.now()}`)
    await at.desk.context.db.unit((tx) =>
      tx.updateTable('dispatches').set({ state: 'accepted', gateway_id: at.gatewayId }).execute(),
    )
  }

  it('is an alert while tickets wait for it, and only then', async () => {
    await at.switchOn('printer-away')
    await at.printer('offline')
    await at.minutes(10)
    expect(await kinds()).toEqual([])
    await waitingTicket()
    // From when it was found: since when it does not print is not known.
    await at.minutes(6)
    expect(await at.mailed()).toEqual([BROKEN])
    await at.printer('online')
    await at.minutes(1)
    expect(await at.mailed()).toEqual([BROKEN, BROKEN.replace('Alert', 'Over')])
  })

  it('is none while another printer does its work', async () => {
    await waitingTicket()
    await at.printer('offline', { stand_in: 'fry' })
    await at.minutes(10)
    expect((await kinds()).filter((kind) => kind === 'printer-away')).toEqual([])
  })

  it('is not over because its box is silent', async () => {
    await waitingTicket()
    await at.printer('offline')
    await at.minutes(6)
    await at.away()
    await at.minutes(6)
    expect(await kinds()).toEqual(expect.arrayContaining(['printer-away', 'box-silent']))
  })
})

describe('tickets', () => {
  it('that are not on paper three minutes after they were due are counted, the worst first', async () => {
    await at.switchOn('ticket-late', { afterMinutes: 3 })
    await at.desk.order(at.bistro.merchantId, at.bistro.apiKey)
    await at.minutes(2)
    expect(await kinds()).toEqual([])
    await at.minutes(1)
    expect(await at.mailed()).toEqual(['Alert: 1 ticket of bistro, Main not on paper in time'])
    await at.desk.order(at.bistro.merchantId, at.bistro.apiKey, 'o2')
    await at.minutes(2)
    await at.away()
    await at.minutes(5)
    expect(await at.shown()).toMatchObject([
      { kind: 'ticket-late', values: { tickets: 2 }, page: 'orders', subject: at.bistro.locationId },
      { kind: 'box-silent' },
    ])
    expect(await at.mailed()).toHaveLength(1)
    await at.desk.context.db.unit((tx) => tx.updateTable('dispatches').set({ state: 'printed' }).execute())
    await at.minutes(1)
    expect(await at.mailed()).toHaveLength(2)
  })

  it('of which it is unknown whether they are on paper are an alert until the order is completed', async () => {
    await at.desk.order(at.bistro.merchantId, at.bistro.apiKey)
    const { db } = at.desk.context
    await db.unit(async (tx) => {
      await tx.updateTable('dispatches').set({ state: 'uncertain', settled_at: at.clock.now() }).execute()
      await tx.updateTable('orders').set({ print_state: 'uncertain' }).execute()
    })
    await at.minutes(1)
    expect(await kinds()).toEqual(['ticket-uncertain'])
    await db.unit((tx) => tx.updateTable('orders').set({ completed_at: at.clock.now() }).execute())
    await at.minutes(1)
    expect(await kinds()).toEqual([])
  })
})

describe('a webhook endpoint', () => {
  it('that fails goes from bad to worse without a word of the lesser, and ends with one mail', async () => {
    await at.switchOn('endpoint-failing', { afterMinutes: 60 })
    const id = await at.endpoint({ failing_since: at.clock.now() })
    await at.minutes(60)
    expect(await at.mailed()).toEqual(['Alert: The webhook endpoint at hooks.example fails'])
    await at.clock.advance(23 * HOUR_MS)
    await at.watch.sweep()
    expect(await kinds()).toEqual(['endpoint-failing-long'])
    const set = (columns: object) =>
      at.desk.context.db.unit((tx) => tx.updateTable('webhook_endpoints').set(columns).where('id', '=', id).execute())
    await set({ status: 'disabled', disabled_reason: 'failing' })
    await at.minutes(1)
    expect(await kinds()).toEqual(['endpoint-disabled'])
    await set({ status: 'enabled', disabled_reason: null, failing_since: null })
    await at.minutes(1)
    expect(await at.mailed()).toEqual([
      'Alert: The webhook endpoint at hooks.example fails',
      'Alert: The webhook endpoint at hooks.example has failed for a day',
      'Alert: The webhook endpoint at hooks.example is disabled',
      'Over: The webhook endpoint at hooks.example is disabled',
    ])
  })

  it('shows nothing of its address but the host: the rest may be a secret', async () => {
    await at.endpoint({ failing_since: at.clock.now() - 2 * HOUR_MS })
    await at.minutes(1)
    expect(JSON.stringify(await at.shown())).not.toContain('secret-path')
  })

  it('that its owner disabled is none', async () => {
    await at.endpoint({ status: 'disabled', disabled_reason: 'owner' })
    await at.minutes(1)
    expect(await kinds()).toEqual([])
  })
})

it('the clock of a box that is a minute behind is an alert, and one that is ten seconds off is none', async () => {
  await at.set({ clock_offset_ms: 10_000 })
  await at.minutes(15)
  expect(await kinds()).toEqual([])
  await at.set({ clock_offset_ms: 61_000 })
  await at.minutes(11)
  expect(await at.shown()).toMatchObject([
    { kind: 'clock-off', severity: 'warning', title: 'The clock of the box of bistro, Main is 60 s behind' },
  ])
})

describe('usage', () => {
  const calls = (count: number) =>
    at.desk.context.db.unit((tx) =>
      at.desk.context.usage.add(tx, [
        {
          ...{ accountId: at.bistro.accountId, environment: 'live', keyId: at.bistro.keyId },
          ...{ day: new Date(at.clock.now()).toISOString().slice(0, 10), calls: count },
        },
      ]),
    )

  it('of 80 % and of 100 % is mailed once each, and no mail follows at the end of the month', async () => {
    await calls(79_999)
    await at.minutes(16)
    expect(await kinds()).toEqual([])
    await calls(1)
    await at.minutes(16)
    await calls(30_000)
    await at.minutes(16)
    const mails = [
      'Alert: 80 % of the calls of 2026-11 are used',
      'Alert: All calls that the plan includes in 2026-11 are used (100 %)',
    ]
    expect(await at.mailed()).toEqual(mails)
    await at.clock.advance(11 * 24 * HOUR_MS)
    await at.watch.sweep()
    expect([await at.mailed(), await kinds()]).toEqual([mails, []])
  })
})

describe('the outbox of the relay', () => {
  it('is mailed to operators, and to no account', async () => {
    const { context } = at.desk
    const operator = await at.desk.member(at.bistro.accountId, { role: 'staff', email: 'op@relay.test' })
    await context.db.unit((tx) => tx.updateTable('users').set({ is_operator: 1 }).where('id', '=', operator).execute())
    await at.desk.perform(at.desk.operator(), 'op.test-mail', { to: 'you@example.test' })
    await at.minutes(9)
    expect(await at.desk.perform(at.desk.operator(), 'op.alerts')).toEqual([])
    await at.minutes(2)
    expect(await at.desk.perform(at.desk.operator(), 'op.alerts')).toMatchObject([
      { kind: 'outbox-old', page: 'outbox', values: { what: 'mail', waiting: 1 } },
    ])
    expect(await kinds()).toEqual([])
    expect(await at.mailed('op@relay.test')).toEqual(['Alert: Mail of this relay: 1 waiting for more than 10 minutes'])
    expect(at.desk.api.logLines.join('')).toContain('an alert began, of this relay itself')
  })
})

describe('a rule', () => {
  it('of a merchant counts before that of the account, and chosen people get the mail instead of the owners', async () => {
    const { accountId, merchantId } = at.bistro
    const chef = await at.desk.member(accountId, { role: 'staff', email: 'chef@bistro.test', language: 'es' })
    await at.switchOn('box-silent', { afterMinutes: 1 })
    await at.switchOn('box-silent', { merchantId, afterMinutes: 10, to: [chef] })
    await at.away()
    await at.minutes(9)
    expect(await at.mailed()).toEqual([])
    await at.minutes(1)
    expect(await at.mailed('chef@bistro.test')).toEqual(['Aviso: El equipo de bistro, Main no está conectado'])
    expect(await at.mailed(OWNER)).toEqual([])
  })

  it('that is muted sends nothing until then: neither what begins nor its end', async () => {
    const until = new Date(at.clock.now() + 30 * 60_000).toISOString()
    await at.switchOn('box-silent', { mutedUntil: until })
    await at.away()
    await at.minutes(10)
    expect(await kinds()).toEqual(['box-silent'])
    await at.minutes(30)
    await at.back()
    await at.minutes(1)
    expect(await at.mailed()).toEqual([])
    await at.away()
    await at.minutes(5)
    expect(await at.mailed()).toEqual([BEGAN])
  })

  it('sends nothing to a person who has left the account or may not sign in', async () => {
    await at.switchOn('box-silent')
    await at.desk.context.db.unit((tx) => tx.updateTable('users').set({ disabled_at: 1 }).execute())
    await at.away()
    await at.minutes(5)
    expect([await at.mailed(), await kinds()]).toEqual([[], ['box-silent']])
  })
})

it('a check that fails does not stop the others', async () => {
  const { alertFacts } = at.desk.context
  const failing = Object.assign(Object.create(alertFacts), {
    awayPrinters: () => Promise.reject(new Error('the database was away')),
    silentBoxes: () => alertFacts.silentBoxes(),
  })
  at.watch = at.newWatch(at.desk.context.db, { alertFacts: failing })
  await at.away()
  await at.minutes(5)
  expect(await kinds()).toEqual(['box-silent'])
})

it.runIf(!isOnPostgres)('a check reads indexes of what is wrong, and no whole table', async () => {
  const { alertFacts } = at.desk.context
  const plans = await queryPlans(at.desk.api.databaseFile, async () => {
    await alertFacts.silentBoxes()
    await alertFacts.awayPrinters()
    await alertFacts.wrongClocks()
    await alertFacts.lateTickets({ dueMs: 0, nowMs: 0 })
    await alertFacts.uncertainTickets(0)
    await alertFacts.badEndpoints()
    await alertFacts.overdue(0)
  })
  expect(plans.length).toBeGreaterThanOrEqual(9)
  const steps = plans.flatMap((plan) => plan.steps)
  // A partial index holds only what is wrong; what is made of it may be scanned.
  expect(steps.filter((step) => /^SCAN \w+$/.test(step) && !/^SCAN (jobs|t|part|away|few|\(sub)/.test(step))).toEqual(
    [],
  )
  // These hold everything of their time.
  expect(steps.filter((step) => /INDEX (dispatches_settled|notices_created)/.test(step))).toEqual([])
})
