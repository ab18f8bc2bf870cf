// A printer on a real socket that keeps paper, speaks status, and misbehaves on demand: the other end of every flow, crash test and `npm start`.
import { type Clock, systemClock } from '#shared/clock.ts'
import type { PaperOptions } from '#shared/escpos/paper.ts'
import type { Operation } from '#shared/escpos/tokenize.ts'
import { Signal } from '#shared/signal.ts'
import { NetworkPrinter, type SecondClient } from './network-printer.ts'
import type { RealTimeCommand } from './real-time.ts'
import { isOnlyQuestions, type VirtualPrinterClient } from './virtual-printer-client.ts'
import { PrinterMechanism } from './virtual-printer-mechanism.ts'
import { EPSON, type Manners, type PrinterModel } from './virtual-printer-status.ts'
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
  clients?: SecondClient
  /** `texts` forgets styles and keeps only the text of each ticket: for runs of many thousands. */
  keep?: 'all' | 'texts'
  /** For its mechanism and its manners; default: the system's. */
  clock?: Clock
  onTicket?: (ticket: VirtualTicket) => void
}

export class VirtualPrinter extends NetworkPrinter {
  /** Fires when the printer goes offline (true) or online (false). */
  readonly onOffline = new Signal<boolean>()
  readonly model: PrinterModel
  protected readonly mechanism: PrinterMechanism
  #asbMask = 0
  #wasOffline = false
  readonly #previous = new Map<string, Uint8Array>()

  constructor(options: VirtualPrinterOptions = {}) {
    super({ manners: options.manners, clients: options.clients, clock: options.clock ?? systemClock })
    this.model = { ...EPSON, ...options.model }
    this.mechanism = new PrinterMechanism({
      ...options,
      parts: this.parts,
      paper: options.paper ?? {},
      msPerLine: options.msPerLine ?? 0,
      bufferBytes: options.bufferBytes ?? 65_536,
      clock: this.clock,
      onQuery: (operation, client) => this.#obeyInOrder(operation, client),
      onCut: (cut) => {
        const ticket = options.keep === 'texts' ? textOf(cut) : ticketOf(cut)
        this.keep(ticket)
        options.onTicket?.(ticket)
      },
      onStatus: () => this.#statusChanged(),
      onPrinted: (client) => this.finishWhenDone(client),
    })
  }

  /** Power off and on: buffers lost, connections broken, paper stays. */
  powerCycle(): void {
    this.loseMemory()
    this.breakConnections()
  }

  // --- the hands of the kitchen ---

  paperNearEnd(): void {
    this.#change(() => {
      this.parts.paper = 'near-end'
    })
  }

  /** Paper ends after that many more lines; 0 = now. */
  paperOut(afterLines = 0): void {
    this.mechanism.afterLines(afterLines, () =>
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
    this.mechanism.afterLines(afterLines, () =>
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
    this.mechanism.afterLines(afterLines, () => {
      this.#change(() => {
        this.parts.hot = true
      })
      this.clock.after(ms, () => {
        this.#change(() => {
          this.parts.hot = false
        })
      })
    })
  }

  // --- inside ---

  protected override arrived(): boolean {
    return true
  }

  protected override isQuestion(chunk: Uint8Array): boolean {
    return isOnlyQuestions(chunk)
  }

  protected override clientGone(_client: VirtualPrinterClient, wasServed: boolean): void {
    if (wasServed) this.#asbMask = 0
  }

  protected override loseMemory(): void {
    this.#asbMask = 0
    this.parts.cutterError = 'none'
    this.mechanism.clearBuffers()
  }

  /** DLE commands: on arrival, also while offline. */
  protected override obeyAtOnce({ name, n }: RealTimeCommand, client: VirtualPrinterClient): void {
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
    if (clear) this.mechanism.clearBuffers()
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
        if (this.model.gsI) this.#identify(client, n)
        return true
      case 'GS ( H':
        if (this.model.gsParenH) this.#answer(client, this.#processId(operation.params))
        return true
      default:
        return false
    }
  }

  #answer(client: VirtualPrinterClient, bytes: Uint8Array): void {
    this.answerInOrder(client, () => client.reply(bytes))
  }

  #identify(client: VirtualPrinterClient, n: number): void {
    const { maker, name, serial } = this.model
    const text = n === 66 ? maker : n === 67 ? name : serial
    if (n < 66) this.#answer(client, Uint8Array.of(0x02))
    else if (n <= 68 && text !== null) this.#answer(client, Buffer.from(`_${text}\0`, 'latin1'))
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
    this.mechanism.run()
  }

  #statusChanged(): void {
    if (this.#asbMask !== 0) this.active?.reply(this.#asb())
    if (this.parts.offline === this.#wasOffline) return
    this.#wasOffline = this.parts.offline
    this.onOffline.notify(this.#wasOffline)
  }

  protected override lastStatus(): Uint8Array {
    return this.#asb()
  }
}
