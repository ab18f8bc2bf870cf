// The relay's connection to an external broker: an ordinary mqtt.js client over TCP or TLS.
import { randomBytes } from 'node:crypto'
import mqtt, { type MqttClient } from 'mqtt'
import { fullJitterMs } from '#shared/backoff.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'
import type { Broker, LinkMessage } from './broker.ts'

export interface BrokerClientOptions {
  url: string
  username?: string | undefined
  password?: string | undefined
  /** Subscribes to nothing until `hear` is called: other relays serve the other shards. */
  isShared?: boolean
  clock: Clock
  random: () => number
  log: Logger
}

/** Every gateway's way up. Only the relay may subscribe to a wildcard. */
const ALL_UP = 'tr/v1/+/g/+/up'
const BACKOFF = { firstMs: 500, maxMs: 10_000 }
const SUBSCRIBE_TIMEOUT_MS = 5_000

export class BrokerClient implements Broker {
  readonly message = new Signal<LinkMessage>()
  readonly changed = new Signal<boolean>()
  readonly #options: BrokerClientOptions
  /** What it is subscribed to, or will be when it is connected. */
  readonly #filters: Set<string>
  #client: MqttClient | null = null
  #up = false
  #stopped = true
  #failures = 0
  #cancelRetry: () => void = () => {}

  constructor(options: BrokerClientOptions) {
    this.#options = options
    this.#filters = new Set(options.isShared === true ? [] : [ALL_UP])
  }

  get up(): boolean {
    return this.#up
  }

  /** Resolves after the first attempt, whatever became of it: a missing broker must not keep the API down. */
  async start(): Promise<void> {
    if (!this.#stopped) return
    this.#stopped = false
    await this.#connect()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancelRetry()
    this.#drop()
  }

  /** QoS 1, not retained. */
  publish(topic: string, payload: string): void {
    if (this.#up) this.#client?.publish(topic, payload, { qos: 1 }, () => {})
  }

  /** Subscribes to these filters as well, from now on and after each reconnect. */
  hear(filters: readonly string[]): void {
    for (const filter of filters) this.#filters.add(filter)
    const client = this.#client
    // Otherwise it subscribes when it is connected.
    if (client?.connected === true && filters.length > 0)
      client.subscribe([...filters], { qos: 1 }, (error) => {
        if (error) this.#lost(client)
      })
  }

  unhear(filters: readonly string[]): void {
    for (const filter of filters) this.#filters.delete(filter)
    if (this.#client?.connected === true && filters.length > 0) this.#client.unsubscribe([...filters], () => {})
  }

  /** One new client per attempt: reconnecting ones stop forever after a refusal and lose what they queued. */
  async #connect(): Promise<void> {
    const client = this.#createClient()
    this.#client = client
    client.on('message', (topic, payload, { retain }) => {
      // No client retains messages here. A retained one is old, and the broker kept it only because a flag was changed on its way.
      if (!retain) this.message.notify({ topic, payload })
    })
    client.on('error', (error) => this.#options.log.warn({ reason: error.message }, 'broker connection failed'))
    const subscribed = await new Promise<boolean>((resolve) => {
      const giveUp = this.#options.clock.after(SUBSCRIBE_TIMEOUT_MS, () => resolve(false))
      client.once('close', () => {
        giveUp()
        resolve(false)
        this.#lost(client)
      })
      client.once('connect', () => {
        setNoDelay(client)
        if (this.#filters.size > 0)
          client.subscribe([...this.#filters], { qos: 1 }, (error) => {
            giveUp()
            resolve(!error)
          })
        else {
          giveUp()
          resolve(true)
        }
      })
    })
    if (this.#client !== client) return
    if (!subscribed) {
      this.#lost(client)
      return
    }
    this.#failures = 0
    this.#setUp(true)
  }

  #createClient(): MqttClient {
    const { url, username, password } = this.#options
    return mqtt.connect(url, {
      clientId: `relay_${randomBytes(8).toString('hex')}`,
      protocolVersion: 4,
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: 8_000,
      keepalive: 20,
      resubscribe: false,
      queueQoSZero: false,
      ...(username && { username }),
      ...(password && { password }),
    })
  }

  #lost(client: MqttClient): void {
    if (this.#client !== client) return
    this.#drop()
    if (!this.#stopped) this.#retry()
  }

  #retry(): void {
    const waitMs = fullJitterMs(this.#failures++, { ...BACKOFF, random: this.#options.random })
    this.#cancelRetry = this.#options.clock.after(waitMs, () => void this.#connect())
  }

  #drop(): void {
    const client = this.#client
    this.#client = null
    this.#setUp(false)
    // Nothing listens for errors after the end.
    client?.removeAllListeners('message').end(true)
  }

  #setUp(up: boolean): void {
    if (this.#up === up) return
    this.#up = up
    this.changed.notify(up)
  }
}

/** Without it Nagle's algorithm holds small messages back: 21 ms instead of 0.3 ms at the median. */
function setNoDelay(client: MqttClient): void {
  const stream = client.stream as { setNoDelay?: (on: boolean) => void }
  stream.setNoDelay?.(true)
}
