// A relay that is about to stop asked this gateway to move: second connections are opened, one after the other, until one is welcomed.
// docs/wire-protocol.md, "Moving".
import { fullJitterMs } from '#shared/backoff.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Connection } from './connection.ts'
import type { LinkSession } from './link-session.ts'

/** One connection, and the conversation on it. */
export interface Line {
  session: LinkSession
  connection: Connection
  clientId: string
  /** It uses the next password. */
  isNext: boolean
}

export interface MoveOptions {
  /** Opens a connection beside the current one; null: not possible now. */
  make(): Line | null
  clock: Clock
  random: () => number
}

/** The balancer may not have noticed yet that this relay is about to stop, or the other one may not be ready: soon it is. */
const BACKOFF = { firstMs: 500, maxMs: 4_000 }

export class Move {
  readonly #options: MoveOptions
  #second: Line | null = null
  #failures = 0
  #deadlineMs = 0
  #cancelRetry: Cancel = () => {}
  /** It is tried, or will be. */
  #isTrying = false

  constructor(options: MoveOptions) {
    this.#options = options
  }

  /** The connection that is not welcomed yet; null: none, at this moment. */
  get second(): Line | null {
    return this.#second
  }

  /** @param withinMs then the relay closes the first connection, and nothing new is tried */
  begin(withinMs: number): void {
    this.#deadlineMs = this.#options.clock.monotonicMs() + withinMs
    if (this.#isTrying) return
    this.#isTrying = true
    this.#failures = 0
    this.#try()
  }

  /** The second connection has ended before it was welcomed. */
  failed(): void {
    this.#second = null
    const { clock, random } = this.#options
    const waitMs = fullJitterMs(this.#failures++, { ...BACKOFF, random })
    this.#isTrying = clock.monotonicMs() + waitMs < this.#deadlineMs
    if (this.#isTrying) this.#cancelRetry = clock.after(waitMs, () => this.#try())
  }

  /** Makes no more attempts. @returns the second connection, which stays open: it is the caller's now */
  release(): Line | null {
    this.#isTrying = false
    this.#cancelRetry()
    const second = this.#second
    this.#second = null
    return second
  }

  #try(): void {
    this.#second = this.#options.make()
    if (this.#second) this.#second.connection.open()
    else this.failed()
  }
}
