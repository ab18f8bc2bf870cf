// One client of the virtual printer: its socket, the manners of the answers, and the end of the connection.
import type { Socket } from 'node:net'
import { resetSocket } from '#gateway/printers/reset-socket.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type RealTimeCommand, RealTimeScanner } from './real-time.ts'
import type { Manners } from './virtual-printer-status.ts'

/** What a client hands to the printer. */
export interface ClientEvents {
  onRealTime(command: RealTimeCommand, client: VirtualPrinterClient): void
  /** In-order bytes, DLE commands still among them. */
  onBytes(chunk: Uint8Array, client: VirtualPrinterClient): void
  /** The client has half-closed and everything that it sent was received. */
  onFin(client: VirtualPrinterClient): void
  onGone(client: VirtualPrinterClient): void
}

const GLUE_MS = 5

export class VirtualPrinterClient {
  /** Counts from 1 over the printer's life. */
  readonly number: number
  finReceived = false
  /** Operations of this client that are not printed yet. */
  unprinted = 0
  readonly #socket: Socket
  readonly #manners: Manners
  readonly #events: ClientEvents
  readonly #scanner = new RealTimeScanner()
  readonly #holds = new Set<string>()
  #serving = false
  #glued: Uint8Array[] = []
  #held: Uint8Array[] = []
  /** The client has sent nothing since our last segment. */
  #isUnacknowledged = false
  #sending: Promise<void> = Promise.resolve()
  readonly #clock: Clock
  #cancelIdle: Cancel = () => {}

  constructor(
    socket: Socket,
    number: number,
    { manners, clock }: { manners: Manners; clock: Clock },
    events: ClientEvents,
  ) {
    this.number = number
    this.#socket = socket
    this.#manners = manners
    this.#clock = clock
    this.#events = events
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#cancelIdle()
      events.onGone(this)
    })
    socket.on('end', () => {
      this.finReceived = true
      this.#acknowledged()
      events.onFin(this)
    })
  }

  /** Begins to read. Before that, bytes wait in the kernel, as for a second client that the printer lets queue. */
  serve(): void {
    this.#serving = true
    if (this.#manners.greeting !== '') this.reply(Buffer.from(this.#manners.greeting, 'latin1'))
    this.#socket.on('data', (chunk) => this.#onData(chunk))
    // A socket that was held before it was served does not flow by itself.
    if (this.#holds.size > 0) this.#socket.pause()
    else this.#socket.resume()
    this.#watchIdle()
  }

  /** Stops reading for a named reason; the kernel's window closes. */
  hold(why: string): void {
    this.#holds.add(why)
    this.#socket.pause()
  }

  release(why: string): void {
    if (this.#holds.delete(why) && this.#holds.size === 0 && this.#serving) this.#socket.resume()
  }

  reply(bytes: Uint8Array): void {
    if (this.#manners.mute || this.#socket.destroyed || this.#socket.writableEnded) return
    if (this.#manners.answerMs > 0) this.#sending = this.#sending.then(() => this.#sendLate(bytes))
    else if (this.#manners.splitReplies) this.#sending = this.#sending.then(() => this.#sendSplit(bytes))
    else if (this.#manners.glueReplies) this.#glue(bytes)
    else if (this.#manners.holdsAnswers) this.#hold(bytes)
    else this.#socket.write(bytes)
  }

  /** Closes our side after the client's FIN, in whatever manner is set. */
  async finish(lastStatus: Uint8Array): Promise<void> {
    const { asbAfterFin, trailer, rstAfterFin, neverFin } = this.#manners
    if (asbAfterFin) this.reply(lastStatus)
    if (trailer !== '') this.reply(Buffer.from(trailer, 'latin1'))
    if (neverFin) return
    if (rstAfterFin) return this.reset()
    this.#flushGlue()
    await this.#sending
    this.#socket.end()
  }

  /** RST, as when the printer loses power and a segment comes after that. */
  reset(): void {
    resetSocket(this.#socket)
  }

  /** Closes at once, in order. */
  end(): void {
    this.#socket.end()
    this.#socket.resume()
  }

  #onData(chunk: Uint8Array): void {
    this.#watchIdle()
    this.#acknowledged()
    for (const command of this.#scanner.push(chunk)) {
      if (!this.#socket.destroyed) this.#events.onRealTime(command, this)
    }
    if (!this.#socket.destroyed) this.#events.onBytes(chunk, this)
  }

  #watchIdle(): void {
    const ms = this.#manners.rstAfterIdleMs
    this.#cancelIdle()
    if (ms !== null) this.#cancelIdle = this.#clock.after(ms, () => this.reset())
  }

  async #sendLate(bytes: Uint8Array): Promise<void> {
    await this.#clock.sleep(this.#manners.answerMs)
    if (this.#socket.writable) this.#socket.write(bytes)
  }

  async #sendSplit(bytes: Uint8Array): Promise<void> {
    for (const byte of bytes) {
      if (this.#socket.destroyed) return
      if (this.#manners.holdsAnswers) this.#hold(Uint8Array.of(byte))
      else this.#socket.write(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes)
    if (!this.#isUnacknowledged) this.#sendHeld()
  }

  #acknowledged(): void {
    this.#isUnacknowledged = false
    if (this.#held.length > 0 && this.#socket.writable) this.#sendHeld()
  }

  #sendHeld(): void {
    this.#socket.write(Buffer.concat(this.#held))
    this.#held = []
    this.#isUnacknowledged = true
  }

  #glue(bytes: Uint8Array): void {
    this.#glued.push(bytes)
    if (this.#glued.length === 1) this.#clock.after(GLUE_MS, () => this.#flushGlue())
  }

  #flushGlue(): void {
    if (this.#glued.length > 0 && this.#socket.writable) this.#socket.write(Buffer.concat(this.#glued))
    this.#glued = []
  }
}

/** True for a chunk of nothing but DLE EOT questions, which resetAfterBytes does not count. */
export function isOnlyQuestions(chunk: Uint8Array): boolean {
  if (chunk.length % 3 !== 0) return false
  for (let at = 0; at < chunk.length; at += 3) if (chunk[at] !== 0x10 || chunk[at + 1] !== 0x04) return false
  return true
}
