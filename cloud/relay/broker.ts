// The embedded MQTT broker: aedes, with every default closed that loses, leaks or stalls (docs/wire-protocol.md, "Embedded broker").
// It stores nothing: clean sessions, no retained messages, no queue for absent clients. The database is the queue.
// aedes handles MQTT with the gateways. The relay is not a client of it: it reads a message where the broker authorizes it, and writes to a
// gateway's connection itself (docs/decisions/0046-the-relay-is-no-client-of-its-broker.md).
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Aedes, type AuthenticateError, type Client } from 'aedes'
import type { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import { BrokerDoors, type BrokerDoorsOptions } from './broker-doors.ts'
import { mayPublish, mayRead, packetLimit, readConnect } from './broker-rules.ts'
import {
  type ConnectionEnd,
  type GatewayConnection,
  GatewayConnections,
  type Introduced,
} from './gateway-connections.ts'
import { paceReads } from './paced-reader.ts'
import { guardParser } from './parser-guard.ts'
import type { Arrival } from './sign-in-gate.ts'
import { endIfSilent } from './silent-connection.ts'
import { readsTooSlowly, slowReaderWriter } from './slow-reader.ts'

export interface BrokerOptions extends BrokerDoorsOptions {
  gateways: Pick<GatewayStore, 'tokenHash' | 'machine'>
  /** Without it passwords never change. */
  credentials?: Pick<GatewayCredentialStore, 'nextTokenHash' | 'promote'>
  /** A subscriber that does not read for this long is dropped. */
  drainTimeoutMs?: number
  connectTimeoutMs?: number
}

const DOWN_TOPIC = /^tr\/v1\/s[0-9a-f]{2}\/g\/([a-z0-9_]{1,64})\/down$/
const DRAIN_TIMEOUT_MS = 5_000
const CONNECT_WITHIN_MS = 5_000
/** CONNACK "server unavailable": the gateway comes back later, its credentials are not at fault. */
const UNAVAILABLE = 3
const NOT_AUTHORIZED = 5

export interface LinkMessage {
  topic: string
  payload: Buffer
}

/** How the relay talks with its gateways: the embedded broker, or a client of an external one. */
export interface Broker extends Service {
  /** Messages from gateways, each from its own `up` topic. */
  readonly message: Signal<LinkMessage>
  /** Fired when the relay begins to receive messages from its gateways, and when it no longer does. */
  readonly changed: Signal<boolean>
  readonly up: boolean
  /** Lost silently when the gateway is not connected: the caller must send again what has to arrive. */
  publish(topic: string, payload: string): void
}

/** A gateway's connection in aedes. */
interface Connected extends GatewayConnection {
  client: Client
}

/** The sender of a connection, as its CONNECT describes it. */
interface Caller extends Introduced {
  gatewayId: GatewayId
}

export class EmbeddedBroker implements Broker {
  readonly message = new Signal<LinkMessage>()
  readonly changed = new Signal<boolean>()
  /** A gateway's connection has ended. Not fired when a newer connection has taken its place. */
  readonly closed = new Signal<ConnectionEnd>()
  /** A gateway's connection was accepted; messages of its earlier one are ignored from now on. Not fired for a second connection beside the first. */
  readonly opened = new Signal<GatewayId>()
  readonly #options: BrokerOptions
  readonly #doors: BrokerDoors
  readonly #lines: SampledLog
  /** Those that are signed in. */
  readonly #connections = new GatewayConnections<Connected>()
  /** Identities that two boxes used at once: until `untilMs` no new connection replaces a living one. */
  readonly #guarded = new Map<string, { untilMs: number; machine: string | null }>()
  /** The sender of each connection, once its CONNECT has come. */
  readonly #callers = new WeakMap<Client, Caller>()
  readonly #arrivals = new WeakMap<Client, Arrival>()
  #aedes: Aedes | null = null
  #isLeaving = false

  constructor(options: BrokerOptions) {
    this.#options = options
    this.#doors = new BrokerDoors(options, (stream, arrival, request) => this.#enter(stream, arrival, request))
    this.#lines = new SampledLog(options.log, options.clock)
  }

  /** The TCP port, known after start. */
  get port(): number {
    return this.#doors.port
  }

  get connections(): number {
    return this.#connections.count
  }

  get up(): boolean {
    return this.#aedes !== null
  }

  /** @throws Error with code EADDRINUSE when the port is taken. */
  async start(): Promise<void> {
    if (this.#aedes) return
    this.#isLeaving = false
    const aedes = await this.#createAedes()
    this.#aedes = aedes
    try {
      await this.#doors.open()
    } catch (error) {
      this.#aedes = null
      await closeBroker(aedes)
      throw error
    }
    this.changed.notify(true)
  }

  async stop(): Promise<void> {
    const aedes = this.#aedes
    this.#aedes = null
    this.#doors.detach()
    if (aedes) await closeBroker(aedes)
    await this.#doors.close()
    this.#connections.clear()
    if (aedes) this.changed.notify(false)
  }

  /** In the socket's buffer when it returns, at QoS 0: everything that matters is acknowledged by the gateway's database. */
  publish(topic: string, payload: string): void {
    const gatewayId = DOWN_TOPIC.exec(topic)?.[1]
    const receivers = gatewayId === undefined ? this.#connections.all() : this.#connections.of(gatewayId)
    let bytes: Buffer | null = null
    for (const { client, write } of receivers) {
      if (!client.connected || client.closed || !mayRead(this.#idOf(client), topic) || !isSubscribed(client, topic))
        continue
      bytes ??= publishPacket(topic, payload)
      write(bytes)
    }
  }

  /** MQTT over WebSocket at /mqtt of this server: most restaurants' firewalls let only port 443 out. */
  attachWebSocket(server: HttpServer): void {
    this.#doors.attachWebSocket(server)
  }

  isConnected(gatewayId: GatewayId): boolean {
    return this.#connections.has(gatewayId)
  }

  /** Closes a gateway's connections, if it has any here. */
  kick(gatewayId: GatewayId): void {
    for (const { client } of this.#connections.of(gatewayId)) client.close()
  }

  /** The relay has answered the hello of this epoch. */
  welcomed(gatewayId: GatewayId, epoch: number): void {
    this.#connections.welcomed(gatewayId, epoch)
  }

  /** Refuses new connections from now on, so that they try another relay. Open ones stay. */
  letNobodyIn(): void {
    this.#isLeaving = true
  }

  /**
   * For `forMs`, refuses new connections of this identity while the present one lives, because two boxes share it. The known machine is
   * refused only if both have the same `machine`.
   */
  guardIdentity(gatewayId: GatewayId, { forMs, machine }: { forMs: number; machine: string | null }): void {
    this.#guarded.set(gatewayId, { untilMs: this.#options.clock.monotonicMs() + forMs, machine })
  }

  #enter(stream: Duplex, arrival: Arrival, request?: IncomingMessage): void {
    if (!this.#aedes) {
      stream.destroy()
      return
    }
    const { budget, clock } = this.#options
    const client = this.#aedes.handle(stream, request)
    this.#arrivals.set(client, arrival)
    const withinMs = this.#options.connectTimeoutMs ?? CONNECT_WITHIN_MS
    endIfSilent(stream, { clock, withinMs, hasSpoken: () => this.#callers.has(client) })
    guardParser(client, {
      limit: (kind) => packetLimit(client.connected, kind),
      announced: (bytes) => {
        if (client.connected) budget?.spend(this.#idOf(client), { messages: 1, bytes })
      },
    })
    if (budget)
      paceReads(stream, {
        clock,
        mayRead: () => (client.connected ? budget.mayRead(this.#idOf(client)) : { waitMs: 0 }),
      })
  }

  async #createAedes(): Promise<Aedes> {
    const aedes = await Aedes.createBroker({
      drainTimeout: DRAIN_TIMEOUT_MS,
      // aedes would end what it has not read yet: `endIfSilent` comes first.
      connectTimeout: 4 * (this.#options.connectTimeoutMs ?? CONNECT_WITHIN_MS),
      queueLimit: 16,
      maxInflightInbound: 16,
      keepaliveLimit: 120,
      preConnect: (client, packet, done) => {
        const { fault, said } = readConnect(packet)
        this.#callers.set(client, { gatewayId: asId(packet.username ?? ''), ...said })
        done(fault === null ? null : new Error(`CONNECT refused: ${fault}`), fault === null)
      },
      // biome-ignore lint/complexity/useMaxParams: aedes' own parameters
      authenticate: (client, username, password, done) => {
        this.#authenticate(client, username, password).then(
          (refusal) => done(refusal === null ? null : connackError(refusal), refusal === null),
          (error: unknown) => {
            this.#warn(this.#idOf(client), 'credentials could not be read', error)
            done(connackError(UNAVAILABLE), false)
          },
        )
      },
      authorizePublish: (client, packet, done) => {
        if (client === null || !this.#mayPublish(client, packet)) {
          done(new Error(`PUBLISH refused: ${packet.topic}`))
          return
        }
        // What aedes writes itself, such as acknowledgements, it keeps in the buffer however much that holds.
        if (readsTooSlowly(client.conn)) {
          done(new Error('reads too slowly'))
          return
        }
        const { topic, payload } = packet
        this.message.notify({ topic, payload: typeof payload === 'string' ? Buffer.from(payload) : payload })
        done(null)
      },
      authorizeSubscribe: (client, subscription, done) => {
        const mayGo = subscription.qos <= 1 && mayRead(this.#idOf(client), subscription.topic)
        done(null, mayGo ? subscription : null)
      },
      // Messages from gateways are for the relay only.
      authorizeForward: () => null,
    })
    aedes.on('clientDisconnect', (client) => this.#disconnected(client))
    aedes.on('clientError', (client, error) => this.#warn(this.#idOf(client), 'connection failed', error))
    aedes.on('connectionError', (_client, error) => this.#warn('before sign-in', 'connection refused', error))
    return aedes
  }

  /** Empty before its CONNECT has come. */
  #idOf(client: Client): GatewayId {
    return this.#callers.get(client)?.gatewayId ?? asId('')
  }

  /** Messages of a replaced connection are dropped; aedes would publish its will. */
  #mayPublish(client: Client, packet: { topic: string; qos: number; retain: boolean }): boolean {
    const gatewayId = this.#idOf(client)
    return this.#connections.isOf(gatewayId, client) && mayPublish(gatewayId, packet)
  }

  /** The CONNACK code of the refusal, or null. */
  async #authenticate(client: Client, username?: string, password?: Buffer): Promise<number | null> {
    const gatewayId = username ?? ''
    const { gateways, credentials, clock, budget, drainTimeoutMs = DRAIN_TIMEOUT_MS } = this.#options
    const arrival = this.#arrivals.get(client)
    // Not that its password is wrong: a gateway would show that to a person.
    if (arrival?.saysConnect(gatewayId) === false || budget?.isHeldOff(asId(gatewayId))) {
      await arrival?.refuseLate()
      return UNAVAILABLE
    }
    if (this.#isLeaving) return UNAVAILABLE
    const given = createHash('sha256')
      .update(password ?? '')
      .digest()
    const isCurrent = isHash(await gateways.tokenHash(gatewayId), given)
    if (!isCurrent) {
      const isNext = isHash((await credentials?.nextTokenHash(gatewayId)) ?? null, given)
      // The first use of a new password makes it the only one, on disk, before the gateway gets its CONNACK.
      const isIn = isNext && (await credentials?.promote(gatewayId, given.toString('hex'), clock.now()))
      if (!isIn) {
        arrival?.failed()
        return NOT_AUTHORIZED
      }
    }
    const caller = this.#callers.get(client)
    if (!caller) return UNAVAILABLE
    if (this.#connections.living(gatewayId) && !this.#connections.mayStandBeside(gatewayId, caller)) {
      const knownMachine = await gateways.machine(gatewayId)
      if (!this.#mayTakeOver(gatewayId, { machine: caller.machine, knownMachine })) return UNAVAILABLE
    }
    if (arrival?.signedIn() === false) {
      await arrival.refuseLate()
      return UNAVAILABLE
    }
    if (!client.closed) this.#letIn(client, caller, slowReaderWriter(client.conn, { clock, drainTimeoutMs }))
    return null
  }

  #letIn(client: Client, caller: Caller, write: Connected['write']): void {
    const { gatewayId } = caller
    const isBeside = this.#connections.mayStandBeside(gatewayId, caller)
    // aedes itself closes the one with the same client id.
    for (const before of this.#connections.enter(gatewayId, { ...caller, client, write }))
      if (before.client.id !== client.id) before.client.close()
    if (!isBeside) this.opened.notify(gatewayId)
  }

  /** @param from `knownMachine`: the one that the gateway was first seen on; null: none is known */
  #mayTakeOver(gatewayId: string, from: { machine: string | null; knownMachine: string | null }): boolean {
    const { machine, knownMachine } = from
    // The connection may have ended while the known machine was read.
    const present = this.#connections.living(gatewayId)
    if (!present) return true
    const isKnown = knownMachine !== null && machine === knownMachine
    if (!isKnown && knownMachine !== null && present.machine === knownMachine) {
      this.#lines.warn(
        gatewayId,
        { gatewayId },
        'two boxes use one identity: the copied card is refused, pair it again',
      )
      return false
    }
    const guard = this.#guarded.get(gatewayId)
    const isGuarded = guard !== undefined && this.#options.clock.monotonicMs() < guard.untilMs
    return !isGuarded || (isKnown && guard.machine !== machine)
  }

  #disconnected(client: Client): void {
    const end = this.#connections.left(this.#idOf(client), client)
    if (end) this.closed.notify(end)
  }

  /** Limited, because one broken client made aedes report 9,113 errors. The reason may contain what a client sent. @param subject the connection's name */
  #warn(subject: string, message: string, error: unknown): void {
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, 200)
    this.#lines.warn(subject, { from: subject, reason }, message)
  }
}

/** MQTT 3.1.1, 3.3: a PUBLISH of QoS 0 in one buffer. mqtt-packet makes it of eight pieces, for ten times as long. */
function publishPacket(topic: string, payload: string): Buffer {
  const topicBytes = Buffer.byteLength(topic)
  const payloadBytes = Buffer.byteLength(payload)
  const length: number[] = []
  let left = 2 + topicBytes + payloadBytes
  do {
    length.push(left > 127 ? (left & 127) | 128 : left)
    left >>= 7
  } while (left > 0)
  const start = 1 + length.length
  const packet = Buffer.allocUnsafe(start + 2 + topicBytes + payloadBytes)
  packet[0] = 0x30
  packet.set(length, 1)
  packet.writeUInt16BE(topicBytes, start)
  packet.write(topic, start + 2)
  packet.write(payload, start + 2 + topicBytes)
  return packet
}

/** aedes' list, which its types do not have. Without the list no gateway would get anything: broker.room.test.ts. */
function isSubscribed(client: Client, topic: string): boolean {
  return topic in (client as Client & { subscriptions: object }).subscriptions
}

/** An unknown gateway costs the same comparison as a known one. */
function isHash(stored: string | null, given: Buffer): boolean {
  const expected = Buffer.from(stored ?? '', 'hex')
  const isSameLength = expected.length === given.length
  return timingSafeEqual(isSameLength ? expected : Buffer.alloc(given.length), given) && isSameLength
}

function connackError(returnCode: number): AuthenticateError {
  return Object.assign(new Error('connection refused'), { returnCode })
}

function closeBroker(aedes: Aedes): Promise<void> {
  return new Promise((resolve) => aedes.close(() => resolve()))
}
