// Gateways as people of an account change them: codes, names, places, passwords, proposed printers; and that others' boxes do not exist.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { CLAIM_VALID_MS, readClaimCode } from '#shared/wire/gateway-claim.ts'
import { CAP_PRINT_JOBS } from '#shared/wire/gateway-link.ts'
import { ControlDesk } from '#test/fixtures/control-desk.ts'
import { printer } from '#test/fixtures/order-desk.ts'
import type { ControlRefusal } from './control-refusal.ts'

let control: ControlDesk
let gatewayId: GatewayId
beforeEach(async () => {
  control = await ControlDesk.open()
  const { stores, locationId } = control.desk.api
  gatewayId = (await registerGateway(stores, { locationId, name: 'Pi' })).gatewayId
})
afterEach(() => control.close())

const locationId = () => asId<'loc'>(control.desk.api.locationId)
const row = () =>
  control.desk.api.db.read.selectFrom('gateways').selectAll().where('id', '=', gatewayId).executeTakeFirstOrThrow()
const newest = async () => (await control.audit()).at(-1)
const refusal = async (asked: Promise<unknown>): Promise<ControlRefusal> =>
  (await asked.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error,
  )) as ControlRefusal

/** It is online, and was sent `jobs` jobs whose results it has not reported. */
async function connected(presence: 'online' | 'offline' = 'online'): Promise<void> {
  const { db, stores } = control.desk.api
  await db.unit(async (tx) => {
    await stores.gateways.recordHello(tx, {
      ...{ gatewayId, stream: 's', ackedSeq: 0, lastSeq: 0, sessionEpoch: 1, bootId: 'b', appVersion: '1' },
      ...{ caps: [CAP_PRINT_JOBS], nowMs: control.clock.now() },
    })
    await stores.gateways.replacePrinters(tx, gatewayId, {
      printers: [printer('pass', { isDefault: true })],
      nowMs: control.clock.now(),
    })
    await stores.gateways.setPresence(tx, { gatewayId, presence, epoch: 1, seenAtMs: null })
  })
}

describe('a code', () => {
  test('is answered once with what its picture holds and the boxes that are there, and is not in the audit log', async () => {
    const made = await control.perform('gateways.code', { locationId: locationId(), name: 'Bar' })
    expect(readClaimCode(made.code)).toHaveLength(10)
    expect(readClaimCode(made.qr)).toBe(readClaimCode(made.code))
    expect(Date.parse(made.expiresAt)).toBe(control.clock.now() + CLAIM_VALID_MS)
    expect(made.gateways).toEqual([{ gatewayId, name: 'Pi' }])
    expect(await newest()).toMatchObject({ action: 'gateway.code', actor: 'usr_owner', subject: locationId() })
    expect(JSON.stringify(await control.audit())).not.toContain(made.code)
  })

  test('of a repeated tap is the same code: it is stored encrypted', async () => {
    const tap = { tapId: 'tap-1' }
    const first = await control.perform('gateways.code', { locationId: locationId() }, tap)
    expect(await control.perform('gateways.code', { locationId: locationId() }, tap)).toEqual(first)
    const stored = await control.desk.api.db.read.selectFrom('idempotency').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(first.code)
  })

  test('is for locations of the merchant alone, and for those who may change its kitchens', async () => {
    const other = await control.desk.api.db.read
      .selectFrom('locations')
      .select('id')
      .where('id', '!=', locationId())
      .executeTakeFirstOrThrow()
    expect(await refusal(control.perform('gateways.code', { locationId: other.id }))).toMatchObject({
      kind: 'not-found',
      said: { key: 'location.unknown' },
    })
    const asStaff = control.perform('gateways.code', { locationId: locationId() }, { role: 'staff' })
    expect((await refusal(asStaff)).kind).toBe('forbidden')
    expect(await control.perform('gateways.code', { locationId: locationId() }, { role: 'developer' })).toHaveProperty(
      'code',
    )
  })

  test('is refused while ten of a location wait for their box', async () => {
    for (let made = 0; made < 10; made++) await control.perform('gateways.code', { locationId: locationId() })
    const refused = await refusal(control.perform('gateways.code', { locationId: locationId() }))
    expect(refused.said?.key).toBe('gateway.too-many-codes')
  })
})

describe('a name', () => {
  test('is changed when it is still what the person saw, else the current one is returned', async () => {
    await control.perform('gateways.rename', { gatewayId, name: 'Grill box', seen: { name: 'Pi' } })
    expect((await row()).name).toBe('Grill box')
    expect(await newest()).toMatchObject({ before: '{"name":"Pi"}', after: '{"name":"Grill box"}' })
    const late = control.perform('gateways.rename', { gatewayId, name: 'Bar box', seen: { name: 'Pi' } })
    expect(await refusal(late)).toMatchObject({
      kind: 'stale',
      said: { key: 'seen.stale', values: { name: 'Grill box' } },
    })
    expect((await row()).name).toBe('Grill box')
  })
})

describe('another account', () => {
  test.each([
    'gateways.rename',
    'gateways.move',
    'gateways.rotate',
    'gateways.revoke',
    'printers.list',
    'printers.add',
    'kitchens.get',
  ] as const)('does not find the box of this one: %s', async (name) => {
    const accountId = await control.stranger()
    const fields: Record<string, object> = {
      'gateways.rename': { name: 'x' },
      'gateways.move': { locationId: locationId() },
      'printers.add': { name: 'x', address: { host: '192.168.1.50', port: 9100 } },
    }
    const refused = await refusal(control.perform(name, { gatewayId, ...fields[name] }, { accountId }))
    expect(refused).toMatchObject({ kind: 'not-found', said: { key: 'gateway.unknown' } })
    expect(await row()).toMatchObject({ name: 'Pi', revoked_at: null, rotation_asked_at: null })
  })
})

describe('a move', () => {
  async function place(): Promise<string> {
    return (await control.perform('locations.add', { name: 'Harbour' })).locationId
  }

  test('lets a box that is switched off serve another location', async () => {
    const to = await place()
    await connected('offline')
    await control.perform('gateways.move', { gatewayId, locationId: to })
    expect((await row()).location_id).toBe(to)
    expect(await newest()).toMatchObject({ action: 'gateway.move', subject: gatewayId })
  })

  test('is refused while the box is connected: its session continues with the old place', async () => {
    const to = await place()
    await connected()
    const refused = await refusal(control.perform('gateways.move', { gatewayId, locationId: to }))
    expect(refused.said?.key).toBe('gateway.move-online')
    expect((await row()).location_id).toBe(locationId())
  })

  test('is refused while the box has tickets of its present place', async () => {
    const to = await place()
    await connected()
    await control.desk.api.inject({ orderId: 'o1' })
    await control.desk.api.db.unit((tx) =>
      tx.updateTable('dispatches').set({ state: 'accepted', gateway_id: gatewayId, stream: 's', seq: 1 }).execute(),
    )
    await control.kitchenGoesAway()
    const refused = await refusal(control.perform('gateways.move', { gatewayId, locationId: to }))
    expect(refused.said).toMatchObject({ key: 'gateway.move-open', values: { tickets: 1 } })
  })

  test('goes to locations of the same merchant alone', async () => {
    await connected('offline')
    const other = await control.desk.api.db.read
      .selectFrom('locations')
      .select('id')
      .where('id', '!=', locationId())
      .executeTakeFirstOrThrow()
    const refused = await refusal(control.perform('gateways.move', { gatewayId, locationId: other.id }))
    expect(refused.said?.key).toBe('location.unknown')
  })
})

describe('a password', () => {
  test('is requested again, and removed for good; a revoked box has none to change', async () => {
    await control.perform('gateways.rotate', { gatewayId })
    expect((await row()).rotation_asked_at).toBe(control.clock.now())
    await control.perform('gateways.revoke', { gatewayId })
    expect((await row()).revoked_at).toBe(control.clock.now())
    expect((await refusal(control.perform('gateways.rotate', { gatewayId }))).said?.key).toBe('gateway.revoked')
  })

  test('that is removed leaves open tickets to the next box of the location, marked', async () => {
    await connected()
    await control.desk.api.inject({ orderId: 'o1' })
    await control.desk.api.db.unit((tx) =>
      tx.updateTable('dispatches').set({ state: 'accepted', gateway_id: gatewayId, stream: 's', seq: 1 }).execute(),
    )
    expect(await control.perform('gateways.revoke', { gatewayId })).toMatchObject({ revoked: true, requeued: 1 })
    const jobs = await control.desk.api.db.read.selectFrom('dispatches').selectAll().execute()
    expect(jobs).toMatchObject([{ state: 'queued', possible_duplicate: 1 }])
  })
})

describe('a proposed printer', () => {
  const address = { host: '192.168.1.50', port: 9100 }

  test('has the name of the person who proposed it, whatever the page sends', async () => {
    const made = await control.perform('printers.add', { gatewayId, name: 'Bar', address, by: 'boss' })
    expect(made).toMatchObject({ version: 1, address: '192.168.1.50:9100', profile: 'generic-80', stations: '' })
    const config = await control.context.configs.find(gatewayId)
    expect(config?.doc.printers[0]?.name.by).toBe('owner')
    const { printers } = await control.perform('printers.list', { gatewayId })
    expect(printers).toMatchObject([{ name: 'Bar', state: 'waiting', printerId: null }])
  })

  test('is changed when it is still what the person saw, and its name is taken once', async () => {
    const { id: printerId } = await control.perform('printers.add', { gatewayId, name: 'Bar', address })
    await control.perform('printers.add', { gatewayId, name: 'Grill', address: { ...address, host: '192.168.1.51' } })
    await control.perform('printers.set', { gatewayId, printerId, stations: ['bar'], seen: { stations: '' } })
    const late = control.perform('printers.set', { gatewayId, printerId, stations: ['fry'], seen: { stations: '' } })
    expect((await refusal(late)).said?.values).toEqual({ stations: 'bar' })
    const taken = await refusal(control.perform('printers.set', { gatewayId, printerId, name: 'Grill' }))
    expect(taken).toMatchObject({ kind: 'refused', errors: [{ field: 'name' }] })
    await control.perform('printers.remove', { gatewayId, printerId })
    const gone = await refusal(control.perform('printers.remove', { gatewayId, printerId }))
    expect(gone.kind).toBe('not-found')
  })

  test.each([
    [{ address: { host: 'printer.local', port: 9100 } }, 'address.host'],
    [{ address: { host: '192.168.1.50', port: 0 } }, 'address.port'],
    [{ profile: 'epson-9000' }, 'profile'],
    [{ name: 'a=b' }, 'name'],
  ])('is refused by the field that is wrong: %j', async (wrong, field) => {
    const refused = await refusal(control.perform('printers.add', { gatewayId, name: 'Bar', address, ...wrong }))
    expect(refused.kind).toBe('invalid')
    expect(refused.errors.map((one) => one.field)).toEqual([field])
  })

  test('prints a test ticket with a number that is in its job', async () => {
    await connected()
    const tested = await control.perform('printers.test', { printerId: 'pass' })
    expect(tested).toMatchObject({ printerName: 'PASS', waits: false, number: expect.stringMatching(/^\d{4}$/) })
    const job = await control.desk.api.db.read.selectFrom('dispatches').selectAll().executeTakeFirstOrThrow()
    expect([job.id, job.kind]).toEqual([tested.printJobId, 'note'])
    expect(job.doc).toContain(`TEST ${tested.number}`)
    const { printJobId } = tested
    expect(await control.perform('printers.tested', { printJobId })).toMatchObject({ state: 'queued' })
  })

  test('behind a silent box accepts its test ticket all the same, and reports that it waits', async () => {
    await connected('offline')
    expect(await control.perform('printers.test', { printerId: 'pass' })).toMatchObject({ waits: true })
    expect(await control.desk.api.db.read.selectFrom('dispatches').selectAll().execute()).toHaveLength(1)
  })
})
