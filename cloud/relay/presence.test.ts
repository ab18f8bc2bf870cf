// Which gateways are online, as the registry writes it: in batches and seldom, on a real SQLite file.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GatewayId } from '#shared/ids.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { COUNTS, ONE_FAULT, ofOneRun } from '#test/harness/units-twice.ts'
import { GatewayRegistry, registerGateway, revokeGateway } from './gateway-registry.ts'

let desk: LinkDesk
let registry: GatewayRegistry
let expelled: GatewayId[]
let connected: Set<GatewayId>
let struck: (id: string) => Promise<void>

beforeEach(async () => {
  desk = await LinkDesk.open()
  expelled = []
  connected = new Set()
  struck = async () => undefined
  registry = new GatewayRegistry({
    ...desk.api.stores,
    publish: desk.publish,
    expel: (gatewayId) => expelled.push(gatewayId),
    isConnected: (gatewayId) => connected.has(gatewayId),
    brokerAuth: { revoke: async (...ids) => struck(ids.join()) },
  })
  await registry.start()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await registry.stop()
  await desk.close()
})

async function welcome(gatewayId: GatewayId, epoch = 1): Promise<void> {
  await desk.dispatcher.hello(gatewayId, desk.helloOf({ e: epoch, stream: `s-${gatewayId}` }), desk.clock.now())
  registry.welcomed(gatewayId, epoch)
}

async function welcomeMany(count: number): Promise<GatewayId[]> {
  const all: GatewayId[] = []
  for (let n = 0; n < count; n++) {
    const { gatewayId } = await registerGateway(desk.api.stores, { locationId: desk.api.locationId, name: `Pi ${n}` })
    await welcome(gatewayId)
    all.push(gatewayId)
  }
  return all
}

const rowOf = async (gatewayId: GatewayId) => {
  const row = await desk.api.stores.gateways.byId(gatewayId)
  return { presence: row?.presence, seen: row?.lastSeenAtMs }
}
const left = (epoch: number | null, hadSession = true) => ({ epoch, hadSession, why: 'connection closed' })
const units = () => vi.spyOn(desk.api.db, 'unit')

async function sweep(): Promise<void> {
  await desk.clock.advance(5_000)
  await desk.quiet()
}

describe('many gateways', () => {
  it('that fall silent are one write of the sweep, not one each', async () => {
    const all = await welcomeMany(30)
    await desk.clock.advance(75_000)
    await desk.quiet()
    const written = units()
    await desk.clock.advance(5_000)
    await expect.poll(async () => (await rowOf(all[29]!)).presence).toBe('offline')
    expect(written.mock.calls.length).toBeLessThanOrEqual(2)
    expect(new Set(await Promise.all(all.map(async (id) => (await rowOf(id)).presence)))).toEqual(new Set(['offline']))
  })

  it('whose connections end at once are two writes: the first, and all that left meanwhile', async () => {
    const all = await welcomeMany(30)
    const written = units()
    for (const gatewayId of all) registry.gone(gatewayId, left(null))
    await expect.poll(async () => (await rowOf(all[29]!)).presence).toBe('offline')
    expect(written).toHaveBeenCalledTimes(2)
  })

  ofOneRun(COUNTS)('are written as seen every five minutes at most, all together', async () => {
    const all = await welcomeMany(5)
    const seen = await Promise.all(all.map(rowOf))
    await desk.clock.advance(20_000)
    await desk.quiet()
    const rows = vi.spyOn(desk.api.stores.gateways, 'setPresence')
    for (let ms = 20_000; ms < 300_000; ms += 5_000) {
      for (const gatewayId of all) registry.heard(gatewayId)
      await desk.clock.advance(5_000)
    }
    expect([await Promise.all(all.map(rowOf)), rows.mock.calls]).toEqual([seen, []])
    await desk.clock.advance(1_000)
    for (const gatewayId of all) registry.heard(gatewayId)
    const heardAt = desk.clock.now()
    const written = units()
    await desk.clock.advance(5_000)
    await expect.poll(async () => (await rowOf(all[4]!)).seen).toBe(heardAt)
    expect([rows.mock.calls.length, written.mock.calls.length]).toEqual([1, 1])
    expect(await Promise.all(all.map(rowOf))).toEqual(all.map(() => ({ presence: 'online', seen: heardAt })))
  })
})

describe('a gateway that leaves', () => {
  it('was seen when it was last heard, not when that was last written', async () => {
    await welcome(desk.gatewayId)
    await desk.clock.advance(30_000)
    registry.heard(desk.gatewayId)
    const heardAt = desk.clock.now()
    await desk.clock.advance(30_000)
    registry.gone(desk.gatewayId, left(null))
    await expect.poll(() => rowOf(desk.gatewayId)).toEqual({ presence: 'offline', seen: heardAt })
  })

  ofOneRun(ONE_FAULT)('is offline also when the disk did not take it at once', async () => {
    await welcome(desk.gatewayId)
    vi.spyOn(desk.api.stores.gateways, 'setPresence').mockRejectedValueOnce(new Error('no disk'))
    registry.gone(desk.gatewayId, left(null))
    await desk.quiet()
    expect((await rowOf(desk.gatewayId)).presence).toBe('online')
    expect(desk.api.logLines.join('')).toContain('presence could not be written')
    await sweep()
    expect((await rowOf(desk.gatewayId)).presence).toBe('offline')
  })

  it('does not keep a relay from stopping whose database is away', async () => {
    await welcome(desk.gatewayId)
    const write = vi.spyOn(desk.api.stores.gateways, 'setPresence').mockRejectedValue(new Error('no disk'))
    registry.gone(desk.gatewayId, left(null))
    await registry.stop()
    expect(write).toHaveBeenCalled()
  })

  it('without a hello here changes nothing: another relay may have it', async () => {
    await desk.hello()
    await desk.clock.advance(20_000)
    await desk.quiet()
    registry.gone(desk.gatewayId, left(null, false))
    registry.gone(desk.gatewayId, left(1, false))
    await sweep()
    expect((await rowOf(desk.gatewayId)).presence).toBe('online')
  })

  it('by the will of its session is offline also just after the start of this relay', async () => {
    await desk.hello({ e: 4 })
    registry.gone(desk.gatewayId, left(3, false))
    await desk.quiet()
    expect((await rowOf(desk.gatewayId)).presence).toBe('online')
    registry.gone(desk.gatewayId, left(4, false))
    await expect.poll(async () => (await rowOf(desk.gatewayId)).presence).toBe('offline')
  })

  it('between the answer to its hello and the note that it is here is offline', async () => {
    await desk.clock.advance(20_000)
    await desk.hello({ e: 4 })
    registry.gone(desk.gatewayId, left(4, true))
    await expect.poll(async () => (await rowOf(desk.gatewayId)).presence).toBe('offline')
  })
})

describe('a revoked gateway', () => {
  it('is expelled once, and struck off the list of an external broker once', async () => {
    const lists: string[] = []
    struck = async (ids) => void lists.push(ids)
    await welcome(desk.gatewayId)
    await revokeGateway(desk.api.stores, desk.gatewayId)
    for (let n = 0; n < 3; n++) await sweep()
    expect([expelled, lists]).toEqual([[desk.gatewayId], [desk.gatewayId]])
  })

  it('is expelled again while it is connected: its password may have been checked just before', async () => {
    await revokeGateway(desk.api.stores, desk.gatewayId)
    await sweep()
    connected.add(desk.gatewayId)
    await sweep()
    connected.clear()
    await sweep()
    expect(expelled).toEqual([desk.gatewayId, desk.gatewayId])
  })

  it('is struck off the list as soon as the disk takes it', async () => {
    const lists: string[] = []
    struck = async () => {
      throw new Error('disk full')
    }
    await revokeGateway(desk.api.stores, desk.gatewayId)
    await sweep()
    struck = async (ids) => void lists.push(ids)
    await sweep()
    await sweep()
    expect(lists).toEqual([desk.gatewayId])
  })
})
