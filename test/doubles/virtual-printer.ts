// A printer on a real socket that keeps paper, speaks status, and misbehaves on demand: the other end of every flow, crash test and `npm start`.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Clock, systemClock } from '#shared/clock.ts'
import type { PaperOptions } from '#shared/escpos/paper.ts'
import type { RealTimeCommand } from '#shared/escpos/real-time.ts'
import type { Operation } from '#shared/escpos/tokenize.ts'
import { Signal } from '#shared/signal.ts'
import { isOnlyQuestions, VirtualPrinterClient } from './virtual-printer-client.ts'
import { type CutTicket, PrinterMechanism } from './virtual-printer-mechanism.ts'
import { EPSON, GOOD_MANNERS, type Manners, type PrinterModel, PrinterParts } from './virtual-printer-status.ts'
import { textOf, ticketOf, type VirtualTicket } from './virtual-ticket.ts'

export type { VirtualTicket } from './virtual-ticket.ts'

export interface VirtualPrinterOptions {
  model?: Partial<PrinterModel>
  manners?: Partial<Manners>
  /** Columns and code pages of the paper; default 48 columns, Epson's pages. */
  paper?: PaperOptions
  /** Time of the mechanism; default 0: printed as it comes. */
  msPerLine?: number
  bufferBytes?: number
  /** Without it, what does not fit the buffer is lost. */
  flowControl?: boolean
  /** What a second client meets: waits unread (the rule), is reset, is closed at once, or is served. */
  clients?: 'queue' | 'rst' | 'close' | 'many'
  /** `texts` forgets styles and keeps only the text of each ticket: for runs of many thousands. */
  keep?: 'all' | 'texts'
  /** For its mechanism and its manners; default: the system's. */
  clock?: Clock
  onTicket?: (ticket: VirtualTicket) => void
}

export class VirtualPrinter {
  /** Cut tickets, oldest first. */
  readonly tickets: VirtualTicket[] = []
  readonly onTicket = new Signal<VirtualTicket>()
  /** Fires when a client connects, with its number. */
  readonly onConnection = new Signal<number>()
  /** Fires when a client has closed its side, with its number. */
  readonly onFin = new Signal<number>()
  /** Fires when the printer goes offline (true) or online (false). */
  readonly onOffline = new Signal<boolean>()
  /** Change it while the printer runs. */
  readonly manners: Manners
  readonly model: PrinterModel
  readonly parts = new PrinterParts()
  /** All bytes received on all connections, DLE questions included. */
  receivedBytes = 0
  connections = 0
  readonly #options: VirtualPrinterOptions
  readonly #clock: Clock
  readonly #mechanism: PrinterMechanism
  readonly #clients = new Set<VirtualPrinterClient>()
  #server: Server | null = null
  #address = { host: '127.0.0.1', port: 0 }
  #active: VirtualPrinterClient | null = null
  #queue: VirtualPrinterClient[] = []
  #asbMask = 0
  #wasOffline = false
  #frozen = false
  #resetAfter: { bytes: number; buffer: 'kept' | 'lost' } | null = null
  #resetBeforeAnswer = false
  readonly #previous = new Map<string, Uint8Array>()

  constructor(options: VirtualPrinterOptions = {}) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.model = { ...EPSON, ...options.model }
    this.manners = { ...GOOD_MANNERS, ...options.manners }
    this.#mechanism = new PrinterMechanism({
      ...options,
      parts: this.parts,
      paper: options.paper ?? {},
      msPerLine: options.msPerLine ?? 0,
      bufferBytes: options.bufferBytes ?? 65_536,
      clock: this.#clock,
      onQuery: (operation, client) => this.#obeyInOrder(operation, client),
      onCut: (ticket) => this.#keep(ticket),
      onStatus: () => this.#statusChanged(),
      onPrinted: (client) => this.#finishWhenDone(client),
    })
  }

  /** Listens; port 0 takes a free one. */
  async start(port = 0, host = '127.0.0.1'): Promise<{ host: string; port: number }> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#admit(socket))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
    this.#address = { host, port: (server.address() as AddressInfo).port }
    return this.#address
  }

  async stop(): Promise<void> {
    this.#mechanism.stop()
    await this.refuse()
  }

  /** Where it listens, or did before it was switched off. */
  get address(): { host: string; port: number } {
    return this.#address
  }

  /** Text on the paper that is not cut yet. */
  get unfinished(): string {
    return this.#mechanism.unfinished.text()
  }

  /** The first ticket that matches, of those already cut or still to come. */
  nextTicket(matches: (ticket: VirtualTicket) => boolean = () => true, abort?: AbortSignal): Promise<VirtualTicket> {
    const there = this.tickets.find(matches)
    return there ? Promise.resolve(there) : this.onTicket.next(matches, abort)
  }

  /** Resolves when at least `count` tickets were cut. */
  async waitForTickets(count: number, abort?: AbortSignal): Promise<readonly VirtualTicket[]> {
    while (this.tickets.length < count) await this.onTicket.next(undefined, abort)
    return this.tickets
  }

  // --- the network ---

  /** Off: the port refuses, all connections break. */
  async refuse(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const client of this.#clients) client.reset()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  /** On again, at the same address. */
  async listenAgain(): Promise<void> {
    if (!this.#server) await this.start(this.#address.port, this.#address.host)
  }

  /** Accepts connections, reads nothing, closes nothing: a hung printer, or a cable that was pulled. */
  freeze(): void {
    this.#frozen = true
    for (const client of this.#clients) client.hold('frozen')
  }

  thaw(): void {
    this.#frozen = false
    for (const client of this.#clients) client.release('frozen')
  }

  /** RST when that many more in-order bytes came; those bytes are still processed. `lost`: the printer's buffer is gone too. */
  resetAfterBytes(bytes: number, buffer: 'kept' | 'lost' = 'lost'): void {
    this.#resetAfter = { bytes, buffer }
  }

  /** RST instead of the next in-order answer: everything is on paper, nothing proves it. */
  resetBeforeAnswer(): void {
    this.#resetBeforeAnswer = true
  }

  /** Power off and on: buffers lost, connections broken, paper stays. */
  powerCycle(): void {
    this.#loseMemory()
    for (const client of this.#clients) client.reset()
  }

  // --- the hands of the kitchen ---

  paperNearEnd(): void {
    this.#change(() => {
      this.parts.paper = 'near-end'
    })
  }

  /** Paper ends after that many more lines; 0 = now. */
  paperOut(afterLines = 0): void {
    this.#mechanism.afterLines(afterLines, () =>
      this.#change(() => {
        this.parts.paper = 'out'
      }),
    )
  }

  loadPaper(): void {
    this.#change(() => {
      this.parts.paper = 'ok'
    })
  }

  openCover(afterLines = 0): void {
    this.#mechanism.afterLines(afterLines, () =>
      this.#change(() => {
        this.parts.coverOpen = true
      }),
    )
  }

  closeCover(): void {
    this.#change(() => {
      this.parts.coverOpen = false
    })
  }

  /** Paper sticks in the cutter: noticed at the next cut. */
  jamCutter(kind: 'recoverable' | 'unrecoverable' = 'recoverable'): void {
    this.parts.jam = kind
  }

  /** The paper is pulled out. The printer goes on only after DLE ENQ, DLE DC4 8 or a power cycle. */
  clearJam(): void {
    this.parts.jam = 'none'
  }

  /** Hot head: goes on by itself after `ms`. */
  overheat(ms: number, afterLines = 0): void {
    this.#mechanism.afterLines(afterLines, () => {
      this.#change(() => {
        this.parts.hot = true
      })
      this.#clock.after(ms, () => {
        this.#change(() => {
          this.parts.hot = false
        })
      })
    })
  }

  // --- inside ---

  #admit(socket: Socket): void {
    const client = new VirtualPrinterClient(
      socket,
      ++this.connections,
      { manners: this.manners, clock: this.#clock },
      {
        onRealTime: (command, from) => this.#obeyAtOnce(command, from),
        onBytes: (chunk, from) => this.#receive(chunk, from),
        onFin: (from) => {
          this.onFin.notify(from.number)
          this.#finishWhenDone(from)
        },
        onGone: (from) => this.#forget(from),
      },
    )
    this.#clients.add(client)
    this.onConnection.notify(client.number)
    const { clients = 'queue' } = this.#options
    if (this.#frozen) client.hold('frozen')
    if (this.#active === null || clients === 'many') {
      this.#active = client
      client.serve()
    } else if (clients === 'rst') client.reset()
    else if (clients === 'close') client.end()
    else this.#queue.push(client)
  }

  #forget(client: VirtualPrinterClient): void {
    this.#clients.delete(client)
    this.#queue = this.#queue.filter((waiting) => waiting !== client)
    if (this.#active !== client) return
    this.#asbMask = 0
    this.#active = this.#queue.shift() ?? [...this.#clients].find(() => this.#options.clients === 'many') ?? null
    if (this.#active && this.#options.clients !== 'many') this.#active.serve()
  }

  #receive(chunk: Uint8Array, client: VirtualPrinterClient): void {
    this.receivedBytes += chunk.length
    const reset = this.#resetAfter
    if (!reset || isOnlyQuestions(chunk)) {
      this.#mechanism.accept(chunk, client)
      return
    }
    const taken = chunk.subarray(0, reset.bytes)
    reset.bytes -= taken.length
    this.#mechanism.accept(taken, client)
    if (reset.bytes > 0) return
    this.#resetAfter = null
    if (reset.buffer === 'lost') this.#loseMemory()
    client.reset()
  }

  #loseMemory(): void {
    this.#asbMask = 0
    this.parts.cutterError = 'none'
    this.#mechanism.clearBuffers()
  }

  /** DLE commands: on arrival, also while offline. */
  #obeyAtOnce({ name, n }: RealTimeCommand, client: VirtualPrinterClient): void {
    if (name === 'DLE EOT' && this.model.dleEot && n <= 4) {
      client.reply(this.#lie(`${name} ${n}`, Uint8Array.of(this.parts.realTime(n))))
    }
    if (name === 'DLE ENQ' && this.model.dleEnq && (n === 1 || n === 2)) this.#recover(n === 2)
    if (name === 'DLE DC4' && this.model.dleDc4 && n === 8) {
      // The rest of the command is still to be parsed: clear after this chunk.
      queueMicrotask(() => {
        this.#recover(true)
        client.reply(Uint8Array.of(0x37, 0x25, 0x00))
      })
    }
  }

  /** Ends a recoverable error; while the paper still sticks, the next cut stops again. */
  #recover(clear: boolean): void {
    if (clear) this.#mechanism.clearBuffers()
    if (this.parts.cutterError !== 'recoverable') return
    this.#change(() => {
      this.parts.cutterError = 'none'
    })
  }

  /** Questions and modes that take their turn in the stream. */
  #obeyInOrder(operation: Operation, client: VirtualPrinterClient): boolean {
    if (operation.kind === 'text') return false
    const n = operation.params[0] ?? 0
    switch (operation.name) {
      case 'ESC @':
        this.#asbMask = 0
        return false
      case 'GS a':
        this.#asbMask = this.model.asb ? n : 0
        if (this.#asbMask !== 0) client.reply(this.#asb())
        return true
      case 'GS r':
        if (this.model.gsR) this.#answer(client, this.#lie('GS r', Uint8Array.of(this.parts.paperSensor())))
        return true
      case 'GS I':
        if (this.model.gsI) this.#answer(client, this.#identity(n))
        return true
      case 'GS ( H':
        if (this.model.gsParenH) this.#answer(client, this.#processId(operation.params))
        return true
      default:
        return false
    }
  }

  #answer(client: VirtualPrinterClient, bytes: Uint8Array): void {
    if (!this.#resetBeforeAnswer) {
      client.reply(bytes)
      return
    }
    this.#resetBeforeAnswer = false
    client.reset()
  }

  #identity(n: number): Uint8Array {
    if (n === 66 || n === 67) return Buffer.from(`_${n === 66 ? this.model.maker : this.model.name}\0`, 'latin1')
    return Uint8Array.of(0x02)
  }

  /** GS ( H fn 48: params are 30 30 d1 d2 d3 d4. */
  #processId(params: Uint8Array): Uint8Array {
    const id = this.manners.foreignProcessId ? Buffer.from('OTHR') : params.slice(2, 6)
    return this.#lie('GS ( H', Uint8Array.of(0x37, 0x22, ...id, 0x00))
  }

  #lie(question: string, truth: Uint8Array): Uint8Array {
    if (!this.manners.previousStatus) return truth
    const before = this.#previous.get(question)
    this.#previous.set(question, truth)
    if (before) return before
    // Nothing was asked before: the status of a good day.
    if (question === 'GS ( H') return Buffer.from('7"    \0', 'latin1')
    return Uint8Array.of(question === 'GS r' ? 0x00 : 0x12)
  }

  #asb(): Uint8Array {
    return this.manners.zeroAsb ? new Uint8Array(4) : this.parts.asb()
  }

  #change(act: () => void): void {
    act()
    this.#statusChanged()
    this.#mechanism.run()
  }

  #statusChanged(): void {
    if (this.#asbMask !== 0) this.#active?.reply(this.#asb())
    if (this.parts.offline === this.#wasOffline) return
    this.#wasOffline = this.parts.offline
    this.onOffline.notify(this.#wasOffline)
  }

  #finishWhenDone(client: VirtualPrinterClient): void {
    if (!client.finReceived || (this.manners.finWhenPrinted && client.unprinted > 0)) return
    void client.finish(this.#asb())
  }

  #keep(cut: CutTicket): void {
    const ticket = this.#options.keep === 'texts' ? textOf(cut) : ticketOf(cut)
    this.tickets.push(ticket)
    this.#options.onTicket?.(ticket)
    this.onTicket.notify(ticket)
  }
}
