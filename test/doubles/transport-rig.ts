// A virtual printer and a transport of ours on both ends of a real socket: what every bench of the transports' tests has.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type {
  PrintDocument,
  PrinterHealth,
  PrinterTransport,
  Readiness,
  SendOutcome,
} from '#gateway/printers/transport.ts'
import type { PrinterCapability } from '#shared/printer-profile.ts'
import { Signal } from '#shared/signal.ts'
import type { NetworkPrinter } from './network-printer.ts'
import { UnhurriedClock } from './unhurried-clock.ts'

export abstract class TransportRig {
  /** Of both ends, so that a busy machine changes no outcome. */
  readonly clock = new UnhurriedClock()
  abstract readonly printer: NetworkPrinter
  /** Fires with each health that the transport announces. */
  readonly health = new Signal<PrinterHealth>()
  readonly healths: PrinterHealth[] = []
  readonly learnt: PrinterCapability[] = []
  readonly #stop = new AbortController()
  readonly #otherTills: Socket[] = []
  #transport: PrinterTransport | null = null
  #attempts = 0

  get transport(): PrinterTransport {
    if (!this.#transport) throw new Error('start the rig first')
    return this.#transport
  }

  /** From now on this transport prints. */
  protected use(transport: PrinterTransport): void {
    this.#transport = transport
    transport.onHealth((health) => {
      this.healths.push(health)
      this.health.notify(health)
    })
    transport.onCapability((learnt) => this.learnt.push(learnt))
  }

  sendDocument(document: PrintDocument, signal: AbortSignal = this.#stop.signal): Promise<SendOutcome> {
    return this.transport.send(document, `att_${++this.#attempts}`, signal)
  }

  prepare(): Promise<Readiness> {
    return this.transport.prepare(this.#stop.signal)
  }

  discard(): Promise<boolean> {
    return this.transport.discard(this.#stop.signal)
  }

  /** Another point of sale, which holds the printer until it is destroyed. */
  async otherTill(): Promise<Socket> {
    const socket = connect(this.printer.address)
    this.#otherTills.push(socket)
    await once(socket, 'connect')
    if (this.printer.connections === 0) await this.printer.onConnection.next()
    return socket
  }

  /** Texts of the cut tickets. */
  papers(): string[] {
    return this.printer.tickets.map((ticket) => ticket.text())
  }

  /** Names of the tickets that stand complete on paper, in order. */
  complete(lines = 6): string[] {
    return this.papers().flatMap((text) => {
      const name = new RegExp(`^(\\S+) line ${lines}$`, 'm').exec(text)?.[1]
      return name && text.includes(`${name} line 1\n`) ? [name] : []
    })
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    for (const till of this.#otherTills) till.destroy()
    this.printer.thaw()
    await this.printer.stop()
    await this.#transport?.close()
    this.clock.stop()
  }
}
