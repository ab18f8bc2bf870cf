// Walk 8/10: comes from shared/tickets/kitchen-ticket.ts, goes on to gateway/link/cloud-link.ts. Prints one ticket on an ESC/POS printer and says honestly what became of it.
import type { Clock } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { Acquaintance } from './acquaintance.ts'
import { type OpenChannel, reasonOfOpenFailure } from './byte-channel.ts'
import { clearBuffers } from './clear-buffers.ts'
import { bestMethod } from './confirm-ladder.ts'
import { ConnectionSlot } from './connection-slot.ts'
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
import { HealthTracker } from './health-tracker.ts'
import { IdleWatch } from './idle-watch.ts'
import { PrintAttempt } from './print-attempt.ts'
import { FINE, type PrinterCondition } from './printer-status.ts'
import { type ProbeResult, probe } from './probe.ts'
import { Recovery } from './recovery.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'
import type { PrintDocument, PrinterHealth, PrinterTransport, Readiness, SendOutcome } from './transport.ts'
import { Turns } from './turns.ts'

export interface EscposTransportOptions {
  /** Opens a connection to the printer: TCP 9100, or a device file. */
  openChannel: OpenChannel
  profile: PrinterProfile
  /** What this printer was seen to answer before; null when it is new, or never answered anything. */
  capability: PrinterCapability | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts?: Partial<TransportTimeouts>
  /** An earlier process may have stopped in the middle of a ticket on this printer: the paper is closed before the first ticket. */
  interrupted?: boolean
  /** The connection stays open, for a printer that nobody else uses: its state is known at once. Default: it is let go between tickets. */
  exclusive?: boolean
}

type NotReady = Exclude<Readiness, { kind: 'ready' }>
type Attempted = Exclude<SendOutcome, { kind: 'not-sent' }>

const STOPPED: NotReady = { kind: 'offline', reason: 'shutdown', detail: 'The gateway is stopping.' }
/** A new printer that says nothing for this part of the look is asked the other questions meanwhile. */
const FIRST_QUESTION = 0.25

export class EscposTransport implements PrinterTransport {
  readonly #options: EscposTransportOptions
  readonly #timeouts: TransportTimeouts
  readonly #health: HealthTracker
  readonly #known: Acquaintance
  readonly #slot: ConnectionSlot<EscposConnection>
  readonly #turns = new Turns()
  readonly #watch: IdleWatch
  readonly #recovery: Recovery
  /** Part of a ticket may stand on the paper without its cut. */
  #dangling: boolean
  /** A command may have been cut off, and the printer has not answered since. */
  #hungry: boolean

  constructor(options: EscposTransportOptions) {
    const { capability, clock, openChannel, exclusive = false, profile } = options
    this.#options = options
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#timeouts = timeouts
    this.#dangling = options.interrupted ?? false
    this.#hungry = this.#dangling
    this.#health = new HealthTracker(clock, timeouts.announceOfflineMs)
    // What a Star taught under the same name says nothing about this one.
    const isOurs = !capability?.starStatus && !capability?.starEtb
    this.#known = new Acquaintance({ ...options, capability: isOurs ? capability : null, timeouts })
    this.#recovery = new Recovery(timeouts.recoverEveryMs)
    this.#watch = new IdleWatch({
      ...options,
      timeouts,
      exclusive,
      idleCloseMs: profile.idleCloseMs,
      look: (signal) => this.#lookWhenIdle(signal),
    })
    this.#slot = new ConnectionSlot({
      openChannel,
      speak: (channel) => new EscposConnection(channel, clock),
      farewell: () => (this.#known.capability?.asb ? ASB_OFF : new Uint8Array()),
      clock,
      timeouts,
    })
  }

  send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome> {
    return this.#inTurn(async () => {
      const startedAt = this.#options.clock.monotonicMs()
      const readiness = await this.#getReadyToSend(signal)
      const connection = this.#slot.current
      if (readiness.kind !== 'ready') return { kind: 'not-sent', readiness }
      if (!connection?.open) return { kind: 'not-sent', readiness: this.#lost(connection) }
      const { capability } = this.#known
      const attempt = new PrintAttempt({
        ...this.#options,
        connection,
        document,
        frame: escposFrame(connection, { ...this.#options, capability, attemptId, dangling: this.#dangling }),
        timeouts: this.#timeouts,
        signal,
        onCondition: (condition) => this.#health.report(condition),
      })
      connection.pushing = capability?.asb ?? false
      const outcome = await attempt.run()
      await this.#settle(connection, outcome)
      this.#logStep(document, attemptId, outcome, startedAt)
      return outcome
    })
  }

  prepare(signal: AbortSignal): Promise<Readiness> {
    return this.#inTurn(async () => {
      const readiness = await this.#getReady(signal)
      this.#linger()
      return readiness
    })
  }

  discard(signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(async () => {
      if (!this.#dangling) return true
      if (!this.#options.profile.clearsBuffer || signal.aborted) return false
      this.#slot.use()
      const kept = this.#slot.current
      // Behind bytes that the printer does not take, the command would not reach it.
      if (kept?.open && kept.unsentBytes === 0 && (await this.#clear(kept, signal))) return true
      this.#slot.drop(true)
      const fresh = await this.#slot.open(this.#timeouts.connectMs, signal)
      return !('failed' in fresh) && (await this.#clear(fresh, signal))
    })
  }

  close(): Promise<void> {
    this.#watch.stop()
    return this.#turns.take(async () => {
      await this.#slot.close()
      this.#health.stop()
    })
  }

  get health(): PrinterHealth {
    return this.#health.health
  }

  onHealth(listener: (health: PrinterHealth) => void): void {
    this.#health.onChange(listener)
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.#known.onCapability(listener)
  }

  /** One call at a time. Between them the printer is looked at now and then. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#watch.disturb()
    return this.#turns.take(async () => {
      this.#watch.disturb()
      const result = await work()
      this.#armWatch()
      return result
    })
  }

  #armWatch(): void {
    const { state } = this.#health.health
    this.#watch.arm({
      answers: this.#known.capability !== null,
      open: this.#slot.current?.open ?? false,
      away: this.#health.away || state === 'offline',
    })
  }

  #lookWhenIdle(signal: AbortSignal): void {
    void this.#turns.take(async () => {
      if (signal.aborted) return
      const kept = this.#slot.current
      if (kept?.open) kept.ready = false
      const readiness = await this.#getReady(signal)
      // The kept connection was dead without a word: its successor is asked at once.
      if (kept && readiness.kind === 'busy' && this.#options.exclusive) await this.#getReady(signal)
      if (signal.aborted || this.#options.exclusive) this.#linger()
      else this.#slot.retire(false)
      this.#armWatch()
    })
  }

  async #getReadyToSend(signal: AbortSignal): Promise<Readiness> {
    const readiness = await this.#getReady(signal)
    if (readiness.kind !== 'ready') {
      this.#linger()
      return readiness
    }
    const connection = this.#slot.current
    if (connection?.open && !connection.learnt && this.#known.isLookDue) return this.#look(connection, signal)
    return readiness
  }

  /** Asks what the printer answers, and whether it may take a ticket after that. */
  async #look(connection: EscposConnection, signal: AbortSignal): Promise<Readiness> {
    this.#feed(connection)
    await this.#known.learn(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.#lost(connection)
    if (connection.condition?.blocked) {
      connection.learnt = false
      return this.#blocked(connection.condition, signal)
    }
    // It used to prove its tickets, and now it answers no in-order question: each copy that it gets may be one more on the rail.
    if (this.#known.isDoubted) return this.#silent()
    if (this.#known.capability !== null) this.#health.report(connection.condition ?? FINE)
    return { kind: 'ready' }
  }

  /** Connects if needed and asks. No ticket byte is written here. */
  async #getReady(signal: AbortSignal): Promise<Readiness> {
    this.#slot.use()
    if (signal.aborted) return STOPPED
    const kept = this.#slot.current
    if (kept?.unconfirmed) this.#slot.retire(true)
    else if (kept?.open && kept.ready && !kept.condition?.blocked) return { kind: 'ready' }
    if (!this.#slot.current?.open) {
      const failure = await this.#connect(signal)
      if (failure) return failure
    }
    const connection = this.#slot.current
    if (!connection) return this.#lost(null)
    const readiness = await this.#probe(connection, signal)
    const isDoubtful = readiness.kind === 'ready' && this.#known.isDoubted && !connection.learnt
    return isDoubtful ? this.#look(connection, signal) : readiness
  }

  async #connect(signal: AbortSignal): Promise<NotReady | null> {
    const timeoutMs = this.#health.away ? this.#timeouts.reconnectMs : this.#timeouts.connectMs
    const connection = await this.#slot.open(timeoutMs, signal)
    if (!('failed' in connection)) {
      if (this.#hungry) connection.write(PARAMETER_PADDING)
      return null
    }
    if (connection.code === 'ECONNRESET') return this.#lost(null)
    if (connection.code === 'ABORT_ERR') return STOPPED
    const reason = reasonOfOpenFailure(connection)
    this.#health.failed(reason)
    return { kind: 'offline', reason, detail: `Connecting failed: ${connection.code}.` }
  }

  async #probe(connection: EscposConnection, signal: AbortSignal): Promise<Readiness> {
    const { capability, lookMs, probeMs } = this.#known
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
    const isStranger = result === 'silent' && !isNew && this.#known.noteSilence()
    if (isStranger) this.#feed(connection)
    if (isStranger && (await this.#isAnother(connection, signal)))
      return this.#judgeProbe(connection, 'answered', signal)
    return this.#judgeProbe(connection, signal.aborted ? 'aborted' : result, signal)
  }

  /** True when what stands at the address now answers other questions than it used to, and can prove its tickets. */
  async #isAnother(connection: EscposConnection, signal: AbortSignal): Promise<boolean> {
    return (await this.#known.learn(connection, signal)) && connection.end === null && !signal.aborted
  }

  async #judgeProbe(connection: EscposConnection, result: ProbeResult, signal: AbortSignal): Promise<Readiness> {
    switch (result) {
      case 'answered': {
        const condition = connection.condition ?? FINE
        this.#known.noteAnswer()
        this.#hungry = false
        if (condition.blocked) return this.#blocked(condition, signal)
        if (!this.#known.isDoubted) this.#health.report(condition)
        connection.ready = true
        return { kind: 'ready' }
      }
      case 'silent':
        if (this.#known.capability === null) {
          // It may be one of those that never answer.
          connection.ready = true
          return { kind: 'ready' }
        }
        return this.#silent()
      case 'ended':
        return this.#lost(connection)
      case 'aborted':
        return STOPPED
    }
  }

  #silent(): NotReady {
    this.#slot.drop()
    this.#health.failed('not-responding', this.#watch.busyPatienceMs)
    return { kind: 'busy', reason: 'not-responding', detail: 'Connected, but no answer to the status question.' }
  }

  /** Before a question that is answered in order: a picture that was cut off would take it for dots. */
  #feed(connection: EscposConnection): void {
    if (this.#dangling) connection.write(picturePadding(this.#options.profile))
  }

  /** Empties the printer's buffers. A connection on which that is not answered is let go, with what it still holds. */
  async #clear(connection: EscposConnection, signal: AbortSignal): Promise<boolean> {
    const cleared = await clearBuffers(connection, this.#timeouts.discardMs, signal)
    if (cleared) this.#linger()
    else this.#slot.drop(true)
    return cleared
  }

  async #blocked(condition: PrinterCondition, signal: AbortSignal): Promise<NotReady> {
    this.#health.report(condition)
    await this.#recover(condition, signal)
    const reason = condition.reasons[0] ?? 'offline'
    return { kind: 'blocked', reason, detail: `The printer reports ${condition.reasons.join(', ')}.` }
  }

  async #recover(condition: PrinterCondition, signal: AbortSignal): Promise<void> {
    const { clock, profile } = this.#options
    const left = { dangling: this.#dangling, clearsBuffer: profile.clearsBuffer }
    const step = this.#recovery.next(condition, clock.monotonicMs(), left)
    const connection = this.#slot.current
    if (step === 'go-on') connection?.write(RECOVER_AND_GO_ON)
    if (step === 'clear') connection?.write(RECOVER_AND_CLEAR)
    if (step === 'discard' && connection) await this.#clear(connection, signal)
  }

  /** The connection ended before a ticket byte: it was taken and dropped, as when another client holds the printer. */
  #lost(connection: EscposConnection | null): NotReady {
    this.#slot.drop()
    this.#health.failed('busy', this.#watch.busyPatienceMs)
    const detail = `The printer dropped the connection (${connection?.endCode || 'closed'}).`
    return { kind: 'busy', reason: 'busy', detail }
  }

  async #settle(connection: EscposConnection, outcome: Attempted): Promise<void> {
    if (outcome.kind === 'printed') {
      this.#dangling = false
      this.#health.report(connection.condition ?? FINE)
      if (connection.open) this.#linger()
      else this.#slot.drop()
      return
    }
    this.#dangling = true
    this.#hungry = true
    const proofFailed = outcome.reason === 'timed-out' && connection.end === null
    if (proofFailed && this.#known.proves) this.#known.isDoubted = true
    if (outcome.reason !== 'shutdown' && !connection.condition?.blocked) {
      this.#health.failed(proofFailed ? 'not-responding' : outcome.reason)
    }
    connection.unconfirmed = true
    if (connection.open && this.#options.profile.clearsBuffer) {
      // Aborted: who did it may want to have the rest thrown away, which works only here.
      if (outcome.reason === 'shutdown') return this.#linger()
      // Stopped for too long: what is left must not come out when somebody mends it tomorrow.
      if (connection.condition?.blocked && (await this.#clear(connection, new AbortController().signal))) return
    }
    this.#slot.retire(true)
  }

  /** Keeps the idle connection for the next ticket; after that time, other clients get the printer, if there are any. */
  #linger(): void {
    const { exclusive = false } = this.#options
    const kept = this.#slot.current
    if (exclusive && kept?.open && kept.ready && !kept.pushing && this.#known.capability?.asb) {
      kept.pushing = true
      kept.write(ASB_ON)
    }
    let seen = kept?.condition
    const isKept = exclusive && !kept?.unconfirmed
    this.#slot.keep(isKept ? null : this.#timeouts.lingerMs, ({ condition, pollAnswered, end }) => {
      if (end !== null) this.#watch.lost()
      if (!condition || condition === seen || !pollAnswered) return
      seen = condition
      this.#health.report(condition)
    })
  }

  #logStep({ trace }: PrintDocument, attemptId: string, outcome: Attempted, startedAt: number): void {
    const { clock, log } = this.#options
    const { kind, firstByteAtMs: _, connectedAtMs: __, lastByteAtMs: ___, ...facts } = outcome
    const line = { walk: '8/10', ...trace, attemptId, outcome: kind, ...facts, ms: clock.monotonicMs() - startedAt }
    logWalk(log, line, kind === 'printed' ? 'the ticket stands on paper' : 'nothing proves that the ticket is on paper')
  }
}
