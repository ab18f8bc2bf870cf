// Counts what has ended for good into the manager's report, in slices and behind everything that prints: an order twelve hours after its paper, a print at once.
import { isDiskFull } from '#gateway/storage/database.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { Counted, ReportBuckets } from '#gateway/storage/report-buckets.ts'
import { countingOf } from '#gateway/storage/report-facts.ts'
import type { ReportSource } from '#gateway/storage/report-source.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { SiteFacts } from '#shared/site-facts.ts'

export interface ReportKeeperDeps {
  buckets: ReportBuckets
  source: ReportSource
  history: Pick<HistoryStore, 'isAnyQueued'>
  site: Pick<SiteFacts, 'timeZone' | 'ownThresholds'>
  /** Relay time. */
  time: TimeSource
  clock: Clock
  log: Logger
}

const DAY_MS = 86_400_000
/** No board shows an order for longer, so no Ready can be undone any more. Until then it is counted for each report. */
export const FINAL_AFTER_MS = 12 * 3_600_000
const KEPT_DAYS = 400
/** A handful of commits an hour: the card wears by them. */
const EVERY_MS = 600_000
const FIRST_AFTER_MS = 120_000
/** While tickets wait, so many rounds are left out: a broken printer must not stop the counting for days. */
const MOST_LEFT_OUT = 6
/** Orders, and attempts, of one commit: some five milliseconds. */
const BATCH = 40
const PAUSE_MS = 100

export class ReportKeeper implements Service {
  readonly #deps: ReportKeeperDeps
  #cancelNext: Cancel | null = null
  #leftOut = 0

  constructor(deps: ReportKeeperDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#cancelNext ??= this.#deps.clock.after(FIRST_AFTER_MS, () => this.#round())
  }

  async stop(): Promise<void> {
    this.#cancelNext?.()
    this.#cancelNext = null
  }

  /** One batch. @returns whether there is more */
  countSome(): boolean {
    const { buckets, source, site, time } = this.#deps
    const how = countingOf(site)
    const nowMs = time.now()
    const counted = buckets.counted()
    const orders = source.settled(counted, { untilMs: nowMs - FINAL_AFTER_MS, limit: BATCH, how })
    const prints = source.prints(counted, BATCH, how)
    if (orders.last !== null || prints.last !== null) {
      const next: Counted = { ...counted, ...orders.last, ...prints.last }
      buckets.add(orders.facts, prints.facts, next)
    }
    const isMore = orders.isMore || prints.isMore
    if (!isMore) buckets.prune(how.hourOf(nowMs - KEPT_DAYS * DAY_MS).day)
    return isMore
  }

  #round(): void {
    const isMore = this.#isLeftOut() ? false : this.#tried()
    this.#cancelNext = this.#deps.clock.after(isMore ? PAUSE_MS : EVERY_MS, () => this.#round())
  }

  #isLeftOut(): boolean {
    if (!this.#deps.history.isAnyQueued() || this.#leftOut >= MOST_LEFT_OUT) this.#leftOut = 0
    else this.#leftOut++
    return this.#leftOut > 0
  }

  /** A report must never end the program that prints: a failure is logged and tried again. */
  #tried(): boolean {
    try {
      return this.countSome()
    } catch (error) {
      if (isDiskFull(error)) this.#deps.log.error('the disk is full: the report waits until there is room')
      else this.#deps.log.error({ err: error }, 'the report could not be counted: tried again later')
      return false
    }
  }
}
