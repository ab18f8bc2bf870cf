// What a link does, over a real connection, with a relay that is there and has no time: it keeps its connection and counts no failure.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WAITS_FOR_RELAY } from '#shared/health.ts'
import { openText, sealText } from '#shared/link-seal.ts'
import { Signal } from '#shared/signal.ts'
import { topicsFor } from '#shared/wire/gateway-link.ts'
import { BlackHole } from '#test/doubles/black-hole.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { PacketSplitter } from '#test/harness/mqtt-light.ts'
import { CloudLink } from './cloud-link.ts'
import { CONNECT_PATIENCE } from './connect-patience.ts'
import { Connection } from './connection.ts'

const [CONNECT, PUBLISH, PUBACK, SUBSCRIBE] = [1, 3, 4, 8]
const topics = topicsFor('gw_1', 0)
const pairing = { gatewayId: 'gw_1', token: 'x'.repeat(32), topics, merchantName: '', timeZone: 'UTC' }

let clock: ManualClock
let broker: Server
/** Connections of the gateway, oldest first. */
let sockets: Socket[]
/** Fired for each hello, with its epoch. */
let hello: Signal<number>
/** Fired when the gateway has taken a message. */
let taken: Signal
/** Fired when a client has connected and sent a message that is not answered. */
let silent: Signal
let answers: boolean

beforeEach(async () => {
  clock = new ManualClock()
  sockets = []
  hello = new Signal()
  silent = new Signal()
  taken = new Signal()
  answers = true
  broker = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    const splitter = new PacketSplitter()
    socket.on('data', (chunk) => {
      for (const packet of splitter.take(chunk)) hear(socket, packet)
    })
  }).listen(0, '127.0.0.1')
  await once(broker, 'listening')
})
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  broker.close()
})

function hear(socket: Socket, packet: Buffer): void {
  if (!answers) {
    silent.notify()
    return
  }
  const type = (packet[0] ?? 0) >> 4
  if (type === CONNECT) socket.write(Uint8Array.of(0x20, 2, 0, 0))
  else if (type === SUBSCRIBE) socket.write(Uint8Array.of(0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 1, 1))
  else if (type === PUBACK) taken.notify()
  else if (type === PUBLISH) {
    const said = openText(packet.subarray(packet.indexOf('{"'))).json as { t?: string; e?: number } | undefined
    if (said?.t === 'hello') hello.notify(said.e ?? -1)
  }
}

/** The relay sends this on the newest connection. Resolves when the gateway has processed it. */
async function says(message: object): Promise<void> {
  const envelope = { v: 1, id: 'm', ts: 0 }
  const name = Buffer.from(topics.down)
  const payload = Buffer.from(sealText(JSON.stringify({ ...envelope, ...message })))
  const length = 4 + name.length + payload.length
  const head = Uint8Array.of(0x32, (length & 127) | 128, length >> 7, 0, name.length)
  const isTaken = taken.next()
  sockets.at(-1)?.write(Buffer.concat([head, name, Uint8Array.of(0, 1), payload]))
  await isTaken
}

const brokerUrl = (scheme = 'mqtt'): string => `${scheme}://127.0.0.1:${(broker.address() as AddressInfo).port}`
const WELCOME = {
  ...{ t: 'welcome', session: 's', t0: 0, t1: 1, t2: 1, cfgVer: 0, window: { jobs: 16, bytes: 262_144 }, acked: 0 },
  caps: ['digest'],
}

describe('a link whose relay asks it to wait', () => {
  let core: GatewayCore
  let link: CloudLink

  beforeEach(() => {
    core = new GatewayCore()
    const { identity, intake, reports, relayTime } = core
    const status = {
      snapshot: () => ({ printers: [], queue: { queued: 0, held: 0, unreported: 0 } }),
      isPrinting: () => false,
      changed: new Signal(),
    }
    link = new CloudLink({
      ...{ identity, intake, reports, relayTime, status, clock, random: () => 0, app: 'test' },
      pairing: { ...pairing, brokerUrl: brokerUrl() },
      log: pino({ level: 'silent' }),
    })
  })
  afterEach(async () => {
    const stopped = link.stop()
    await clock.advance(1_000)
    await stopped
    await core.stop()
  })

  it('reports it, and asks again on the same connection after the delay, until it is welcomed', async () => {
    const first = hello.next()
    await link.start()
    const epoch = await first
    for (let round = 0; round < 3; round++) {
      await says({ t: 'wait', e: epoch, forMs: 30_000 })
      expect(link.state).toMatchObject({ connected: false, trouble: null, detail: WAITS_FOR_RELAY })
      // Longer than any welcome is waited for.
      await clock.advance(29_999)
      const again = hello.next()
      await clock.advance(1)
      expect(await again).toBe(epoch)
      expect(sockets).toHaveLength(1)
    }
    await says({ ...WELCOME, e: epoch })
    expect(link.state).toMatchObject({ connected: true, detail: 'connected' })
    expect(sockets).toHaveLength(1)
  })

  it('gives up as before when nothing comes after it has asked again', async () => {
    const first = hello.next()
    await link.start()
    await says({ t: 'wait', e: await first, forMs: 1_000 })
    const again = hello.next()
    await clock.advance(1_000)
    await again
    await clock.advance(CONNECT_PATIENCE.welcomeMs - 1)
    expect(link.state.detail).toBe(WAITS_FOR_RELAY)
    await clock.advance(1)
    expect(link.state.detail).toBe('no welcome from the relay')
  })

  it('does not wait because another connection has to', async () => {
    const first = hello.next()
    await link.start()
    await says({ t: 'wait', e: (await first) + 1, forMs: 60_000 })
    expect(link.state.detail).toBe('connecting')
    await clock.advance(CONNECT_PATIENCE.welcomeMs)
    expect(link.state.detail).toBe('no welcome from the relay')
  })
})

describe('an attempt to connect', () => {
  let connection: Connection
  let ends: string[]

  function open(url: string): void {
    ends = []
    connection = new Connection(
      {
        ...{ pairing: { ...pairing, brokerUrl: url }, clientId: 'gw_1', will: '{}', clock },
        keepaliveSeconds: 20,
        onMessage: () => undefined,
        onEnd: (_, detail) => ends.push(detail),
      },
      () => undefined,
    )
    connection.open()
  }
  afterEach(() => connection.close('test over'))

  it.each(['mqtt', 'ws'])(
    'by %s that was taken is given time until it is answered: the relay may be slow',
    async (scheme) => {
      answers = false
      const isTaken = silent.next()
      open(brokerUrl(scheme))
      await isTaken
      await clock.advance(CONNECT_PATIENCE.answerMs - 1)
      expect(ends).toEqual([])
      await clock.advance(1)
      expect(ends).toEqual(['the relay does not answer'])
    },
  )

  it.each(['mqtt', 'ws'])('by %s that is not accepted is given up after 8 s', async (scheme) => {
    const hole = new BlackHole()
    const { host, port } = await hole.start()
    open(`${scheme}://${host}:${port}`)
    await clock.advance(CONNECT_PATIENCE.reachMs - 1)
    expect(ends).toEqual([])
    await clock.advance(1)
    expect(ends).toEqual(['the relay cannot be reached'])
    await hole.stop()
  })
})
