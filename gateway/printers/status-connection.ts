// A connection to a printer in any language: a byte channel, the printer's last status, and waiting for it.
import type { Clock } from '#shared/clock.ts'
import type { Signal } from '#shared/signal.ts'
import type { ByteChannel, ChannelEnd } from './byte-channel.ts'
import { FloodGuard } from './flood-guard.ts'
import type { PrinterCondition } from './printer-status.ts'

/** An idle printer ignores it in every language, and does not answer: it only carries the acknowledgement of received bytes. */
const NUL: Uint8Array = Buffer.alloc(1)
/**
 * Long enough for answers that are on their way anyway, so that a printer which holds nothing back gets no NUL; short compared to the delay
 * of our kernel.
 */
const ACKNOWLEDGE_AFTER_MS = 3
/** A printer that sends unrequested bytes gets only this many until we have something to send. */
const MOST_NULS = 8

/** The protocol of one connection in one language: its queries, and matching answers to them. */
export interface Dialogue {
  /** True if no status query is open. */
  readonly pollAnswered: boolean
  /** Bytes arrived. Updates the connection's `condition` and `answers`; its `activity` fires after it. */
  take(chunk: Uint8Array): void
  /** Requests the complete status in real time; `condition` gets the answer. */
  askStatus(): void
  /** Gives up an open query as lost, with everything before it. */
  forgetPoll(): void
}

export class StatusConnection<D extends Dialogue = Dialogue> {
  readonly channel: ByteChannel
  readonly dialogue: D
  /** The printer's last status, pushed or requested; null before the first one on this connection. A new object for each report. */
  condition: PrinterCondition | null = null
  /** Bytes of a ticket were sent on it and never proved: they may still print, or wait in the operating system. */
  unconfirmed = false
  /** It was checked and may take a ticket. */
  ready = false
  /** Its in-order answers just came: if it was never identified, it may be now. */
  mayIntroduce = false
  /** Called when the printer sent far more than requested: the connection has ended then. */
  onFlood: () => void = () => {}
  /** Answers of any kind so far. */
  answers = 0
  /** Bytes written so far, accepted by the operating system or not. */
  writtenBytes = 0
  readonly #clock: Clock
  /** When something arrived, if nothing was sent since. */
  #heardAtMs: number | null = null
  #nuls = 0
  readonly #guard: FloodGuard
  #isFlooded = false

  constructor(channel: ByteChannel, clock: Clock, dialogueOn: (connection: StatusConnection) => D) {
    this.channel = channel
    this.dialogue = dialogueOn(this)
    this.#clock = clock
    this.#guard = new FloodGuard(clock)
    channel.onData((chunk) => {
      if (this.#isFlooded) return
      if (this.#guard.isTooMuch(chunk.length)) return this.#shut()
      this.#heardAtMs = clock.monotonicMs()
      this.dialogue.take(chunk)
    })
  }

  get activity(): Signal {
    return this.channel.activity
  }

  get end(): ChannelEnd | null {
    return this.#isFlooded ? 'broken' : this.channel.end
  }

  get endCode(): string {
    return this.#isFlooded ? 'FLOOD' : this.channel.endCode
  }

  /** It ended because the printer sent far more than requested. */
  get flooded(): boolean {
    return this.#isFlooded
  }

  /** Both sides may still send. */
  get open(): boolean {
    return this.channel.end === null && !this.channel.halfClosed && !this.channel.destroyed
  }

  get unsentBytes(): number {
    return this.channel.unsentBytes
  }

  /** Writes bytes. False: wait until `unsentBytes` is 0 before writing more. */
  write(bytes: Uint8Array): boolean {
    if (bytes.length === 0) return true
    this.#heardAtMs = null
    this.#nuls = 0
    this.#guard.said(bytes.length)
    this.writtenBytes += bytes.length
    return this.channel.write(bytes)
  }

  /** Resolves true as soon as `done` holds, false after `ms`, at the connection's end or when `signal` aborts. */
  until(done: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.#until(done, { ms, next: (leftMs) => this.nextActivity(leftMs, signal), signal })
  }

  /** Like `until`, for answers to queries. */
  untilAnswered(done: () => boolean, ms: number, signal?: AbortSignal): Promise<boolean> {
    return this.#until(done, { ms, next: (leftMs) => this.nextAnswer(leftMs, signal), signal })
  }

  /**
   * Like `untilAnswered`, but a slow printer that is still answering gets more time: after each answer it may be silent for `quietMs`
   * again, or for twice as long as its first answer took, up to `limitMs` in total.
   */
  async untilQuiet(
    done: () => boolean,
    { quietMs, limitMs, signal }: { quietMs: number; limitMs: number; signal?: AbortSignal },
  ): Promise<boolean> {
    const startedAt = this.#clock.monotonicMs()
    const answersBefore = this.answers
    let patienceMs = quietMs
    for (let heard = answersBefore; !done(); heard = this.answers) {
      const leftMs = startedAt + limitMs - this.#clock.monotonicMs()
      const news = (): boolean => done() || this.answers !== heard
      if (!(await this.untilAnswered(news, Math.min(patienceMs, leftMs), signal))) return false
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

  /**
   * Like `nextActivity`, while more of an answer is expected; may resolve sooner. Many printers send small segments (Nagle's algorithm):
   * the second waits in the printer until the first is acknowledged, and our kernel takes up to 40 ms for that unless we send something.
   * Never use it within a document or after DLE DC4, where the NUL would be read as data.
   */
  nextAnswer(ms: number, signal?: AbortSignal): Promise<void> {
    if (this.#heardAtMs === null || !this.channel.acknowledgesLate || !this.open) return this.nextActivity(ms, signal)
    const dueMs = this.#heardAtMs + ACKNOWLEDGE_AFTER_MS - this.#clock.monotonicMs()
    if (dueMs > 0) return this.nextActivity(Math.min(ms, dueMs), signal)
    this.#heardAtMs = null
    if (this.#nuls++ < MOST_NULS) this.channel.write(NUL)
    return this.nextActivity(ms, signal)
  }

  /**
   * Closes our side and waits for the peer's end; then destroys it. `reset`: what the operating system still holds must not print later.
   */
  async retire(finMs: number, reset: boolean): Promise<void> {
    this.channel.halfClose()
    await this.until(() => this.end !== null, finMs)
    this.channel.destroy(reset)
  }

  /** What the operating system still holds of ours must not print later either: its proof would be lost. */
  #shut(): void {
    this.#isFlooded = true
    this.channel.destroy(true)
    this.onFlood()
  }

  async #until(
    done: () => boolean,
    { ms, next, signal }: { ms: number; next: (leftMs: number) => Promise<void>; signal: AbortSignal | undefined },
  ): Promise<boolean> {
    const deadline = this.#clock.monotonicMs() + ms
    while (!done()) {
      const leftMs = deadline - this.#clock.monotonicMs()
      if (leftMs <= 0 || signal?.aborted || this.end !== null) return false
      await next(leftMs)
    }
    return true
  }
}
