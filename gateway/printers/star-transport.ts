// The transport of Star printers (Line Mode, StarPRNT, raster): connects, asks for status, writes, waits for the end of printing.
import type { Clock } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { type ByteChannel, type OpenChannel, reasonOfOpenFailure } from './byte-channel.ts'
import { ConnectionSlot } from './connection-slot.ts'
import { HealthTracker } from './health-tracker.ts'
import { IdleWatch } from './idle-watch.ts'
import { PrintAttempt } from './print-attempt.ts'
import type { PrinterCondition } from './printer-status.ts'
import { StarAcquaintance } from './star-acquaintance.ts'
import { PUSH_OFF, starPadding } from './star-commands.ts'
import { StarConnection } from './star-connection.ts'
import { starFrame } from './star-frame.ts'
import { StarStatusPort } from './star-status-port.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'
import type { PrintDocument, PrinterHealth, PrinterTransport, Readiness, SendOutcome } from './transport.ts'
import { Turns } from './turns.ts'

export interface StarTransportOptions {
  /** Opens a connection to the printer: TCP 9100, or a device file. */
  openChannel: OpenChannel
  /** Opens one to its status port; null when it has none. */
  openStatusPort: OpenChannel | null
  profile: PrinterProfile
  /** What this printer was seen to answer before; null when it is new, or never answered anything. */
  capability: PrinterCapability | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts?: Partial<TransportTimeouts>
  /** An earlier process may have stopped in the middle of a ticket on this printer: the paper is closed before the first ticket. */
  interrupted?: boolean
  /** The connection stays open between tickets. */
  exclusive?: boolean
}

type NotReady = Exclude<Readiness, { kind: 'ready' }>
type Written = Exclude<SendOutcome, { kind: 'not-sent' }>

const FINE: PrinterCondition = { blocked: false, reasons: [], paperKnown: false }
const STOPPED: NotReady = { kind: 'offline', reason: 'shutdown', detail: 'The gateway is stopping.' }
/** Its question before the ticket and the one after it. */
const ETBS_OF_A_DEAD_PROCESS = 6

export class StarTransport implements PrinterTransport {
  readonly #options: StarTransportOptions
  readonly #timeouts: TransportTimeouts
  readonly #health: HealthTracker
  readonly #known: StarAcquaintance
  readonly #slot: ConnectionSlot<StarConnection>
  readonly #turns = new Turns()
  readonly #watch: IdleWatch
  /** Part of a ticket may stand on the paper without its cut. */
  #dangling: boolean
  /** A command may have been cut off, and the printer has not answered since. */
  #hungry: boolean
  /** The last connection: what it left in the printer may still be answered on the next. */
  #last: StarConnection | null = null

  constructor(options: StarTransportOptions) {
    const { openChannel, openStatusPort, clock, profile, exclusive = false } = options
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#options = options
    this.#timeouts = timeouts
    this.#dangling = options.interrupted ?? false
    this.#hungry = this.#dangling
    this.#health = new HealthTracker(clock, timeouts.announceOfflineMs)
    const statusPort =
      openStatusPort && new StarStatusPort({ openChannel: openStatusPort, clock, timeoutMs: timeouts.probeMs })
    this.#known = new StarAcquaintance({ ...options, timeouts, statusPort })
    this.#watch = new IdleWatch({
      ...options,
      timeouts,
      exclusive,
      idleCloseMs: profile.idleCloseMs,
      look: (signal) => this.#lookWhenIdle(signal),
    })
    this.#slot = new ConnectionSlot({
      openChannel,
      speak: (channel) => this.#speak(channel),
      farewell: ({ pushing }) => (pushing ? PUSH_OFF : new Uint8Array()),
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
        frame: starFrame(connection, {
          ...this.#options,
          capability,
          attemptId,
          dangling: this.#dangling,
          documentBytes: document.bytes.length,
        }),
        timeouts: this.#timeouts,
        signal,
        onCondition: (condition) => this.#health.report(condition),
      })
      const outcome = await attempt.run()
      this.#settle(connection, outcome)
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

  /**
   * CAN is said to empty the buffers of some models at once and of others when its turn comes, and no answer tells which.
   * So nothing is known to be thrown away.
   */
  async discard(): Promise<boolean> {
    return false
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
      if (kept?.open && kept.pushing) {
        // Where status is pushed, Star forbids to ask for it: the in-order question tells as much.
        kept.proven = false
        await this.#getReadyToSend(signal)
      } else {
        if (kept) kept.ready = false
        await this.#getReady(signal)
      }
      if (signal.aborted || this.#options.exclusive) this.#linger()
      else this.#slot.retire(false)
      this.#armWatch()
    })
  }

  #speak(channel: ByteChannel): StarConnection {
    const { clock, interrupted } = this.#options
    const before = interrupted ? ETBS_OF_A_DEAD_PROCESS : 0
    this.#last = new StarConnection(channel, clock, this.#last?.etbsInFlight ?? before)
    return this.#last
  }

  /** Before a ticket the in-order answers are tried, once on each connection: what is silent there gets no byte of it. */
  async #getReadyToSend(signal: AbortSignal): Promise<Readiness> {
    const readiness = await this.#getReady(signal)
    const connection = this.#slot.current
    if (readiness.kind !== 'ready' || !connection || connection.proven) return readiness
    // A picture that was cut off would take the question for dots.
    if (this.#dangling) connection.write(starPadding(this.#options.profile))
    const answered = await this.#known.tryInOrder(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.#lost(connection)
    if (connection.condition?.blocked) return this.#blocked(connection.condition)
    return answered ? { kind: 'ready' } : this.#silent()
  }

  /** Connects if needed and asks. No ticket byte is written here. */
  async #getReady(signal: AbortSignal): Promise<Readiness> {
    this.#slot.use()
    if (signal.aborted) return STOPPED
    const kept = this.#slot.current
    if (kept?.open && kept.ready && !kept.condition?.blocked) return { kind: 'ready' }
    // What it pushed may be long past: one that was switched off and on meanwhile knows nothing of this connection.
    if (kept?.open && kept.pushing) this.#slot.retire(false)
    if (!this.#slot.current?.open) {
      const failure = await this.#connect(signal)
      if (failure) return failure
    }
    const connection = this.#slot.current
    if (!connection) return this.#lost(null)
    return this.#probe(connection, signal)
  }

  async #connect(signal: AbortSignal): Promise<NotReady | null> {
    const timeoutMs = this.#health.away ? this.#timeouts.reconnectMs : this.#timeouts.connectMs
    const connection = await this.#slot.open(timeoutMs, signal)
    if (!('failed' in connection)) {
      if (this.#hungry) connection.write(starPadding(this.#options.profile))
      return null
    }
    if (connection.code === 'ECONNRESET') return this.#lost(null)
    if (connection.code === 'ABORT_ERR') return STOPPED
    const reason = reasonOfOpenFailure(connection)
    this.#health.failed(reason)
    return { kind: 'offline', reason, detail: `Connecting failed: ${connection.code}.` }
  }

  async #probe(connection: StarConnection, signal: AbortSignal): Promise<Readiness> {
    const isAlive = await this.#known.askStatus(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.#lost(connection)
    if (!isAlive && this.#known.capability !== null) return this.#silent()
    if (isAlive) this.#hungry = false
    const condition = connection.condition ?? FINE
    if (condition.blocked) return this.#blocked(condition)
    if (isAlive) this.#health.report(condition)
    connection.ready = true
    return { kind: 'ready' }
  }

  #silent(): NotReady {
    this.#slot.drop()
    this.#health.failed('not-responding', this.#watch.busyPatienceMs)
    return { kind: 'busy', reason: 'not-responding', detail: 'Connected, but no answer to the status question.' }
  }

  #blocked(condition: PrinterCondition): NotReady {
    this.#health.report(condition)
    this.#linger()
    const reason = condition.reasons[0] ?? 'offline'
    return { kind: 'blocked', reason, detail: `The printer reports ${condition.reasons.join(', ')}.` }
  }

  /** The connection ended before a ticket byte: it was taken and dropped, as when another client holds the printer. */
  #lost(connection: StarConnection | null): NotReady {
    this.#slot.drop()
    this.#health.failed('busy', this.#watch.busyPatienceMs)
    const detail = `The printer dropped the connection (${connection?.endCode || 'closed'}).`
    return { kind: 'busy', reason: 'busy', detail }
  }

  #settle(connection: StarConnection, outcome: Written): void {
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
    if (outcome.reason !== 'shutdown' && !connection.condition?.blocked) {
      this.#health.failed(proofFailed ? 'not-responding' : outcome.reason)
    }
    this.#slot.retire(true)
  }

  /** Keeps the idle connection for the next ticket; after that time, other clients get the printer, if there are any. */
  #linger(): void {
    const { exclusive = false } = this.#options
    let seen = this.#slot.current?.condition
    this.#slot.keep(exclusive ? null : this.#timeouts.lingerMs, ({ condition, end }) => {
      if (end !== null) this.#watch.lost()
      if (!condition || condition === seen) return
      seen = condition
      this.#health.report(condition)
    })
  }

  #logStep({ trace }: PrintDocument, attemptId: string, outcome: Written, startedAt: number): void {
    const { clock, log } = this.#options
    const { kind, firstByteAtMs: _, connectedAtMs: __, lastByteAtMs: ___, ...facts } = outcome
    const line = { walk: '8/10', ...trace, attemptId, outcome: kind, ...facts, ms: clock.monotonicMs() - startedAt }
    logWalk(log, line, kind === 'printed' ? 'the ticket stands on paper' : 'nothing proves that the ticket is on paper')
  }
}
