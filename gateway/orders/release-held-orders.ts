// Fires held tickets at their time and expires what was to print by a time; works without internet, and a jump of the wall clock changes nothing.

import type { JobStore, TimeSource } from '#gateway/storage/job-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

export interface HeldOrdersDeps {
  jobs: JobStore
  /** Relay time, which runs on the monotonic clock. */
  time: TimeSource
  clock: Clock
  log: Logger
}

/** The relay's time may be corrected while a timer runs, so no timer is trusted for longer. */
const LONGEST_SLEEP_MS = 15_000

export class HeldOrders implements Service {
  readonly #deps: HeldOrdersDeps
  #cancelTimer: Cancel | null = null
  #unsubscribe: Cancel | null = null

  constructor(deps: HeldOrdersDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (this.#unsubscribe) return
    this.#unsubscribe = this.#deps.jobs.dueChanged.subscribe(() => this.#arm())
    this.#check()
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    this.#cancelTimer?.()
    this.#cancelTimer = null
  }

  #check(): void {
    const { jobs, log } = this.#deps
    const expired = jobs.expireDue()
    if (expired > 0) log.warn({ jobs: expired }, 'jobs expired before they were printed')
    const fired = jobs.fireDue()
    if (fired > 0) log.info({ tickets: fired }, 'held tickets fired')
    this.#arm()
  }

  #arm(): void {
    const { jobs, time, clock } = this.#deps
    this.#cancelTimer?.()
    const dueMs = jobs.nextDueMs()
    // Relay time is rounded to the millisecond: at least one, or the check could come just before the time, again and again.
    const waitMs = dueMs === null ? LONGEST_SLEEP_MS : Math.min(LONGEST_SLEEP_MS, Math.max(1, dueMs - time.now()))
    this.#cancelTimer = clock.after(waitMs, () => this.#check())
  }
}
