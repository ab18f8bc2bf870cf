// The transport of Star printers (Line Mode, StarPRNT, raster): learns what the printer answers, asks for status, waits for the end of printing.
import type { ByteChannel, OpenChannel } from './byte-channel.ts'
import { ConnectedTransport, type NotReady, STOPPED, type TransportOptions } from './connected-transport.ts'
import type { DocumentFrame } from './print-attempt.ts'
import { FINE, type PrinterCondition } from './printer-status.ts'
import { StarAcquaintance } from './star-acquaintance.ts'
import { PUSH_OFF, starPadding } from './star-commands.ts'
import { StarConnection } from './star-connection.ts'
import { starFrame } from './star-frame.ts'
import { StarStatusPort } from './star-status-port.ts'
import type { PrintDocument, Readiness } from './transport.ts'

export interface StarTransportOptions extends TransportOptions {
  /** Opens a connection to its status port; null when it has none. */
  openStatusPort: OpenChannel | null
}

/** Its question before the ticket and the one after it. */
const ETBS_OF_A_DEAD_PROCESS = 6

export class StarTransport extends ConnectedTransport<StarConnection> {
  protected readonly known: StarAcquaintance
  readonly #options: StarTransportOptions
  /** The last connection: what it left in the printer may still be answered on the next. */
  #last: StarConnection | null = null

  constructor(options: StarTransportOptions) {
    super(options)
    const { openStatusPort, clock } = options
    const { timeouts } = this
    this.#options = options
    const statusPort =
      openStatusPort && new StarStatusPort({ openChannel: openStatusPort, clock, timeoutMs: timeouts.probeMs })
    this.known = new StarAcquaintance({ ...options, timeouts, statusPort })
  }

  protected farewell({ pushing }: StarConnection): Uint8Array {
    return pushing ? PUSH_OFF : new Uint8Array()
  }

  protected padding(): Uint8Array {
    return starPadding(this.#options.profile)
  }

  protected frame(connection: StarConnection, document: PrintDocument, attemptId: string): DocumentFrame {
    const { capability } = this.known
    const facts = { capability, attemptId, dangling: this.dangling, documentBytes: document.bytes.length }
    return starFrame(connection, { ...this.#options, ...facts })
  }

  /**
   * CAN is said to empty the buffers of some models at once and of others when its turn comes, and no answer tells which.
   * So nothing is known to be thrown away.
   */
  async discard(): Promise<boolean> {
    return false
  }

  protected async lookAgain(kept: StarConnection | null, signal: AbortSignal): Promise<void> {
    if (kept?.open && kept.pushing) {
      // Where status is pushed, Star forbids to ask for it: the in-order question tells as much.
      kept.proven = false
      await this.getReadyToSend(signal)
    } else {
      if (kept) kept.ready = false
      await this.getReady(signal)
    }
  }

  protected speak(channel: ByteChannel): StarConnection {
    const { clock, interrupted } = this.#options
    const before = interrupted ? ETBS_OF_A_DEAD_PROCESS : 0
    this.#last = new StarConnection(channel, clock, this.#last?.etbsInFlight ?? before)
    return this.#last
  }

  /** Before a ticket the in-order answers are tried, once on each connection: what is silent there gets no byte of it. */
  protected async getReadyToSend(signal: AbortSignal): Promise<Readiness> {
    const readiness = await this.getReady(signal)
    const connection = this.slot.current
    if (readiness.kind !== 'ready' || !connection || connection.proven) return readiness
    // A picture that was cut off would take the question for dots.
    if (this.dangling) connection.write(this.padding())
    const answered = await this.known.tryInOrder(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.lost(connection)
    if (connection.condition?.blocked) return this.#blocked(connection.condition)
    return answered ? { kind: 'ready' } : this.silent()
  }

  protected async getReady(signal: AbortSignal): Promise<Readiness> {
    this.slot.use()
    if (signal.aborted) return STOPPED
    const kept = this.slot.current
    if (kept?.open && kept.ready && !kept.condition?.blocked) return { kind: 'ready' }
    // What it pushed may be long past: one that was switched off and on meanwhile knows nothing of this connection.
    if (kept?.open && kept.pushing) this.slot.retire(false)
    if (!this.slot.current?.open) {
      const failure = await this.connect(signal)
      if (failure) return failure
    }
    const connection = this.slot.current
    if (!connection) return this.lost(null)
    return this.#probe(connection, signal)
  }

  async #probe(connection: StarConnection, signal: AbortSignal): Promise<Readiness> {
    const isAlive = await this.known.askStatus(connection, signal)
    if (signal.aborted) return STOPPED
    if (connection.end !== null) return this.lost(connection)
    if (!isAlive && this.known.capability !== null) return this.silent()
    if (isAlive) this.hungry = false
    const condition = connection.condition ?? FINE
    if (condition.blocked) return this.#blocked(condition)
    if (isAlive) this.trackedHealth.report(condition)
    else this.trackedHealth.reached()
    connection.ready = true
    return { kind: 'ready' }
  }

  #blocked(condition: PrinterCondition): NotReady {
    const stopped = this.stopped(condition)
    this.linger()
    return stopped
  }
}
