// The live feed of the kitchen displays: server-sent events; a page that connects gets the whole board, then what changes.
import type { FastifyReply } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { EventStream, eventText, oneTooMany } from './event-stream.ts'
import { refuse } from './refusal.ts'

interface Listener {
  displayId: string
  stream: EventStream
}

/** Pages of all screens, open at a time. */
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

  open(display: DisplayRecord, reply: FastifyReply): void {
    const { displayId } = display
    const oldest = oneTooMany(this.#listeners, (listener) => listener.displayId === displayId)
    if (oldest) this.#end(oldest)
    if (this.#listeners.size >= MOST_LISTENERS) {
      refuse(reply, 503, 'busy', 'Too many screens are open.', { retryAfterSeconds: 5 })
      return
    }
    const listener: Listener = { displayId, stream: new EventStream(reply, () => this.#listeners.delete(listener)) }
    this.#listeners.add(listener)
    listener.stream.send('hello', this.#kitchen.hello(display))
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
    const text = eventText(event, data)
    for (const { stream } of [...this.#listeners]) stream.write(text)
  }

  #greetAgain(): void {
    for (const listener of [...this.#listeners]) {
      const display = this.#kitchen.displays.find(listener.displayId)
      if (display) listener.stream.send('hello', this.#kitchen.hello(display))
      else this.#end(listener)
    }
  }

  #end(listener: Listener): void {
    if (this.#listeners.delete(listener)) listener.stream.cut()
  }
}
