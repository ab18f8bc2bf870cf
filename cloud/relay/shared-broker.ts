// An external broker that several relays share: this relay exchanges messages only with the gateways of its own shards, which it takes and
// gives back while it runs (cloud/replica/shard-leases.ts).
import type { Cancel, Clock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { shardOf, topicsFor } from '#shared/wire/gateway-link.ts'
import type { Broker, LinkMessage } from './broker.ts'
import type { BrokerClient } from './broker-client.ts'

/** Which shards are this relay's. */
export interface Shards {
  start(hooks: { taken(shards: readonly number[]): void; letGo(shards: ReadonlySet<number>): Promise<void> }): void
  /** Takes its part, or gives back what it has. */
  serve(serves: boolean): Promise<void>
  stop(): Promise<void>
  holds(shard: number): boolean
  readonly held: readonly number[]
}

/** Of any topic of a shard. */
const SHARD = /^tr\/v1\/s([0-9a-f]{2})\//
/** A broker that is away so long is perhaps away from this relay alone: the others are to serve its gateways. */
const AWAY_MS = 5_000

export interface SharedBrokerDeps {
  client: BrokerClient
  shards: Shards
  clock: Clock
  /** Drops all state about the gateways of these shards, without a message to them. Never rejects. */
  letGo(isGone: (gatewayId: GatewayId) => boolean): Promise<void>
}

export class SharedBroker implements Broker {
  readonly message = new Signal<LinkMessage>()
  readonly changed = new Signal<boolean>()
  /** Fired when this relay has begun to serve these shards; their gateways have not been notified yet. */
  readonly taken = new Signal<readonly number[]>()
  readonly #deps: SharedBrokerDeps
  #isLeaving = false
  #cancelAway: Cancel = () => {}
  #unsubscribe: Cancel[] = []

  constructor(deps: SharedBrokerDeps) {
    this.#deps = deps
  }

  get up(): boolean {
    return this.#deps.client.up
  }

  holds(gatewayId: GatewayId): boolean {
    return this.#deps.shards.holds(shardOf(gatewayId))
  }

  async start(): Promise<void> {
    const { client, shards } = this.#deps
    this.#isLeaving = false
    shards.start({
      taken: (taken) => {
        client.hear(taken.map(filterOf))
        this.taken.notify(taken)
      },
      letGo: (gone) => {
        client.unhear([...gone].map(filterOf))
        return this.#deps.letGo((gatewayId) => gone.has(shardOf(asId(gatewayId))))
      },
    })
    this.#unsubscribe = [
      client.message.subscribe((message) => {
        if (this.#isOurs(message.topic)) this.message.notify(message)
      }),
      client.changed.subscribe((up) => this.#follow(up)),
    ]
    await client.start()
  }

  /** Lost without a word when the gateway is another relay's. */
  publish(topic: string, payload: string): void {
    if (this.#isOurs(topic)) this.#deps.client.publish(topic, payload)
  }

  /** Resolves when other relays may serve all gateways of this one. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    this.#cancelAway()
    await this.#deps.shards.serve(false)
  }

  async stop(): Promise<void> {
    this.#cancelAway()
    await this.#deps.shards.stop()
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
    await this.#deps.client.stop()
  }

  #follow(up: boolean): void {
    const { shards, clock } = this.#deps
    this.#cancelAway()
    if (!up) this.#cancelAway = clock.after(AWAY_MS, () => void shards.serve(false))
    else if (!this.#isLeaving) void shards.serve(true)
    this.changed.notify(up)
    // Messages that they sent meanwhile are lost.
    if (up && shards.held.length > 0) this.taken.notify(shards.held)
  }

  #isOurs(topic: string): boolean {
    const shard = SHARD.exec(topic)?.[1]
    return shard !== undefined && this.#deps.shards.holds(Number.parseInt(shard, 16))
  }
}

/** The ways up of all gateways of a shard. */
const filterOf = (shard: number): string => topicsFor('+', shard).up
