// Gateways that read nothing, over real sockets: what the relay buffers for them stays small, and no other gateway waits.
import { createHash } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import mqtt, { type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { EmbeddedBroker } from './broker.ts'
import { topicsOf } from './broker-rules.ts'

const PASSWORD = 'token'
const DRAIN_TIMEOUT_MS = 10_000
const clients: MqttClient[] = []
let clock: ManualClock
let broker: EmbeddedBroker

beforeEach(async () => {
  clock = new ManualClock()
  const tokenHash = async () => createHash('sha256').update(PASSWORD).digest('hex')
  const gateways = { tokenHash, machine: async () => null }
  const limits = { connectTimeoutMs: 60_000, drainTimeoutMs: DRAIN_TIMEOUT_MS }
  broker = new EmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    gateways,
    clock,
    log: pino({ level: 'silent' }),
    ...limits,
  })
  await broker.start()
})

afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  await broker.stop()
})

async function connected(id: string): Promise<MqttClient> {
  const url = `mqtt://127.0.0.1:${broker.port}`
  const options = { clientId: id, username: id, password: PASSWORD, protocolVersion: 4, reconnectPeriod: 0 } as const
  const client = await mqtt.connectAsync(url, options)
  client.on('error', () => {})
  clients.push(client)
  return client
}

/** The broker's end of the next connection. */
function nextAccepted(): Promise<Socket> {
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      unsubscribe('net.server.socket', take)
      resolve((message as { socket: Socket }).socket)
    }
    subscribe('net.server.socket', take)
  })
}

function nextMessage(client: MqttClient): Promise<string> {
  return new Promise((resolve) => client.once('message', (_topic, payload) => resolve(payload.toString())))
}

test('a subscriber that does not read delays no other, and is dropped', async () => {
  const frozen = await connected('gw_a')
  await frozen.subscribeAsync(topicsOf('gw_a').down, { qos: 1 })
  const quick = await connected('gw_b')
  await quick.subscribeAsync(topicsOf('gw_b').down, { qos: 1 })
  const dropped = broker.closed.next(({ gatewayId }) => gatewayId === 'gw_a')
  frozen.stream.pause()
  for (let i = 0; i < 200; i++) broker.publish(topicsOf('gw_a').down, 'x'.repeat(60_000))
  // The clock is stopped: the drain timeout never comes.
  for (let i = 0; i < 20; i++) {
    const got = nextMessage(quick)
    broker.publish(topicsOf('gw_b').down, 'quick')
    await got
  }
  await clock.advance(DRAIN_TIMEOUT_MS)
  await dropped
  expect(quick.connected).toBe(true)
})

test('a gateway that floods and never reads its acknowledgements is dropped', async () => {
  const [gateway, ours] = await Promise.all([connected('gw_a'), nextAccepted()])
  const dropped = broker.closed.next().then(() => true)
  let mostBytes = 0
  broker.message.subscribe(() => {
    mostBytes = Math.max(mostBytes, ours.writableLength)
  })
  gateway.stream.pause()
  const { up } = topicsOf('gw_a')
  const one = Buffer.from([0x32, 4 + up.length, 0, up.length, ...Buffer.from(up), 0, 1])
  const flood = Buffer.concat(Array.from({ length: 2_000 }, () => one))
  const wrote = () => new Promise<boolean>((resolve) => gateway.stream.write(flood, () => resolve(false)))
  while (!(await Promise.race([dropped, wrote()])));
  expect(broker.connections).toBe(0)
  // One megabyte, and the acknowledgement that was on its way.
  expect(mostBytes).toBeGreaterThan(1_000_000)
  expect(mostBytes).toBeLessThan(1_050_000)
})
