// Server-sent events on one raw response. A page that does not read is cut off: it comes back and begins anew.
import type { FastifyReply } from 'fastify'

/** Unsent bytes that the box keeps for one page. */
const MOST_UNSENT_BYTES = 1_048_576

export class EventStream {
  readonly #reply: FastifyReply
  #isOpen = true

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
    // Also after an error of the socket: nobody else hears that one.
    reply.raw.on('error', ended)
    reply.raw.on('close', ended)
  }

  send(event: string, data: unknown, id?: string): void {
    this.write(eventText(event, data, id))
  }

  /** Text of `eventText`: made once for all pages. */
  write(text: string): void {
    if (!this.#isOpen) return
    this.#reply.raw.write(text)
    if (this.#reply.raw.writableLength > MOST_UNSENT_BYTES) this.#reply.raw.destroy()
  }

  /** Ends it after what was sent. */
  close(): void {
    if (this.#isOpen) this.#reply.raw.end()
  }
}

export function eventText(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
