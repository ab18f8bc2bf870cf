// Two connections of one gateway at one broker, while it moves from one to the other; and what two boxes with one identity may not do with that.
import { createHash } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { secondClientId } from '#shared/wire/gateway-link.ts'
import { EmbeddedBroker } from './broker.ts'
import { topicsOf } from './broker-rules.ts'
import type { ConnectionEnd } from './gateway-connections.ts'

const GATEWAY: GatewayId = asId('gw_a')
const TOKEN = 'token-of-a'
const SECOND = secondClientId(GATEWAY)
const { up, down } = topicsOf(GATEWAY)
const log = pino({ level: 'silent' })

let broker: EmbeddedBroker
let said: string[]
let ends: ConnectionEnd[]
let opened: number
/** The machine that the gateway is known on. */
let home: string | null
const clients: MqttClient[] = []

beforeEach(async () => {
  home = null
  said = []
  ends = []
  opened = 0
  const tokenHash = createHash('sha256').update(TOKEN).digest('hex')
  broker = new EmbeddedBroker({
    ...{ host: '127.0.0.1', port: 0, clock: systemClock, log, connectTimeoutMs: 60_000 },
    gateways: { machine: async () => home, tokenHash: async (id) => (id === GATEWAY ? tokenHash : null) },
  })
  broker.message.subscribe(({ payload }) => said.push(payload.toString()))
  broker.closed.subscribe((end) => ends.push(end))
  broker.opened.subscribe(() => opened++)
  await broker.start()
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.end(true)
  await broker.stop()
})

interface Caller {
  clientId?: string
  bootId?: string
  machine?: string
  epoch?: number
  beside?: boolean
}

/** `connected`, or the code of the refusal, or `closed`. */
async function call({ clientId = GATEWAY, bootId = 'boot', machine = 'm', epoch = 1, beside = false }: Caller = {}) {
  const who = { machine, bootId, ...(beside && { beside: true }) }
  const payload = Buffer.from(JSON.stringify({ v: 1, id: 'w', ts: 1, e: epoch, t: 'will', ...who }))
  const client = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    ...{ clientId, username: GATEWAY, password: TOKEN, protocolVersion: 4, reconnectPeriod: 0 },
    will: { topic: up, payload, qos: 1, retain: false },
  })
  clients.push(client)
  const heard: string[] = []
  client.on('message', (_topic, message) => heard.push(message.toString()))
  const outcome = await new Promise<string | number>((resolve) => {
    client.once('connect', () => resolve('connected'))
    client.once('error', (error: Error & { code?: number }) => resolve(error.code ?? 'closed'))
    client.once('close', () => resolve('closed'))
  })
  if (outcome === 'connected') await client.subscribeAsync(down, { qos: 1 })
  return { client, heard, outcome }
}

const end = (client: MqttClient): Promise<void> => new Promise((resolve) => client.once('close', () => resolve()))

const second = { clientId: SECOND, epoch: 2, beside: true }

describe('a second connection of the same start of the same box', () => {
  test('runs beside the first: both send and receive, and the end of each is reported as its own', async () => {
    const first = await call()
    const beside = await call(second)
    expect([first.outcome, beside.outcome, opened, broker.connections]).toEqual(['connected', 'connected', 1, 2])
    broker.publish(down, 'to both')
    await expect.poll(() => [first.heard, beside.heard]).toEqual([['to both'], ['to both']])
    await first.client.publishAsync(up, 'of the first', { qos: 1 })
    await beside.client.publishAsync(up, 'of the second', { qos: 1 })
    expect(said).toEqual(['of the first', 'of the second'])
    await first.client.endAsync()
    await expect.poll(() => ends).toEqual([{ gatewayId: GATEWAY, epoch: 1 }])
    expect(broker.isConnected(GATEWAY)).toBe(true)
    await beside.client.endAsync()
    await expect.poll(() => ends.at(-1)).toEqual({ gatewayId: GATEWAY, epoch: null })
    expect(broker.isConnected(GATEWAY)).toBe(false)
  })

  test('the next move leads back to the first client id', async () => {
    const first = await call()
    const moved = await call(second)
    await first.client.endAsync()
    await expect.poll(() => ends.length).toBe(1)
    expect((await call({ epoch: 3, beside: true })).outcome).toBe('connected')
    expect(moved.client.connected).toBe(true)
    expect([broker.connections, opened]).toEqual([2, 1])
  })

  test('one more takes the place of the second, which may be half dead, and not of the first', async () => {
    const first = await call()
    const lost = await call(second)
    const gone = end(lost.client)
    await call({ ...second, epoch: 3 })
    await gone
    expect([first.client.connected, broker.connections, ends]).toEqual([true, 2, []])
  })

  test('a new connection that does not ask for it replaces both', async () => {
    const both = [await call(), await call(second)]
    const gone = both.map(({ client }) => end(client))
    expect((await call({ epoch: 3 })).outcome).toBe('connected')
    await Promise.all(gone)
    expect([broker.connections, ends, opened]).toEqual([1, [], 2])
  })

  test('it has the place of its own when the first has ended meanwhile', async () => {
    expect((await call(second)).outcome).toBe('connected')
    expect([broker.connections, opened]).toEqual([1, 1])
  })
})

describe('another box with the same identity', () => {
  test('does not run beside the first by asking for it: it replaces it, as any connection does, and is noticed', async () => {
    const first = await call()
    const gone = end(first.client)
    expect((await call({ ...second, bootId: 'another boot' })).outcome).toBe('connected')
    await gone
    expect([broker.connections, opened]).toEqual([1, 2])
  })

  test('on another machine it is refused while the known one is connected, whatever it asks for', async () => {
    home = 'm'
    const first = await call()
    for (const bootId of ['boot', 'another boot'])
      expect((await call({ ...second, machine: 'copy', bootId })).outcome).toBe(3)
    expect([first.client.connected, broker.connections, opened]).toEqual([true, 1, 1])
  })

  test('once two were noticed, the box that is here may still move, and another start may not take its place', async () => {
    const first = await call()
    broker.guardIdentity(GATEWAY, { forMs: 60_000, machine: 'm' })
    expect((await call({ ...second, bootId: 'another boot' })).outcome).toBe(3)
    expect((await call(second)).outcome).toBe('connected')
    expect([first.client.connected, broker.connections]).toEqual([true, 2])
  })
})

test('a broker that accepts no one any more refuses all newcomers, and keeps existing connections', async () => {
  const first = await call()
  broker.letNobodyIn()
  expect((await call(second)).outcome).toBe(3)
  expect((await call({ epoch: 3 })).outcome).toBe(3)
  await first.client.publishAsync(up, 'still here', { qos: 1 })
  expect([said, ends, opened]).toEqual([['still here'], [], 1])
})
