// When an idle printer is checked, so that "ready" stays true without tickets. One timer, armed between the calls of a transport.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { TransportTimeouts } from './timeouts.ts'

export interface IdleWatchOptions {
  clock: Clock
  random: () => number
  timeouts: Pick<TransportTimeouts, 'idleLookMs' | 'announceBusyMs' | 'lookSoonMs' | 'lookAwayMs' | 'heartbeatMs'>
  /** The connection stays open; a lost one is opened again at once. */
  exclusive: boolean
  /** Time after which the printer closes idle connections; null: never. */
  idleCloseMs: number | null
  /** Checks the printer, in turn with the other calls. Must end soon when the signal aborts, because a ticket waits. */
  look: (signal: AbortSignal) => void
}

/** The state of the printer after a call. */
export interface IdleState {
  /** True if it is known to answer. One that never answers cannot be checked: its silence means nothing. */
  answers: boolean
  /** Its connection is kept. */
  open: boolean
  /** It was not reached, or reports that it cannot print. */
  away: boolean
}

export class IdleWatch {
  readonly #options: IdleWatchOptions
  #cancel: Cancel = () => {}
  #looking = new AbortController()
  #awayLooks = 0
  #armedAtMs = 0
  #isLooking = false
  #isStopped = false

  constructor(options: IdleWatchOptions) {
    this.#options = options
  }

  /** No ticket waits for a shared printer that is only checked, and another till may be printing on it. Undefined: a ticket waits. */
  get busyPatienceMs(): number | undefined {
    const { exclusive, timeouts } = this.#options
    return this.#isLooking && !exclusive ? timeouts.announceBusyMs : undefined
  }

  /** A call begins: no check starts meanwhile, one in progress ends. */
  disturb(): void {
    this.#isLooking = false
    this.#cancel()
    this.#looking.abort('disturbed')
  }

  /** A call has ended. */
  arm(state: IdleState): void {
    this.#awayLooks = state.away ? this.#awayLooks + 1 : 0
    this.#isLooking = false
    this.#armedAtMs = this.#options.clock.monotonicMs()
    if (state.answers) this.#after(this.#waitMs(state))
  }

  /** A kept connection ended. The next one is opened at once, but never in a fast loop with a printer that closes each. */
  lost(): void {
    const { clock, exclusive, timeouts } = this.#options
    const keptMs = clock.monotonicMs() - this.#armedAtMs
    this.#after(exclusive && keptMs >= timeouts.lookSoonMs ? 0 : timeouts.lookSoonMs)
  }

  /** For ever. */
  stop(): void {
    this.#isStopped = true
    this.disturb()
  }

  #waitMs({ open, away }: IdleState): number {
    const { exclusive, idleCloseMs, random, timeouts } = this.#options
    if (away) return this.#awayLooks === 1 ? timeouts.lookSoonMs : timeouts.lookAwayMs
    if (!exclusive) return timeouts.idleLookMs * (0.8 + 0.4 * random())
    if (!open) return timeouts.lookSoonMs
    return idleCloseMs === null ? timeouts.heartbeatMs : Math.min(timeouts.heartbeatMs, idleCloseMs / 3)
  }

  #after(ms: number): void {
    this.#cancel()
    if (this.#isStopped) return
    this.#cancel = this.#options.clock.after(ms, () => {
      this.#looking = new AbortController()
      this.#isLooking = true
      this.#options.look(this.#looking.signal)
    })
  }
}
