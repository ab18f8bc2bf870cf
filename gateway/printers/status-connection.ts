// What a connection to a printer is in every language: a byte channel, what the printer last said of itself, and waiting for it.
import type { Clock } from '#shared/clock.ts'
import type { Signal } from '#shared/signal.ts'
import type { ByteChannel, ChannelEnd } from './byte-channel.ts'
import type { PrinterCondition } from './printer-status.ts'

/** A language adds the parser of what comes in, and its questions. Whatever it notes of an answer, `activity` fires after it. */
export abstract class StatusConnection {
  readonly channel: ByteChannel
  /** What the printer last said of itself, pushed or asked; null when it has said nothing on this connection. A new object for each saying. */
  condition: PrinterCondition | null = null
  /** Bytes of a ticket went out on it and were never proved: they may still be printing, or wait in the operating system. */
  unconfirmed = false
  /** It was asked and may take a ticket. */
  ready = false
  /** Answers of any kind so far. */
  protected answers = 0
  readonly #clock: Clock

  constructor(channel: ByteChannel, clock: Clock) {
    this.channel = channel
    this.#clock = clock
    channel.onData((chunk) => this.take(chunk))
  }

  /** True when no status question is open. */
  abstract get pollAnswered(): boolean
  /** Asks in real time for everything that the printer can say of itself; `condition` gets the answer. */
  abstract askStatus(): void
  /** Gives an open question up as lost, with everything before it. */
  abstract forgetPoll(): void
  /** Bytes came. Notes them in `condition` and `answers`. */
  protected abstract take(chunk: Uint8Array): void

  get activity(): Signal {
    return this.channel.activity
  }

  get end(): ChannelEnd | null {
    return this.channel.end
  }

  get endCode(): string {
    return this.channel.endCode
  }

  /** Both sides may still send. */
  get open(): boolean {
    return this.channel.end === null && !this.channel.halfClosed && !this.channel.destroyed
  }

  get unsentBytes(): number {
    return this.channel.unsentBytes
  }

  /** Hands bytes over. False: wait for `unsentBytes` to become 0 before more. */
  write(bytes: Uint8Array): boolean {
    return bytes.length === 0 || this.channel.write(bytes)
  }

  /** Resolves true as soon as `done` holds, false after `ms`, at the connection's end or when `signal` aborts. */
  async until(done: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = this.#clock.monotonicMs() + ms
    while (!done()) {
      const left = deadline - this.#clock.monotonicMs()
      if (left <= 0 || signal?.aborted || this.end !== null) return false
      await this.nextActivity(left, signal)
    }
    return true
  }

  /**
   * As `until`, but a slow printer that is still answering gets its time: after each answer it may be silent for `quietMs` again,
   * or for twice as long as its first answer took, up to `limitMs` in all.
   */
  async untilQuiet(done: () => boolean, quietMs: number, limitMs: number, signal?: AbortSignal): Promise<boolean> {
    const startedAt = this.#clock.monotonicMs()
    const answersBefore = this.answers
    let patienceMs = quietMs
    for (let heard = answersBefore; !done(); heard = this.answers) {
      const leftMs = startedAt + limitMs - this.#clock.monotonicMs()
      const news = (): boolean => done() || this.answers !== heard
      if (!(await this.until(news, Math.min(patienceMs, leftMs), signal))) return false
      if (heard === answersBefore) patienceMs = Math.max(quietMs, 2 * (this.#clock.monotonicMs() - startedAt))
    }
    return true
  }

  /** Resolves at the next activity, or after `ms`, or when `signal` aborts. */
  nextActivity(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        cancel()
        stop()
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const stop = this.activity.subscribe(done)
      const cancel = this.#clock.after(Math.max(0, ms), done)
      signal?.addEventListener('abort', done, { once: true })
    })
  }

  /** Ends our side and waits for the peer's end; then lets go. `reset`: what the operating system still holds must not print later. */
  async retire(finMs: number, reset: boolean): Promise<void> {
    this.channel.halfClose()
    await this.until(() => this.end !== null, finMs)
    this.channel.destroy(reset)
  }
}
