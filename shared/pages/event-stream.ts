// Server-sent events on one raw response. A page that does not read is disconnected: it reconnects and starts again.
import type { FastifyReply } from 'fastify'

/** Unsent bytes kept for one page, beyond its largest event: a whole board may be larger than this, and is unsent in the moment it is written. */
const MOST_UNSENT_BYTES = 1_048_576

/**
 * Feeds that one browser or screen may hold. A tablet with unstable Wi-Fi leaves connections that only look open, for a quarter of
 * an hour each: the oldest is closed, so that they take no place from others.
 */
const MOST_OF_ONE = 8

/** The feed that must go before this owner opens another one; undefined: none. @param feeds the oldest first */
export function oneTooMany<F>(feeds: Iterable<F>, isOfOwner: (feed: F) => boolean): F | undefined {
  const own = [...feeds].filter(isOfOwner)
  return own.length >= MOST_OF_ONE ? own[0] : undefined
}

export class EventStream {
  readonly #reply: FastifyReply
  #isOpen = true
  #largestBytes = 0

  /** @param closed the page has gone, or was cut off */
  constructor(reply: FastifyReply, closed: () => void) {
    this.#reply = reply
    reply.hijack()
    const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
    reply.raw.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    reply.raw.socket?.setNoDelay(true)
    reply.raw.flushHeaders()
    const ended = (): void => {
      if (!this.#isOpen) return
      this.#isOpen = false
      closed()
    }
    // Also after an error of the socket: nothing else handles that one.
    reply.raw.on('error', ended)
    reply.raw.on('close', ended)
  }

  send(event: string, data: unknown, id?: string): void {
    this.write(eventText(event, data, id))
  }

  /** Text of `eventText`: made once for all pages. */
  write(text: string): void {
    if (!this.#isOpen) return
    this.#largestBytes = Math.max(this.#largestBytes, Buffer.byteLength(text))
    this.#reply.raw.write(text)
    if (this.#reply.raw.writableLength > MOST_UNSENT_BYTES + this.#largestBytes) this.#reply.raw.destroy()
  }

  /** Resolves when the most of what was sent has left, or nobody gets it any more. */
  async drained(): Promise<void> {
    const { raw } = this.#reply
    if (!this.#isOpen || !raw.writableNeedDrain) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        raw.off('drain', done)
        raw.off('close', done)
        resolve()
      }
      raw.on('drain', done)
      raw.on('close', done)
    })
  }

  /** At once, whether it reads or not. */
  cut(): void {
    this.#reply.raw.destroy()
  }

  /** Ends it after what was sent. */
  close(): void {
    if (this.#isOpen) this.#reply.raw.end()
  }
}

export function eventText(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
