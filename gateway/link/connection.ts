// One MQTT connection to the relay's broker, from the socket to the subscription. A new client each time: mqtt.js's own reconnecting stops
// forever after one refused CONNACK, has no jitter, and loses what it queued while offline.
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import { LINK_LIMITS, type Pairing } from '#shared/wire/gateway-link.ts'
import { certificateWords } from './certificate-words.ts'
import { CONNECT_PATIENCE, tellingWhenReached, whenReached } from './connect-patience.ts'
import type { AttemptEnd } from './reconnect-delay.ts'

export interface ConnectionOptions {
  pairing: Pairing
  /** Of two connections at one broker each needs its own. */
  clientId: string
  /** Published by the broker when this connection breaks. */
  will: string
  clock: Clock
  keepaliveSeconds: number
  onMessage(payload: Buffer): void
  /** Called once, when the connection ended, for any reason and at any stage. */
  onEnd(end: Exclude<AttemptEnd, 'lost'>, detail: string): void
}

const GOODBYE_MS = 500
/** CONNACK codes. */
const UNAVAILABLE = 3
const BAD_CREDENTIALS = 4
const NOT_AUTHORIZED = 5
const FORBIDDEN =
  'the relay refuses this box: it was revoked, or another one has its place. Unpair it, then pair it anew'
const NOT_NOW =
  'the relay does not take this box just now: it is busy, or another box with the same identity is connected (a copied card)'
const PRIVATE_AUTHORITY = 'Is the relay behind another authority now? Then pair this box anew.'
const NOBODY_THERE = new Set<unknown>(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH', 'EHOSTUNREACH'])
/** The longest message that is read: a job and its envelope. */
const MAX_BYTES = LINK_LIMITS.jobBytes + 4_096

export class Connection {
  readonly #options: ConnectionOptions
  readonly #onReady: () => void
  #client: MqttClient | null = null
  #detail = 'connection closed'
  #refused = false
  #ended = false
  #cancelPatience: Cancel = () => {}
  /** False when no broker can have seen this attempt: its epoch is still unused. */
  reachedBroker = true
  /** The other machine accepted the connection and ended it without an answer to CONNECT: so does an older relay with an unknown client id. */
  hungUpOn = false
  /** What waiting will not mend; `refused`: the broker refused the password. */
  trouble: LinkTrouble | null = null

  /** `onReady` is called when messages can come and go. */
  constructor(options: ConnectionOptions, onReady: () => void) {
    this.#options = options
    this.#onReady = onReady
  }

  /** Begins to connect. Every failure is reported through `onEnd`, later. */
  open(): void {
    const { pairing, clock, onMessage } = this.#options
    let client: MqttClient
    try {
      client = mqtt.connect(pairing.brokerUrl, {
        ...clientOptions(this.#options),
        ...tellingWhenReached(() => this.#reached()),
      })
    } catch (error) {
      // A certificate that is none, for example.
      clock.after(0, () => this.#failed(error instanceof Error ? error : new Error(String(error))))
      return
    }
    this.#client = client
    this.#patientFor(CONNECT_PATIENCE.reachMs, 'the relay cannot be reached')
    whenReached(client, () => this.#reached())
    client.on('error', (error) => this.#failed(error))
    client.on('close', () => this.#end())
    client.on('message', (_topic, payload, { retain }) => {
      // No client retains messages here. A retained one is old, and the broker kept it only because a flag was changed on its way.
      if (payload.length <= MAX_BYTES && !retain && !this.#ended) onMessage(payload)
    })
    client.once('connect', () => {
      this.hungUpOn = false
      setNoDelay(client)
      // mqtt.js ignores an answer that was changed in transit: it would wait forever.
      this.#patientFor(CONNECT_PATIENCE.subscribedMs, 'the broker did not answer the subscription')
      client.subscribe([pairing.topics.down, pairing.topics.all], { qos: 1 }, (error, granted) => {
        this.#cancelPatience()
        if (error || granted?.some(({ qos }) => qos > 2)) this.close('the broker refused the subscription')
        else if (!this.#ended) this.#onReady()
      })
    })
  }

  /** QoS 1, not retained; lost silently without a connection: the caller must send again what has to arrive. */
  publish(message: string): void {
    if (this.#ended || !this.#client?.connected) return
    this.#client.publish(this.#options.pairing.topics.up, message, { qos: 1 }, () => {})
  }

  /** Ends it without a word: the broker publishes the will. */
  close(detail: string): void {
    this.#detail = detail
    this.#end()
  }

  /** Sends `last` and DISCONNECT, so that the broker drops the will. Resolves when that is sent, or after half a second. */
  async leave(last: string): Promise<void> {
    const { clock, pairing } = this.#options
    const client = this.#client
    if (!this.#ended && client?.connected) {
      const patience = new AbortController()
      const said = new Promise<void>((resolve) => {
        client.publish(pairing.topics.up, last, { qos: 1 }, () => client.end(false, {}, () => resolve()))
      })
      await Promise.race([said, clock.sleep(GOODBYE_MS, patience.signal)])
      patience.abort()
    }
    this.close('stopped')
  }

  /** The other machine has taken the connection: its program may be slow, but it is there. */
  #reached(): void {
    if (this.#ended) return
    this.hungUpOn = true
    this.#patientFor(CONNECT_PATIENCE.answerMs, 'the relay does not answer')
  }

  /** Patient for so long with what comes next. */
  #patientFor(ms: number, orElse: string): void {
    this.#cancelPatience()
    this.#cancelPatience = this.#options.clock.after(ms, () => this.close(orElse))
  }

  #failed(error: Error & { code?: unknown }): void {
    const { brokerUrl } = this.#options.pairing
    const untrusted = certificateWords(error.code, URL.parse(brokerUrl)?.host ?? 'the broker', PRIVATE_AUTHORITY)
    this.trouble = untrusted === null ? null : 'certificate'
    if (typeof error.code === 'number') this.hungUpOn = false
    if (error.code === BAD_CREDENTIALS || error.code === NOT_AUTHORIZED) this.trouble = 'refused'
    this.#refused = error.code === 'ECONNREFUSED'
    if (NOBODY_THERE.has(error.code)) this.reachedBroker = false
    this.#detail = untrusted ?? wordsOf(error)
    this.#end()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#cancelPatience()
    // Also after an error: mqtt.js leaves the socket open after some.
    this.#client?.end(true)
    this.#options.onEnd(this.#refused ? 'refused' : 'failed', this.#detail)
  }
}

function wordsOf({ code, message }: Error & { code?: unknown }): string {
  switch (code) {
    case BAD_CREDENTIALS:
    case NOT_AUTHORIZED:
      return FORBIDDEN
    case UNAVAILABLE:
      return NOT_NOW
    default:
      if (typeof code === 'number') return `refused by the broker (${code})`
      return typeof code === 'string' ? code : message.slice(0, 200)
  }
}

function clientOptions({ pairing, clientId, will, keepaliveSeconds }: ConnectionOptions): IClientOptions {
  return {
    clientId,
    username: pairing.gatewayId,
    password: pairing.token,
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    // Ours ends first.
    connectTimeout: 2 * (CONNECT_PATIENCE.reachMs + CONNECT_PATIENCE.answerMs),
    keepalive: keepaliveSeconds,
    resubscribe: false,
    queueQoSZero: false,
    will: { topic: pairing.topics.up, payload: Buffer.from(will), qos: 1, retain: false },
    ...(pairing.ca !== undefined && { ca: pairing.ca }),
  }
}

/** Without it Nagle's algorithm holds small messages back: 21 ms instead of 0.3 ms at the median. WebSockets have it set already. */
function setNoDelay(client: MqttClient): void {
  const stream = client.stream as { setNoDelay?: (on: boolean) => void }
  stream.setNoDelay?.(true)
}
