// The list of kitchens as one answer: boxes with their printers, worst first, what waits for them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import { queryPlans } from '#test/fixtures/query-plans.ts'
import { ofSqlite, PLANS } from '#test/harness/engines.ts'
import { type KitchenFacts, kitchenCondition, worstFirst } from './kitchen-condition.ts'

describe('what is most wrong with a kitchen', () => {
  const seen = '2026-11-29T12:00:00.000Z'
  const pass = {
    ...{ name: 'Pass', printerId: 'pass', state: 'online' as const, reasons: [], standIn: null, proposal: null },
  }
  const facts: KitchenFacts = {
    ...{ simulated: false, presence: 'online', lastSeenAt: seen, pairedAt: seen, clockSkewMs: 0, health: null },
    printers: [pass],
  }
  const health = { critical: 0, warning: 0, worst: 'printer-down', since: seen }
  const away = { ...pass, state: 'offline' as const }

  test.each([
    ['silent', 'critical', { presence: 'offline' }],
    ['never-seen', 'warning', { presence: 'offline', lastSeenAt: null }],
    ['never-seen', 'warning', { presence: 'unknown', lastSeenAt: null }],
    ['unknown', 'none', { presence: 'unknown' }],
    ['printer-away', 'critical', { printers: [pass, away] }],
    ['box-critical', 'critical', { health: { ...health, critical: 1 } }],
    ['printer-stands-in', 'warning', { printers: [{ ...away, standIn: 'Bar' }] }],
    ['printer-refused', 'warning', { printers: [pass, { ...pass, proposal: { state: 'refused' } }] }],
    ['no-printer', 'warning', { printers: [{ ...pass, printerId: null }], health: { ...health, critical: 1 } }],
    ['printer-refused', 'warning', { printers: [{ ...pass, printerId: null, proposal: { state: 'refused' } }] }],
    ['clock-off', 'warning', { clockSkewMs: -30_001 }],
    ['box-warning', 'warning', { health: { ...health, warning: 1 } }],
    ['printer-attention', 'warning', { printers: [{ ...pass, reasons: ['media-low'] }] }],
    ['fine', 'none', { clockSkewMs: 30_000 }],
    ['simulated', 'none', { simulated: true, printers: [] }],
  ] as const)('%s is %s', (kind, severity, change) => {
    expect(kitchenCondition({ ...facts, ...change } as KitchenFacts)).toMatchObject({ kind, severity })
  })

  test('is first in the list, and of two silent boxes the one that is silent for longer', () => {
    const silent = (lastSeenAt: string) => kitchenCondition({ ...facts, presence: 'offline', lastSeenAt })
    const all = [kitchenCondition(facts), silent(seen), silent('2026-11-29T11:00:00.000Z')]
    expect(all.sort(worstFirst).map(({ kind, since }) => [kind, since])).toEqual([
      ['silent', '2026-11-29T11:00:00.000Z'],
      ['silent', seen],
      ['fine', null],
    ])
  })
})

describe('the list of kitchens', () => {
  let control: ControlDesk
  beforeEach(async () => {
    control = await ControlDesk.open()
  })
  afterEach(() => control.close())

  async function propose(): Promise<void> {
    const { db } = control.desk.api
    const doc = (value: unknown) => ({ value, at: 1, by: 'ana' })
    const proposed = {
      ...{ id: 'cp_1', name: doc('Bar'), address: doc({ host: '192.168.1.50', port: 9100 }) },
      ...{ profileId: doc('generic-80'), stations: doc(['bar', 'wine']), removed: null },
    }
    await db.unit((tx) =>
      control.context.configs.put(tx, {
        ...{ gatewayId: control.desk.gatewayId, ver: 1, sha256: '0', nowMs: 1, by: 'ana' },
        text: JSON.stringify({ printers: [proposed] }),
      }),
    )
  }

  test('shows the kitchen that the sandbox simulates, with its printers', async () => {
    const { kitchens, locations } = await control.perform('kitchens.list', {}, { role: 'staff' })
    expect(kitchens).toMatchObject([{ simulated: true, condition: { kind: 'simulated' }, waiting: 0 }])
    expect(kitchens[0]?.printers.length).toBeGreaterThan(1)
    expect(locations).toMatchObject([{ isDefault: true, kitchens: 1 }])
  })

  test('shows a box with its printers, what was sent to it, what waits, and when its last ticket was printed', async () => {
    await control.desk.pair([
      printer('pass', { isDefault: true }),
      printer('bar', { standIn: 'pass', state: 'offline' }),
    ])
    for (const orderId of ['o1', 'o2', 'o3']) await control.desk.api.inject({ orderId })
    const jobs = await control.desk.handOver()
    await control.desk.report(jobs[0]?.jobId ?? '', 'printed')
    control.clock.jump(1_000)
    await control.desk.api.inject({ orderId: 'o4' })
    const { kitchens } = await control.perform('kitchens.list', {})
    expect(kitchens).toMatchObject([
      {
        ...{ name: 'box', simulated: false, presence: 'online', version: '1', open: 2, waiting: 1 },
        lastPrintAt: new Date(control.clock.now() - 1_000).toISOString(),
        condition: { kind: 'printer-stands-in', printer: 'BAR' },
        printers: [
          { printerId: 'pass', isDefault: true, state: 'online', reasons: [], standIn: null, proposal: null },
          { printerId: 'bar', state: 'offline', standIn: 'PASS' },
        ],
      },
    ])
  })

  test('shows no state of printers behind a silent box, and shows proposals that are not yet taken', async () => {
    await control.desk.pair([printer('pass')], [CAP_PRINT_JOBS])
    await propose()
    await control.kitchenGoesAway()
    const [kitchen] = (await control.perform('kitchens.list', {})).kitchens
    expect(kitchen?.printers).toMatchObject([
      { printerId: 'pass', state: 'unknown', reasons: [] },
      { printerId: null, name: 'Bar', stations: ['bar', 'wine'], proposal: { state: 'waiting' } },
    ])
  })

  test('shows a partner with a grant neither addresses of printers nor waiting codes', async () => {
    const { desk, context } = control
    await desk.pair([printer('pass')], [CAP_PRINT_JOBS])
    const { locationId } = desk.api
    await control.perform('gateways.code', { locationId, name: 'Bar box' })
    await propose()
    const merchantId = await control.goLive()
    const accountId = await control.stranger()
    const key = { accountId, merchantKey: desk.api.merchantKey }
    await desk.api.db.unit((tx) => context.grants.add(tx, key, { scopes: null, atMs: 1 }))
    const partner = { accountId, environment: 'live' as const }
    const { kitchens, codes } = await control.perform('kitchens.list', { merchantId }, partner)
    expect(kitchens[0]?.printers).toMatchObject([{ printerId: 'pass', proposal: null }])
    expect([kitchens[0]?.printers.length, codes]).toEqual([1, []])
    const own = await control.perform('kitchens.list', { merchantId }, { environment: 'live' })
    expect([own.kitchens[0]?.printers.length, own.codes.length]).toEqual([2, 1])
  })

  test('names the codes that wait for their box, and forgets those that have ended', async () => {
    const locationId = control.desk.api.locationId
    await control.perform('gateways.code', { locationId, name: 'Bar box' })
    expect((await control.perform('kitchens.list', {})).codes).toMatchObject([{ name: 'Bar box', locationId }])
    control.clock.jump(15 * 60_000)
    expect((await control.perform('kitchens.list', {})).codes).toEqual([])
  })

  ofSqlite(PLANS)('walks through no table of tickets to say so', async () => {
    await control.desk.pair([printer('pass')])
    const plans = await queryPlans(control.desk.api.databaseFile, () => control.perform('kitchens.list', {}))
    const scans = plans.flatMap(({ steps }) => steps).filter((step) => /^SCAN (dispatches|d|claim_codes)\b/.test(step))
    expect(plans.some(({ sql }) => sql.includes('"dispatches"'))).toBe(true)
    expect(scans).toEqual([])
  })
})
