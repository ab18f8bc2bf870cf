// A Star printer on a real socket that keeps paper, speaks Star's status, counts ETBs, and misbehaves on demand.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { type Clock, systemClock } from '#shared/clock.ts'
import type { PaperOptions } from '#shared/escpos/paper.ts'
import type { Operation } from '#shared/escpos/tokenize.ts'
import { Signal } from '#shared/signal.ts'
import { VirtualPrinterClient } from './virtual-printer-client.ts'
import { type CutTicket, PrinterMechanism } from './virtual-printer-mechanism.ts'
import { GOOD_MANNERS, type Manners, PrinterParts } from './virtual-printer-status.ts'
import { printEndReply, STATUS_QUERY, StarQueryScanner, starStatusBlock } from './virtual-star-status.ts'
import { ticketOf, type VirtualTicket } from './virtual-ticket.ts'

/** Which questions the model understands. */
export interface StarModel {
  /** ESC ACK SOH on the printing connection. */
  status: boolean
  /** ETB, and its counter in the status. */
  etb: boolean
  /** ESC GS ETX. */
  printEnd: boolean
  /** Port 9101 (a free port here). */
  statusPort: boolean
  /** Two length bytes behind each block, as on Ethernet. */
  lengthBytes: boolean
  /** A memory switch: status is pushed without being asked for. */
  pushes: boolean
}

export const TSP650: StarModel = {
  status: true,
  etb: true,
  printEnd: false,
  statusPort: true,
  lengthBytes: true,
  pushes: false,
}
export const MC_PRINT: StarModel = { ...TSP650, printEnd: true }
export const STATUS_ONLY: StarModel = { ...TSP650, etb: false, statusPort: false }
export const MUTE_STAR: StarModel = { ...TSP650, status: false, etb: false, statusPort: false }

export interface VirtualStarPrinterOptions {
  model?: Partial<StarModel>
  manners?: Partial<Manners>
  paper?: PaperOptions
  msPerLine?: number
  /** What a second client meets: it waits unread, or is served as well (multi-session). */
  clients?: 'queue' | 'many'
  clock?: Clock
}

export class VirtualStarPrinter {
  readonly tickets: VirtualTicket[] = []
  readonly onTicket = new Signal<VirtualTicket>()
  readonly onConnection = new Signal<number>()
  readonly manners: Manners
  readonly model: StarModel
  readonly parts = new PrinterParts()
  /** ETBs reached, modulo 32. Set it to where a day's work has brought it. */
  etbCount = 0
  connections = 0
  /** All bytes received, questions included. */
  receivedBytes = 0
  readonly #options: VirtualStarPrinterOptions
  readonly #clock: Clock
  readonly #mechanism: PrinterMechanism
  readonly #statusSockets = new Set<Socket>()
  readonly #clients = new Map<VirtualPrinterClient, StarQueryScanner>()
  /** Clients of before the power cut. */
  readonly #forgotten = new Set<VirtualPrinterClient>()
  #servers: Server[] = []
  #address = { host: '127.0.0.1', port: 0 }
  #statusAddress = { host: '127.0.0.1', port: 0 }
  #active: VirtualPrinterClient | null = null
  #queue: VirtualPrinterClient[] = []
  #pushing = false
  #executed = false
  #printEnds = 0
  #resetAfter: { bytes: number; buffer: 'kept' | 'lost' } | null = null
  #resetBeforeAnswer = false
  #frozen = false
  #overflowed = false

  constructor(options: VirtualStarPrinterOptions = {}) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.model = { ...TSP650, ...options.model }
    this.manners = { ...GOOD_MANNERS, ...options.manners }
    this.#pushing = this.model.pushes
    this.#mechanism = new PrinterMechanism({
      parts: this.parts,
      paper: { family: 'star', ...options.paper },
      msPerLine: options.msPerLine ?? 0,
      bufferBytes: 65_536,
      clock: this.#clock,
      onQuery: (operation, client) => this.#obeyInOrder(operation, client),
      onCut: (ticket) => this.#keep(ticket),
      onStatus: () => this.#push(),
      onPrinted: (client) => this.#finishWhenDone(client),
    })
  }

  /** Where it prints. */
  get address(): { host: string; port: number } {
    return this.#address
  }

  /** Its port 9101. */
  get statusAddress(): { host: string; port: number } {
    return this.#statusAddress
  }

  get unfinished(): string {
    return this.#mechanism.unfinished.text()
  }

  /** Listens; port 0 takes a free one, and its status port always does. */
  async start(port = 0, host = '127.0.0.1'): Promise<{ host: string; port: number }> {
    const printing = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#admit(socket))
    const status = createServer((socket) => this.#tellStatus(socket))
    this.#servers = [printing, status]
    this.#address = await listen(printing, port, host)
    this.#statusAddress = await listen(status, this.#statusAddress.port, host)
    return this.#address
  }

  async stop(): Promise<void> {
    this.#mechanism.stop()
    await this.refuse()
  }

  /** Off: both ports refuse, all connections break. */
  async refuse(): Promise<void> {
    const servers = this.#servers
    this.#servers = []
    for (const client of this.#clients.keys()) client.reset()
    for (const socket of this.#statusSockets) socket.destroy()
    for (const server of servers) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  async listenAgain(): Promise<void> {
    if (this.#servers.length === 0) await this.start(this.#address.port, this.#address.host)
  }

  /** Accepts connections, reads nothing, closes nothing. */
  freeze(): void {
    this.#frozen = true
    for (const client of this.#clients.keys()) client.hold('frozen')
  }

  thaw(): void {
    this.#frozen = false
    for (const client of this.#clients.keys()) client.release('frozen')
  }

  /** RST when that many more bytes came; those bytes are still processed. `lost`: the printer's buffer is gone too. */
  resetAfterBytes(bytes: number, buffer: 'kept' | 'lost' = 'lost'): void {
    this.#resetAfter = { bytes, buffer }
  }

  /** RST instead of the next in-order answer: everything is on paper, nothing proves it. */
  resetBeforeAnswer(): void {
    this.#resetBeforeAnswer = true
  }

  /**
   * Power off and on: buffers and counters lost, paper stays. The connections break at once, or when the next byte comes (nobody told the
   * gateway), or a print server before it keeps them.
   */
  powerCycle(network: 'breaks' | 'breaks-on-contact' | 'stays' = 'breaks'): void {
    this.#loseMemory()
    for (const client of this.#clients.keys()) {
      if (network === 'breaks') client.reset()
      if (network === 'breaks-on-contact') this.#forgotten.add(client)
    }
    if (network === 'stays') this.#push()
  }

  /** Another program's document ends in the same printer. */
  foreignEtb(): void {
    this.#countEtb()
  }

  /** Bytes were lost in its full buffer: the next status tells it, once. */
  loseBytes(): void {
    this.#overflowed = true
    this.#push()
  }

  /** Something about paper, cover or cutter changes. */
  change(act: (parts: PrinterParts) => void, afterLines = 0): void {
    this.#mechanism.afterLines(afterLines, () => {
      act(this.parts)
      this.#push()
      this.#mechanism.run()
    })
  }

  // --- inside ---

  #admit(socket: Socket): void {
    const scanner = new StarQueryScanner()
    const client = new VirtualPrinterClient(
      socket,
      ++this.connections,
      { manners: this.manners, clock: this.#clock },
      {
        onRealTime: () => {},
        onBytes: (chunk, from) => this.#receive(chunk, from, scanner),
        onFin: (from) => this.#finishWhenDone(from),
        onGone: (from) => this.#forget(from),
      },
    )
    this.#clients.set(client, scanner)
    this.onConnection.notify(client.number)
    if (this.#frozen) client.hold('frozen')
    if (this.#active === null || this.#options.clients === 'many') {
      this.#active = client
      client.serve()
    } else this.#queue.push(client)
  }

  #forget(client: VirtualPrinterClient): void {
    this.#clients.delete(client)
    this.#queue = this.#queue.filter((waiting) => waiting !== client)
    if (this.#active !== client) return
    this.#pushing = this.model.pushes
    this.#active = this.#queue.shift() ?? null
    this.#active?.serve()
  }

  #receive(chunk: Uint8Array, client: VirtualPrinterClient, scanner: StarQueryScanner): void {
    this.receivedBytes += chunk.length
    if (this.#forgotten.has(client)) {
      client.reset()
      return
    }
    for (let asked = scanner.push(chunk); asked > 0; asked--) if (this.model.status) client.reply(this.#status())
    const reset = this.#resetAfter
    if (!reset || Buffer.from(chunk).equals(STATUS_QUERY)) {
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

  #obeyInOrder(operation: Operation, client: VirtualPrinterClient): boolean {
    if (operation.kind === 'text') return false
    const [first = 0, low = 0, high = 0] = operation.params
    switch (operation.name) {
      case 'ESC ACK':
        return true
      case 'ESC RS a':
        this.#pushing = first === 1 && this.model.status
        return true
      case 'ETB':
        if (this.model.etb) this.#answer(client, () => this.#countEtb())
        return true
      case 'ESC GS ETX':
        if (this.model.printEnd && first <= 1) {
          if (first === 1) this.#printEnds++
          const reply = printEndReply({ s: first, low, high, count: this.#printEnds % 256 })
          this.#answer(client, () => client.reply(reply))
        }
        return true
      default:
        return false
    }
  }

  #answer(client: VirtualPrinterClient, act: () => void): void {
    if (this.#resetBeforeAnswer) client.reset()
    else act()
    this.#resetBeforeAnswer = false
  }

  #countEtb(): void {
    this.etbCount = (this.etbCount + 1) % 32
    this.#executed = true
    this.#push()
    this.#executed = false
  }

  #status(): Uint8Array {
    const { lengthBytes, etb } = this.model
    const [executed, overflowed] = [this.#executed, this.#overflowed]
    this.#overflowed = false
    return starStatusBlock(this.parts, { etbCount: etb ? this.etbCount : null, executed, overflowed, lengthBytes })
  }

  /** To every client that is connected, as with multi-session. */
  #push(): void {
    if (!this.#pushing) return
    for (const client of this.#clients.keys()) {
      if (!this.#queue.includes(client) && !this.#forgotten.has(client)) client.reply(this.#status())
    }
  }

  #tellStatus(socket: Socket): void {
    this.#statusSockets.add(socket)
    socket.on('close', () => this.#statusSockets.delete(socket))
    socket.on('error', () => {})
    if (!this.model.statusPort || this.manners.mute || this.#frozen) return
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes < 51) return
      socket.end(this.#status())
    })
  }

  #loseMemory(): void {
    this.#pushing = this.model.pushes
    this.etbCount = 0
    this.parts.cutterError = 'none'
    this.#mechanism.clearBuffers()
    for (const scanner of this.#clients.values()) scanner.reset()
  }

  #finishWhenDone(client: VirtualPrinterClient): void {
    if (!client.finReceived || (this.manners.finWhenPrinted && client.unprinted > 0)) return
    void client.finish(this.#status())
  }

  #keep(cut: CutTicket): void {
    const ticket = ticketOf(cut)
    this.tickets.push(ticket)
    this.onTicket.notify(ticket)
  }
}

async function listen(server: Server, port: number, host: string): Promise<{ host: string; port: number }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { host, port: (server.address() as AddressInfo).port }
}
