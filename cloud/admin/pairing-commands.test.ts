// The operator's lines about claim codes, passwords and printers of gateways, against a relay's real database.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { registerGateway, revokeGateway } from '#cloud/relay/gateway-registry.ts'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { GatewayId } from '#shared/ids.ts'
import { CLAIM_VALID_MS, readClaimCode } from '#shared/wire/gateway-claim.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { noFiles } from '#test/fixtures/admin-desk.ts'
import { type Ran, ranAdmin } from '#test/fixtures/ran-admin.ts'

let api: RelayApi
let clock: ManualClock
let gatewayId: GatewayId
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  gatewayId = (await registerGateway(api.stores, { locationId: api.locationId, name: 'Pi' })).gatewayId
})
afterEach(() => api.close())

const run = (...args: string[]): Promise<Ran> => runWith({}, ...args)

function runWith(change: { brokerHasOwnList?: boolean }, ...args: string[]): Promise<Ran> {
  return ranAdmin({
    args,
    open: async () => ({
      db: api.db,
      clock,
      secretBox: null,
      guard: new TargetGuard({ allowCidrs: [] }),
      readFile: async () => '',
      ...change,
    }),
    files: noFiles,
  })
}

// biome-ignore lint/suspicious/noExplicitAny: each command prints another shape
async function json(...args: string[]): Promise<any> {
  const { code, out, err } = await run(...args, '--json')
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

it('lists the existing boxes of the location, and refuses a second password where the broker supports only one', async () => {
  const made = await json('gateways', 'code', '--location', api.locationId)
  expect(made.gateways).toEqual([gatewayId])
  expect((await run('gateways', 'code', '--location', api.locationId)).out).toContain(`has ${gatewayId} already`)
  const refused = await runWith({ brokerHasOwnList: true }, 'gateways', 'rotate', '--gateway', gatewayId)
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('`gateways code`') })
  const row = await api.db.read.selectFrom('gateways').select('rotation_asked_at').executeTakeFirst()
  expect(row?.rotation_asked_at).toBeNull()
})

it('makes a code that is shown once, with when it ends; ten of a location wait at most', async () => {
  const made = await json('gateways', 'code', '--location', api.locationId, '--name', 'Grill box')
  expect(readClaimCode(made.code)).toHaveLength(10)
  expect(Date.parse(made.expiresAt)).toBe(clock.now() + CLAIM_VALID_MS)
  const rows = await api.db.read.selectFrom('claim_codes').selectAll().execute()
  expect(rows).toMatchObject([{ location_id: api.locationId, gateway_name: 'Grill box', made_by: 'cli' }])
  expect(JSON.stringify(await json('audit', 'list'))).not.toContain(made.code)
  for (let more = 1; more < 10; more++) await json('gateways', 'code', '--location', api.locationId)
  expect(await run('gateways', 'code', '--location', api.locationId)).toMatchObject({
    code: 1,
    err: expect.stringContaining('Ten claim codes'),
  })
  expect((await run('gateways', 'code', '--location', api.locationId.replace(/.$/, '0'))).code).toBe(1)
})

it('requires a new password for a gateway that may connect, and is in the audit log', async () => {
  await json('gateways', 'rotate', '--gateway', gatewayId)
  const [row] = await api.db.read.selectFrom('gateways').selectAll().where('id', '=', gatewayId).execute()
  expect(row).toMatchObject({ rotation_asked_at: clock.now(), next_token_hash: null })
  expect(JSON.stringify(await json('audit', 'list'))).toContain('gateway.rotate')
  await revokeGateway(api.stores, gatewayId)
  expect(await run('gateways', 'rotate', '--gateway', gatewayId)).toMatchObject({
    code: 1,
    err: expect.stringContaining('revoked'),
  })
})

it('proposes printers, changes them, removes them, and shows the answers of the gateway', async () => {
  const gateway = ['--gateway', gatewayId]
  const bar = await json(
    'printers',
    'add',
    ...gateway,
    '--name',
    'Bar',
    '--address',
    '192.168.1.50:9101',
    '--stations',
    'bar, wine',
    '--by',
    'ana',
  )
  expect(bar).toMatchObject({ version: 1, address: '192.168.1.50:9101', profile: 'generic-80', stations: 'bar,wine' })
  await json('printers', 'set', ...gateway, '--printer', bar.id, '--address', '192.168.1.51', '--by', 'ben')
  const conflict = {
    field: 'name' as const,
    stands: 'gateway' as const,
    value: 'Terr\u001b[2Jace',
    by: 'this box',
    at: 2,
    lost: 'Bar',
    lostBy: 'cloud: ana',
    lostAt: 1,
  }
  const report = { id: bar.id, printerId: 'bar', state: 'applied' as const, reason: null, conflicts: [conflict] }
  await new GatewayConfigStore(api.db).recordAnswer(
    gatewayId,
    { ver: 2, outcome: 'applied', detail: null, printers: [report] },
    5,
  )
  const { out } = await run('printers', 'list', ...gateway)
  expect(out).toContain('192.168.1.51:9100')
  expect(out).toContain('name of the box stands: "Terr?[2Jace" (this box')
  expect(out).not.toContain('\u001b')
  await json('printers', 'remove', ...gateway, '--printer', bar.id)
  expect((await json('printers', 'list', ...gateway)).printers).toMatchObject([{ id: bar.id, removed: true }])
  expect((await run('printers', 'remove', ...gateway, '--printer', bar.id)).code).toBe(1)
})

it.each([
  ['--address', 'printer.local'],
  ['--address', '192.168.1.50:0'],
  ['--address', '192.168.1.50:9100:1'],
  ['--address', 'fe80::1'],
  ['--profile', 'epson-9000'],
  ['--name', 'a=b'],
  ['--stations', Array.from({ length: 17 }, (_, i) => `s${i}`).join(',')],
])('refuses %s %s, and says what it must be', async (flag, value) => {
  const given: Record<string, string> = { '--name': 'Bar', '--address': '192.168.1.50', [flag]: value }
  const { code, err } = await run('printers', 'add', '--gateway', gatewayId, ...Object.entries(given).flat())
  expect(code).toBe(2)
  expect(err).toContain(`${flag} must`)
})
