// A hundred gateways come back at once to a real relay whose disk is slow, over real connections: none disconnects, and no answer is wasted.
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asId, newId } from '#shared/ids.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { slowDown } from '#test/doubles/slow-disk.ts'
import { seededRandom } from '#test/harness/random.ts'
import { type FleetMember, SimulatedFleet } from '#test/harness/simulated-fleet.ts'
import { registerGateway } from './gateway-registry.ts'
import { Relay } from './relay.ts'

const GATEWAYS = 100
const UNIT_MS = 60

let clock: ManualClock
let api: RelayApi
let relay: Relay
let fleet: SimulatedFleet
let members: FleetMember[]

beforeEach(async () => {
  clock = new ManualClock()
  api = await RelayApi.open({ clock })
  const [merchant] = api.account.merchants
  members = []
  for (let n = 0; n < GATEWAYS; n++) {
    const locationId = newId('loc', clock.now())
    const place = { merchant_id: merchant!.key, name: `Kitchen ${n}`, is_default: 0 as const, created_at: clock.now() }
    await api.db.unit((tx) => api.stores.locations.insert(tx, { id: locationId, ...place }))
    members.push({ ...(await registerGateway(api.stores, { locationId, name: `Box ${n}` })), locationId })
  }
  relay = new Relay({
    ...api.stores,
    recordResult: async () => 'recorded',
    recordKitchenFact: async () => 'recorded',
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
})

afterEach(async () => {
  fleet.stop()
  const stopped = relay.stop()
  await pass(60_000)
  await stopped
  await api.close()
})

function meet({ knowsWait = true } = {}): void {
  const random = seededRandom(11)
  fleet = new SimulatedFleet(members, () => ({ port: relay.mqttPort, clock, random, knowsWait }))
  fleet.start()
}

/** Moves the clock in steps; between them sent messages arrive, because both ends are in this process. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20) {
    await clock.advance(Math.min(20, left))
    for (let turns = 0; turns < 4; turns++) await turn()
  }
}

async function until(isSo: () => boolean, what: string, withinMs = 600_000): Promise<void> {
  for (let passed = 0; !isSo(); passed += 20) {
    if (passed > withinMs) throw new Error(`${what} did not happen: ${JSON.stringify(fleet.counts)}`)
    await pass(20)
  }
}

/** All have connected and sent hello to a disk on which their hellos take longer than a gateway waits for a welcome. */
async function storm(options?: { knowsWait?: boolean }): Promise<() => number> {
  expect(GATEWAYS * UNIT_MS).toBeGreaterThan(5_000)
  const units = slowDown(api.db, { clock, eachMs: UNIT_MS })
  meet(options)
  await until(() => fleet.counts.hellos >= GATEWAYS, 'a hello of each')
  return units
}

describe('a storm', () => {
  it('of gateways that get a time to retry is over with one attempt each', async () => {
    await storm()
    await until(() => fleet.counts.welcomed === GATEWAYS, 'everybody was welcomed')
    const { attempts, welcomes, waits, hellos } = fleet.counts
    expect({ attempts, welcomes }).toEqual({ attempts: GATEWAYS, welcomes: GATEWAYS })
    expect(waits).toBeGreaterThan(0)
    expect(hellos / GATEWAYS).toBeLessThanOrEqual(4)
    expect(api.logLines.join('')).toContain('told when to ask')
  })

  it('of gateways of an older release is over too, without messages that they do not know', async () => {
    await storm({ knowsWait: false })
    await until(() => fleet.counts.welcomed === GATEWAYS, 'everybody was welcomed')
    const { attempts, hellos, waits, welcomes } = fleet.counts
    expect({ waits, welcomes }).toEqual({ waits: 0, welcomes: GATEWAYS })
    expect(hellos).toBeLessThanOrEqual(attempts)
    // Here a unit takes its time also when nothing is written any more.
    expect(attempts).toBeLessThanOrEqual(3 * GATEWAYS)
  })

  it('whose gateways leave before their turn leaves no work behind', async () => {
    const units = await storm()
    fleet.stop()
    await pass(5_000)
    const begun = units()
    await pass(60_000)
    // Presence only: gateways that never connected are recorded as offline and nothing else.
    expect(units() - begun).toBeLessThanOrEqual(2)
    for (const { gatewayId } of members)
      expect((await api.stores.gateways.byId(asId(gatewayId)))?.presence).not.toBe('online')
  })
})

describe('one gateway that sends hellos without end', () => {
  it('is answered as fast as the disk allows, delays no other, and leaves nothing to do when it leaves', async () => {
    meet()
    await until(() => fleet.counts.welcomed === GATEWAYS, 'everybody was welcomed')
    const units = slowDown(api.db, { clock, eachMs: UNIT_MS })
    const [loud, other] = fleet.gateways
    for (let n = 0; n < 5_000; n++) loud!.hello()
    other!.breaks()
    await until(() => !other!.welcomed, 'the other one has lost its connection')
    await until(() => other!.welcomed, 'the other one is back', 10_000)
    loud!.stop()
    await pass(5_000)
    const begun = units()
    await pass(20_000)
    expect(units() - begun).toBeLessThanOrEqual(2)
    expect(loud!.counts.welcomes).toBeLessThan(200)
  })
})
