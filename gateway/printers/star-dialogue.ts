// A Star printer over a byte channel: matches answers to queries. Contains no policy.
import type { Clock } from '#shared/clock.ts'
import type { ByteChannel } from './byte-channel.ts'
import { ETB, printEndQuery, STATUS_QUERY } from './star-commands.ts'
import { EtbCounter } from './star-etb-counter.ts'
import { type StarStatus, StarStatusParser } from './star-status.ts'
import type { StarStatusPort } from './star-status-port.ts'
import { type Dialogue, StatusConnection } from './status-connection.ts'

/** A query at the end of a document: its bytes, and whether its answer has come. */
export interface EndQuestion {
  bytes: Uint8Array
  answered: () => boolean
}

export type StarConnection = StatusConnection<StarDialogue>

/** @param strays ETBs of earlier connections that were never answered, and may still be */
export function speakStar(channel: ByteChannel, clock: Clock, strays: number): StarConnection {
  return new StatusConnection(channel, clock, (connection) => new StarDialogue(connection, strays))
}

export class StarDialogue implements Dialogue {
  /** Its in-order answers were checked on this connection. */
  proven = false
  /** Status is pushed on this connection. */
  pushing = false
  /** Used instead if nothing answers on this connection: port 9101. */
  statusPort: StarStatusPort | null = null
  readonly #connection: StatusConnection
  readonly #parser = new StarStatusParser()
  readonly #counter: EtbCounter
  readonly #ends = new Set<number>()
  /** Bytes were lost in the printer since the document began. */
  #overflowed = false
  #asking = false
  /** Queries sent to the status port so far: a late answer to an older one is ignored. */
  #portAsked = 0

  constructor(connection: StatusConnection, strays: number) {
    this.#connection = connection
    this.#counter = new EtbCounter(strays)
  }

  /** It sent something on this connection, or on its status port. */
  get spoke(): boolean {
    return this.#connection.answers > 0
  }

  /** True if the model's status contains the ETB counter. */
  get counts(): boolean {
    return this.#counter.known
  }

  /** ETBs that the printer may still process after this connection has ended. */
  get etbsInFlight(): number {
    return this.#counter.inFlight
  }

  askStatus(): void {
    this.#asking = true
    if (this.statusPort) void this.#askStatusPort(this.statusPort)
    else this.#connection.write(STATUS_QUERY)
  }

  get pollAnswered(): boolean {
    return !this.#asking
  }

  forgetPoll(): void {
    this.#asking = false
  }

  /** ETB after a document. If bytes were lost meanwhile, it is never proved. */
  askEtb(): EndQuestion {
    this.#overflowed = false
    const { etbs, answered } = this.#counter.ask()
    return {
      bytes: Buffer.concat(Array.from({ length: etbs }, () => ETB)),
      answered: () => answered() && !this.#overflowed,
    }
  }

  /** ESC GS ETX after a document, with an id (16 bits) of our own. */
  askPrintEnd(id: number): EndQuestion {
    this.#overflowed = false
    this.#ends.delete(id)
    return { bytes: printEndQuery(id), answered: () => this.#ends.has(id) && !this.#overflowed }
  }

  take(chunk: Uint8Array): void {
    for (const reply of this.#parser.push(chunk)) {
      if (reply.kind === 'status') this.#note(reply.status)
      if (reply.kind === 'print-end') {
        this.#connection.answers++
        this.#ends.add(reply.id)
      }
    }
  }

  #note({ condition, etbCount, overflow }: StarStatus): void {
    this.#connection.answers++
    this.#asking = false
    this.#connection.condition = condition
    if (overflow) this.#overflowed = true
    if (etbCount !== null) this.#counter.note(etbCount)
  }

  async #askStatusPort(port: StarStatusPort): Promise<void> {
    const mine = ++this.#portAsked
    const status = await port.ask()
    if (status === null || this.#connection.end !== null || mine !== this.#portAsked) return
    this.#note(status)
    this.#connection.activity.notify()
  }
}
