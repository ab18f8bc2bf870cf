// A Star printer on a real socket that keeps paper, speaks Star's status, counts ETBs, and misbehaves on demand.
import { createServer, type Server, type Socket } from 'node:net'
import { type Clock, systemClock } from '#shared/clock.ts'
import type { PaperOptions } from '#shared/escpos/paper.ts'
import type { Operation } from '#shared/escpos/tokenize.ts'
import { listenAt, NetworkPrinter } from './network-printer.ts'
import type { VirtualPrinterClient } from './virtual-printer-client.ts'
import { PrinterMechanism } from './virtual-printer-mechanism.ts'
import type { Manners, PrinterParts } from './virtual-printer-status.ts'
import { printEndReply, STATUS_QUERY, StarQueryScanner, starStatusBlock } from './virtual-star-status.ts'
import { ticketOf } from './virtual-ticket.ts'

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

export class VirtualStarPrinter extends NetworkPrinter {
  readonly model: StarModel
  /** ETBs reached, modulo 32. Set it to where a day's work has brought it. */
  etbCount = 0
  protected readonly mechanism: PrinterMechanism
  readonly #statusSockets = new Set<Socket>()
  readonly #scanners = new Map<VirtualPrinterClient, StarQueryScanner>()
  /** Clients of before the power cut. */
  readonly #forgotten = new Set<VirtualPrinterClient>()
  #statusServer: Server | null = null
  #statusAddress = { host: '127.0.0.1', port: 0 }
  #pushing = false
  #executed = false
  #printEnds = 0
  #overflowed = false

  constructor(options: VirtualStarPrinterOptions = {}) {
    super({ manners: options.manners, clients: options.clients, clock: options.clock ?? systemClock })
    this.model = { ...TSP650, ...options.model }
    this.#pushing = this.model.pushes
    this.mechanism = new PrinterMechanism({
      parts: this.parts,
      paper: { family: 'star', ...options.paper },
      msPerLine: options.msPerLine ?? 0,
      bufferBytes: 65_536,
      clock: this.clock,
      onQuery: (operation, client) => this.#obeyInOrder(operation, client),
      onCut: (cut) => this.keep(ticketOf(cut)),
      onStatus: () => this.#push(),
      onPrinted: (client) => this.finishWhenDone(client),
    })
  }

  /** Its port 9101. */
  get statusAddress(): { host: string; port: number } {
    return this.#statusAddress
  }

  /** Listens; port 0 takes a free one, and its status port always does. */
  override async start(port = 0, host = '127.0.0.1'): Promise<{ host: string; port: number }> {
    const address = await super.start(port, host)
    this.#statusServer = createServer((socket) => this.#tellStatus(socket))
    this.#statusAddress = await listenAt(this.#statusServer, this.#statusAddress.port, host)
    return address
  }

  /** Off: both ports refuse, all connections break. */
  override async refuse(): Promise<void> {
    const server = this.#statusServer
    this.#statusServer = null
    for (const socket of this.#statusSockets) socket.destroy()
    await Promise.all([super.refuse(), server && new Promise((resolve) => server.close(resolve))])
  }

  /**
   * Power off and on: buffers and counters lost, paper stays. The connections break at once, or when the next byte comes (nobody told the
   * gateway), or a print server before it keeps them.
   */
  powerCycle(network: 'breaks' | 'breaks-on-contact' | 'stays' = 'breaks'): void {
    this.loseMemory()
    if (network === 'breaks') this.breakConnections()
    if (network === 'breaks-on-contact') for (const client of this.clients) this.#forgotten.add(client)
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
    this.mechanism.afterLines(afterLines, () => {
      act(this.parts)
      this.#push()
      this.mechanism.run()
    })
  }

  // --- inside ---

  /** Star has no real-time commands: all its questions take their place in the stream, but for ESC ACK SOH. */
  protected override obeyAtOnce(): void {}

  protected override arrived(chunk: Uint8Array, client: VirtualPrinterClient): boolean {
    if (this.#forgotten.has(client)) {
      client.reset()
      return false
    }
    const scanner = this.#scanners.get(client) ?? new StarQueryScanner()
    this.#scanners.set(client, scanner)
    for (let asked = scanner.push(chunk); asked > 0; asked--) if (this.model.status) client.reply(this.lastStatus())
    return true
  }

  protected override isQuestion(chunk: Uint8Array): boolean {
    return Buffer.from(chunk).equals(STATUS_QUERY)
  }

  protected override clientGone(client: VirtualPrinterClient, wasServed: boolean): void {
    this.#scanners.delete(client)
    if (wasServed) this.#pushing = this.model.pushes
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
        if (this.model.etb) this.answerInOrder(client, () => this.#countEtb())
        return true
      case 'ESC GS ETX':
        if (this.model.printEnd && first <= 1) {
          if (first === 1) this.#printEnds++
          const reply = printEndReply({ s: first, low, high, count: this.#printEnds % 256 })
          this.answerInOrder(client, () => client.reply(reply))
        }
        return true
      default:
        return false
    }
  }

  #countEtb(): void {
    this.etbCount = (this.etbCount + 1) % 32
    this.#executed = true
    this.#push()
    this.#executed = false
  }

  protected override lastStatus(): Uint8Array {
    const { lengthBytes, etb } = this.model
    const [executed, overflowed] = [this.#executed, this.#overflowed]
    this.#overflowed = false
    return starStatusBlock(this.parts, { etbCount: etb ? this.etbCount : null, executed, overflowed, lengthBytes })
  }

  /** To every client that is connected, as with multi-session. */
  #push(): void {
    if (!this.#pushing) return
    for (const client of this.clients) {
      if (!this.isWaiting(client) && !this.#forgotten.has(client)) client.reply(this.lastStatus())
    }
  }

  #tellStatus(socket: Socket): void {
    this.#statusSockets.add(socket)
    socket.on('close', () => this.#statusSockets.delete(socket))
    socket.on('error', () => {})
    if (!this.model.statusPort || this.manners.mute || this.isFrozen) return
    let bytes = 0
    socket.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes < 51) return
      socket.end(this.lastStatus())
    })
  }

  protected override loseMemory(): void {
    this.#pushing = this.model.pushes
    this.etbCount = 0
    this.parts.cutterError = 'none'
    this.mechanism.clearBuffers()
    for (const scanner of this.#scanners.values()) scanner.reset()
  }
}
