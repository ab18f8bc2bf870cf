// A hundred simulated gateways of one real relay that is killed: all of them come back and get their orders, those that came meanwhile too.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Signal } from '#shared/signal.ts'
import { ownPort } from '#test/doubles/own-port.ts'
import { Program } from '#test/harness/program.ts'
import { type Provisioned, provisionFleet, SimulatedFleet } from '#test/harness/simulated-fleet.ts'

const GATEWAYS = 100

let dir: string
let relay: Program
let url: string
let fleet: SimulatedFleet
let site: Provisioned
/** Orders that arrived in kitchens, by their client's id, and how often. */
const arrived = new Map<string, number>()
const arrival = new Signal()

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'reconnect-storm-'))
  const file = join(dir, 'relay.db')
  site = await provisionFleet(file, GATEWAYS)
  const mqttPort = await ownPort()
  const httpPort = await ownPort([mqttPort])
  relay = new Program(
    'cloud/main.ts',
    {
      CLOUD_DATABASE: file,
      CLOUD_HTTP_PORT: String(httpPort),
      CLOUD_MQTT_PORT: String(mqttPort),
      CLOUD_MASTER_KEY: randomBytes(32).toString('base64'),
    },
    false,
  )
  const onJob = ({ doc }: { doc: unknown }): void => {
    const { orderId } = (doc as { order: { orderId: string } }).order
    arrived.set(orderId, (arrived.get(orderId) ?? 0) + 1)
    arrival.notify()
  }
  fleet = new SimulatedFleet(site.members, (n) => ({ port: mqttPort, localAddress: `127.0.0.${2 + (n % 50)}`, onJob }))
  url = (await relay.start()).httpUrl
  fleet.start()
  await fleet.allWelcomed()
})
afterAll(async () => {
  fleet.stop()
  await relay.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** One order for each location. @returns their ids */
async function orderEverywhere(name: string): Promise<string[]> {
  return Promise.all(
    site.members.map(async ({ locationId }, n) => {
      const orderId = `${name}-${n}`
      const line = { umsId: site.umsId, qty: 1, price: 12.5 }
      const order = { merchantId: site.merchantId, locationId, orderId, source: 'test', items: [line], total: 12.5 }
      for (;;) {
        const answer = await fetch(`${url}/v1/order/inject`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${site.apiKey}` },
          body: JSON.stringify(order),
        })
        const body = (await answer.json()) as { order?: unknown }
        // It is taken also when the kitchen is not known to be there.
        if (answer.status === 200 || body.order !== undefined) return orderId
        if (answer.status < 500) throw new Error(`refused: ${JSON.stringify(body)}`)
      }
    }),
  )
}

async function allArrive(orderIds: readonly string[]): Promise<void> {
  while (orderIds.some((orderId) => !arrived.has(orderId))) await arrival.next()
}

test('after each kill of the relay every gateway is welcomed again, and each order arrives once', async () => {
  await allArrive(await orderEverywhere('before'))
  for (const round of ['first', 'second', 'third']) {
    await relay.kill('SIGKILL')
    await fleet.allGone()
    await relay.start()
    const orders = await orderEverywhere(round)
    await fleet.allWelcomed()
    await allArrive(orders)
  }
  expect([...arrived.values()].every((times) => times === 1)).toBe(true)
  expect(arrived.size).toBe(4 * GATEWAYS)
})
