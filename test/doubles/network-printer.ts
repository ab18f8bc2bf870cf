// What every virtual printer has on the network: a port, one client after another, the paper that it keeps, and what breaks on the way.
import { createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { giveBack, ownPort } from './own-port.ts'
import type { RealTimeCommand } from './real-time.ts'
import { VirtualPrinterClient } from './virtual-printer-client.ts'
import type { PrinterMechanism } from './virtual-printer-mechanism.ts'
import { GOOD_MANNERS, type Manners, PrinterParts } from './virtual-printer-status.ts'
import type { VirtualTicket } from './virtual-ticket.ts'

/** What a second client meets: waits unread (the rule), is reset, is closed at once, or is served as well. */
export type SecondClient = 'queue' | 'rst' | 'close' | 'many'

export interface NetworkPrinterOptions {
  manners: Partial<Manners> | undefined
  clients: SecondClient | undefined
  /** For its mechanism and its manners. */
  clock: Clock
}

export abstract class NetworkPrinter {
  /** Cut tickets, oldest first. */
  readonly tickets: VirtualTicket[] = []
  readonly onTicket = new Signal<VirtualTicket>()
  /** Fires when a client connects, with its number. */
  readonly onConnection = new Signal<number>()
  /** Fires when a client has closed its side, with its number. */
  readonly onFin = new Signal<number>()
  /** Change it while the printer runs. */
  readonly manners: Manners
  readonly parts = new PrinterParts()
  /** All bytes received on all connections, questions included. */
  receivedBytes = 0
  connections = 0
  protected readonly clients = new Set<VirtualPrinterClient>()
  protected readonly clock: Clock
  /** The client that is served; of several the newest. */
  protected active: VirtualPrinterClient | null = null
  protected isFrozen = false
  readonly #secondClient: SecondClient
  #server: Server | null = null
  #address = { host: '127.0.0.1', port: 0 }
  #queue: VirtualPrinterClient[] = []
  #resetAfter: { bytes: number; buffer: 'kept' | 'lost' } | null = null
  #resetBeforeAnswer = false

  constructor({ manners, clients = 'queue', clock }: NetworkPrinterOptions) {
    this.manners = { ...GOOD_MANNERS, ...manners }
    this.#secondClient = clients
    this.clock = clock
  }

  protected abstract get mechanism(): PrinterMechanism

  /** Listens; port 0 takes a free one. */
  async start(port = 0, host = '127.0.0.1'): Promise<{ host: string; port: number }> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#admit(socket))
    this.#server = server
    this.#address = await listenAt(server, port, host)
    return this.#address
  }

  async stop(): Promise<void> {
    this.mechanism.stop()
    await this.refuse()
    giveBack(this.#address.port)
  }

  /** Where it listens, or did before it was switched off. */
  get address(): { host: string; port: number } {
    return this.#address
  }

  /** Text on the paper that is not cut yet. */
  get unfinished(): string {
    return this.mechanism.unfinished.text()
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

  /** Off: the port refuses, all connections break. */
  async refuse(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.breakConnections()
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()))
  }

  /** On again, at the same address. */
  async listenAgain(): Promise<void> {
    if (!this.#server) await this.start(this.#address.port, this.#address.host)
  }

  /** Accepts connections, reads nothing, closes nothing: a hung printer, or a cable that was pulled. */
  freeze(): void {
    this.isFrozen = true
    for (const client of this.clients) client.hold('frozen')
  }

  thaw(): void {
    this.isFrozen = false
    for (const client of this.clients) client.release('frozen')
  }

  /** RST when that many more in-order bytes came; those bytes are still processed. `lost`: the printer's buffer is gone too. */
  resetAfterBytes(bytes: number, buffer: 'kept' | 'lost' = 'lost'): void {
    this.#resetAfter = { bytes, buffer }
  }

  /** RST instead of the next in-order answer: everything is on paper, nothing proves it. */
  resetBeforeAnswer(): void {
    this.#resetBeforeAnswer = true
  }

  /** What the printer answers at once, whatever waits before it. */
  protected abstract obeyAtOnce(command: RealTimeCommand, client: VirtualPrinterClient): void
  /** A chunk as it came. False: whoever sent it is not listened to. */
  protected abstract arrived(chunk: Uint8Array, client: VirtualPrinterClient): boolean
  /** Such a chunk does not count for `resetAfterBytes`. */
  protected abstract isQuestion(chunk: Uint8Array): boolean
  protected abstract clientGone(client: VirtualPrinterClient, wasServed: boolean): void
  protected abstract loseMemory(): void
  /** What it says of itself when a connection ends. */
  protected abstract lastStatus(): Uint8Array

  protected breakConnections(): void {
    for (const client of this.clients) client.reset()
  }

  protected isWaiting(client: VirtualPrinterClient): boolean {
    return this.#queue.includes(client)
  }

  /** An answer in its turn of the stream, unless the connection breaks before it. */
  protected answerInOrder(client: VirtualPrinterClient, act: () => void): void {
    const breaks = this.#resetBeforeAnswer
    this.#resetBeforeAnswer = false
    if (breaks) client.reset()
    else act()
  }

  protected finishWhenDone(client: VirtualPrinterClient): void {
    if (!client.finReceived || (this.manners.finWhenPrinted && client.unprinted > 0)) return
    void client.finish(this.lastStatus())
  }

  protected keep(ticket: VirtualTicket): void {
    this.tickets.push(ticket)
    this.onTicket.notify(ticket)
  }

  #admit(socket: Socket): void {
    const client = new VirtualPrinterClient(
      socket,
      ++this.connections,
      { manners: this.manners, clock: this.clock },
      {
        onRealTime: (command, from) => this.obeyAtOnce(command, from),
        onBytes: (chunk, from) => this.#receive(chunk, from),
        onFin: (from) => {
          this.onFin.notify(from.number)
          this.finishWhenDone(from)
        },
        onGone: (from) => this.#forget(from),
      },
    )
    this.clients.add(client)
    this.onConnection.notify(client.number)
    if (this.isFrozen) client.hold('frozen')
    if (this.active === null || this.#secondClient === 'many') {
      this.active = client
      client.serve()
    } else if (this.#secondClient === 'rst') client.reset()
    else if (this.#secondClient === 'close') client.end()
    else this.#queue.push(client)
  }

  #forget(client: VirtualPrinterClient): void {
    const wasServed = this.active === client
    const isMany = this.#secondClient === 'many'
    this.clients.delete(client)
    this.#queue = this.#queue.filter((waiting) => waiting !== client)
    this.clientGone(client, wasServed)
    if (!wasServed) return
    this.active = this.#queue.shift() ?? [...this.clients].find(() => isMany) ?? null
    if (!isMany) this.active?.serve()
  }

  #receive(chunk: Uint8Array, client: VirtualPrinterClient): void {
    this.receivedBytes += chunk.length
    if (!this.arrived(chunk, client)) return
    const reset = this.#resetAfter
    if (!reset || this.isQuestion(chunk)) {
      this.mechanism.accept(chunk, client)
      return
    }
    const taken = chunk.subarray(0, reset.bytes)
    reset.bytes -= taken.length
    this.mechanism.accept(taken, client)
    if (reset.bytes > 0) return
    this.#resetAfter = null
    if (reset.buffer === 'lost') this.loseMemory()
    client.reset()
  }
}

/** @returns where it listens */
export async function listenAt(server: Server, port: number, host: string): Promise<{ host: string; port: number }> {
  const own = port || (await ownPort())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(own, host, resolve)
  })
  return { host, port: own }
}
