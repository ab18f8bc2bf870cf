// The drill's gateway goes on as a box does when a COMMIT reached the database and its answer did not reach the relay.
import { afterEach, beforeEach, expect, it } from 'vitest'
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import { Relay } from '#cloud/relay/relay.ts'
import type { GatewayId } from '#shared/ids.ts'
import { shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import { LinkDesk } from '#test/fixtures/link-desk.ts'
import { SimulatedGateway } from './simulated-gateway.ts'

let desk: LinkDesk
let relay: Relay
let gateway: SimulatedGateway
let gatewayId: GatewayId
const printed: string[] = []

beforeEach(async () => {
  desk = await LinkDesk.open()
  // Only the relay's own dispatcher sends here.
  await desk.dispatcher.stop()
  printed.length = 0
  relay = new Relay({
    ...desk.api.stores,
    recordResult: async ({ jobId }) => {
      printed.push(jobId)
      return 'recorded'
    },
    recordKitchenFact: async () => 'recorded',
    config: { mqttHost: '127.0.0.1', mqttPort: 0 },
    random: () => 0.5,
  })
  await relay.start()
  const registered = await registerGateway(desk.api.stores, { locationId: desk.api.locationId, name: 'Drill' })
  gatewayId = registered.gatewayId
  gateway = new SimulatedGateway({ ...registered, topics: topicsFor(gatewayId, shardOf(gatewayId)) })
  await gateway.connect(relay.mqttPort)
})

afterEach(async () => {
  await gateway.leave()
  await relay.stop()
  await desk.close()
})

/** Jobs were claimed for the gateway, and the relay does not know it: the answer to its COMMIT was lost. */
async function claimBehindTheRelay(jobId: string, lastSeq: number): Promise<void> {
  const { db, stores, locationId } = desk.api
  const later = desk.clock.now() + 3_600_000
  await desk.insertElsewhere(jobId, { availableAtMs: later })
  const { stream, session_epoch: epoch } = await db.read
    .selectFrom('gateways')
    .select(['stream', 'session_epoch'])
    .where('id', '=', gatewayId)
    .executeTakeFirstOrThrow()
  const request = { gatewayId, locationId, stream: stream ?? '', epoch, lastSeq, nowMs: later }
  const room = { maxJobs: 10, maxBytes: 100_000, atLeastOne: true }
  const claimed = await db.unit((tx) => stores.dispatches.claim(tx, { ...request, ...room }))
  expect(claimed).toHaveLength(1)
}

it('what was claimed by it is sent after a new hello, and all that waits behind it', async () => {
  await desk.insert('pj_a')
  await expect.poll(() => printed).toEqual(['pj_a'])
  await claimBehindTheRelay('pj_b', 1)
  await desk.insert('pj_c')
  await expect.poll(() => printed).toEqual(['pj_a', 'pj_b', 'pj_c'])
  expect(gateway.received.all.map(({ seq, jobId }) => `${seq} ${jobId}`)).toEqual(['1 pj_a', '2 pj_b', '3 pj_c'])
})
