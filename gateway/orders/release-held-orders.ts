// Fires held tickets at their time and expires what was to print by a time; works without internet, and a jump of the wall clock changes nothing.

import { isDiskFull } from '#gateway/storage/database.ts'
import type { JobStore } from '#gateway/storage/job-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

export interface HeldOrdersDeps {
  jobs: JobStore
  /** Relay time, which runs on the monotonic clock. */
  time: TimeSource
  /** False until there is a time from the relay: a board that starts with a wrong clock must not fire by it at once. */
  isTimeKnown: () => boolean
  clock: Clock
  log: Logger
}

/** The relay's time may be corrected while a timer runs, so no timer is trusted for longer. */
const LONGEST_SLEEP_MS = 15_000
/** After a start the relay has so long to correct the clock. When it stays away, the clock that there is must do. */
const PATIENCE_MS = 5_000
const LOOK_AGAIN_MS = 100
const DISK_FULL_WAIT_MS = 1_000

export class HeldOrders implements Service {
  readonly #deps: HeldOrdersDeps
  #cancelTimer: Cancel | null = null
  #unsubscribe: Cancel | null = null
  #patientUntilMs = 0
  #isFull = false

  constructor(deps: HeldOrdersDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (this.#unsubscribe) return
    this.#patientUntilMs = this.#deps.clock.monotonicMs() + PATIENCE_MS
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
    const { jobs, isTimeKnown, clock, log } = this.#deps
    if (!isTimeKnown() && clock.monotonicMs() < this.#patientUntilMs) {
      this.#cancelTimer?.()
      this.#cancelTimer = clock.after(LOOK_AGAIN_MS, () => this.#check())
      return
    }
    try {
      const expired = jobs.expireDue()
      if (expired > 0) log.warn({ jobs: expired }, 'jobs expired before they were printed')
      const fired = jobs.fireDue()
      if (fired > 0) log.info({ tickets: fired }, 'held tickets fired')
    } catch (error) {
      if (!isDiskFull(error)) throw error
      if (!this.#isFull) log.error('the disk is full: held tickets wait until there is room')
      this.#isFull = true
      this.#cancelTimer?.()
      this.#cancelTimer = clock.after(DISK_FULL_WAIT_MS, () => this.#check())
      return
    }
    this.#isFull = false
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
