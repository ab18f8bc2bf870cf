// The time by which the relay deletes. A clock that jumps far ahead does not count until the relay has run under it for a day.
import type { LivedTime, LivedTimeStore } from '#cloud/storage/lived-time-store.ts'
import { type Cancel, type Clock, type EpochMs, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'

const HOUR_MS = 3_600_000
const LOOK_EVERY_MS = 600_000
/** So far off the time that was lived through a clock may be: a relay that was switched off for a night, a zone that was set wrong. */
export const BELIEVED_MS = 24 * HOUR_MS
/** The relay has to run for so long, starts between or not, while the clock goes on from where it jumped to. */
const CONFIRMED_AFTER_MS = 24 * HOUR_MS

export interface DeletionClockDeps {
  livedTime: LivedTimeStore
  clock: Clock
  log: Logger
}

/**
 * A clock for deletion. Its `now` is the time that the relay has lived through: the last known one (stored in the database) and what
 * has passed on the monotonic clock since, and never later than the clock of the machine. Until it was started it is 1970.
 */
export class DeletionClock implements Clock, Service {
  readonly #deps: DeletionClockDeps
  readonly #rounds: Rounds
  #lived: LivedTime = { knownMs: 0, other: null }
  /** When `#lived` was true, on the monotonic clock. */
  #lookedMs = 0
  #isTold = false

  constructor(deps: DeletionClockDeps) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: LOOK_EVERY_MS,
      pass: () => this.#look(),
      failed: (error) => deps.log.warn({ err: error }, 'the time that the relay has lived through could not be kept'),
    })
  }

  now(): EpochMs {
    const { clock } = this.#deps
    if (!this.#rounds.started) return 0
    return Math.min(clock.now(), Math.round(this.#lived.knownMs + clock.monotonicMs() - this.#lookedMs))
  }

  monotonicMs(): number {
    return this.#deps.clock.monotonicMs()
  }

  after(ms: number, fn: () => void): Cancel {
    return this.#deps.clock.after(ms, fn)
  }

  every(ms: number, fn: () => void): Cancel {
    return this.#deps.clock.every(ms, fn)
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#deps.clock.sleep(ms, signal)
  }

  /** Before whatever deletes. */
  async start(): Promise<void> {
    if (this.#rounds.started) return
    const { livedTime, clock } = this.#deps
    const lived = (await livedTime.read()) ?? { knownMs: (await livedTime.newestRow()) ?? clock.now(), other: null }
    this.#lived = lived
    this.#lookedMs = clock.monotonicMs()
    this.#isTold = false
    await this.#rounds.start()
    this.#rounds.wake()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  async #look(): Promise<void> {
    const { livedTime, clock } = this.#deps
    const passedMs = clock.monotonicMs() - this.#lookedMs
    this.#lived = this.#judged(clock.now(), passedMs)
    this.#lookedMs += passedMs
    await livedTime.keep(this.#lived)
  }

  #judged(nowMs: EpochMs, passedMs: number): LivedTime {
    const { log } = this.#deps
    const { other } = this.#lived
    const knownMs = this.#lived.knownMs + passedMs
    if (Math.abs(nowMs - knownMs) <= BELIEVED_MS) {
      if (this.#isTold) log.info('the clock shows again the time that the relay has lived through')
      this.#isTold = false
      return { knownMs: nowMs, other: null }
    }
    // Another jump while one is on trial starts the trial again.
    const goesOn = other !== null && Math.abs(nowMs - other.atMs - passedMs) <= BELIEVED_MS
    const forMs = goesOn ? other.forMs + passedMs : 0
    if (forMs >= CONFIRMED_AFTER_MS) {
      log.info(
        { clock: toIso(nowMs) },
        'the clock has gone on for a day from where it jumped to: it counts from now on',
      )
      this.#isTold = false
      return { knownMs: nowMs, other: null }
    }
    if (!(goesOn && this.#isTold)) this.#tell(nowMs - knownMs, { knownMs, leftMs: CONFIRMED_AFTER_MS - forMs })
    return { knownMs, other: { atMs: nowMs, forMs } }
  }

  #tell(aheadMs: number, { knownMs, leftMs }: { knownMs: EpochMs; leftMs: number }): void {
    this.#isTold = true
    const hours = (ms: number) => Math.round(ms / HOUR_MS)
    const about = { known: toIso(knownMs), clock: toIso(knownMs + aheadMs), hours: hours(aheadMs) }
    // One that is behind makes nothing old.
    if (aheadMs < 0) this.#deps.log.warn(about, 'the clock is far behind the time that the relay has lived through')
    else
      this.#deps.log.warn(
        about,
        `the clock jumped ahead by ${hours(aheadMs)} hours: deletion keeps the old time until the relay has run for ${hours(leftMs)} hours with the new one`,
      )
  }
}
