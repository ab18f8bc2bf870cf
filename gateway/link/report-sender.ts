// Sends results to the relay until it has acknowledged each: at most 64 under way, again after five seconds, in the order of printing.
import type { OpenReport, ReportStore } from '#gateway/storage/report-store.ts'
import type { Clock } from '#shared/clock.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'

const MAX_IN_FLIGHT = 64

export class ReportSender {
  readonly #reports: Pick<ReportStore, 'open' | 'acknowledge'>
  readonly #clock: Clock
  /** Reports under way, with the time of the last sending: the oldest first. */
  readonly #sentAt = new Map<string, number>()

  constructor(reports: Pick<ReportStore, 'open' | 'acknowledge'>, clock: Clock) {
    this.#reports = reports
    this.#clock = clock
  }

  /** Sends what is new and what was not answered in time. */
  send(publish: (report: OpenReport) => void): void {
    const now = this.#clock.monotonicMs()
    const isUnderWay = (jobId: string): boolean => {
      const sentAt = this.#sentAt.get(jobId)
      return sentAt !== undefined && now - sentAt < LINK_LIMITS.resultResendMs
    }
    const [oldest] = this.#sentAt.keys()
    if (this.#sentAt.size >= MAX_IN_FLIGHT && oldest !== undefined && isUnderWay(oldest)) return
    for (const report of this.#reports.open(MAX_IN_FLIGHT, isUnderWay)) {
      // Behind the others: a map keeps the place of a key that it has.
      this.#sentAt.delete(report.jobId)
      this.#sentAt.set(report.jobId, now)
      publish(report)
    }
  }

  /** The relay has stored these results. */
  acknowledged(jobIds: readonly string[]): void {
    this.#reports.acknowledge(jobIds)
    for (const jobId of jobIds) this.#sentAt.delete(jobId)
  }

  /** A new connection: nothing is under way. */
  reset(): void {
    this.#sentAt.clear()
  }
}
