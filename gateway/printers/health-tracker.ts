// A printer's health for people and for the cloud: online at once, the printer's own reports at once, a lost connection only after a delay.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import { hintFor, type PrinterCondition } from './printer-status.ts'
import type { PrinterHealth } from './transport.ts'

export class HealthTracker {
  #health: PrinterHealth
  readonly #clock: Clock
  readonly #announceAfterMs: number
  readonly #listeners: ((health: PrinterHealth) => void)[] = []
  #lastContactMs: number | null = null
  #failure: { reason: PrinterReason; dueMs: number; cancel: Cancel } | null = null

  constructor(clock: Clock, announceAfterMs: number) {
    this.#clock = clock
    this.#announceAfterMs = announceAfterMs
    this.#health = {
      state: 'unknown',
      reasons: ['connecting-to-device'],
      hint: 'The gateway has not reached this printer yet.',
      sinceMs: clock.now(),
    }
  }

  get health(): PrinterHealth {
    return this.#lastContactMs === null ? this.#health : { ...this.#health, lastContactMs: this.#lastContactMs }
  }

  /** True from the first failed contact until the next good one, also before it is announced. */
  get away(): boolean {
    return this.#failure !== null
  }

  onChange(listener: (health: PrinterHealth) => void): void {
    this.#listeners.push(listener)
  }

  /** The printer reported its status, which counts at once. */
  report(condition: PrinterCondition): void {
    this.#forgetFailure()
    this.#lastContactMs = this.#clock.now()
    const stillLow = !condition.paperKnown && !condition.blocked && this.#health.reasons.includes('media-low')
    this.#set(condition.blocked ? 'offline' : 'online', stillLow ? ['media-low'] : condition.reasons)
  }

  /** It accepts connections and has never answered: it no longer counts as unreachable, and nothing else is known. */
  reached(): void {
    this.#forgetFailure()
    if (this.#health.state !== 'online')
      this.#set('unknown', [], 'The printer takes connections. It never says how it is.')
  }

  /**
   * It could not be reached, or did not answer. Announced if nothing better comes within the time; the shortest given one counts, and 0
   * means now.
   */
  failed(reason: PrinterReason, announceAfterMs: number = this.#announceAfterMs): void {
    const dueMs = this.#clock.monotonicMs() + announceAfterMs
    if (this.#failure === null || dueMs < this.#failure.dueMs) {
      this.#failure?.cancel()
      const cancel = this.#clock.after(announceAfterMs, () => {
        if (this.#failure) this.#set('offline', [this.#failure.reason])
      })
      this.#failure = { reason, dueMs, cancel }
    }
    this.#failure.reason = reason
    // Offline already, with a reason that the printer reported before: the new reason needs no delay.
    if (this.#health.state === 'offline' || announceAfterMs <= 0) this.#set('offline', [reason])
  }

  /** Stops waiting to announce; called when the transport closes. */
  stop(): void {
    this.#failure?.cancel()
  }

  #forgetFailure(): void {
    this.#failure?.cancel()
    this.#failure = null
  }

  #set(state: PrinterHealth['state'], given: readonly PrinterReason[], hint?: string): void {
    const reasons = given.length === 0 ? (['none'] as const) : given
    if (state === this.#health.state && reasons.join() === this.#health.reasons.join()) return
    const sinceMs = state === this.#health.state ? this.#health.sinceMs : this.#clock.now()
    this.#health = { state, reasons, hint: hint ?? hintFor(reasons[0] ?? 'none'), sinceMs }
    for (const listener of this.#listeners) listener(this.health)
  }
}
