// The middle of an attempt, over one ready connection: bytes out with back-pressure, then the wait for the proof, patient while the printer is blocked.
//
//   sending    -> all bytes taken by the kernel -> proving
//              -> no byte moves for noProgressMs -> uncertain
//   proving    -> the query after the cut was answered, and no fault is reported -> printed, confirmed
//              -> assumed levels: time of the mechanism passed, status good, peer closed in order -> printed, assumed
//              -> deadline -> uncertain
//   both       -> printer reports paper out, cover open, error: blocked in place, the clock of the phase is stopped
//              -> blockedMs passed, or the connection ended, or a stop plus stopMs -> uncertain
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { estimateMs } from './confirm-ladder.ts'
import { FLOODED } from './flood-guard.ts'
import type { HealthTracker } from './health-tracker.ts'
import type { DocumentFrame } from './printer-language.ts'
import type { PrinterCondition } from './printer-status.ts'
import { SLOWEST } from './probe.ts'
import { isRecoverable } from './recovery.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'
import type { PrintDocument } from './transport.ts'

const CHUNK_BYTES = 1_024
// A ticket of this size is sent in one write: one run of segments instead of many small ones.
const ONE_WRITE_BYTES = 4_096
const CHUNKS_PER_SECOND_WHEN_PACED = 20
// A status query that stays open for this long was dropped by the printer.
const LOST_POLLS = 5

/** One document and one attempt to print it. */
export interface Ticket {
  document: PrintDocument
  /** Unique per attempt. */
  attemptId: string
}

export interface DeliveryOptions {
  printer: Delivered
  /** Ready for a ticket. */
  connection: StatusConnection
  document: PrintDocument
  frame: DocumentFrame
  signal: AbortSignal
}

/** The parts of a printer that are needed here. Its health gets each change of the printer's status. */
interface Delivered {
  profile: PrinterProfile
  timeouts: TransportTimeouts
  clock: Clock
  health: HealthTracker
}

/** Why a wait ended without success. */
export interface Failure {
  reason: PrinterReason
  detail: string
}

export class Delivery {
  readonly #options: DeliveryOptions
  readonly #estimateMs: number
  readonly #firstByteAtMs: EpochMs
  #bytesWritten = 0
  #lastByteAtMs: EpochMs | undefined
  #seen: PrinterCondition | null
  #recoverAt: number | null = null
  #stopAt: number | null = null
  /** Between the first and the last byte of a document that is sent in pieces: a query might fall into a picture. */
  #isWithinDocument = false
  /** Polls in a row that came due while the one before was still open. */
  #openPolls = 0

  constructor(options: DeliveryOptions) {
    const { printer, connection, document } = options
    this.#options = options
    this.#estimateMs = estimateMs(document, printer.profile, printer.timeouts)
    this.#seen = connection.condition
    this.#firstByteAtMs = printer.clock.now()
  }

  /** Bytes of the document itself that were written so far. */
  get bytesWritten(): number {
    return this.#bytesWritten
  }

  /** Our side was closed to see how the printer closes its own. */
  get hasHalfClosed(): boolean {
    return this.#options.connection.channel.halfClosed
  }

  /** True if the operating system has accepted everything, and the connection has ended. */
  get isDropped(): boolean {
    return this.#lastByteAtMs !== undefined && this.#options.connection.end !== null
  }

  get instants(): { connectedAtMs: EpochMs; firstByteAtMs: EpochMs; lastByteAtMs?: EpochMs } {
    const lastByte = this.#lastByteAtMs === undefined ? {} : { lastByteAtMs: this.#lastByteAtMs }
    const { connectedAtMs } = this.#options.connection.channel
    return { connectedAtMs, firstByteAtMs: this.#firstByteAtMs, ...lastByte }
  }

  /** Writes everything. Null when the operating system has accepted it. Call it once. */
  async send(): Promise<Failure | null> {
    const { document, frame, printer } = this.#options
    const { profile, timeouts, clock } = printer
    const { head, tail } = frame
    const pace = profile.paceBytesPerSec
    if (pace === null && head.length + document.bytes.length + tail.length <= ONE_WRITE_BYTES) {
      frame.asking?.()
      this.#write(Buffer.concat([head, document.bytes, tail]), document.bytes.length)
    } else {
      this.#isWithinDocument = true
      this.#write(head, 0)
      const size = pace === null ? CHUNK_BYTES : Math.max(1, Math.floor(pace / CHUNKS_PER_SECOND_WHEN_PACED))
      for (let at = 0; at < document.bytes.length; at += size) {
        const chunk = document.bytes.subarray(at, at + size)
        const taken = this.#write(chunk, chunk.length)
        const failure =
          (taken ? this.#ended() : await this.#wait(() => this.#drained(), timeouts.noProgressMs)) ??
          // Time in which the printer is stopped does not count: it would lose what it cannot store.
          (pace === null ? null : await this.#wait(() => false, 1_000 / CHUNKS_PER_SECOND_WHEN_PACED, 'time-passes'))
        if (failure) return failure
      }
      frame.asking?.()
      this.#write(tail, 0)
      this.#isWithinDocument = false
    }
    const failure = await this.#wait(() => this.#drained() || frame.answered(), timeouts.noProgressMs)
    if (!failure) this.#lastByteAtMs = clock.now()
    return failure
  }

  #write(bytes: Uint8Array, documentBytes: number): boolean {
    this.#bytesWritten += documentBytes
    return this.#options.connection.write(bytes)
  }

  #drained(): boolean {
    return this.#options.connection.unsentBytes === 0
  }

  /** Waits for the proof of the document, or for what makes it assumed; null when it came. Call it once, after sending. */
  prove(): Promise<Failure | null> {
    const { printer, frame } = this.#options
    const { timeouts } = printer
    if (frame.method === 'none') return this.#proveByEnd(this.#estimateMs + timeouts.finEvidenceMs)
    if (frame.method === 'dle-eot') return this.#proveByStatus()
    return this.#wait(frame.answered, Math.max(timeouts.confirmMs, 2 * this.#estimateMs + timeouts.confirmSlackMs))
  }

  /** L1: the mechanism's time has passed without an error, the status after it is good, and the peer closes normally. */
  async #proveByStatus(): Promise<Failure | null> {
    const { connection, printer } = this.#options
    const { timeouts } = printer
    const failure = await this.#wait(() => false, this.#estimateMs, 'time-passes')
    if (failure) return failure
    // An answer to an older query could be older than the end of the ticket.
    const stale = await this.#wait(() => connection.dialogue.pollAnswered, SLOWEST * timeouts.probeMs)
    if (stale) return stale
    connection.dialogue.askStatus()
    const silent = await this.#wait(() => connection.dialogue.pollAnswered, SLOWEST * timeouts.probeMs)
    return silent ?? this.#proveByEnd(timeouts.finEvidenceMs)
  }

  async #proveByEnd(ms: number): Promise<Failure | null> {
    const { connection, signal, printer } = this.#options
    const { clock, timeouts } = printer
    const early = this.#ended()
    if (early) return early
    connection.channel.halfClose()
    const ended = (): boolean => connection.end !== null
    if (!(await connection.until(ended, ms, signal)) && signal.aborted) {
      this.#stopAt ??= clock.monotonicMs()
      await connection.until(ended, this.#stopAt + timeouts.stopMs - clock.monotonicMs())
    }
    if (connection.end === 'fin') return null
    return (
      this.#ended() ??
      this.#stopped() ?? { reason: 'timed-out', detail: 'The printer did not close its side of the connection.' }
    )
  }

  /**
   * Waits until `done` and no fault is reported. `limitMs` counts only time in which the printer is not blocked, and starts again
   * whenever bytes move, out or in as one of several answers. With `time-passes`, the passing of that time is the aim and not a failure.
   */
  async #wait(done: () => boolean, limitMs: number, aim?: 'time-passes'): Promise<Failure | null> {
    const { connection, frame, printer } = this.#options
    const { clock, timeouts } = printer
    let freeMs = 0
    let blockedMs = 0
    let unsent = connection.unsentBytes
    let answers = frame.answers?.() ?? 0
    let pollAt = clock.monotonicMs() + timeouts.pollMs
    for (;;) {
      const blocked = this.#noteCondition()
      if (done() && (!blocked || frame.outlastsTrouble?.())) return null
      if (aim && freeMs >= limitMs && !blocked) return null
      const failure = this.#ended() ?? this.#stopped() ?? this.#late(freeMs - limitMs, blockedMs - timeouts.blockedMs)
      if (failure) return failure
      const startedAt = clock.monotonicMs()
      if (startedAt >= pollAt) pollAt = this.#pollStatus(startedAt, blocked)
      const leftMs = Math.min(
        pollAt - startedAt,
        blocked ? timeouts.blockedMs - blockedMs : limitMs - freeMs,
        this.#stopAt === null ? Number.POSITIVE_INFINITY : this.#stopAt + timeouts.stopMs - startedAt,
      )
      await this.#nextNews(Math.max(1, leftMs), blocked)
      const passedMs = clock.monotonicMs() - startedAt
      if (blocked) blockedMs += passedMs
      else {
        freeMs += passedMs
        blockedMs = 0
      }
      const heard = frame.answers?.() ?? 0
      if (connection.unsentBytes !== unsent || heard !== answers) {
        unsent = connection.unsentBytes
        answers = heard
        if (!aim) freeMs = 0
      }
    }
  }

  #nextNews(ms: number, blocked: boolean): Promise<void> {
    const { connection, signal } = this.#options
    const stop = this.#stopAt === null ? signal : undefined
    // A stopped printer needs no fast polling, and every byte takes space in its buffer.
    if (this.#isWithinDocument || blocked) return connection.nextActivity(ms, stop)
    return connection.nextAnswer(ms, stop)
  }

  /** Reports a change of the printer's status, and returns whether it is blocked. */
  #noteCondition(): boolean {
    const { condition } = this.#options.connection
    if (condition && condition !== this.#seen) {
      this.#seen = condition
      this.#options.printer.health.report(condition)
    }
    return condition?.blocked ?? false
  }

  #ended(): Failure | null {
    const { end, endCode, flooded } = this.#options.connection
    if (end === null) return null
    if (flooded) return { reason: 'not-responding', detail: FLOODED }
    // Half a ticket may be on paper. What the printer buffered may be lost or may still print.
    return { reason: 'connecting-to-device', detail: `The connection ended before the proof (${endCode}).` }
  }

  #stopped(): Failure | null {
    const { signal, printer } = this.#options
    const { clock, timeouts } = printer
    if (!signal.aborted) return null
    const now = clock.monotonicMs()
    this.#stopAt ??= now
    if (now - this.#stopAt < timeouts.stopMs) return null
    return { reason: 'shutdown', detail: 'The gateway stopped before the proof came.' }
  }

  #late(overFreeMs: number, overBlockedMs: number): Failure | null {
    const condition = this.#options.connection.condition
    if (condition?.blocked && overBlockedMs >= 0) {
      return { reason: condition.reasons[0] ?? 'offline', detail: 'The printer stayed blocked too long.' }
    }
    if (condition?.blocked || overFreeMs < 0) return null
    return { reason: 'timed-out', detail: 'The printer did not prove the ticket in time.' }
  }

  /** Returns when to poll next. A printer that pushes its status is polled only rarely, in case a push was lost. */
  #pollStatus(nowMs: number, blocked: boolean): number {
    const { connection, frame, printer } = this.#options
    const { timeouts } = printer
    if (this.#isWithinDocument) return nowMs + timeouts.pollMs
    if (blocked) this.#recover(nowMs)
    // An open query means that the printer is slow or gone: more queries would only fill its buffer.
    if (connection.dialogue.pollAnswered) this.#openPolls = 0
    else if (++this.#openPolls >= LOST_POLLS) connection.dialogue.forgetPoll()
    if (frame.answersStatus && connection.dialogue.pollAnswered && (!frame.pushesStatus || blocked))
      connection.dialogue.askStatus()
    return nowMs + timeouts.pollMs * (frame.pushesStatus ? 5 : 1)
  }

  /** After a recoverable error whose cause is gone the printer waits for a command to continue; before that, the command has no effect. */
  #recover(nowMs: number): void {
    const { connection, frame, printer } = this.#options
    const { timeouts } = printer
    const reasons = connection.condition?.reasons ?? []
    if (!isRecoverable(reasons)) return
    this.#recoverAt ??= nowMs + timeouts.recoverEveryMs
    if (nowMs < this.#recoverAt) return
    this.#recoverAt = nowMs + timeouts.recoverEveryMs
    connection.write(frame.goOn)
  }
}
