// The transport of ESC/POS printers: learns what the printer answers, asks for status, recovers it from errors.

import { Acquaintance } from './acquaintance.ts'
import type { ByteChannel } from './byte-channel.ts'
import { clearBuffers } from './clear-buffers.ts'
import { bestMethod } from './confirm-ladder.ts'
import {
  type Attempted,
  ConnectedTransport,
  type NotReady,
  STOPPED,
  type TransportOptions,
} from './connected-transport.ts'
import {
  ASB_OFF,
  ASB_ON,
  PARAMETER_PADDING,
  picturePadding,
  RECOVER_AND_CLEAR,
  RECOVER_AND_GO_ON,
} from './escpos-commands.ts'
import { EscposConnection } from './escpos-connection.ts'
import { escposFrame } from './escpos-frame.ts'
import type { DocumentFrame } from './print-attempt.ts'
import { FINE, type PrinterCondition } from './printer-status.ts'
import { type ProbeResult, probe } from './probe.ts'
import { Recovery } from './recovery.ts'
import type { PrintDocument, Readiness } from './transport.ts'

/** A new printer that says nothing for this part of the look is asked the other questions meanwhile. */
const FIRST_QUESTION = 0.25

export class EscposTransport extends ConnectedTransport<EscposConnection> {
  protected readonly known: Acquaintance
  readonly #options: TransportOptions
  readonly #recovery: Recovery

  constructor(options: TransportOptions) {
    super(options)
    const { capability } = options
    this.#options = options
    // What a Star taught under the same name says nothing about this one.
    const isOurs = !capability?.starStatus && !capability?.starEtb
    this.known = new Acquaintance({ ...options, capability: isOurs ? capability : null, timeouts: this.timeouts })
    this.#recovery = new Recovery(this.timeouts.recoverEveryMs)
  }

  protected speak(channel: ByteChannel): EscposConnection {
    return new EscposConnection(channel, this.#options.clock)
  }

  protected farewell(): Uint8Array {
    return this.known.capability?.asb ? ASB_OFF : new Uint8Array()
  }

  protected padding(): Uint8Array {
    return PARAMETER_PADDING
  }

  protected frame(connection: EscposConnection, _document: PrintDocument, attemptId: string): DocumentFrame {
    const { capability } = this.known
    const frame = escposFrame(connection, { ...this.#options, capability, attemptId, dangling: this.dangling })
    connection.pushing = capability?.asb ?? false
    return frame
  }

  discard(signal: AbortSignal): Promise<boolean> {
    return this.inTurn(async () => {
      if (!this.dangling) return true
      if (!this.#options.profile.clearsBuffer || signal.aborted) return false
      this.slot.use()
      const kept = this.slot.current
      // Behind bytes that the printer does not take, the command would not reach it.
      if (kept?.open && kept.unsentBytes === 0 && (await this.#clear(kept, signal))) return true
      this.slot.drop(true)
      const fresh = await this.slot.open(this.timeouts.connectMs, signal)
      return !('failed' in fresh) && (await this.#clear(fresh, signal))
    })
  }

  protected async lookAgain(kept: EscposConnection | null, signal: AbortSignal): Promise<void> {
    if (kept?.open) kept.ready = false
    const readiness = await this.getReady(signal)
    // The kept connection was dead without a word: its successor is asked at once.
    if (kept && readiness.kind === 'busy' && this.#options.exclusive) await this.getReady(signal)
  }

  protected async getReadyToSend(signal: AbortSignal): Promise<Readiness> {
    const readiness = await this.getReady(signal)
    if (readiness.kind !== 'ready') {
      this.linger()
      return readiness
    }
    const connection = this.slot.current
    if (connection?.open && !connection.learnt && this.known.isLookDue) return this.#look(connection, signal)
    return readiness
  }

  /** Asks what the printer answers, and whether it may take a ticket after that. */
  async #look(connection: EscposConnection, signal: AbortSignal): Promise<Readiness> {
    this.#feed(connection)
    await this.known.learn(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.lost(connection)
    if (connection.condition?.blocked) {
      connection.learnt = false
      return this.#blocked(connection.condition, signal)
    }
    // It used to prove its tickets, and now it answers no in-order question: each copy that it gets may be one more on the rail.
    if (this.known.isDoubted) return this.silent()
    if (this.known.capability !== null) this.trackedHealth.report(connection.condition ?? FINE)
    return { kind: 'ready' }
  }

  protected async getReady(signal: AbortSignal): Promise<Readiness> {
    this.slot.use()
    if (signal.aborted) return STOPPED
    const kept = this.slot.current
    if (kept?.unconfirmed) this.slot.retire(true)
    else if (kept?.open && kept.ready && !kept.condition?.blocked) return { kind: 'ready' }
    if (!this.slot.current?.open) {
      const failure = await this.connect(signal)
      if (failure) return failure
    }
    const connection = this.slot.current
    if (!connection) return this.lost(null)
    const readiness = await this.#probe(connection, signal)
    const isDoubtful = readiness.kind === 'ready' && this.known.isDoubted && !connection.learnt
    return isDoubtful ? this.#look(connection, signal) : readiness
  }

  async #probe(connection: EscposConnection, signal: AbortSignal): Promise<Readiness> {
    const { capability, lookMs, probeMs } = this.known
    const isNew = capability === null
    if (capability?.dleEot === false) this.#feed(connection)
    const result = await probe(connection, {
      capability,
      ns: bestMethod(capability) === 'dle-eot' ? [1, 2, 3, 4] : [1],
      timeoutMs: isNew ? lookMs * FIRST_QUESTION : probeMs,
      repeats: isNew ? 0 : 1,
      signal,
    })
    connection.dleEot = result === 'answered' && (isNew || capability.dleEot)
    const isStranger = result === 'silent' && !isNew && this.known.noteSilence()
    if (isStranger) this.#feed(connection)
    if (isStranger && (await this.#isAnother(connection, signal)))
      return this.#judgeProbe(connection, 'answered', signal)
    return this.#judgeProbe(connection, signal.aborted ? 'aborted' : result, signal)
  }

  /** True when what stands at the address now answers other questions than it used to, and can prove its tickets. */
  async #isAnother(connection: EscposConnection, signal: AbortSignal): Promise<boolean> {
    return (await this.known.learn(connection, signal)) && connection.end === null && !signal.aborted
  }

  async #judgeProbe(connection: EscposConnection, result: ProbeResult, signal: AbortSignal): Promise<Readiness> {
    switch (result) {
      case 'answered': {
        const condition = connection.condition ?? FINE
        this.known.noteAnswer(connection)
        this.hungry = false
        if (condition.blocked) return this.#blocked(condition, signal)
        if (!this.known.isDoubted) this.trackedHealth.report(condition)
        connection.ready = true
        return { kind: 'ready' }
      }
      case 'silent':
        if (this.known.capability === null) {
          // It may be one of those that never answer.
          this.trackedHealth.reached()
          connection.ready = true
          return { kind: 'ready' }
        }
        return this.silent()
      case 'ended':
        return this.lost(connection)
      case 'aborted':
        return STOPPED
    }
  }

  /** Before a question that is answered in order: a picture that was cut off would take it for dots. */
  #feed(connection: EscposConnection): void {
    if (this.dangling) connection.write(picturePadding(this.#options.profile))
  }

  /** Empties the printer's buffers. A connection on which that is not answered is let go, with what it still holds. */
  async #clear(connection: EscposConnection, signal: AbortSignal): Promise<boolean> {
    const cleared = await clearBuffers(connection, this.timeouts.discardMs, signal)
    if (cleared) this.linger()
    else this.slot.drop(true)
    return cleared
  }

  async #blocked(condition: PrinterCondition, signal: AbortSignal): Promise<NotReady> {
    const stopped = this.stopped(condition)
    await this.#recover(condition, signal)
    return stopped
  }

  async #recover(condition: PrinterCondition, signal: AbortSignal): Promise<void> {
    const { clock, profile } = this.#options
    const left = { dangling: this.dangling, clearsBuffer: profile.clearsBuffer }
    const step = this.#recovery.next(condition, clock.monotonicMs(), left)
    const connection = this.slot.current
    if (step === 'go-on') connection?.write(RECOVER_AND_GO_ON)
    if (step === 'clear') connection?.write(RECOVER_AND_CLEAR)
    if (step === 'discard' && connection) await this.#clear(connection, signal)
  }

  /** It used to prove its tickets: before the next it is asked again what it answers. */
  protected override noteProofFailed(): void {
    if (this.known.proves) this.known.isDoubted = true
  }

  protected override async keepUnproved(connection: EscposConnection, outcome: Attempted): Promise<boolean> {
    if (outcome.kind === 'printed' || !connection.open || !this.#options.profile.clearsBuffer) return false
    // Aborted: who did it may want to have the rest thrown away, which works only here.
    if (outcome.reason === 'shutdown') {
      this.linger()
      return true
    }
    // Stopped for too long: what is left must not come out when somebody mends it tomorrow.
    return (connection.condition?.blocked ?? false) && (await this.#clear(connection, new AbortController().signal))
  }

  protected override isNews({ pollAnswered }: EscposConnection): boolean {
    return pollAnswered
  }

  /** On a connection that stays open, the printer tells each change by itself. */
  protected override linger(): void {
    const kept = this.slot.current
    if (this.#options.exclusive && kept?.open && kept.ready && !kept.pushing && this.known.capability?.asb) {
      kept.pushing = true
      kept.write(ASB_ON)
    }
    super.linger()
  }
}
