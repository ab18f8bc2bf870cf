// The printer of the comparison: the same for every system. Keeps paper, answers status as an Epson does, and fails on command.
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { resetSocket } from '#gateway/printers/reset-socket.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { type CommandOperation, EscposTokenizer } from '#shared/escpos/tokenize.ts'
import { Signal } from '#shared/signal.ts'

/**
 * `reset`: RST as soon as a client connects. `stall`: connects, reads nothing. A number: RST when so many ticket bytes came, buffer lost.
 * `unproven`: prints, and resets instead of the next in-order answer.
 */
export type Mood = 'print' | 'reset' | 'stall' | 'unproven' | number

const ONLINE = Buffer.from([0x10, 0x00, 0x00, 0x00])
const ONLINE_BYTE = 0x12

export interface PeerPrinterOptions {
  /**
   * Its answers are written in small pieces without TCP_NODELAY, as many printers do: each piece but the first waits in the printer until
   * the one before it is acknowledged, and the other side's kernel takes up to 40 ms for that when it has nothing to send.
   */
  holdsAnswers?: boolean
}

export class PeerPrinter {
  /** Fires with the time (performance.now) of the first ticket byte of each connection that brings one. */
  readonly firstByte = new Signal<number>()
  /** Fires when a ticket was cut. */
  readonly cut = new Signal<string>()
  mood: Mood = 'print'
  #port = 0
  #server: Server | null = null
  #paper = new PaperInterpreter()
  #seen = 0
  readonly #sockets = new Set<Socket>()
  readonly #holdsAnswers: boolean

  constructor({ holdsAnswers = false }: PeerPrinterOptions = {}) {
    this.#holdsAnswers = holdsAnswers
  }

  get port(): number {
    return this.#port
  }

  async on(): Promise<void> {
    const server = createServer({ noDelay: !this.#holdsAnswers }, (socket) => this.#serve(socket))
    this.#server = server
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
  }

  /** The port refuses; connections break; what was not printed is gone. */
  async off(): Promise<void> {
    const server = this.#server
    this.#server = null
    for (const socket of this.#sockets) resetSocket(socket)
    this.#paper.powerOff()
    if (server) await new Promise((resolve) => server.close(resolve))
  }

  /** All that stands on paper, the unfinished end included. */
  paper(): string[] {
    return [...this.#paper.tickets, this.#paper.current].map((ticket) => ticket.text())
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
    if (this.mood === 'reset') return void resetSocket(socket)
    if (this.mood === 'stall') return void socket.pause()
    const tokenizer = new EscposTokenizer()
    let ticketBytes = 0
    socket.on('data', (chunk) => {
      for (const operation of tokenizer.push(chunk)) {
        if (operation.kind === 'command' && isQuestion(operation)) {
          if (this.mood === 'unproven' && operation.name !== 'DLE EOT') {
            this.mood = 'print'
            return void resetSocket(socket)
          }
          this.#write(socket, answerTo(operation))
          continue
        }
        // ESC @, FS . and GS a prepare; the ticket begins behind them.
        const isPreparation = operation.kind === 'command' && ['ESC @', 'FS .', 'GS a', 'NUL'].includes(operation.name)
        if (ticketBytes === 0 && !isPreparation) this.firstByte.notify(performance.now())
        if (!isPreparation) ticketBytes += operation.bytes.length
        this.#paper.apply(operation)
        // The connection may be kept for the next ticket.
        if (operation.kind === 'command' && operation.name === 'GS V') ticketBytes = 0
        if (typeof this.mood === 'number' && ticketBytes >= this.mood) {
          this.mood = 'print'
          this.#paper.powerOff()
          return void resetSocket(socket)
        }
        if (operation.kind === 'command' && operation.name === 'GS a' && operation.params[0] !== 0)
          this.#write(socket, ONLINE)
      }
      for (const ticket of this.#paper.tickets.slice(this.#seen)) this.cut.notify(ticket.text())
      this.#seen = this.#paper.tickets.length
    })
  }

  #write(socket: Socket, answer: Uint8Array): void {
    const half = Math.ceil(answer.length / 2)
    const pieces = this.#holdsAnswers ? [answer.subarray(0, half), answer.subarray(half)] : [answer]
    for (const piece of pieces) if (piece.length > 0) socket.write(piece)
  }
}

function isQuestion({ name }: CommandOperation): boolean {
  return name === 'DLE EOT' || name === 'GS ( H' || name === 'GS I' || name === 'GS r'
}

function answerTo({ name, params }: CommandOperation): Uint8Array {
  if (name === 'DLE EOT') return Buffer.from([ONLINE_BYTE])
  if (name === 'GS ( H') return Buffer.concat([Buffer.from([0x37, 0x22]), params.subarray(2, 6), Buffer.from([0])])
  return name === 'GS I' ? Buffer.from('_TM-T88VI\0', 'latin1') : Buffer.from([0])
}
