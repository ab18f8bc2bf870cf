// A gateway that gets `move`, over real connections, with relays that accept it, refuse it, are older, or send `wait`.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openText, sealText } from '#shared/link-seal.ts'
import { Signal } from '#shared/signal.ts'
import { topicsFor } from '#shared/wire/gateway-link.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { packetOf } from '#test/doubles/mqtt-wire.ts'
import { PacketSplitter } from '#test/harness/mqtt-light.ts'
import { CloudLink } from './cloud-link.ts'

const [CONNECT, PUBLISH, SUBSCRIBE, DISCONNECT] = [1, 3, 8, 14]
const topics = topicsFor('gw_1', 0)
const UNAVAILABLE = 3

/** A connection of the gateway as the relay sees it. */
interface Seen {
  socket: Socket
  clientId: string
  /** Type and epoch of its messages, and `disconnect` and `closed`. */
  said: string[]
}

let clock: ManualClock
let core: GatewayCore
let link: CloudLink
let server: Server
let seen: Seen[]
let changed: Signal
/** What a relay does with CONNECT: a CONNACK code, or `hangs-up`. */
let door: number | 'hangs-up'
/** Each state of the link, since its first welcome. */
let states: string[]

beforeEach(async () => {
  clock = new ManualClock()
  core = new GatewayCore([], { clock })
  seen = []
  changed = new Signal()
  door = 0
  states = []
  server = createServer((socket) => accept(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { identity, intake, reports, relayTime } = core
  const snapshot = () => ({ printers: [], queue: { queued: 0, held: 0, unreported: 0 } })
  const brokerUrl = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`
  link = new CloudLink({
    ...{ identity, intake, reports, relayTime, clock, random: () => 0.5, app: 'test' },
    status: { snapshot, isPrinting: () => false, changed: new Signal() },
    pairing: { gatewayId: 'gw_1', token: 'x'.repeat(32), topics, merchantName: '', timeZone: 'UTC', brokerUrl },
    log: pino({ level: 'silent' }),
  })
  await link.start()
  await heard(() => said(0).includes('hello 1'))
  says(0, { t: 'welcome', e: 1, ...WELCOME })
  await heard(() => said(0).includes('status 1'))
  link.changed.subscribe(() => states.push(`${link.state.connected} ${link.state.detail}`))
})
afterEach(async () => {
  const stopped = link.stop()
  await clock.advance(1_000)
  await stopped
  for (const { socket } of seen) socket.destroy()
  server.close()
  await core.stop()
})

const WELCOME = {
  ...{ session: 's', t0: 0, t1: 1, t2: 1, cfgVer: 0, window: { jobs: 16, bytes: 262_144 }, acked: 0 },
  caps: ['digest'],
}

function accept(socket: Socket): void {
  const one: Seen = { socket, clientId: '', said: [] }
  const note = (what: string): void => {
    one.said.push(what)
    changed.notify()
  }
  seen.push(one)
  socket.on('error', () => undefined)
  socket.on('close', () => note('closed'))
  const splitter = new PacketSplitter()
  socket.on('data', (chunk) => {
    for (const packet of splitter.take(chunk)) {
      const type = (packet[0] ?? 0) >> 4
      if (type === CONNECT) {
        one.clientId = /gw_1\w*/.exec(packet.toString('latin1'))?.[0] ?? ''
        note(packet.includes('"beside":true') ? 'connect beside' : 'connect')
        if (door === 'hangs-up') socket.destroy()
        else socket.write(Uint8Array.of(0x20, 2, 0, door))
      } else if (type === SUBSCRIBE) socket.write(Uint8Array.of(0x90, 4, packet[2] ?? 0, packet[3] ?? 0, 1, 1))
      else if (type === DISCONNECT) note('disconnect')
      else if (type === PUBLISH) {
        // Its identifier follows the topic.
        const at = 4 + topics.up.length + (packet[1] && packet[1] > 127 ? 1 : 0)
        socket.write(Uint8Array.of(0x40, 2, packet[at] ?? 0, packet[at + 1] ?? 0))
        const message = openText(packet.subarray(at + 2)).json as { t: string; e: number; last?: number }
        note(`${message.t} ${message.e}${message.t === 'ack' || message.t === 'nack' ? ` last ${message.last}` : ''}`)
      }
    }
  })
}

function says(connection: number, message: object): void {
  const payload = Buffer.from(sealText(JSON.stringify({ v: 1, id: 'm', ts: 0, ...message })))
  const topic = Buffer.from(topics.down)
  seen[connection]?.socket.write(packetOf(0x30, Buffer.from([0, topic.length]), topic, payload))
}

const said = (connection: number): string[] => seen[connection]?.said ?? []

/** Resolves when it holds: checks after each message that a relay gets. */
async function heard(condition: () => boolean): Promise<void> {
  while (!condition()) await changed.next()
}

/** The same, while time passes: a relay detects a connection's end before the gateway has set its timer. */
async function comes(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await clock.advance(20)
    await turn()
  }
}

const job = (seq: number, e: number) => ({
  ...{ t: 'job', e, jobId: `j${seq}`, stream: core.identity.stream(), seq, notBefore: null, expiresAt: null },
  ...{ possibleDuplicate: false, doc: { kind: 'none' } },
})

it('has a second connection before it closes the first, with the next epoch, and was never without one', async () => {
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('hello 2'))
  expect([seen[1]?.clientId, said(1)[0]]).toEqual(['gw_1_2', 'connect beside'])
  expect(said(0)).not.toContain('disconnect')
  says(1, { t: 'welcome', e: 2, ...WELCOME })
  await heard(() => said(0).includes('closed'))
  expect(said(0).slice(-3)).toEqual(['bye 1', 'disconnect', 'closed'])
  await heard(() => said(1).includes('status 2'))
  expect([link.state.connected, states]).toEqual([true, []])

  // The next move leads back to the first client id.
  says(1, { t: 'move', e: 2, withinMs: 20_000 })
  await heard(() => said(2).includes('hello 3'))
  expect(seen[2]?.clientId).toBe('gw_1')
})

it('takes nothing on the first connection while the second hello is pending, and continues there when that has to wait', async () => {
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('hello 2'))
  says(0, job(1, 1))
  // Both receive it if both are at one broker.
  says(0, { t: 'welcome', e: 2, ...WELCOME })
  says(0, { t: 'rack', e: 1, jobIds: ['none'] })
  says(1, { t: 'wait', e: 2, forMs: 30_000 })
  await heard(() => said(0).includes('ack 1 last 1'))
  expect(said(0).filter((what) => what.startsWith('ack'))).toEqual(['ack 1 last 1'])

  await clock.advance(33_000)
  await heard(() => said(1).filter((what) => what === 'hello 2').length === 2)
  expect(core.identity.lastSeq()).toBe(1)
  says(0, job(2, 1))
  says(1, { t: 'welcome', e: 2, ...WELCOME })
  await heard(() => said(0).includes('closed'))
  // The relay that welcomed it sends it again.
  expect(core.identity.lastSeq()).toBe(1)
  says(1, job(2, 2))
  await heard(() => said(1).includes('ack 2 last 2'))
})

it('keeps the first connection and tries again within the time when the other relay refuses it', async () => {
  door = UNAVAILABLE
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('closed'))
  const sinceMs = clock.monotonicMs()
  await comes(() => said(2).includes('closed'))
  await comes(() => clock.monotonicMs() - sinceMs > 30_000)
  const attempts = seen.length
  await clock.advance(60_000)
  expect(seen).toHaveLength(attempts)
  expect(states).toEqual([])
  says(0, job(1, 1))
  await heard(() => said(0).includes('ack 1 last 1'))

  door = 0
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(attempts).some((what) => what.startsWith('hello')))
})

it('calls itself by its own id where a relay older than the second id hangs up', async () => {
  door = 'hangs-up'
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('closed'))
  door = 0
  await comes(() => said(2).includes('hello 3'))
  expect(seen.map(({ clientId }) => clientId)).toEqual(['gw_1', 'gw_1_2', 'gw_1'])
  says(2, { t: 'welcome', e: 3, ...WELCOME })
  await heard(() => said(0).includes('closed'))
  expect(states).toEqual([])
})

it('waits for the second connection when the first breaks meanwhile', async () => {
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('hello 2'))
  seen[0]?.socket.destroy()
  await heard(() => said(0).includes('closed'))
  says(1, { t: 'welcome', e: 2, ...WELCOME })
  await heard(() => said(1).includes('status 2'))
  await clock.advance(60_000)
  expect(seen).toHaveLength(2)
  expect(link.state.connected).toBe(true)
})

it('reconnects when the second connection was lost before its welcome and the relay asks on the first', async () => {
  says(0, { t: 'move', e: 1, withinMs: 0 })
  await heard(() => said(1).includes('hello 2'))
  seen[1]?.socket.destroy()
  // Accepted there again: the gateway knows that the second has ended.
  says(0, job(1, 1))
  await heard(() => said(0).includes('ack 1 last 1'))
  // A relay may have its hello: one of the first connection would be of an older epoch.
  says(0, { t: 'rehello', e: 2, withinMs: 0 })
  await comes(() => said(0).includes('closed') && said(2).includes('hello 3'))
  expect(said(0).filter((what) => what.startsWith('hello'))).toEqual(['hello 1'])
})

it('opens one connection for two requests', async () => {
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('hello 2'))
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  says(0, { t: 'move', e: 7, withinMs: 20_000 })
  says(0, job(1, 1))
  seen[1]?.socket.destroy()
  await heard(() => said(0).includes('ack 1 last 1'))
  expect(seen).toHaveLength(2)
})

it('leaves both connections when it stops', async () => {
  says(0, { t: 'move', e: 1, withinMs: 20_000 })
  await heard(() => said(1).includes('hello 2'))
  const stopped = link.stop()
  await heard(() => said(0).includes('closed') && said(1).includes('closed'))
  await stopped
  expect(said(0).slice(-3)).toEqual(['bye 1', 'disconnect', 'closed'])
  await clock.advance(60_000)
  expect(seen).toHaveLength(2)
})
