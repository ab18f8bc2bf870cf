// This relay among others on one database: which run, and what this one does for all of them. A relay on SQLite runs alone and does everything.
import { hash } from 'node:crypto'
import { ALONE, type Fleet } from '#cloud/limits/leased-buckets.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { DEAD_AFTER_MS, type LivingRelay, ReplicaStore } from '#cloud/storage/replica-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import { VERSION } from '#shared/version.ts'

/** What one relay does for all. */
export const LEASES = [
  'fire',
  'restore',
  'retention',
  'invoices',
  'recoveries',
  'sandbox',
  'passwords',
  'latency',
  'alerts',
  'calls',
  'numbers',
] as const
export type LeaseName = (typeof LEASES)[number]

export interface Replica extends Service {
  /** Null: it is alone. */
  readonly id: string | null
  readonly fleet: Fleet
  /** Whether this relay is the one that does it. */
  holds(name: LeaseName): boolean
  /** For work that any relay may do, but one should. While relays come and go, two may return true for some seconds. */
  owns(key: string): boolean
  /** Gives back what it holds and takes nothing new: it is about to stop. */
  giveWay(): Promise<void>
  /** What it holds may have changed: after each heartbeat. */
  readonly changed: Signal
  /** Another relay has died, or has stopped. */
  readonly died: Signal<string>
  /** This relay was dead for the others, and is not any more: they may have written what they thought of it. */
  readonly returned: Signal
}

export function replicaOf(deps: ReplicaDeps): Replica {
  return deps.db.replicaId === null ? new OnlyReplica() : new OneOfReplicas({ ...deps, id: deps.db.replicaId })
}

export interface ReplicaDeps {
  db: RelayDatabase
  clock: Clock
  log: Logger
}

class OnlyReplica implements Replica {
  readonly id = null
  readonly fleet = ALONE
  readonly changed = new Signal()
  readonly died = new Signal<string>()
  readonly returned = new Signal()
  holds(): boolean {
    return true
  }
  owns(): boolean {
    return true
  }
  async giveWay(): Promise<void> {}
  async start(): Promise<void> {}
  async stop(): Promise<void> {}
}

const BEAT_MS = 5_000
/** A lease counts as held for this long after the last heartbeat, which ends before others may take it. */
const SURE_MS = DEAD_AFTER_MS - BEAT_MS

class OneOfReplicas implements Replica {
  readonly id: string
  readonly changed = new Signal()
  readonly died = new Signal<string>()
  readonly returned = new Signal()
  readonly #deps: ReplicaDeps
  readonly #store: ReplicaStore
  readonly #rounds: Rounds
  #held: ReadonlySet<string> = new Set()
  readonly #fleet = { relays: 1, isKnownToAll: false }
  /** The running relays at the last successful check. */
  #others: ReadonlySet<string> = new Set()
  /** Of the running ones, those that are not about to stop. */
  #staying: readonly string[] = []
  #sureUntilMs = 0
  /** Until then a missing heartbeat counts for nothing: this relay may have been cut off itself. */
  #judgesFromMs = 0
  /** Since when the others may count on this relay, by the database's clock. */
  #sinceMs: number | null = null
  #isDraining = false
  #beating: Promise<void> = Promise.resolve()
  #stopWatch: Cancel | null = null

  constructor(deps: ReplicaDeps & { id: string }) {
    this.#deps = deps
    this.id = deps.id
    this.#store = new ReplicaStore(deps.db)
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: BEAT_MS,
      pass: () => this.#beat(),
      failed: (error) => {
        deps.log.warn({ err: error }, 'the heartbeat could not be written: leases lapse after 10 s without one')
      },
    })
  }

  async start(): Promise<void> {
    if (this.#rounds.started) return
    this.#isDraining = false
    await this.#store.join(LEASES)
    await this.#beat()
    await this.#rounds.start()
  }

  async stop(): Promise<void> {
    if (!this.#rounds.started) return
    await this.#rounds.stop()
    this.#stopWatch?.()
    this.#hold(new Set())
    await this.#store.leave(this.id)
  }

  get fleet(): Fleet {
    return this.#fleet
  }

  async giveWay(): Promise<void> {
    this.#isDraining = true
    this.#hold(new Set())
    // It has perhaps renewed them just now.
    await this.#beating
    await this.#store.giveBack(this.id)
  }

  holds(name: LeaseName): boolean {
    return this.#held.has(name) && this.#deps.clock.monotonicMs() < this.#sureUntilMs
  }

  owns(key: string): boolean {
    return (relayOf(key, this.#staying) ?? this.id) === this.id
  }

  #beat(): Promise<void> {
    const beat = this.#beatOnce()
    this.#beating = beat.catch(() => {})
    return beat
  }

  async #beatOnce(): Promise<void> {
    const { clock } = this.#deps
    const beganMs = clock.monotonicMs()
    const { live, held, sinceMs } = await this.#store.beat({
      id: this.id,
      version: VERSION,
      draining: this.#isDraining,
    })
    const wasDead = this.#sinceMs !== null && sinceMs !== this.#sinceMs
    this.#sinceMs = sinceMs
    if (clock.monotonicMs() >= this.#sureUntilMs) this.#judgesFromMs = clock.monotonicMs() + DEAD_AFTER_MS
    this.#sureUntilMs = beganMs + SURE_MS
    this.#watchTime()
    this.#fleet.relays = live.size
    this.#fleet.isKnownToAll = [...live].every(([id, { seenMs }]) => id === this.id || seenMs >= sinceMs)
    this.#staying = [...live].flatMap(([id, { isDraining }]) => (isDraining ? [] : [id]))
    // It may have begun to give way meanwhile.
    this.#hold(this.#isDraining ? new Set() : held)
    this.#judge(live)
    if (wasDead) this.returned.notify()
  }

  /** When the database was away for all, the first that is back finds no fresh heartbeat of the others. */
  #judge(live: ReadonlyMap<string, LivingRelay>): void {
    const isLate = this.#deps.clock.monotonicMs() < this.#judgesFromMs
    const missing = [...this.#others].filter((id) => !live.has(id))
    this.#others = new Set([...live.keys(), ...(isLate ? missing : [])])
    if (isLate) return
    for (const id of missing) {
      this.#deps.log.warn({ replica: id }, 'another relay has died or stopped')
      this.died.notify(id)
    }
  }

  /** The next heartbeat may hang: what could not be renewed for so long another may have. */
  #watchTime(): void {
    const { clock } = this.#deps
    this.#stopWatch?.()
    this.#stopWatch = clock.after(this.#sureUntilMs - clock.monotonicMs(), () => {
      this.#fleet.isKnownToAll = false
      this.#hold(new Set())
    })
  }

  #hold(held: ReadonlySet<string>): void {
    this.#held = held
    this.changed.notify()
  }
}

/** A service that runs at the relay that holds the lease, and nowhere else. Should two run it for a moment, locks of rows keep it right; what writes files asks `holds` before it replaces one. */
export class Leased implements Service {
  readonly #replica: Replica
  readonly #name: LeaseName
  readonly #service: Service
  readonly #failed: (error: unknown) => void
  #unsubscribe: (() => void) | null = null
  #isRunning = false
  #turn: Promise<void> = Promise.resolve()

  constructor(what: { replica: Replica; name: LeaseName; service: Service; log: Logger }) {
    this.#replica = what.replica
    this.#name = what.name
    this.#service = what.service
    this.#failed = (error) =>
      what.log.error(
        { err: error, lease: what.name },
        'a leased service did not start or stop; tried again after the next heartbeat',
      )
  }

  async start(): Promise<void> {
    if (this.#unsubscribe) return
    this.#unsubscribe = this.#replica.changed.subscribe(() => {
      this.#follow().catch(this.#failed)
    })
    await this.#follow()
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    await this.#follow()
  }

  /** One change after the other. */
  #follow(): Promise<void> {
    const turn = this.#turn.then(async () => {
      const shall = this.#unsubscribe !== null && this.#replica.holds(this.#name)
      if (shall === this.#isRunning) return
      await (shall ? this.#service.start() : this.#service.stop())
      this.#isRunning = shall
    })
    this.#turn = turn.catch(() => {})
    return turn
  }
}

/**
 * Which of several relays is responsible for a key, without a table: the one whose hash together with the key is highest. When a relay stops,
 * only its own keys go to others; a new one takes a part from each.
 * @returns null when there is none
 */
export function relayOf(key: string, relays: readonly string[]): string | null {
  let owner: string | null = null
  let highest = ''
  for (const relay of relays) {
    const weight = hash('sha256', `${relay} ${key}`)
    if (owner === null || weight > highest) [owner, highest] = [relay, weight]
  }
  return owner
}
