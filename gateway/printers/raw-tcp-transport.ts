// Walk 8/10: comes from shared/tickets/kitchen-ticket.ts, goes on to gateway/link/cloud-link.ts. Prints one ticket over TCP 9100 and says honestly what became of it.
import type { Cancel, Clock } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { PrinterReason } from '#shared/print-job.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import { bestMethod, isProof, mergeCapability, processIdOf } from './confirm-ladder.ts'
import { connectToPrinter, type PrinterConnection } from './connection.ts'
import { ASB_OFF, closeIncomplete, PADDING, RECOVER_AND_CLEAR, RECOVER_AND_GO_ON } from './escpos-commands.ts'
import { HealthTracker } from './health-tracker.ts'
import { isRecoverable, PrintAttempt } from './print-attempt.ts'
import type { PrinterCondition } from './printer-status.ts'
import { learn, type ProbeResult, probe } from './probe.ts'
import { DEFAULT_TIMEOUTS, type TransportTimeouts } from './timeouts.ts'
import type { PrintDocument, PrinterHealth, PrinterTransport, Readiness, SendOutcome } from './transport.ts'

export interface RawTcpTransportOptions {
  address: { host: string; port: number }
  profile: PrinterProfile
  /** What this printer was seen to answer before; null when it is new, or never answered anything. */
  capability: PrinterCapability | null
  clock: Clock
  random: () => number
  log: Logger
  timeouts?: Partial<TransportTimeouts>
  /** An earlier process may have stopped in the middle of a ticket on this printer: the paper is closed before the first ticket. */
  interrupted?: boolean
}

type NotReady = Exclude<Readiness, { kind: 'ready' }>

const FINE: PrinterCondition = { blocked: false, reasons: [], paperKnown: false }
const STOPPED: NotReady = { kind: 'offline', reason: 'shutdown', detail: 'The gateway is stopping.' }
/** Looks without any in-order answer after which the waiting becomes short. */
const PATIENT_LOOKS = 3
/** A new printer that says nothing for this part of the look is asked the other questions meanwhile. */
const FIRST_QUESTION = 0.25
/** For a printer whose answers came after the look. */
const LATE_ANSWERS = 5
/** Silent contacts after which a known printer is asked everything: another one may stand at the address now. */
const STRANGER_AFTER = 2

export class RawTcpTransport implements PrinterTransport {
  readonly #options: RawTcpTransportOptions
  readonly #timeouts: TransportTimeouts
  readonly #health: HealthTracker
  readonly #capabilityListeners: ((capability: PrinterCapability) => void)[] = []
  #capability: PrinterCapability | null
  #connection: PrinterConnection | null = null
  /** A connection that is closing. Unconfirmed: its bytes may still be printing, so the next connection waits for its end. */
  #closing: { connection: PrinterConnection; unconfirmed: boolean; done: Promise<void> } | null = null
  #cancelLinger: Cancel = () => {}
  /** Part of a ticket may stand on the paper without its cut. */
  #dangling: boolean
  #learnAgain = false
  #fruitlessLooks = 0
  #silentProbes = 0
  /** Answers came after the look had ended. */
  #answersLate = false
  #recoverAtMs = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor(options: RawTcpTransportOptions) {
    this.#options = options
    this.#timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
    this.#capability = options.capability
    this.#dangling = options.interrupted ?? false
    this.#health = new HealthTracker(options.clock, this.#timeouts.announceOfflineMs)
  }

  send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome> {
    return this.#inTurn(async () => {
      const startedAt = this.#options.clock.monotonicMs()
      const readiness = await this.#getReadyToSend(signal)
      const connection = this.#connection
      if (readiness.kind !== 'ready') return { kind: 'not-sent', readiness }
      if (!connection?.open) return { kind: 'not-sent', readiness: this.#lost(connection) }
      const attempt = new PrintAttempt({
        ...this.#options,
        connection,
        document,
        attemptId,
        before: this.#dangling ? closeIncomplete(this.#options.profile) : new Uint8Array(),
        capability: this.#capability,
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

  /** Not asked yet: nothing is known to be thrown away. */
  async discard(): Promise<boolean> {
    return false
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      this.#cancelLinger()
      this.#retireConnection(false)
      const closing = this.#closing
      if (closing) {
        const limit = new AbortController()
        await Promise.race([closing.done, this.#options.clock.sleep(this.#timeouts.closeMs, limit.signal)])
        limit.abort()
        closing.connection.destroy(closing.unconfirmed)
      }
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
    this.#capabilityListeners.push(listener)
  }

  /** One call at a time: a health poll that meets a ticket waits for it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => {})
    return turn
  }

  async #getReadyToSend(signal: AbortSignal): Promise<Readiness> {
    const readiness = await this.#getReady(signal)
    if (readiness.kind !== 'ready') {
      this.#linger()
      return readiness
    }
    const connection = this.#connection
    if (connection?.open && !connection.learnt && !isProof(bestMethod(this.#capability))) {
      return this.#look(connection, signal)
    }
    return readiness
  }

  /** Asks what the printer answers, and whether it may take a ticket after that. */
  async #look(connection: PrinterConnection, signal: AbortSignal): Promise<Readiness> {
    await this.#learn(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.#lost(connection)
    if (connection.condition?.blocked) {
      connection.learnt = false
      return this.#blocked(connection.condition)
    }
    // It used to prove its tickets, and now it answers no in-order question: each copy that it gets may be one more on the rail.
    if (this.#learnAgain) return this.#silent(connection)
    if (this.#capability !== null) this.#health.report(connection.condition ?? FINE)
    return { kind: 'ready' }
  }

  /** Connects if needed and asks. No ticket byte is written here. */
  async #getReady(signal: AbortSignal): Promise<Readiness> {
    this.#cancelLinger()
    if (signal.aborted) return STOPPED
    const kept = this.#connection
    if (kept?.open && kept.ready && !kept.condition?.blocked) return { kind: 'ready' }
    if (!kept?.open) {
      const failure = await this.#connect(signal)
      if (failure) return failure
    }
    const connection = this.#connection
    if (!connection) return this.#lost(null)
    const readiness = await this.#probe(connection, signal)
    const isDoubtful = readiness.kind === 'ready' && this.#learnAgain && !connection.learnt
    return isDoubtful ? this.#look(connection, signal) : readiness
  }

  async #connect(signal: AbortSignal): Promise<NotReady | null> {
    const { address, clock } = this.#options
    this.#retireConnection(false)
    await this.#clearTheSlot()
    const timeoutMs = this.#health.away ? this.#timeouts.reconnectMs : this.#timeouts.connectMs
    const connection = await connectToPrinter({ address, timeoutMs, clock, signal })
    if (!('failed' in connection)) {
      this.#connection = connection
      if (this.#dangling) connection.write(PADDING)
      return null
    }
    if (connection.code === 'ECONNRESET') return this.#lost(null)
    if (connection.code === 'ABORT_ERR') return STOPPED
    const reason: PrinterReason = connection.code === 'ETIMEDOUT' ? 'timed-out' : 'connecting-to-device'
    this.#health.failed(reason)
    return { kind: 'offline', reason, detail: `Connecting failed: ${connection.code}.` }
  }

  /** Printers serve one client: our own earlier connection must be gone first. With all confirmed, it needs no patience. */
  async #clearTheSlot(): Promise<void> {
    const closing = this.#closing
    if (!closing) return
    if (!closing.unconfirmed) closing.connection.destroy()
    await closing.done
  }

  async #probe(connection: PrinterConnection, signal: AbortSignal): Promise<Readiness> {
    const capability = this.#capability
    const isNew = capability === null
    const result = await probe(connection, {
      capability,
      ns: bestMethod(capability) === 'dle-eot' ? [1, 2, 3, 4] : [1],
      timeoutMs: isNew ? this.#lookMs() * FIRST_QUESTION : this.#probeMs(),
      repeats: isNew ? 0 : 1,
      signal,
    })
    connection.dleEot = result === 'answered' && (isNew || capability.dleEot)
    const isStranger = result === 'silent' && !isNew && ++this.#silentProbes > STRANGER_AFTER
    if (isStranger && (await this.#isAnother(connection, signal))) return this.#judgeProbe(connection, 'answered')
    return this.#judgeProbe(connection, signal.aborted ? 'aborted' : result)
  }

  /** True when what stands at the address now answers other questions than it used to, and can prove its tickets. */
  async #isAnother(connection: PrinterConnection, signal: AbortSignal): Promise<boolean> {
    const before = this.#capability
    await this.#learn(connection, signal)
    return this.#capability !== before && connection.end === null && !signal.aborted
  }

  /** Twice the patience after a silent contact: some answer only after seconds, and one that is held by others answers when it is free. */
  #probeMs(): number {
    return this.#silentProbes === 0 ? this.#timeouts.probeMs : 2 * this.#timeouts.probeMs
  }

  #judgeProbe(connection: PrinterConnection, result: ProbeResult): Readiness {
    switch (result) {
      case 'answered': {
        const condition = connection.condition ?? FINE
        this.#silentProbes = 0
        if (condition.blocked) return this.#blocked(condition)
        if (!this.#learnAgain) this.#health.report(condition)
        connection.ready = true
        return { kind: 'ready' }
      }
      case 'silent':
        if (this.#capability === null) {
          // It may be one of those that never answer.
          connection.ready = true
          return { kind: 'ready' }
        }
        return this.#silent(connection)
      case 'ended':
        return this.#lost(connection)
      case 'aborted':
        return STOPPED
    }
  }

  #silent(connection: PrinterConnection): NotReady {
    this.#drop(connection)
    this.#health.failed('not-responding')
    return { kind: 'busy', reason: 'not-responding', detail: 'Connected, but no answer to the status question.' }
  }

  #blocked(condition: PrinterCondition): NotReady {
    this.#health.report(condition)
    this.#recover(condition)
    const reason = condition.reasons[0] ?? 'offline'
    return { kind: 'blocked', reason, detail: `The printer reports ${condition.reasons.join(', ')}.` }
  }

  /** An error that stopped the printer before our ticket: DLE ENQ lets it go on; what is left of a broken ticket is dropped. */
  #recover(condition: PrinterCondition): void {
    const now = this.#options.clock.monotonicMs()
    if (!isRecoverable(condition.reasons) || now < this.#recoverAtMs) return
    this.#recoverAtMs = now + this.#timeouts.recoverEveryMs
    this.#connection?.write(this.#dangling ? RECOVER_AND_CLEAR : RECOVER_AND_GO_ON)
  }

  /** The connection ended before a ticket byte: it was taken and dropped, as when another client holds the printer. */
  #lost(connection: PrinterConnection | null): NotReady {
    if (connection) this.#drop(connection)
    this.#health.failed('busy')
    const detail = `The printer dropped the connection (${connection?.endCode || 'closed'}).`
    return { kind: 'busy', reason: 'busy', detail }
  }

  async #learn(connection: PrinterConnection, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options
    const processId = processIdOf(`look ${random()}`)
    const windowMs = this.#lookMs()
    const seen = await learn(connection, { dleEot: connection.dleEot, processId, windowMs, clock, signal })
    if (signal.aborted || connection.end !== null) return
    const merged = mergeCapability(this.#capability, seen)
    if (isProof(bestMethod(seen))) this.#learnAgain = false
    else {
      this.#fruitlessLooks++
      this.#answersLate = false
      // From here on only real-time status is asked, and of a printer that seems mute nothing at all.
      connection.replies.subscribe(({ kind }) => {
        if (kind === 'block' || (seen === null && kind !== 'noise')) this.#answersLate = true
      })
    }
    if (!merged || isSame(merged, this.#capability)) return
    this.#capability = merged
    this.#options.log.info({ capability: merged }, 'learnt what the printer answers')
    for (const listener of this.#capabilityListeners) listener(merged)
  }

  #lookMs(): number {
    if (this.#answersLate) return this.#timeouts.learnMs * LATE_ANSWERS
    return this.#fruitlessLooks < PATIENT_LOOKS ? this.#timeouts.learnMs : this.#timeouts.learnAgainMs
  }

  #settle(connection: PrinterConnection, outcome: Exclude<SendOutcome, { kind: 'not-sent' }>): void {
    if (outcome.kind === 'printed') {
      this.#dangling = false
      this.#health.report(connection.condition ?? FINE)
      if (connection.open) this.#linger()
      else this.#drop(connection)
      return
    }
    this.#dangling = true
    const proofFailed = outcome.reason === 'timed-out' && connection.end === null
    if (proofFailed && isProof(bestMethod(this.#capability))) this.#learnAgain = true
    if (outcome.reason !== 'shutdown' && !connection.condition?.blocked) {
      this.#health.failed(proofFailed ? 'not-responding' : outcome.reason)
    }
    this.#retireConnection(true)
  }

  /** Keeps the idle connection for the next ticket; after that time, closes it so that other clients get the printer. */
  #linger(): void {
    const connection = this.#connection
    this.#cancelLinger()
    if (!connection?.open) return
    let seen = connection.condition
    const stop = connection.activity.subscribe(() => {
      if (connection.condition && connection.condition !== seen && connection.pollAnswered) {
        seen = connection.condition
        this.#health.report(seen)
      }
    })
    const cancel = this.#options.clock.after(this.#timeouts.lingerMs, () => {
      stop()
      this.#retireConnection(false)
    })
    this.#cancelLinger = () => {
      cancel()
      stop()
    }
  }

  /** Half-closes and waits for the peer in the background. At the deadline, unconfirmed bytes are dropped, lest they print later. */
  #retireConnection(unconfirmed: boolean): void {
    const connection = this.#connection
    this.#connection = null
    if (!connection) return
    if (connection.open && !unconfirmed && this.#capability?.asb) connection.write(ASB_OFF)
    const done = connection.retire(this.#timeouts.finMs, unconfirmed)
    this.#closing = { connection, unconfirmed, done }
  }

  #drop(connection: PrinterConnection): void {
    connection.destroy()
    if (this.#connection === connection) this.#connection = null
  }

  #logStep(
    { trace }: PrintDocument,
    attemptId: string,
    outcome: Exclude<SendOutcome, { kind: 'not-sent' }>,
    startedAt: number,
  ): void {
    const { clock, log } = this.#options
    const { kind, firstByteAtMs: _, ...facts } = outcome
    const line = { walk: '8/10', ...trace, attemptId, outcome: kind, ...facts, ms: clock.monotonicMs() - startedAt }
    logWalk(log, line, kind === 'printed' ? 'the ticket stands on paper' : 'nothing proves that the ticket is on paper')
  }
}

function isSame(a: PrinterCapability, b: PrinterCapability | null): boolean {
  return b !== null && (['dleEot', 'asb', 'gsParenH', 'gsI', 'gsR'] as const).every((key) => a[key] === b[key])
}
