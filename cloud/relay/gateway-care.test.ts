// Configurations and passwords for gateways: resent until they are answered or used, and only to gateways with the capability.
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { GatewayConfigStore } from '#cloud/storage/gateway-config-store.ts'
import { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import { sha256Hex } from '#shared/gateway-token.ts'
import type { GatewayId } from '#shared/ids.ts'
import { downMessage, hello } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { GatewayCare } from './gateway-care.ts'
import { registerGateway } from './gateway-registry.ts'

let api: RelayApi
let clock: ManualClock
let care: GatewayCare
let configs: GatewayConfigStore
let credentials: GatewayCredentialStore
let gatewayId: GatewayId
let token: string
let said: unknown[]
beforeEach(async () => {
  clock = new ManualClock()
  said = []
  api = await RelayApi.open({ clock })
  const { db } = api
  configs = new GatewayConfigStore(db)
  credentials = new GatewayCredentialStore(db)
  ;({ gatewayId, token } = await registerGateway(api.stores, { locationId: api.locationId, name: 'Pi' }))
  care = new GatewayCare({
    ...{ db, gateways: api.stores.gateways, configs, credentials, clock, log: pino({ level: 'silent' }) },
    publish: (_topic, payload) => said.push(downMessage.parse(JSON.parse(payload))) > 0,
  })
  await care.start()
})
afterEach(async () => {
  await care.stop()
  await api.close()
})

const helloOf = (caps: string[], cfgVer = 0) =>
  hello.parse({
    ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'hello', proto: [1, 1], stream: 's', last: 0, bootId: 'b', app: 'a' },
    ...{ cfgVer, caps, t0: 0, unreported: 0 },
  })

async function configure(ver = 1): Promise<void> {
  const text = '{"printers":[]}'
  const config = { gatewayId, ver, text, sha256: sha256Hex(text), nowMs: clock.now(), by: 'ana' }
  await api.db.unit((tx) => configs.put(tx, config))
}

function answer(ver: number, reason: 'tickets-wait' | null = null) {
  const printer = { id: 'cp_1', printerId: 'p', state: reason ? ('refused' as const) : ('applied' as const), reason }
  const printers = [{ ...printer, conflicts: [] }]
  const envelope = { v: 1 as const, id: 'm', ts: 0, e: 1, t: 'config.result' as const }
  return care.answered(gatewayId, { ...envelope, ver, outcome: 'applied', detail: null, printers })
}

it('sends a configuration at the hello, and again only without an answer in time', async () => {
  await configure()
  await care.welcomed(gatewayId, helloOf(['config']))
  expect(said).toMatchObject([{ t: 'config', ver: 1, doc: '{"printers":[]}' }])
  await clock.advance(29_000)
  expect(said).toHaveLength(1)
  await clock.advance(4_000)
  await expect.poll(() => said.length).toBe(2)
  await answer(1)
  await clock.advance(120_000)
  expect(said).toHaveLength(2)
})

it('sends one that another program wrote meanwhile', async () => {
  await care.welcomed(gatewayId, helloOf(['config']))
  expect(said).toEqual([])
  await configure()
  await clock.advance(2_000)
  await expect.poll(() => said).toMatchObject([{ t: 'config', ver: 1 }])
})

it('sends nothing to a gateway that has it, is away, or is too old for it', async () => {
  await configure()
  await answer(1)
  await care.welcomed(gatewayId, helloOf(['config'], 1))
  await clock.advance(10_000)
  expect(said).toEqual([])
  await configure(2)
  await care.welcomed(gatewayId, helloOf(['job:order']))
  care.gone(gatewayId, 1)
  await clock.advance(10_000)
  expect(said).toEqual([])
})

it('asks again for what could not be done yet', async () => {
  await configure()
  await care.welcomed(gatewayId, helloOf(['config']))
  await answer(1, 'tickets-wait')
  await clock.advance(50_000)
  expect(said).toHaveLength(1)
  await clock.advance(14_000)
  await expect.poll(() => said.length).toBe(2)
})

it('offers a new password beside the present one, another when it was not used, and none without a request', async () => {
  await care.welcomed(gatewayId, helloOf(['cred']))
  await clock.advance(4_000)
  expect(said).toEqual([])
  await api.db.unit((tx) => credentials.askRotation(tx, gatewayId, clock.now()))
  await clock.advance(2_000)
  await expect.poll(() => said).toMatchObject([{ t: 'cred' }])
  const nextOf = (message: unknown) => (message as { next: string }).next
  expect(await credentials.nextTokenHash(gatewayId)).toBe(sha256Hex(nextOf(said[0])))
  expect(await api.stores.gateways.tokenHash(gatewayId)).toBe(sha256Hex(token))
  await clock.advance(64_000)
  await expect.poll(() => said.length).toBe(2)
  // The first one never arrived: it is not usable.
  expect(await credentials.promote(gatewayId, sha256Hex(nextOf(said[0])), clock.now())).toBe(false)
  expect(await credentials.promote(gatewayId, sha256Hex(nextOf(said[1])), clock.now())).toBe(true)
  expect(await api.stores.gateways.tokenHash(gatewayId)).toBe(sha256Hex(nextOf(said[1])))
  await clock.advance(120_000)
  expect(said).toHaveLength(2)
})

it('stores the queue and the clock of a gateway, but not at each report', async () => {
  await care.welcomed(gatewayId, helloOf([]))
  const status = (queued: number, clockOffsetMs: number) =>
    care.status(gatewayId, {
      ...{ v: 1, id: 'm', ts: 0, e: 1, t: 'status', printers: [], cfgVer: 0, rssBytes: 0 },
      ...{ queue: { queued, held: 0, unreported: 0 }, clockOffsetMs },
    })
  const stored = () =>
    api.db.read
      .selectFrom('gateways')
      .select(['queue', 'clock_offset_ms'])
      .where('id', '=', gatewayId)
      .executeTakeFirst()
  await status(3, -250)
  expect(await stored()).toEqual({ queue: '{"queued":3,"held":0,"unreported":0}', clock_offset_ms: -250 })
  await status(4, -250)
  expect((await stored())?.queue).toContain('"queued":3')
  await clock.advance(30_000)
  await status(4, 5_000)
  expect(await stored()).toMatchObject({ queue: expect.stringContaining('"queued":4'), clock_offset_ms: 5_000 })
})
