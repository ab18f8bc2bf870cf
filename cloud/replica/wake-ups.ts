// Notifies the other relays on one database of commits here, and this one of commits there. Only hints: a relay that
// misses one finds the work at its next poll.
import { Client } from 'pg'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { DeliveryLog } from '#cloud/storage/delivery-log.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { ListenerStore } from '#cloud/storage/listener-store.ts'
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import { ofDriver, postgresFault } from '#cloud/storage/postgres/postgres-fault.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { codeOf } from '#shared/code-of.ts'
import { isId, type LocationId, type WebhookId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import type { ShardLeases } from './shard-leases.ts'

const CHANNEL = 'ticketrail'
/** What happens within this time goes out together: each note makes every COMMIT of the server wait for a moment. */
const COLLECT_MS = 5
/** PostgreSQL accepts 8,000 bytes; beyond that, the others must read. */
const MOST_BYTES = 7_500
/** A note to itself: how long notes take. */
const ECHO_EVERY_MS = 5_000
const CONNECT_AGAIN_MS = 500
const CONNECT_WITHIN_MS = 3_000
/** A name may lead to another server by then. A standby refuses to be listened to. */
const CONNECTION_LIVES_MS = 1_800_000
/** A network that dropped the connection does not report it. */
const ANSWER_WITHIN_MS = 8_000

export interface WakeUpsDeps {
  url: string
  /** Of this relay: its own notes come back to it. */
  replicaId: string
  dispatches: Pick<DispatchStore, 'changed'>
  deliveries: Pick<DeliveryStore, 'changed' | 'disabled'>
  channels: Pick<ChannelStore, 'changed'>
  posOutbox: Pick<PosOutboxStore, 'changed'>
  deliveryLog: Pick<DeliveryLog, 'recoveryWanted'>
  listeners: Pick<ListenerStore, 'changed'>
  /** Null: the relays share no broker. */
  shards: Pick<ShardLeases, 'freed' | 'look'> | null
  /** It sends notes to itself, too. */
  measuresLag?: boolean
  clock: Clock
  log: Logger
}

export class WakeUps implements Service {
  readonly #deps: WakeUpsDeps
  readonly #lines: SampledLog
  readonly #words = new Set<string>()
  #client: Client | null = null
  #isStarted = false
  #isFailing = false
  #undo: (() => void)[] = []
  #cancelSend: Cancel | null = null
  #cancelConnect: Cancel | null = null
  #cancelLife: Cancel | null = null
  readonly #echoes = new Echoes()
  /** What is notified now was committed elsewhere: it is not passed on. */
  #isForeign = false

  constructor(deps: WakeUpsDeps) {
    this.#deps = deps
    this.#lines = new SampledLog(deps.log, deps.clock)
  }

  /** Does not wait for the server: without it the relays find their work all the same. */
  async start(): Promise<void> {
    if (this.#isStarted) return
    this.#isStarted = true
    const { dispatches, deliveries, channels, posOutbox, deliveryLog, listeners, shards } = this.#deps
    this.#undo = [
      dispatches.changed.subscribe((locationId) => this.#say(`d:${locationId}`)),
      deliveries.changed.subscribe((endpointId) => this.#say(endpointId === null ? 'w' : `w:${endpointId}`)),
      deliveries.disabled.subscribe((endpointId) => this.#say(`x:${endpointId}`)),
      channels.changed.subscribe(() => this.#say('c')),
      posOutbox.changed.subscribe(() => this.#say('p')),
      deliveryLog.recoveryWanted.subscribe(() => this.#say('r')),
      listeners.changed.subscribe((endpointId) => this.#say(`l:${endpointId}`)),
      ...(shards === null ? [] : [shards.freed.subscribe(() => this.#say('s'))]),
      ...(this.#deps.measuresLag === true ? [this.#sayEchoes()] : []),
    ]
    void this.#connect()
  }

  /** How long a note takes from here to here, or how long one has been under way if that is longer; null: none has come back yet. */
  lagMs(): number | null {
    return this.#echoes.lagMs(this.#deps.clock.monotonicMs())
  }

  async stop(): Promise<void> {
    this.#isStarted = false
    for (const undo of this.#undo.splice(0)) undo()
    this.#cancelSend?.()
    this.#cancelSend = null
    this.#cancelConnect?.()
    this.#cancelLife?.()
    // What it gave back last, others take at once.
    if (this.#words.size > 0) await this.#send()
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  #sayEchoes(): Cancel {
    const { clock } = this.#deps
    return clock.every(ECHO_EVERY_MS, () => this.#say(this.#echoes.next(clock.monotonicMs())))
  }

  #say(word: string): void {
    if (this.#isForeign) return
    this.#words.add(word)
    this.#cancelSend ??= this.#deps.clock.after(COLLECT_MS, () => {
      this.#cancelSend = null
      void this.#send()
    })
  }

  async #send(): Promise<void> {
    const words = [...this.#words].join(' ')
    this.#words.clear()
    const client = this.#client
    // Not connected: the others poll every half second.
    if (client === null) return
    const text = `${this.#deps.replicaId} ${words.length > MOST_BYTES ? '*' : words}`
    try {
      await client.query('select pg_notify($1, $2)', [CHANNEL, text])
    } catch (error) {
      this.#failed(error)
      // Its end leads to a new one.
      client.end().catch(() => {})
    }
  }

  async #connect(): Promise<void> {
    const client = new Client({
      connectionString: this.#deps.url,
      application_name: `ticketrail/${this.#deps.replicaId} wake-ups`,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      keepAlive: true,
    })
    client.on('error', () => {})
    client.on('end', () => this.#lost(client))
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (!this.#isStarted) return void client.end().catch(() => {})
      this.#client = client
      this.#cancelLife = this.#deps.clock.after(CONNECTION_LIVES_MS, () => void client.end().catch(() => {}))
      this.#connected()
      // Notifications sent meanwhile are lost. The others need not be notified of that.
      this.#asForeign(() => this.#wakeAll())
    } catch (error) {
      this.#failed(error)
      client.end().catch(() => {})
      this.#connectSoon()
    }
  }

  #lost(client: Client): void {
    if (this.#client !== client) return
    this.#client = null
    this.#cancelLife?.()
    this.#connectSoon()
  }

  #connectSoon(): void {
    if (!this.#isStarted) return
    this.#cancelConnect?.()
    this.#cancelConnect = this.#deps.clock.after(CONNECT_AGAIN_MS, () => void this.#connect())
  }

  /** Logged once, however often it is tried again. For a fault of the server or the network the stack is of no use. */
  #failed(error: unknown): void {
    if (this.#isFailing) return
    this.#isFailing = true
    const of = ofDriver(error)
    const detail = postgresFault(of) === null ? { err: error } : { why: codeOf(of) || (of as Error).message }
    this.#lines.warn('wake-ups', detail, 'other relays cannot be told what was stored: they look for themselves')
  }

  #connected(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    this.#lines.info('wake-ups', {}, 'other relays are told again what is stored')
  }

  /** A message of another program in the channel only causes a poll: invalid ids wake nothing. */
  #hear(payload: string): void {
    const [from, ...words] = payload.split(' ')
    if (from === this.#deps.replicaId) {
      for (const word of words) this.#echoes.heard(word, this.#deps.clock.monotonicMs())
      return
    }
    this.#asForeign(() => {
      for (const word of words) this.#wake(word)
    })
  }

  #asForeign(wake: () => void): void {
    this.#isForeign = true
    try {
      wake()
    } finally {
      this.#isForeign = false
    }
  }

  #wake(word: string): void {
    const { dispatches, deliveries, channels, posOutbox, deliveryLog, listeners, shards } = this.#deps
    const [kind, id = ''] = word.split(':', 2)
    if (kind === 'd' && isId('loc', id)) dispatches.changed.notify(id as LocationId)
    else if (kind === 'w' && isId('we', id)) deliveries.changed.notify(id as WebhookId)
    else if (word === 'w') deliveries.changed.notify(null)
    else if (kind === 'x' && isId('we', id)) deliveries.disabled.notify(id as WebhookId)
    else if (kind === 'l' && isId('we', id)) listeners.changed.notify(id as WebhookId)
    else if (kind === 'c') channels.changed.notify()
    else if (kind === 'p') posOutbox.changed.notify()
    else if (kind === 'r') deliveryLog.recoveryWanted.notify()
    else if (kind === 's') shards?.look()
    else if (kind === '*') this.#wakeAll()
  }

  #wakeAll(): void {
    for (const kind of ['w', 'c', 'p', 'r', 's']) this.#wake(kind)
  }
}

/** Notifications to itself. Each contains when it was sent, by this relay's monotonic clock. */
class Echoes {
  #lagMs: number | null = null
  #lastSaidMs = 0
  /** When the first one was sent that has not come back; null: all have. */
  #openSinceMs: number | null = null

  /** @returns the text to send */
  next(nowMs: number): string {
    this.#lastSaidMs = Math.round(nowMs)
    this.#openSinceMs ??= this.#lastSaidMs
    return `e:${this.#lastSaidMs}`
  }

  heard(word: string, nowMs: number): void {
    const saidMs = word.startsWith('e:') ? Number(word.slice(2)) : Number.NaN
    if (this.#openSinceMs === null || !(saidMs >= this.#openSinceMs && saidMs <= this.#lastSaidMs)) return
    this.#lagMs = Math.max(0, nowMs - saidMs)
    // Those before it are lost.
    this.#openSinceMs = saidMs === this.#lastSaidMs ? null : this.#lastSaidMs
  }

  lagMs(nowMs: number): number | null {
    if (this.#openSinceMs === null) return this.#lagMs
    return Math.max(this.#lagMs ?? 0, nowMs - this.#openSinceMs)
  }
}
