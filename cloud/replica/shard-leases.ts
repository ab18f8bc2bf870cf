// Which gateways of a shared broker this relay serves: an equal part of 64 shards among all relays connected to the broker. Each is leased, by the
// database's clock; a relay that could not renew its own for 10 s gives them up by itself, before another may take them.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { DEAD_AFTER_MS } from '#cloud/storage/replica-store.ts'
import { type ShardLook, ShardStore } from '#cloud/storage/shard-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Signal } from '#shared/signal.ts'

const LOOK_MS = 5_000
const SURE_MS = DEAD_AFTER_MS - LOOK_MS
/** Too many are given back one by one, so that not all their gateways change at once. */
const GIVE_BACK_EVERY_MS = 1_000
const AGAIN_AFTER_FAILURE_MS = 1_000
/** A lease has ended only when its time is over. */
const AFTER_ITS_END_MS = 20

/** Called by `ShardLeases`. */
export interface ShardHooks {
  /** From now on this relay serves them. */
  taken(shards: readonly number[]): void
  /** It no longer serves them, from this moment on. Resolves, never rejects, when their state is stored: then another may have them. */
  letGo(shards: ReadonlySet<number>): Promise<void>
}

export interface ShardLeasesDeps {
  db: RelayDatabase
  /** Of this relay. */
  replicaId: string
  clock: Clock
  log: Logger
}

export class ShardLeases {
  /** Shards were given back here: the other relays may take them. */
  readonly freed = new Signal()
  readonly #deps: ShardLeasesDeps
  readonly #store: ShardStore
  #hooks: ShardHooks = { taken: () => {}, letGo: async () => {} }
  /** With their terms. */
  readonly #held = new Map<number, number>()
  #sureUntilMs = 0
  #serves = false
  #turn: Promise<void> = Promise.resolve()
  #isLookWaiting = false
  #cancelLook: Cancel = () => {}
  #cancelDoubt: Cancel = () => {}

  constructor(deps: ShardLeasesDeps) {
    this.#deps = deps
    this.#store = new ShardStore(deps.db)
  }

  /** The receiver of changes. It takes no shards until it serves. */
  start(hooks: ShardHooks): void {
    this.#hooks = hooks
  }

  /**
   * Whether this relay takes its part: only while it is connected to the broker, and not when it is about to stop. Resolves, when it is to take
   * none, once it has given back what it had, or could not.
   */
  async serve(serves: boolean): Promise<void> {
    if (this.#serves === serves) return
    this.#serves = serves
    if (serves) return this.look()
    this.#cancelLook()
    const stored = this.#letGo([...this.#held.keys()])
    await this.#inTurn(async () => {
      await stored
      await this.#leave()
    }, 'shards could not be given back: others take them in 15 s')
  }

  holds(shard: number): boolean {
    return this.#held.has(shard) && this.#isSure()
  }

  get held(): readonly number[] {
    return this.#isSure() ? [...this.#held.keys()] : []
  }

  /** Another relay may have given some back. */
  look(): void {
    if (!this.#serves || this.#isLookWaiting) return
    this.#isLookWaiting = true
    void this.#inTurn(() => {
      this.#isLookWaiting = false
      return this.#look()
    }, 'the shards of this relay could not be renewed')
  }

  /** Gives back everything. */
  async stop(): Promise<void> {
    await this.serve(false)
    this.#cancelDoubt()
  }

  /** One after the other. A failed read is repeated soon. */
  #inTurn(work: () => Promise<void>, failure: string): Promise<void> {
    this.#turn = this.#turn.then(work).catch((err: unknown) => {
      this.#deps.log.warn({ err }, failure)
      if (this.#serves) this.#lookIn(AGAIN_AFTER_FAILURE_MS)
    })
    return this.#turn
  }

  /**
   * After being suspended, a relay detects here that time has passed, before it reads or sends any message: its timers may come later.
   */
  #isSure(): boolean {
    if (this.#deps.clock.monotonicMs() < this.#sureUntilMs) return true
    if (this.#held.size > 0) this.#doubt()
    return false
  }

  async #look(): Promise<void> {
    if (!this.#serves) return
    const { clock } = this.#deps
    const beganMs = clock.monotonicMs()
    this.#isSure()
    const look = await this.#store.look(this.#deps.replicaId, true)
    const sureUntilMs = beganMs + SURE_MS
    if (clock.monotonicMs() >= sureUntilMs) throw new Error('the database took longer than a lease is sure')
    // It is about to leave, and then gives back what this read has taken.
    if (!this.#serves) return
    this.#sureUntilMs = sureUntilMs
    this.#cancelDoubt()
    this.#cancelDoubt = clock.after(sureUntilMs - clock.monotonicMs(), () => this.#isSure())
    await this.#follow(look)
    const over = this.#held.size - look.fair
    if (over > 0) await this.#giveBack([...this.#held.keys()].slice(-1))
    const untilOthersEnd = (look.othersEndMs ?? LOOK_MS) + AFTER_ITS_END_MS
    this.#lookIn(over > 1 ? GIVE_BACK_EVERY_MS : Math.min(LOOK_MS, untilOthersEnd))
  }

  async #follow({ held }: ShardLook): Promise<void> {
    // One of another term was another relay's meanwhile.
    const gone = [...this.#held].filter(([shard, term]) => held.get(shard) !== term).map(([shard]) => shard)
    if (gone.length > 0) {
      this.#deps.log.warn({ shards: gone.length }, 'another relay has taken shards of this one, which was too slow')
      await this.#letGo(gone)
    }
    const taken = [...held].filter(([shard]) => !this.#held.has(shard))
    if (taken.length === 0 || !this.#serves) return
    for (const [shard, term] of taken) this.#held.set(shard, term)
    this.#deps.log.info({ taken: taken.length, held: this.#held.size }, 'gateways of these shards are served here')
    this.#hooks.taken(taken.map(([shard]) => shard))
  }

  async #giveBack(shards: readonly number[]): Promise<void> {
    await this.#letGo(shards)
    await this.#store.giveBack(this.#deps.replicaId, shards)
    this.freed.notify()
  }

  #letGo(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#held.delete(shard)
    return this.#hooks.letGo(new Set(shards))
  }

  /** All at once; the others count without this relay from then on. */
  async #leave(): Promise<void> {
    if (this.#serves) return
    const { replicaId } = this.#deps
    const { held } = await this.#store.look(replicaId, false)
    if (held.size > 0) await this.#store.giveBack(replicaId, [...held.keys()])
    this.freed.notify()
  }

  /** Nothing could be renewed for so long that another may have them. */
  #doubt(): void {
    this.#deps.log.warn({ shards: this.#held.size }, 'shards could not be renewed in time: this relay lets them go')
    void this.#letGo([...this.#held.keys()])
  }

  #lookIn(ms: number): void {
    this.#cancelLook()
    this.#cancelLook = this.#deps.clock.after(ms, () => this.look())
  }
}
