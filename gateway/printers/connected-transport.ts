// Walk 8/10: comes from shared/tickets/kitchen-ticket.ts, goes on to gateway/link/cloud-link.ts. Prints one ticket on a printer, whatever its language, and says honestly what became of it.
import type { Clock } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { type ByteChannel, type OpenChannel, reasonOfOpenFailure } from './byte-channel.ts'
import { ConnectionSlot } from './connection-slot.ts'
import { HealthTracker } from './health-tracker.ts'
import { IdleWatch } from './idle-watch.ts'
import { type DocumentFrame, PrintAttempt } from './print-attempt.ts'
import { FINE, type PrinterCondition } from './printer-status.ts'
import type { StatusConnection } from './status-connection.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'
import type { PrintDocument, PrinterHealth, PrinterTransport, Readiness, SendOutcome } from './transport.ts'
import { Turns } from './turns.ts'

export interface TransportOptions {
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

export type NotReady = Exclude<Readiness, { kind: 'ready' }>
export type Attempted = Exclude<SendOutcome, { kind: 'not-sent' }>

export const STOPPED: NotReady = { kind: 'offline', reason: 'shutdown', detail: 'The gateway is stopping.' }

/** What is known of what the printer answers. */
export interface KnownAnswers {
  readonly capability: PrinterCapability | null
  onCapability(listener: (capability: PrinterCapability) => void): void
}

/** One connection, one call at a time, looks at an idle printer. A language adds its questions, and what it makes of their answers. */
export abstract class ConnectedTransport<C extends StatusConnection> implements PrinterTransport {
  protected abstract readonly known: KnownAnswers
  protected readonly timeouts: TransportTimeouts
  protected readonly trackedHealth: HealthTracker
  protected readonly slot: ConnectionSlot<C>
  /** Part of a ticket may stand on the paper without its cut. */
  protected dangling: boolean
  /** A command may have been cut off, and the printer has not answered since. */
  protected hungry: boolean
  readonly #options: TransportOptions
  readonly #turns = new Turns()
  readonly #watch: IdleWatch

  constructor(options: TransportOptions) {
    const { openChannel, clock, profile, exclusive = false } = options
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#options = options
    this.timeouts = timeouts
    this.dangling = options.interrupted ?? false
    this.hungry = this.dangling
    this.trackedHealth = new HealthTracker(clock, timeouts.announceOfflineMs)
    this.#watch = new IdleWatch({
      ...options,
      timeouts,
      exclusive,
      idleCloseMs: profile.idleCloseMs,
      look: (signal) => this.#lookWhenIdle(signal),
    })
    this.slot = new ConnectionSlot({
      openChannel,
      speak: (channel) => this.speak(channel),
      farewell: (connection) => this.farewell(connection),
      clock,
      timeouts,
    })
  }

  send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome> {
    return this.inTurn(async () => {
      const startedAt = this.#options.clock.monotonicMs()
      const readiness = await this.getReadyToSend(signal)
      const connection = this.slot.current
      if (readiness.kind !== 'ready') return { kind: 'not-sent', readiness }
      if (!connection?.open) return { kind: 'not-sent', readiness: this.lost(connection) }
      const attempt = new PrintAttempt({
        ...this.#options,
        connection,
        document,
        frame: this.frame(connection, document, attemptId),
        timeouts: this.timeouts,
        signal,
        onCondition: (condition) => this.trackedHealth.report(condition),
      })
      const outcome = await attempt.run()
      await this.#settle(connection, outcome)
      this.#logStep(document, attemptId, outcome, startedAt)
      return outcome
    })
  }

  /** The language of the printer over an open channel. */
  protected abstract speak(channel: ByteChannel): C
  /** Last words on a connection whose bytes are all confirmed; may be empty. */
  protected abstract farewell(connection: C): Uint8Array
  /** Fed to a printer in which a command may have been cut off. */
  protected abstract padding(): Uint8Array
  /** Connects if needed and asks. No ticket byte is written here. */
  protected abstract getReady(signal: AbortSignal): Promise<Readiness>
  /** The same, with what is asked only before a ticket. */
  protected abstract getReadyToSend(signal: AbortSignal): Promise<Readiness>
  /** Asks an idle printer how it is; `kept` is the connection that was kept to it. */
  protected abstract lookAgain(kept: C | null, signal: AbortSignal): Promise<void>
  /** How the document goes out; made right before the attempt, because it notes the question on the connection. */
  protected abstract frame(connection: C, document: PrintDocument, attemptId: string): DocumentFrame
  abstract discard(signal: AbortSignal): Promise<boolean>

  /** The time for the proof has passed on a connection that stands. */
  protected noteProofFailed(): void {}

  /** Keeps the connection of an unproved ticket where that is of use. False: it is let go, with what it still holds. */
  protected async keepUnproved(_connection: C, _outcome: Attempted): Promise<boolean> {
    return false
  }

  /** What an idle connection says counts as the printer's state. */
  protected isNews(_connection: C): boolean {
    return true
  }

  prepare(signal: AbortSignal): Promise<Readiness> {
    return this.inTurn(async () => {
      const readiness = await this.getReady(signal)
      this.linger()
      return readiness
    })
  }

  close(): Promise<void> {
    this.#watch.stop()
    return this.#turns.take(async () => {
      await this.slot.close()
      this.trackedHealth.stop()
    })
  }

  get health(): PrinterHealth {
    return this.trackedHealth.health
  }

  onHealth(listener: (health: PrinterHealth) => void): void {
    this.trackedHealth.onChange(listener)
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.known.onCapability(listener)
  }

  /** One call at a time. Between them the printer is looked at now and then. */
  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    this.#watch.disturb()
    return this.#turns.take(async () => {
      this.#watch.disturb()
      const result = await work()
      this.#armWatch()
      return result
    })
  }

  #armWatch(): void {
    this.#watch.arm({
      answers: this.known.capability !== null,
      open: this.slot.current?.open ?? false,
      away: this.trackedHealth.away || this.health.state === 'offline',
    })
  }

  #lookWhenIdle(signal: AbortSignal): void {
    void this.#turns.take(async () => {
      if (signal.aborted) return
      await this.lookAgain(this.slot.current, signal)
      if (signal.aborted || this.#options.exclusive) this.linger()
      else this.slot.retire(false)
      this.#armWatch()
    })
  }

  /** Opens a fresh connection. Null: it stands. */
  protected async connect(signal: AbortSignal): Promise<NotReady | null> {
    const timeoutMs = this.trackedHealth.away ? this.timeouts.reconnectMs : this.timeouts.connectMs
    const connection = await this.slot.open(timeoutMs, signal)
    if (!('failed' in connection)) {
      if (this.hungry) connection.write(this.padding())
      return null
    }
    if (connection.code === 'ECONNRESET') return this.lost(null)
    if (connection.code === 'ABORT_ERR') return STOPPED
    const reason = reasonOfOpenFailure(connection)
    this.trackedHealth.failed(reason)
    return { kind: 'offline', reason, detail: `Connecting failed: ${connection.code}.` }
  }

  protected silent(): NotReady {
    this.slot.drop()
    this.trackedHealth.failed('not-responding', this.#watch.busyPatienceMs)
    return { kind: 'busy', reason: 'not-responding', detail: 'Connected, but no answer to the status question.' }
  }

  /** It says that it cannot print. */
  protected stopped(condition: PrinterCondition): NotReady {
    this.trackedHealth.report(condition)
    const reason = condition.reasons[0] ?? 'offline'
    return { kind: 'blocked', reason, detail: `The printer reports ${condition.reasons.join(', ')}.` }
  }

  /** The connection ended before a ticket byte: it was taken and dropped, as when another client holds the printer. */
  protected lost(connection: C | null): NotReady {
    this.slot.drop()
    this.trackedHealth.failed('busy', this.#watch.busyPatienceMs)
    const detail = `The printer dropped the connection (${connection?.endCode || 'closed'}).`
    return { kind: 'busy', reason: 'busy', detail }
  }

  async #settle(connection: C, outcome: Attempted): Promise<void> {
    if (outcome.kind === 'printed') {
      this.dangling = false
      this.trackedHealth.report(connection.condition ?? FINE)
      if (connection.open) this.linger()
      else this.slot.drop()
      return
    }
    this.dangling = true
    this.hungry = true
    const proofFailed = outcome.reason === 'timed-out' && connection.end === null
    if (proofFailed) this.noteProofFailed()
    if (outcome.reason !== 'shutdown' && !connection.condition?.blocked) {
      this.trackedHealth.failed(proofFailed ? 'not-responding' : outcome.reason)
    }
    connection.unconfirmed = true
    if (!(await this.keepUnproved(connection, outcome))) this.slot.retire(true)
  }

  /** Keeps the idle connection for the next ticket; after that time, other clients get the printer, if there are any. */
  protected linger(): void {
    const kept = this.slot.current
    let seen = kept?.condition
    const isKept = this.#options.exclusive && !kept?.unconfirmed
    this.slot.keep(isKept ? null : this.timeouts.lingerMs, (connection) => {
      const { condition, end } = connection
      if (end !== null) this.#watch.lost()
      if (!condition || condition === seen || !this.isNews(connection)) return
      seen = condition
      this.trackedHealth.report(condition)
    })
  }

  #logStep({ trace }: PrintDocument, attemptId: string, outcome: Attempted, startedAt: number): void {
    const { clock, log } = this.#options
    const { kind, firstByteAtMs: _, connectedAtMs: __, lastByteAtMs: ___, ...facts } = outcome
    const line = { walk: '8/10', ...trace, attemptId, outcome: kind, ...facts, ms: clock.monotonicMs() - startedAt }
    logWalk(log, line, kind === 'printed' ? 'the ticket stands on paper' : 'nothing proves that the ticket is on paper')
  }
}
