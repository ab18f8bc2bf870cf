// The transport of one printer, in any language: one call at a time, one connection, checks of an idle printer.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { PrinterCapability, PrinterProfile } from '#shared/printer-profile.ts'
import type { ByteChannel, OpenChannel } from './byte-channel.ts'
import { ConnectionSlot } from './connection-slot.ts'
import { FLOODED, MOST_UNASKED_BYTES } from './flood-guard.ts'
import { HealthTracker } from './health-tracker.ts'
import type { IdentityGuard, Place, Stranger } from './identity-guard.ts'
import { IdleWatch } from './idle-watch.ts'
import { discard, keepConnection } from './keep-connection.ts'
import { askWhoItIs, makeReady } from './make-ready.ts'
import { printTicket } from './print-ticket.ts'
import type { Printer } from './printer.ts'
import type { PrinterLanguage } from './printer-language.ts'
import type { StatusConnection } from './status-connection.ts'
import type { TransportTimeouts } from './timeouts.ts'
import type {
  PreparePurpose,
  PrintDocument,
  PrinterHealth,
  PrinterTransport,
  Readiness,
  SendOutcome,
} from './transport.ts'

export interface PrinterClientOptions {
  /** Opens a connection to the printer: TCP 9100, or a device file. */
  openChannel: OpenChannel
  profile: PrinterProfile
  clock: Clock
  random: () => number
  log: Logger
  timeouts: TransportTimeouts
  /** An earlier process may have stopped in the middle of a ticket on this printer: the paper is closed before the first ticket. */
  interrupted: boolean
  /** The connection stays open, for a printer that no other program uses: its state is known at once. Otherwise it is closed between tickets. */
  exclusive: boolean
  /** Checks that no other device is at the address. Absent: no check. */
  identity?: IdentityGuard
}

export class PrinterClient<C extends StatusConnection> implements PrinterTransport {
  readonly #printer: Printer<C>
  readonly #turns = new Turns()
  readonly #identity: IdentityGuard | null

  constructor(language: PrinterLanguage<C>, options: PrinterClientOptions) {
    const { profile, clock, timeouts, interrupted } = options
    this.#identity = options.identity ?? null
    const look = (signal: AbortSignal): void => this.#lookWhenIdle(signal)
    const speak = (channel: ByteChannel): C => {
      const connection = language.speak(channel)
      connection.onFlood = () => this.#noteFlood()
      return connection
    }
    this.#printer = {
      ...options,
      language,
      slot: new ConnectionSlot({ ...options, speak, farewell: language.farewell }),
      health: new HealthTracker(clock, timeouts.announceOfflineMs),
      watch: new IdleWatch({ ...options, idleCloseMs: profile.idleCloseMs, look }),
      mayStandUncut: interrupted,
      slips: 0,
      dropped: 0,
      mayWaitForParameters: interrupted,
    }
  }

  get health(): PrinterHealth {
    return this.#printer.health.health
  }

  get stranger(): Stranger | null {
    return this.#identity?.stranger ?? null
  }

  get place(): Place | null {
    return this.#identity?.place ?? null
  }

  onHealth(listener: (health: PrinterHealth) => void): void {
    this.#printer.health.onChange(listener)
  }

  onCapability(listener: (capability: PrinterCapability) => void): void {
    this.#printer.language.onCapability(listener)
  }

  send(document: PrintDocument, attemptId: string, signal: AbortSignal): Promise<SendOutcome> {
    return this.#inTurn(() => printTicket(this.#printer, { document, attemptId }, signal))
  }

  prepare(signal: AbortSignal, purpose: PreparePurpose = 'state'): Promise<Readiness> {
    return this.#inTurn(async () => {
      const readiness = await makeReady(this.#printer, purpose, signal)
      keepConnection(this.#printer)
      return readiness
    })
  }

  async discard(signal: AbortSignal): Promise<boolean> {
    // This language has no answer that confirms it, so nothing is certainly cleared.
    if (this.#printer.language.clearBuffers === null) return false
    return this.#inTurn(() => discard(this.#printer, signal))
  }

  close(): Promise<void> {
    this.#printer.watch.stop()
    return this.#turns.take(async () => {
      await this.#printer.slot.close()
      this.#printer.health.stop()
    })
  }

  /** One call at a time. Between calls the printer is checked regularly. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const { watch } = this.#printer
    watch.disturb()
    return this.#turns.take(async () => {
      watch.disturb()
      const result = await work()
      this.#armWatch()
      return result
    })
  }

  /** Logged once until it works again; it is checked every few seconds meanwhile. */
  #noteFlood(): void {
    const { health, log } = this.#printer
    if (!health.away) log.warn({ limitBytes: MOST_UNASKED_BYTES }, FLOODED)
  }

  #armWatch(): void {
    const { watch, language, slot, health } = this.#printer
    watch.arm({
      answers: language.capability() !== null,
      open: slot.current?.open ?? false,
      away: health.away || health.health.state === 'offline',
    })
  }

  #lookWhenIdle(signal: AbortSignal): void {
    void this.#turns.take(async () => {
      if (signal.aborted) return
      await this.#look(signal)
      if (signal.aborted || this.#printer.exclusive) keepConnection(this.#printer)
      else this.#printer.slot.retire(false)
      this.#armWatch()
    })
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { slot, language, exclusive } = this.#printer
    const kept = slot.current
    const readiness = await makeReady(this.#printer, language.lookAgain(kept), signal)
    if (readiness.kind === 'ready' && !(await askWhoItIs(this.#printer, signal))) slot.retire(false)
    // The kept connection was silently dead: a new one is checked at once.
    if (kept && readiness.kind === 'busy' && exclusive) await makeReady(this.#printer, 'state', signal)
  }
}

// Runs one call after the other: a health poll during a ticket waits for it.
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts `work` when everything before it has ended, successfully or not. */
  take<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
