// The identity of this gateway's database: the stream id, the last accepted job, the connection counter, the last known time.
import type { EpochMs } from '#shared/clock.ts'
import type { GatewayDatabase } from './database.ts'
import { MetaValues } from './meta-values.ts'

type Key = 'stream' | 'epoch' | 'last_seq' | 'clock'

export class IdentityStore {
  readonly #db: GatewayDatabase
  readonly #values: MetaValues<Key>

  constructor(db: GatewayDatabase) {
    this.#db = db
    this.#values = new MetaValues(db)
  }

  /** Random identity of this database: a new one tells the relay that the protection against repeated jobs is lost. */
  stream(): string {
    return this.#read('stream')
  }

  /** Sequence number of the last job taken from the stream; 0 before the first. */
  lastSeq(): number {
    return Number(this.#read('last_seq'))
  }

  /** Call it in the transaction that stores the job. */
  setLastSeq(seq: number): void {
    this.#db.transaction(() => this.#values.put('last_seq', String(seq)))
  }

  /** Counts connections to the relay: 1, 2, 3 ... across restarts. Commits. */
  nextEpoch(): number {
    return this.#db.transaction(() => {
      const epoch = Number(this.#read('epoch')) + 1
      this.#values.put('epoch', String(epoch))
      return epoch
    })
  }

  /** Relay time when it was last saved: a lower bound of the time now, for boards without a battery-backed clock. */
  lastKnownMs(): EpochMs {
    return Number(this.#read('clock'))
  }

  /**
   * Written with the next transaction. A time that is only `assumed` never goes back; one from the relay replaces a wrong time, otherwise
   * every later start would begin in the future and fire held orders.
   */
  rememberTime(nowMs: EpochMs, source: 'from-relay' | 'assumed'): void {
    this.#db.rideAlong(() => {
      if (source === 'from-relay' || nowMs > this.lastKnownMs()) this.#values.put('clock', String(nowMs))
    })
  }

  #read(key: Key): string {
    const value = this.#values.get(key)
    if (value === null) throw new Error(`meta.${key} is missing`)
    return value
  }
}
