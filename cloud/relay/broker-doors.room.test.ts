// The embedded broker's two listeners, TCP and WebSocket: which connections are accepted, from which address, and behind which proxy. All of 127.0.0.0/8 are addresses of this machine.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect as dial, type Socket } from 'node:net'
import mqtt, { type IClientOptions, MqttClient } from 'mqtt'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { systemClock } from '#shared/clock.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PROXY_V2_LOCAL, proxyV2 } from '#test/harness/proxy-v2.ts'
import { EmbeddedBroker } from './broker.ts'
import { topicsOf } from './broker-rules.ts'

const PROXY = '127.0.0.9'
const CLIENT = '203.0.113.7'
const TOKEN = 'the token of every gateway here'

let broker: EmbeddedBroker
let server: Server
let lines: { message: string; detail: Record<string, unknown> }[]
const clients: MqttClient[] = []
const sockets: Socket[] = []

async function start(options: Partial<ConstructorParameters<typeof EmbeddedBroker>[0]> = {}): Promise<void> {
  lines = []
  const note = (detail: Record<string, unknown>, message: string) => lines.push({ detail, message })
  const tokenHash = async (id: string) =>
    id.startsWith('gw_') ? createHash('sha256').update(TOKEN).digest('hex') : null
  broker = new EmbeddedBroker({
    // Refusals come at once.
    ...{ host: '127.0.0.1', port: 0, clock: Object.assign(new ManualClock(), { sleep: async () => undefined }) },
    gateways: { machine: async () => null, tokenHash },
    log: { info: note, warn: note, error: note } as never,
    proxies: new TrustedProxies([PROXY]),
    // What closes a connection here is a rule, not a timer.
    connectTimeoutMs: 60_000,
    ...options,
  })
  await broker.start()
  server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  broker.attachWebSocket(server)
}

beforeEach(() => start())

async function stop(): Promise<void> {
  for (const client of clients.splice(0)) client.end(true)
  for (const socket of sockets.splice(0)) socket.destroy()
  await broker.stop()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
afterEach(stop)

type Outcome = 'in' | 'wrong' | 'held off' | '503' | 'closed'

function outcomeOf(made: MqttClient): Promise<Outcome> {
  clients.push(made)
  return new Promise((resolve) => {
    made.once('connect', () => resolve('in'))
    made.on('error', ({ code }: Error & { code?: number | string }) => {
      if (code === 5) resolve('wrong')
      else if (code === 3) resolve('held off')
      else resolve('closed')
    })
    made.once('close', () => resolve('closed'))
  })
}

function credentials(id: string, password: string): IClientOptions {
  return { clientId: id, username: id, password, protocolVersion: 4, reconnectPeriod: 0 }
}

/** A raw connection of this address of ours; what is given is written first. */
function raw(localAddress: string, first?: Buffer): Socket {
  const socket = dial({ host: '127.0.0.1', port: broker.port, localAddress })
  sockets.push(socket)
  socket.on('error', () => {})
  if (first) socket.write(first)
  return socket
}

interface SignIn {
  password?: string
  /** What a proxy writes before. */
  first?: Buffer
}

/** Signs in by TCP from this address of ours. */
function signIn(localAddress: string, id: string, { password = TOKEN, first }: SignIn = {}): Promise<Outcome> {
  return outcomeOf(new MqttClient(() => raw(localAddress, first), credentials(id, password)))
}

/** Signs in by WebSocket from this address of ours, with this X-Forwarded-For. */
async function signInByWeb(
  localAddress: string,
  id: string,
  from: { password?: string; header?: string } = {},
): Promise<Outcome> {
  const { password = TOKEN, header } = from
  const { port } = server.address() as AddressInfo
  const wsOptions = { localAddress, headers: header === undefined ? {} : { 'x-forwarded-for': header } }
  let isRefused = false
  const createWebsocket = (url: string, protocols: string[]) =>
    new WebSocket(url, protocols, wsOptions).on('error', ({ message }) => {
      isRefused = message.includes('503')
    })
  const options = { ...credentials(id, password), createWebsocket } as IClientOptions
  const outcome = await outcomeOf(mqtt.connect(`ws://127.0.0.1:${port}/mqtt`, options))
  return isRefused ? '503' : outcome
}

/** One after the other, with wrong passwords, until the address is held off. */
async function wrongUntilHeldOff(one: () => Promise<Outcome>): Promise<number> {
  for (let count = 0; ; count++) {
    const outcome = await one()
    if (outcome === 'held off' || outcome === '503') return count
    expect(outcome).toBe('wrong')
  }
}

function ended(client: MqttClient): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()))
}

const wrong = { password: 'wrong' }
const sixty = (one: (id: string) => Promise<Outcome>) =>
  Promise.all(Array.from({ length: 60 }, (_, n) => one(`gw_${n}`)))
const ALL_IN = new Array<Outcome>(60).fill('in')

describe('sixty gateways at once', () => {
  test('connect from one address', async () => {
    expect(await sixty((id) => signIn('127.0.0.2', id))).toEqual(ALL_IN)
  })

  test('connect by one proxy, with or without forwarded addresses', async () => {
    expect(await sixty((id) => signInByWeb(PROXY, id))).toEqual(ALL_IN)
    expect(await sixty((id) => signInByWeb(PROXY, id, { header: CLIENT }))).toEqual(ALL_IN)
    expect(await sixty((id) => signIn(PROXY, id))).toEqual(ALL_IN)
  })
})

describe('an address that sends wrong passwords', () => {
  test('is blocked, this machine too; others connect', async () => {
    for (const address of ['127.0.0.1', '127.0.0.2']) {
      expect(await wrongUntilHeldOff(() => signIn(address, 'gw_a', wrong))).toBe(20)
      expect(await signIn(address, 'gw_b')).toBe('held off')
    }
    expect(await signIn('127.0.0.3', 'gw_a')).toBe('in')
    expect(lines.find(({ detail }) => detail['network'] === '127.0.0.1')).toBeDefined()
  })

  test('is the one that a trusted proxy names, at whichever door', async () => {
    await wrongUntilHeldOff(() => signInByWeb(PROXY, 'gw_a', { ...wrong, header: CLIENT }))
    expect(await signInByWeb(PROXY, 'gw_b', { header: `192.0.2.1, ${CLIENT}` })).toBe('503')
    expect(await signInByWeb(PROXY, 'gw_b', { header: '203.0.113.8' })).toBe('in')
  })

  test('is not what a stranger writes', async () => {
    let n = 0
    await wrongUntilHeldOff(() => signInByWeb('127.0.0.2', 'gw_a', { ...wrong, header: `203.0.113.${n++ % 250}` }))
    expect(await signInByWeb(PROXY, 'gw_a', { header: '203.0.113.1' })).toBe('in')
  })

  test('is never the proxy itself', async () => {
    for (let n = 0; n < 40; n++) expect(await signIn(PROXY, 'gw_a', wrong)).toBe('wrong')
    expect(await signIn(PROXY, 'gw_a')).toBe('in')
  })
})

test('connections that never send CONNECT block their address too', async () => {
  let junk = 0
  while ((await signIn('127.0.0.2', 'gw_a', wrong)) !== 'held off') {
    const socket = raw('127.0.0.2', Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    await once(socket, 'close')
    junk++
  }
  // Ten of these and ten wrong passwords.
  expect(junk).toBe(10)
})

test('one address cannot hold all places of those that are not signed in', async () => {
  await stop()
  let asked = 0
  const never = new Promise<null>(() => {})
  const tokenHash = (id: string) => {
    if (id !== 'gw_slow') return Promise.resolve(createHash('sha256').update(TOKEN).digest('hex'))
    asked++
    return never
  }
  await start({
    signIns: { waitingOfAddress: 5, waiting: 10 },
    gateways: { machine: async () => null, tokenHash },
  })
  // Each waits for its answer.
  for (let n = 0; n < 5; n++) void signIn('127.0.0.2', 'gw_slow')
  await expect.poll(() => asked).toBe(5)
  expect(await signIn('127.0.0.2', 'gw_a')).toBe('closed')
  expect(await signIn('127.0.0.3', 'gw_a')).toBe('in')
  expect(await signInByWeb('127.0.0.2', 'gw_b')).toBe('503')
  const oldest = raw('127.0.0.4')
  await once(oldest, 'connect')
  for (let n = 0; n < 5; n++) await once(raw('127.0.0.5'), 'connect')
  expect(await signIn('127.0.0.6', 'gw_c')).toBe('in')
})

test('silent connections of a stranger behind the same address keep out no gateway that connected from there before', async () => {
  const address = '127.0.0.21'
  expect(await signIn(address, 'gw_here')).toBe('in')
  await wrongUntilHeldOff(() => signIn(address, 'gw_x', { password: 'wrong' }))
  const silent = Array.from({ length: 300 }, () => raw(address))
  const ended = silent.map((socket) => once(socket, 'close'))
  await Promise.race(ended)
  expect(await signIn(address, 'gw_here')).toBe('in')
  expect(await signIn(address, 'gw_new')).toBe('held off')
})

test('WebSocket leads to the broker at /mqtt and nowhere else', async () => {
  const { port } = server.address() as AddressInfo
  const over = (path: string) => outcomeOf(mqtt.connect(`ws://127.0.0.1:${port}${path}`, credentials('gw_a', TOKEN)))
  expect([await over('/mqtt'), await over('/other')]).toEqual(['in', 'closed'])
})

test.each([
  ['that waits for its refusal', '/mqtt', true],
  ['that is refused', '/other', false],
])('a client that resets its connection %s harms nobody', async (_words, path, isHeldOff) => {
  const address = '127.0.0.41'
  // Its refusal waits as long as the broker runs.
  await stop()
  await start({ clock: new ManualClock(), signIns: { failed: { steadyPerMinute: 1, burstPerMinute: 1 } } })
  if (isHeldOff) await once(raw(address, Buffer.from('GET / HTTP/1.1\r\n\r\n')), 'close')
  const upgraded = once(server, 'upgrade') as Promise<[unknown, Socket]>
  const socket = dial({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, localAddress: address })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: relay\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  const [, ofServer] = await upgraded
  const closed = new Promise((resolve) => ofServer.once('close', resolve))
  socket.resetAndDestroy()
  await closed
  expect(await signIn('127.0.0.42', 'gw_a')).toBe('in')
})

describe('behind a proxy that uses the PROXY protocol', () => {
  beforeEach(async () => {
    await stop()
    await start({ proxyProtocol: true })
  })

  test('gateways connect by version 2 and by version 1, and each counts by its own address', async () => {
    const line = (from: string) => Buffer.from(`PROXY TCP4 ${from} 192.0.2.1 1000 1883\r\n`)
    expect(await sixty((id) => signIn(PROXY, id, { first: proxyV2(CLIENT) }))).toEqual(ALL_IN)
    await wrongUntilHeldOff(() => signIn(PROXY, 'gw_a', { ...wrong, first: proxyV2('203.0.113.8') }))
    expect(await signIn(PROXY, 'gw_b', { first: line('203.0.113.8') })).toBe('held off')
    expect(await signIn(PROXY, 'gw_b', { first: line('203.0.113.9') })).toBe('in')
    expect(await signIn(PROXY, 'gw_c', { first: proxyV2('2001:db8::1', Buffer.from('0300040a0b0c0d', 'hex')) })).toBe(
      'in',
    )
  })

  test('the header may arrive in any pieces, and MQTT right behind it', async () => {
    const first = proxyV2(CLIENT)
    const connect = Buffer.from('101000044d5154540402003c000467775f61', 'hex')
    for (const cut of [1, 12, 15, 16, 27]) {
      const socket = raw(PROXY)
      await once(socket, 'connect')
      socket.setNoDelay(true)
      socket.write(first.subarray(0, cut))
      await new Promise((resolve) => setImmediate(resolve))
      socket.write(Buffer.concat([first.subarray(cut), connect]))
      // A CONNECT without a user name: read, understood and refused.
      await once(socket, 'close')
      expect(socket.bytesRead).toBe(0)
    }
    const { message } = lines.find(({ detail }) => String(detail['reason']).startsWith('CONNECT refused')) ?? {}
    expect(message).toBe('connection refused')
  })

  test('a health check of the proxy is no failed sign-in', async () => {
    for (let n = 0; n < 40; n++) {
      const socket = raw(PROXY, PROXY_V2_LOCAL)
      await once(socket, 'connect')
      socket.destroy()
    }
    expect(await signIn(PROXY, 'gw_a', { first: PROXY_V2_LOCAL })).toBe('in')
  })

  test.each([
    ['a connection of anybody else', '127.0.0.2', proxyV2(CLIENT), 'it is no trusted proxy'],
    ['a connection without a header', PROXY, Buffer.from('101000044d515454', 'hex'), 'no PROXY header'],
    ['a line that is no header', PROXY, Buffer.from('PROXY TCP4 a b c d\r\n'), 'a line that cannot be read'],
  ])('%s is closed, and the log says why', async (_words, address, first, reason) => {
    const socket = raw(address, first)
    await once(socket, 'close')
    expect(lines).toEqual([
      { message: 'a connection at the MQTT port was closed: CLOUD_MQTT_PROXY_PROTOCOL is on', detail: { reason } },
    ])
  })

  test('a proxy that does not write its header in time is closed', async () => {
    await stop()
    await start({ proxyProtocol: true, proxyHeaderMs: 20, clock: systemClock })
    const socket = raw(PROXY, proxyV2(CLIENT).subarray(0, 20))
    await once(socket, 'close')
    expect(lines.map(({ detail }) => detail)).toEqual([{ reason: 'too slow' }])
  })
})

describe('filters of one packet', () => {
  const filters = (count: number) => Array.from({ length: count }, (_, n) => `x/${n}`)

  test.each([
    ['nine', 9],
    ['twenty thousand', 20_000],
  ])('%s filters of a SUBSCRIBE close the connection', async (_words, count) => {
    expect(await signIn('127.0.0.2', 'gw_a')).toBe('in')
    const [client] = clients.splice(0)
    const gone = ended(client as MqttClient)
    client?.subscribe([topicsOf('gw_a').down, ...filters(count - 1)], { qos: 1 }, () => {})
    await gone
    expect(lines.some(({ detail }) => /subscribe of \d+ (filters|bytes)/.test(String(detail['reason'])))).toBe(true)
    expect(await signIn('127.0.0.2', 'gw_a')).toBe('in')
    const second = clients.at(-1) as MqttClient
    const goneToo = ended(second)
    second.unsubscribe(filters(count), {}, () => {})
    await goneToo
  })

  test('a gateway needs two and may ask for eight', async () => {
    expect(await signIn('127.0.0.2', 'gw_a')).toBe('in')
    const { down, all } = topicsOf('gw_a')
    const granted = await clients[0]?.subscribeAsync([down, all], { qos: 1 })
    expect(granted?.map(({ qos }) => qos)).toEqual([1, 1])
    await clients[0]?.unsubscribeAsync([down, all, ...filters(6)])
    expect(clients[0]?.connected).toBe(true)
  })
})
