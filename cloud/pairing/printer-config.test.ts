// Printers that the cloud proposes, in the relay's database: versions, authors, refusals.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import type { Tx } from '#cloud/storage/database.ts'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { GatewayId } from '#shared/ids.ts'
import { CONFIG_MAX_PRINTERS, type ConfigValues } from '#shared/wire/gateway-config.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { addPrinter, type ConfigChange, type ConfigDeps, removePrinter, updatePrinter } from './printer-config.ts'

const BAR: ConfigValues = {
  name: 'Bar',
  address: { host: '192.168.1.50', port: 9100 },
  profileId: 'generic-80',
  stations: ['bar'],
}

let api: RelayApi
let clock: ManualClock
let configs: GatewayConfigStore
let gatewayId: GatewayId
beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  configs = new GatewayConfigStore(api.db)
  gatewayId = (await registerGateway(api.stores, { locationId: api.locationId, name: 'Pi' })).gatewayId
})
afterEach(() => api.close())

const unit = (work: (tx: Tx, deps: ConfigDeps) => Promise<ConfigChange>) =>
  api.db.unit((tx) => work(tx, { configs, clock }))
const add = (over: Partial<ConfigValues> = {}, by = 'ana') =>
  unit((tx, deps) => addPrinter(tx, deps, { writer: { gatewayId, by }, values: { ...BAR, ...over } }))

async function added(over: Partial<ConfigValues> = {}): Promise<string> {
  const change = await add(over)
  if (!change.ok) throw new Error(change.reason)
  return change.printer.id
}

describe('a proposed printer', () => {
  it('makes a new version whose hash is of its exact text', async () => {
    await added()
    await added({ name: 'Grill' })
    const config = await configs.find(gatewayId)
    expect(config).toMatchObject({ ver: 2, updatedBy: 'ana', answer: null })
    expect(config?.sha256).toBe(sha256Hex(config?.text ?? ''))
    expect(config?.doc.printers.map(({ name }) => name.value)).toEqual(['Bar', 'Grill'])
    expect(await configs.unanswered()).toEqual([gatewayId])
  })

  it('keeps who wrote each field and when, also when another field is changed', async () => {
    const id = await added()
    const first = clock.now()
    await clock.advance(5_000)
    await unit((tx, deps) =>
      updatePrinter(tx, deps, { writer: { gatewayId, id, by: 'ben' }, values: { name: 'Counter' } }),
    )
    const [printer] = (await configs.find(gatewayId))?.doc.printers ?? []
    expect(printer).toMatchObject({
      name: { value: 'Counter', by: 'ben', at: first + 5_000 },
      address: { value: BAR.address, by: 'ana', at: first },
    })
  })

  it('is refused under a name that is taken, unknown, or beyond the largest number; nothing changes', async () => {
    const id = await added()
    await added({ name: 'Grill' })
    expect(await add()).toEqual({ ok: false, reason: 'name-taken' })
    const rename = unit((tx, deps) =>
      updatePrinter(tx, deps, { writer: { gatewayId, id, by: 'ana' }, values: { name: 'Grill' } }),
    )
    expect(await rename).toEqual({ ok: false, reason: 'name-taken' })
    const unknown = unit((tx, deps) => removePrinter(tx, deps, { gatewayId, id: 'cp_none', by: 'ana' }))
    expect(await unknown).toEqual({ ok: false, reason: 'unknown-printer' })
    expect((await configs.find(gatewayId))?.ver).toBe(2)
    for (let more = 2; more < CONFIG_MAX_PRINTERS; more++) await added({ name: `P${more}`, stations: [] })
    expect(await add({ name: 'One more' })).toEqual({ ok: false, reason: 'too-many' })
  })

  it('is refused when the document would no longer fit into a message', async () => {
    const stations = Array.from({ length: 16 }, (_, i) => `${'x'.repeat(60)}${i}`)
    const changes = []
    for (let n = 0; n < 12; n++) changes.push(await add({ name: `P${n}`, stations }))
    expect(changes.at(-1)).toEqual({ ok: false, reason: 'too-large' })
  })

  it('that was removed stays in the document until the gateway has confirmed its removal', async () => {
    const id = await added()
    await unit((tx, deps) => removePrinter(tx, deps, { gatewayId, id, by: 'ana' }))
    expect((await configs.find(gatewayId))?.doc.printers).toMatchObject([{ id, removed: { by: 'ana' } }])
    expect(await add()).toMatchObject({ ok: true })
    expect((await configs.find(gatewayId))?.doc.printers).toHaveLength(2)
    const gone = { id, printerId: null, state: 'removed' as const, reason: null, conflicts: [] }
    await configs.recordAnswer(gatewayId, { ver: 3, outcome: 'applied', detail: null, printers: [gone] }, 1)
    expect(await configs.unanswered()).toEqual([])
    await added({ name: 'Grill' })
    expect((await configs.find(gatewayId))?.doc.printers.map(({ name }) => name.value)).toEqual(['Bar', 'Grill'])
  })
})
