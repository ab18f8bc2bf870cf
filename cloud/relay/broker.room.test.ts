// The embedded broker against clients that do what they must not, over real sockets. Each rule closes a hole of aedes' defaults.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect as dial, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { asId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { connectPacket } from '#test/harness/mqtt-light.ts'
import { EmbeddedBroker, type LinkMessage } from './broker.ts'
import { topicsOf } from './broker-rules.ts'

const TOKENS: Record<string, string> = { gw_a: 'token-of-a', gw_b: 'token-of-b' }
let broker: EmbeddedBroker
let heard: LinkMessage[]
let credentialsDown = false
const clients: MqttClient[] = []
const sockets: Socket[] = []
const log = pino({ level: 'silent' })

/** Machines that gateways were first seen on. */
const homes: Record<string, string> = {}

const gateways = {
  machine: async (id: string) => homes[id] ?? null,
  tokenHash: async (id: string) => {
    if (credentialsDown) throw new Error('disk I/O error')
    return TOKENS[id] ? createHash('sha256').update(TOKENS[id]).digest('hex') : null
  },
}

/** What closes a connection here is a rule, not a timer. */
const NO_TIMEOUT = { connectTimeoutMs: 60_000 }

async function start(options: Partial<ConstructorParameters<typeof EmbeddedBroker>[0]> = {}): Promise<void> {
  broker = new EmbeddedBroker({
    host: '127.0.0.1',
    port: 0,
    gateways,
    clock: systemClock,
    log,
    ...NO_TIMEOUT,
    ...options,
  })
  heard = []
  broker.message.subscribe((message) => heard.push(message))
  await broker.start()
}

beforeEach(() => start())

afterEach(async () => {
  credentialsDown = false
  for (const id of Object.keys(homes)) delete homes[id]
  for (const client of clients.splice(0)) client.end(true)
  for (const socket of sockets.splice(0)) socket.destroy()
  await broker.stop()
})

function client(id: string, options: IClientOptions = {}): MqttClient {
  const made = mqtt.connect(`mqtt://127.0.0.1:${broker.port}`, {
    clientId: id,
    username: id,
    password: TOKENS[id] ?? 'none',
    protocolVersion: 4,
    reconnectPeriod: 0,
    ...options,
  })
  made.on('error', () => {})
  clients.push(made)
  return made
}

/** Options of a connection with a machine in its will. */
function from(machine: string): IClientOptions {
  const payload = JSON.stringify({ v: 1, id: 'w', ts: 1, e: 1, t: 'will', machine })
  return { will: { topic: topicsOf('gw_a').up, payload: Buffer.from(payload), qos: 1, retain: false } }
}

/** `connected`, the code of a refusal, or `closed` without a word: in order, or by a reset when more was still on its way. */
function outcome(made: MqttClient): Promise<string | number> {
  return new Promise((resolve) => {
    made.once('connect', () => resolve('connected'))
    made.once('error', ({ code, message }: Error & { code?: number | string }) => {
      resolve(code === 'ECONNRESET' || code === 'EPIPE' ? 'closed' : (code ?? message))
    })
    made.once('close', () => resolve('closed'))
  })
}

async function connected(id: string, options: IClientOptions = {}): Promise<MqttClient> {
  const made = client(id, options)
  expect(await outcome(made)).toBe('connected')
  return made
}

async function raw(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = dial({ port: broker.port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

function closed(made: MqttClient | Socket): Promise<void> {
  return new Promise((resolve) => {
    ;(made as Socket).once('close', () => resolve())
  })
}

function nextMessage(made: MqttClient): Promise<string> {
  return new Promise((resolve) => {
    made.once('message', (_topic, payload) => resolve(payload.toString()))
  })
}

describe('authentication', () => {
  test('a gateway with its token', async () => {
    expect(await outcome(client('gw_a'))).toBe('connected')
    expect(broker.connections).toBe(1)
  })

  test.each([
    ['a wrong token', 'gw_a', { password: 'wrong' }, 5],
    ['an unknown gateway', 'gw_x', {}, 5],
    ['another gateway under a known client id', 'gw_a', { username: 'gw_b', password: 'token-of-b' }, 'closed'],
    ['a stored session', 'gw_a', { clean: false }, 'closed'],
    ['MQTT 3.1', 'gw_a', { protocolVersion: 3, protocolId: 'MQIsdp' }, 'closed'],
    ['a will to another topic', 'gw_a', { will: { topic: topicsOf('gw_b').up, payload: Buffer.from('x') } }, 'closed'],
    [
      'a retained will',
      'gw_a',
      { will: { topic: topicsOf('gw_a').up, payload: Buffer.from('x'), retain: true } },
      'closed',
    ],
    ['a huge will', 'gw_a', { will: { topic: topicsOf('gw_a').up, payload: Buffer.alloc(2_000) } }, 'closed'],
    ['a keepalive of an hour', 'gw_a', { keepalive: 3_600 }, 6],
  ] as const)('not %s', async (_words, id, options, expected) => {
    expect(await outcome(client(id, options as IClientOptions))).toBe(expected)
    expect(broker.connections).toBe(0)
  })

  test('when the database cannot be read, a gateway is asked to retry, not refused for its token', async () => {
    credentialsDown = true
    expect(await outcome(client('gw_a'))).toBe(3)
  })

  test('a newer connection of the same gateway replaces the older one, whose end and will are ignored', async () => {
    const ended: string[] = []
    broker.closed.subscribe(({ gatewayId }) => ended.push(gatewayId))
    const will = {
      topic: topicsOf('gw_a').up,
      payload: Buffer.from('will of the first'),
      qos: 1 as const,
      retain: false,
    }
    const first = await connected('gw_a', { will })
    const gone = closed(first)
    const second = await connected('gw_a')
    await gone
    await second.publishAsync(topicsOf('gw_a').up, 'second lives', { qos: 1 })
    while (heard.length === 0) await broker.message.next()
    expect(heard.map((m) => m.payload.toString())).toEqual(['second lives'])
    expect(ended).toEqual([])
    const left = broker.closed.next()
    second.stream.destroy()
    expect(await left).toEqual({ gatewayId: 'gw_a', epoch: null })
  })

  test('while an identity is guarded a second box is kept out and the first stays', async () => {
    const first = await connected('gw_a')
    broker.guardIdentity(asId('gw_a'), { forMs: 60_000, machine: null })
    expect([await outcome(client('gw_a')), first.connected]).toEqual([3, true])
    await first.endAsync(true)
    homes['gw_a'] = 'home'
    const known = await connected('gw_a', from('home'))
    broker.guardIdentity(asId('gw_a'), { forMs: 60_000, machine: 'home' })
    expect([await outcome(client('gw_a', from('home'))), known.connected]).toEqual([3, true])
  })

  test('a copied card in another machine never takes the place of the known one, which always takes its own', async () => {
    homes['gw_a'] = 'home'
    const home = await connected('gw_a', from('home'))
    expect(await outcome(client('gw_a', from('copy')))).toBe(3)
    expect(await outcome(client('gw_a'))).toBe(3)
    expect(home.connected).toBe(true)
    broker.guardIdentity(asId('gw_a'), { forMs: 60_000, machine: null })
    const gone = closed(home)
    await connected('gw_a', from('home'))
    await gone
  })

  test('another machine may connect while the known one is absent, and is disconnected when that returns', async () => {
    homes['gw_a'] = 'home'
    const board = await connected('gw_a', from('new-board'))
    const gone = closed(board)
    await connected('gw_a', from('home'))
    await gone
  })

  test('a kicked gateway loses its connection', async () => {
    const gateway = await connected('gw_a')
    const gone = closed(gateway)
    broker.kick(asId('gw_a'))
    await gone
  })
})

describe('what a gateway may publish and receive', () => {
  test('its own way up reaches the relay, the relay reaches its own way down', async () => {
    const gateway = await connected('gw_a')
    await gateway.subscribeAsync([topicsOf('gw_a').down, topicsOf('gw_a').all], { qos: 1 })
    await gateway.publishAsync(topicsOf('gw_a').up, 'up', { qos: 1 })
    while (heard.length === 0) await broker.message.next()
    expect(heard[0]?.topic).toBe(topicsOf('gw_a').up)
    const down = nextMessage(gateway)
    broker.publish(topicsOf('gw_a').down, 'down')
    expect(await down).toBe('down')
  })

  test('messages of every length arrive whole and in their order', async () => {
    const gateway = await connected('gw_a')
    const { down } = topicsOf('gw_a')
    await gateway.subscribeAsync(down, { qos: 1 })
    // The packet's length is a number of one, two or three bytes: around each change.
    const texts = [0, 1, 127, 128, 16_383, 16_384, 200_000].flatMap((remaining) => {
      const bytes = Math.max(0, remaining - 2 - down.length)
      return ['x'.repeat(bytes), `${'é€😀'.repeat(Math.floor(bytes / 9))}`]
    })
    const got: string[] = []
    const all = new Promise<void>((resolve) =>
      gateway.on('message', (_topic, payload) => {
        if (got.push(payload.toString()) === texts.length) resolve()
      }),
    )
    for (const text of texts) broker.publish(down, text)
    await all
    expect(got).toEqual(texts)
  })

  test('a message to a shard reaches each of its gateways that subscribed, and no other', async () => {
    const listening = await connected('gw_a')
    const { all, down } = topicsOf('gw_a')
    await listening.subscribeAsync(all, { qos: 1 })
    const got: string[] = []
    const third = new Promise<void>((resolve) =>
      listening.on('message', (topic, payload) => {
        if (got.push(`${topic} ${payload}`) === 3) resolve()
      }),
    )
    broker.publish(all, 'one')
    broker.publish(down, 'not subscribed')
    broker.publish(topicsOf('gw_b').all, 'another shard')
    await listening.subscribeAsync(down, { qos: 1 })
    broker.publish(down, 'two')
    broker.publish(all, 'three')
    await third
    expect(topicsOf('gw_b').all).not.toBe(all)
    expect(got).toEqual([`${all} one`, `${down} two`, `${all} three`])
  })

  test('the will of a gateway that breaks off reaches the relay, before the news that it is gone', async () => {
    const will = { topic: topicsOf('gw_a').up, payload: Buffer.from('will'), qos: 1 as const, retain: false }
    const gateway = await connected('gw_a', { will })
    const story: string[] = []
    broker.message.subscribe(({ payload }) => story.push(payload.toString()))
    const gone = broker.closed.next()
    broker.closed.subscribe(() => story.push('gone'))
    gateway.stream.destroy()
    await gone
    expect(story).toEqual(['will', 'gone'])
  })

  test.each([
    ['#'],
    ['+/#'],
    ['$SYS/#'],
    ['tr/v1/+/g/gw_a/down'],
    [topicsOf('gw_b').down],
    [topicsOf('gw_b').up],
    [topicsOf('gw_a').up],
  ])('a subscription to %s is refused', async (topic) => {
    const gateway = await connected('gw_a')
    await expect(gateway.subscribeAsync(topic, { qos: 1 })).rejects.toThrow()
    const other = await connected('gw_b')
    let leaked = false
    gateway.on('message', () => {
      leaked = true
    })
    await other.publishAsync(topicsOf('gw_b').up, 'secret', { qos: 1 })
    broker.publish(topicsOf('gw_b').down, 'secret')
    while (heard.length === 0) await broker.message.next()
    expect(leaked).toBe(false)
  })

  test('a refused filter beside an allowed one stays refused', async () => {
    const gateway = await connected('gw_a')
    const granted = await gateway
      .subscribeAsync({ [topicsOf('gw_a').down]: { qos: 1 }, [topicsOf('gw_b').down]: { qos: 1 } })
      .catch(() => null)
    expect(granted).toBeNull()
    const messages: string[] = []
    gateway.on('message', (topic) => messages.push(topic))
    broker.publish(topicsOf('gw_b').down, 'not for a')
    broker.publish(topicsOf('gw_a').down, 'for a')
    while (messages.length === 0) await nextMessage(gateway)
    expect(messages).toEqual([topicsOf('gw_a').down])
  })

  test.each([
    ['to another gateway', { topic: topicsOf('gw_b').down }, {}],
    ['as another gateway', { topic: topicsOf('gw_b').up }, {}],
    ['to its own way down', { topic: topicsOf('gw_a').down }, {}],
    ['to a broadcast', { topic: topicsOf('gw_a').all }, {}],
    ['a retained message', { topic: topicsOf('gw_a').up }, { retain: true }],
    ['with QoS 2', { topic: topicsOf('gw_a').up }, { qos: 2 as const }],
    ['below $SYS', { topic: '$SYS/x' }, {}],
  ])('a publish %s closes the connection', async (_words, { topic }, flags) => {
    const gateway = await connected('gw_a')
    const gone = closed(gateway)
    gateway.publish(topic, 'x', { qos: 1, ...flags })
    await gone
    expect(heard).toEqual([])
  })
})

describe('what would exhaust it', () => {
  test('a large CONNECT is refused by its announced length', async () => {
    const socket = await raw()
    const gone = closed(socket)
    // Fixed header of a CONNECT that announces 150 MB, and the beginning of it.
    socket.write(Buffer.from([0x10, 0x80, 0xd1, 0xc3, 0x47]))
    socket.write(Buffer.alloc(8_192))
    await gone
  })

  test('a CONNECT just above 4 kB is refused, one below is read', async () => {
    expect(await outcome(client('gw_a', { password: 'x'.repeat(LINK_LIMITS.connectBytes) }))).toBe('closed')
    expect(await outcome(client('gw_a', { password: 'x'.repeat(LINK_LIMITS.connectBytes - 100) }))).toBe(5)
  })

  test('a gateway may send a message of 200 kB, not of 300', async () => {
    const gateway = await connected('gw_a')
    await gateway.publishAsync(topicsOf('gw_a').up, Buffer.alloc(200_000), { qos: 1 })
    while (heard.length === 0) await broker.message.next()
    expect(heard[0]?.payload.length).toBe(200_000)
    const gone = closed(gateway)
    gateway.publish(topicsOf('gw_a').up, Buffer.alloc(300_000), { qos: 1 })
    await gone
  })

  test('a socket that never sends CONNECT is closed', async () => {
    await broker.stop()
    await start({ connectTimeoutMs: 100 })
    const socket = await raw()
    await closed(socket)
  })

  test('a socket whose CONNECT has arrived is answered, however late the program reads it', async () => {
    await broker.stop()
    const clock = new ManualClock()
    await start({ clock })
    const socket = await raw()
    // Taken by the broker, which counts from then.
    for (let turns = 0; turns < 5; turns++) await turn()
    const answer = once(socket, 'data')
    const will = { topic: topicsOf('gw_a').up, payload: '{}' }
    socket.write(connectPacket({ name: 'gw_a', password: 'token-of-a', keepaliveSeconds: 20, will }))
    // In the same tick: nothing has read the socket yet.
    await clock.advance(NO_TIMEOUT.connectTimeoutMs)
    expect([...(await answer)[0]]).toEqual([0x20, 2, 0, 0])
  })

  test('noise of every kind closes one connection and leaves the broker standing', async () => {
    let seed = 7
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed / 2_147_483_647
    }
    for (let i = 0; i < 60; i++) {
      // From elsewhere: its address is held off.
      const socket = await raw('127.0.0.2')
      socket.end(Buffer.from(Array.from({ length: 1 + random() * 300 }, () => Math.floor(random() * 256))))
    }
    expect(await outcome(client('gw_a'))).toBe('connected')
  })
})
