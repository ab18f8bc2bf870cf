// Reads the rest of a refused body before the connection is closed: closing with bytes unread resets it, and a client or proxy that is still sending loses the answer.
import type { IncomingMessage } from 'node:http'
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Client } from '#cloud/limits/trusted-proxies.ts'
import type { Clock } from '#shared/clock.ts'
import type { App } from './app.ts'

/** More than this is read of no body. */
const MOST_BYTES = 10_485_760
/** Bytes of refused bodies that an address may send: so many in one go, and as many a minute. Beyond them its answers do not wait. */
const RATES: Rates = { steadyPerMinute: 16_000_000, burstPerMinute: 32_000_000 }
/** A body costs this much before its first byte: one that never comes holds memory too. */
const COST_OF_A_BODY = 65_536
/** So many are read at one time, of all addresses together. */
const MOST_AT_ONCE = 256
/** A piece costs at least this much: in chunks of one byte a body costs the relay a call for each. */
const LEAST_PIECE = 512

export interface RefusedBodiesOptions {
  clock: Clock
  clientOf: (request: IncomingMessage) => Client
  /** From the refusal on. */
  withinMs: number
  /** From the request's arrival on: afterwards Node would answer it with 408. */
  afterArrivalMs: number
}

export class RefusedBodies {
  readonly #options: RefusedBodiesOptions
  readonly #bytes: KeyedBuckets
  #reading = 0

  constructor(options: RefusedBodiesOptions) {
    this.#options = options
    this.#bytes = new KeyedBuckets({ clock: options.clock, rates: RATES })
  }

  /**
   * A refusal after which the connection closes, because it has that header or the client requests it, is sent when the body has been read.
   * Whatever the answer, a body that is longer than may be read closes the connection: Node itself reads the rest of others.
   */
  watch(app: App): void {
    // biome-ignore lint/complexity/useMaxParams: Fastify's own parameters
    app.addHook('onSend', (request, reply, _payload, done) => {
      const { raw } = request
      if (!isComing(raw)) return done()
      // How much more comes in chunks is not known.
      if (isInChunks(raw)) reply.header('connection', 'close')
      if (reply.getHeader('connection') === 'close' || !reply.raw.shouldKeepAlive) {
        if (reply.statusCode < 400) done()
        else this.beforeClose(raw, request.arrivedMs, done)
        return
      }
      const { countedAs } = this.#options.clientOf(raw)
      if (lengthOf(raw) > MOST_BYTES || !this.#hasLeft(countedAs)) reply.header('connection', 'close')
      else this.#charge(countedAs, lengthOf(raw) + COST_OF_A_BODY)
      done()
    })
  }

  /** Calls `goOn` once: when the body has come to its end or was cut off, and at once when it may not be read or waited for. */
  beforeClose(body: IncomingMessage, arrivedMs: number, goOn: () => void): void {
    const { clock, clientOf, withinMs, afterArrivalMs } = this.#options
    const { countedAs } = clientOf(body)
    const waitMs = Math.min(withinMs, arrivedMs + afterArrivalMs - clock.monotonicMs())
    const mayRead = lengthOf(body) <= MOST_BYTES && this.#reading < MOST_AT_ONCE && this.#hasLeft(countedAs)
    if (!isComing(body) || waitMs <= 0 || !mayRead) {
      goOn()
      return
    }
    this.#charge(countedAs, COST_OF_A_BODY)
    this.#reading++
    let bytes = 0
    const count = (chunk: Buffer): void => {
      bytes += chunk.length
      this.#charge(countedAs, Math.max(chunk.length, LEAST_PIECE))
      if (bytes > MOST_BYTES || !this.#hasLeft(countedAs)) stop()
    }
    const stop = (): void => {
      cancel()
      body.off('data', count).off('end', stop).off('close', stop)
      this.#reading--
      goOn()
    }
    const cancel = clock.after(waitMs, stop)
    body.on('data', count).once('end', stop).once('close', stop).resume()
  }

  /** @param countedAs null: a trusted proxy itself */
  #charge(countedAs: string | null, bytes: number): void {
    if (countedAs !== null) this.#bytes.charge(countedAs, bytes)
  }

  #hasLeft(countedAs: string | null): boolean {
    return countedAs === null || this.#bytes.charge(countedAs, 0) === 0
  }
}

const isInChunks = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined

/** Bytes; 0 if the head does not have it. */
const lengthOf = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

function isComing(body: IncomingMessage): boolean {
  return (lengthOf(body) > 0 || isInChunks(body)) && !body.complete && !body.readableEnded && !body.destroyed
}
