// The live feed of the kitchen displays: server-sent events; a page that connects gets the whole board, then what changes.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'

interface Listener {
  displayId: string
  reply: FastifyReply
}

/** Unsent bytes at which a page is given up: it connects again and gets the board anew. */
const MOST_UNSENT_BYTES = 1_048_576
/** Pages open at a time; an old tablet that lost its way opens no more than this. */
const MOST_LISTENERS = 128

export class KitchenFeed {
  readonly #kitchen: Kitchen
  readonly #listeners = new Set<Listener>()
  readonly #cancels: Cancel[]

  constructor({ kitchen, clock }: { kitchen: Kitchen; clock: Clock }) {
    this.#kitchen = kitchen
    this.#cancels = [
      kitchen.board.patched.subscribe((patch) => this.#tell('patch', patch)),
      kitchen.printersChanged.subscribe(() => this.#tell('printers', kitchen.printers())),
      // A display was renamed, or given other stations: every page hears who it is now; one that is no more is let go.
      kitchen.displays.changed.subscribe(() => this.#greetAgain()),
      clock.every(KITCHEN_TIMES.beatEveryMs, () =>
        this.#tell('beat', { rev: kitchen.board.rev, nowMs: kitchen.nowMs() }),
      ),
    ]
  }

  open(display: DisplayRecord, request: FastifyRequest, reply: FastifyReply): void {
    if (this.#listeners.size >= MOST_LISTENERS) {
      void reply.code(503).send({ code: 'service.unavailable', message: 'Too many screens are open.', status: 503 })
      return
    }
    reply.hijack()
    const headers = Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
    reply.raw.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
    request.raw.socket.setNoDelay(true)
    const listener = { displayId: display.displayId, reply }
    this.#listeners.add(listener)
    // Also after an error of the socket: nobody else hears that one.
    reply.raw.on('error', () => this.#end(listener))
    reply.raw.on('close', () => this.#end(listener))
    this.#send(listener, textOf('hello', this.#kitchen.hello(display)))
  }

  /** Ends the feeds of a display: another screen has taken its place. */
  drop(displayId: string): void {
    for (const listener of [...this.#listeners]) if (listener.displayId === displayId) this.#end(listener)
  }

  close(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
    for (const listener of [...this.#listeners]) this.#end(listener)
  }

  /** The same text for everybody: written once. */
  #tell(event: string, data: unknown): void {
    if (this.#listeners.size === 0) return
    const text = textOf(event, data)
    for (const listener of [...this.#listeners]) this.#send(listener, text)
  }

  #greetAgain(): void {
    for (const listener of [...this.#listeners]) {
      const display = this.#kitchen.displays.find(listener.displayId)
      if (display) this.#send(listener, textOf('hello', this.#kitchen.hello(display)))
      else this.#end(listener)
    }
  }

  #send(listener: Listener, text: string): void {
    listener.reply.raw.write(text)
    if (listener.reply.raw.writableLength > MOST_UNSENT_BYTES) this.#end(listener)
  }

  #end(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return
    listener.reply.raw.destroy()
  }
}

function textOf(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
