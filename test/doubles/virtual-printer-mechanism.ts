// The inside of the virtual printer: one parser for the byte stream, a buffer, a mechanism that prints line by line and stops when something is wrong.
import type { Cancel, Clock } from '#shared/clock.ts'
import { isStar } from '#shared/escpos/command-lengths.ts'
import { PaperInterpreter, type PaperOptions } from '#shared/escpos/paper.ts'
import type { PaperTicket } from '#shared/escpos/paper-ticket.ts'
import { EscposTokenizer, type Operation } from '#shared/escpos/tokenize.ts'
import type { VirtualPrinterClient } from './virtual-printer-client.ts'
import type { PrinterParts } from './virtual-printer-status.ts'

interface Waiting {
  operation: Operation
  client: VirtualPrinterClient
  receivedAtMs: number
}

/** A ticket as it came out of the cutter. */
export interface CutTicket {
  paper: PaperTicket
  /** When its first printing byte arrived. */
  receivedAtMs: number
  cutAtMs: number
  client: VirtualPrinterClient
}

export interface MechanismOptions {
  parts: PrinterParts
  paper: PaperOptions
  msPerLine: number
  /** Beyond this many bytes the client is not read any more. */
  bufferBytes: number
  /** Without flow control (Wincor TH230): it reads on, and what does not fit the buffer is lost. Default: true. */
  flowControl?: boolean
  clock: Clock
  /** In-order questions and mode changes, when their turn comes. True: it was one, so the paper has nothing to do with it. */
  onQuery(operation: Operation, client: VirtualPrinterClient): boolean
  onCut(ticket: CutTicket): void
  /** Paper, cover, cutter or heat changed. */
  onStatus(): void
  onPrinted(client: VirtualPrinterClient): void
}

const CUTS: ReadonlySet<string> = new Set(['GS V', 'ESC i', 'ESC m'])
const LINES: ReadonlySet<string> = new Set(['LF', 'ESC d', 'ESC J'])
/** Star cuts with ESC d, and in raster mode with ESC FF; each row of dots there moves the paper. */
const STAR_CUTS: ReadonlySet<string> = new Set(['ESC d', 'ESC FF'])
const STAR_LINES: ReadonlySet<string> = new Set(['LF', 'ESC a', 'ESC J', 'b'])
/** The interpreter keeps its tickets; a fresh one now and then keeps memory flat over thousands. */
const TICKETS_PER_INTERPRETER = 50

export class PrinterMechanism {
  readonly #options: MechanismOptions
  readonly #tokenizer: EscposTokenizer
  readonly #cutNames: ReadonlySet<string>
  readonly #lineNames: ReadonlySet<string>
  #paper: PaperInterpreter
  #cuts = 0
  #queue: Waiting[] = []
  #queuedBytes = 0
  readonly #held = new Set<VirtualPrinterClient>()
  /** Ends the time that a line takes; null = nothing moves. */
  #cancelLine: Cancel | null = null
  #receivedAtMs: number | null = null
  /** Lines until something happens; null = nothing planned. */
  #after: { lines: number; happen: () => void } | null = null

  constructor(options: MechanismOptions) {
    this.#options = options
    const { family = 'epson' } = options.paper
    this.#tokenizer = new EscposTokenizer({ family })
    this.#cutNames = isStar(family) ? STAR_CUTS : CUTS
    this.#lineNames = isStar(family) ? STAR_LINES : LINES
    this.#paper = new PaperInterpreter(options.paper)
  }

  /** What stands on the paper that is not cut yet. */
  get unfinished(): PaperTicket {
    return this.#paper.current
  }

  /** True while bytes wait to be printed. */
  get busy(): boolean {
    return this.#queue.length > 0
  }

  accept(chunk: Uint8Array, client: VirtualPrinterClient): void {
    const receivedAtMs = this.#options.clock.now()
    const { bufferBytes, flowControl = true } = this.#options
    const fitting = flowControl ? chunk : chunk.subarray(0, Math.max(0, bufferBytes - this.#queuedBytes))
    for (const operation of this.#tokenizer.push(fitting)) {
      this.#queue.push({ operation, client, receivedAtMs })
      this.#queuedBytes += operation.bytes.length
      client.unprinted++
    }
    this.run()
    if (flowControl && this.#queuedBytes > bufferBytes) {
      this.#held.add(client)
      client.hold('buffer full')
    }
  }

  /** Prints what can be printed now. Called again whenever an obstacle goes away. */
  run(): void {
    while (this.#cancelLine === null && !this.#options.parts.offline) {
      const next = this.#queue[0]
      if (!next || this.#jamsAt(next.operation)) break
      this.#queue.shift()
      this.#queuedBytes -= next.operation.bytes.length
      next.client.unprinted--
      this.#execute(next)
      if (next.client.unprinted === 0) this.#options.onPrinted(next.client)
      this.#releaseClients()
    }
  }

  /** Calls `happen` after that many more printed lines; 0 = now. */
  afterLines(lines: number, happen: () => void): void {
    if (lines === 0) happen()
    else this.#after = { lines, happen }
  }

  /** Forgets what is received and not printed; what stands on paper stays. */
  clearBuffers(): void {
    this.#cancelLine?.()
    this.#cancelLine = null
    for (const { client } of this.#queue) client.unprinted = 0
    this.#queue = []
    this.#queuedBytes = 0
    this.#tokenizer.reset()
    this.#paper.powerOff()
    this.#releaseClients()
  }

  stop(): void {
    this.#cancelLine?.()
    this.#cancelLine = null
    this.#queue = []
  }

  #jamsAt(operation: Operation): boolean {
    const { parts } = this.#options
    if (operation.kind !== 'command' || !this.#cutNames.has(operation.name) || parts.jam === 'none') return false
    parts.cutterError = parts.jam
    this.#options.onStatus()
    return true
  }

  #execute({ operation, client, receivedAtMs }: Waiting): void {
    if (this.#options.onQuery(operation, client)) return
    if (operation.kind === 'text') this.#receivedAtMs ??= receivedAtMs
    else if (operation.name === 'ESC @') this.#renewInterpreter()
    this.#paper.apply(operation)
    const cut = this.#paper.tickets.length > this.#cuts ? this.#paper.tickets.at(-1) : undefined
    if (cut) {
      this.#cuts++
      const cutAtMs = this.#options.clock.now()
      this.#options.onCut({ paper: cut, receivedAtMs: this.#receivedAtMs ?? receivedAtMs, cutAtMs, client })
      this.#receivedAtMs = null
    }
    if (operation.kind === 'command' && this.#lineNames.has(operation.name)) this.#lineDone()
  }

  #lineDone(): void {
    const after = this.#after
    if (after && --after.lines === 0) {
      this.#after = null
      after.happen()
    }
    if (this.#options.msPerLine > 0) {
      this.#cancelLine = this.#options.clock.after(this.#options.msPerLine, () => {
        this.#cancelLine = null
        this.run()
      })
    }
  }

  #renewInterpreter(): void {
    if (this.#cuts < TICKETS_PER_INTERPRETER || this.#paper.current.lines.length > 0) return
    this.#paper = new PaperInterpreter(this.#options.paper)
    this.#cuts = 0
  }

  #releaseClients(): void {
    if (this.#queuedBytes > this.#options.bufferBytes / 2) return
    for (const client of this.#held) client.release('buffer full')
    this.#held.clear()
  }
}
