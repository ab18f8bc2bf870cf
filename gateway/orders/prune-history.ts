// Hourly housekeeping of the gateway's memory: customers' data go a day after printing, settled jobs after 30 days, the time is noted.

import { type GatewayDatabase, isDiskFull } from '#gateway/storage/database.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { IdentityStore } from '#gateway/storage/identity-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

export interface HistoryPrunerDeps {
  db: GatewayDatabase
  history: HistoryStore
  identity: IdentityStore
  /** Relay time, and whether it came from the relay. */
  time: TimeSource & { offsetMs(): number | null }
  clock: Clock
  log: Logger
}

const HOUR_MS = 3_600_000
export const CUSTOMER_KEPT_MS = 24 * HOUR_MS
export const HISTORY_KEPT_MS = 30 * 24 * HOUR_MS
/** Jobs in one transaction: the printers must not wait for housekeeping. */
const BATCH = 100
const PAUSE_MS = 250
/** How old the noted time, and an acknowledgement without a transaction to ride on, may get. */
const FLUSH_EVERY_MS = 60_000

export class HistoryPruner implements Service {
  readonly #deps: HistoryPrunerDeps
  #cancelFlush: Cancel | null = null
  #cancelNext: Cancel | null = null
  #deleted = false

  constructor(deps: HistoryPrunerDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (this.#cancelFlush) return
    const { clock } = this.#deps
    this.#cancelFlush = clock.every(FLUSH_EVERY_MS, () => this.#ifRoom(() => this.#flush()))
    // Not at once: the start belongs to the printers.
    this.#cancelNext = clock.after(FLUSH_EVERY_MS, () => this.#pruneAndGoOn())
  }

  async stop(): Promise<void> {
    this.#cancelFlush?.()
    this.#cancelNext?.()
    this.#cancelFlush = null
    this.#cancelNext = null
  }

  #flush(): void {
    const { db, identity, time } = this.#deps
    identity.rememberTime(time.now(), time.offsetMs() === null ? 'assumed' : 'from-relay')
    db.flush()
  }

  /** One batch; the next follows soon while there is more, else in an hour. */
  #pruneAndGoOn(): void {
    const isMore = this.#ifRoom(() => this.#prune()) ?? false
    this.#cancelNext = this.#deps.clock.after(isMore ? PAUSE_MS : HOUR_MS, () => this.#pruneAndGoOn())
  }

  /** A full disk must not end the program for the sake of housekeeping: undefined then. */
  #ifRoom<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#deps.log.error('the disk is full: housekeeping waits until there is room')
      return undefined
    }
  }

  /** @returns whether there is more */
  #prune(): boolean {
    const { db, history, time, log } = this.#deps
    const now = time.now()
    const scrubbed = history.scrubCustomers(now - CUSTOMER_KEPT_MS, now, BATCH)
    const pruned = history.prune(now - HISTORY_KEPT_MS, BATCH)
    const isMore = scrubbed === BATCH || pruned === BATCH
    this.#deleted ||= scrubbed > 0 || pruned > 0
    if (!isMore && this.#deleted) {
      // Overwritten data must not stay readable in the log beside the file.
      db.checkpoint()
      log.info('history pruned')
      this.#deleted = false
    }
    return isMore
  }
}
