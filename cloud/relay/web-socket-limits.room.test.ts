// WebSocket frames at /mqtt that carry no MQTT: their number is limited, and the frames of a correct gateway cost it nothing.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { asId, type GatewayId } from '#shared/ids.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { EmbeddedBroker } from './broker.ts'
import { topicsOf } from './broker-rules.ts'
import { GatewayBudget } from './gateway-budget.ts'

const GATEWAY: GatewayId = asId('gw_a')
const TOKEN = 'the token of the gateway'

let broker: EmbeddedBroker
let budget: GatewayBudget
let clock: ManualClock
let server: Server
const clients: MqttClient[] = []
const port = () => (server.address() as AddressInfo).port

beforeEach(async () => {
  // Refusals come at once.
  clock = Object.assign(new ManualClock(), { sleep: async () => undefined })
  const log = { info: () => {}, warn: () => {}, error: () => {} } as never
  budget = new GatewayBudget({ clock, lines: new SampledLog(log, clock) })
  const tokenHash = async () => createHash('sha256').update(TOKEN).digest('hex')
  const gateways = { machine: async () => null, tokenHash }
  broker = new EmbeddedBroker({ host: '127.0.0.1', port: 0, clock, budget, gateways, log })
  await broker.start()
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  broker.attachWebSocket(server)
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  await broker.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

/** The gateway, come in by WebSocket, and its socket. */
async function signIn(): Promise<{ gateway: MqttClient; socket: WebSocket }> {
  const { promise, resolve } = Promise.withResolvers<WebSocket>()
  const createWebsocket = (url: string, protocols: string[]) => {
    const socket = new WebSocket(url, protocols)
    resolve(socket)
    return socket
  }
  const signsInAs = { clientId: GATEWAY, username: GATEWAY, password: TOKEN, protocolVersion: 4, reconnectPeriod: 0 }
  const gateway = mqtt.connect(`ws://127.0.0.1:${port()}/mqtt`, { ...signsInAs, createWebsocket } as IClientOptions)
  clients.push(gateway)
  gateway.on('error', () => {})
  await new Promise((resolve) => gateway.once('connect', resolve))
  return { gateway, socket: await promise }
}

describe('frames that carry nothing of MQTT', () => {
  const kinds = [
    ['empty ones', (socket: WebSocket) => socket.send(Buffer.alloc(0))],
    ['pings', (socket: WebSocket) => socket.ping()],
    ['pongs', (socket: WebSocket) => socket.pong()],
  ] as const
  /** The relay sees nothing of a message until its last piece has come. */
  const piece = (socket: WebSocket) => socket.send(Buffer.alloc(0), { fin: false })
  const beforeSignIn = [
    ...kinds.map(([kind, send]) => [kind, send, 257] as const),
    ['pieces of a message without an end', piece, 1_400],
    ['the first bytes of a large message', (socket: WebSocket) => socket.send(Buffer.alloc(8_192), { fin: false }), 1],
  ] as const

  test.each(beforeSignIn)(
    '%s before the CONNECT end the connection, and count as a failed sign-in',
    async (_, send, count) => {
      for (let n = 0; n < 30; n++) {
        const socket = new WebSocket(`ws://127.0.0.1:${port()}/mqtt`, 'mqtt', { localAddress: '127.0.0.31' })
        const closed = new Promise((resolve) => socket.once('close', resolve))
        const refused = await new Promise((resolve) => socket.once('open', () => resolve(null)).once('error', resolve))
        if (refused !== null) {
          expect(String(refused)).toContain('503')
          return
        }
        for (let frame = 0; frame < count; frame++) send(socket)
        await closed
      }
      expect.unreachable('the address was not held off')
    },
  )

  // Pings have an end before: their pongs are not read.
  test.each(kinds.filter(([kind]) => kind !== 'pings'))(
    '%s of a gateway end its connection when nobody could report so much',
    async (_, send) => {
      const { gateway, socket } = await signIn()
      const closed = new Promise<void>((resolve) => gateway.once('close', () => resolve()))
      for (let frame = 0; frame < 39_900; frame++) send(socket)
      expect(await gateway.subscribeAsync(topicsOf(GATEWAY).down)).toHaveLength(1)
      for (let frame = 0; frame < 100; frame++) send(socket)
      await closed
      expect(budget.isHeldOff(GATEWAY)).toBe(true)
    },
  )

  test('pieces that carry nothing cost a gateway as much as messages', async () => {
    const { gateway, socket } = await signIn()
    const closed = new Promise<void>((resolve) => gateway.once('close', () => resolve()))
    // As many as an incomplete message may have, and as the gateway may send at once.
    for (let frame = 1; frame <= 47_000; frame++) socket.send(Buffer.alloc(0), { fin: frame % 10_000 === 0 })
    await closed
    expect(budget.isHeldOff(GATEWAY)).toBe(true)
  })

  test('reading a gateway costs nothing beside its messages', async () => {
    const { gateway } = await signIn()
    const { up } = topicsOf(GATEWAY)
    // Their headers alone are longer than a message that is not whole may be.
    for (let n = 0; n < 20; n++) {
      for (let message = 0; message < 500; message++) gateway.publish(up, Buffer.alloc(200))
      expect(await gateway.subscribeAsync(topicsOf(GATEWAY).down)).toHaveLength(1)
      expect(budget.waitMs(GATEWAY)).toBe(0)
      await clock.advance(10_000)
    }
  })
})
