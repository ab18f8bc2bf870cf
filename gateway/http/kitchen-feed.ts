// The live feed of the kitchen displays: server-sent events; a page that connects gets the whole board, then what changes.
import type { FastifyReply } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { EventStream, eventText, oneTooMany } from '#shared/pages/event-stream.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import { refuse } from './refusal.ts'

interface Listener {
  displayId: string
  stream: EventStream
  /** It has the whole board: what changes goes to it, too. */
  isGreeted: boolean
}

/** Pages of all screens, open at a time. */
const MOST_LISTENERS = 128

export class KitchenFeed {
  readonly #kitchen: Kitchen
  readonly #listeners = new Set<Listener>()
  readonly #cancels: Cancel[]
  /** Nobody looks at the board while no page is open. */
  #stopWatching: Cancel | null = null

  constructor({ kitchen, clock }: { kitchen: Kitchen; clock: Clock }) {
    this.#kitchen = kitchen
    this.#cancels = [
      kitchen.printersChanged.subscribe(() => this.#tell('printers', () => kitchen.printers())),
      // A display was renamed, or given other stations: every page hears who it is now; one that is no more is let go.
      kitchen.displays.changed.subscribe(() => this.#greetAgain()),
      clock.every(KITCHEN_TIMES.beatEveryMs, () =>
        this.#tell('beat', () => ({ rev: kitchen.board.rev, nowMs: kitchen.nowMs() })),
      ),
    ]
  }

  /** Resolves when the page has the whole board. */
  async open(display: DisplayRecord, reply: FastifyReply): Promise<void> {
    const { displayId } = display
    const oldest = oneTooMany(this.#listeners, (listener) => listener.displayId === displayId)
    if (oldest) this.#end(oldest)
    if (this.#listeners.size >= MOST_LISTENERS) {
      refuse(reply, 503, 'busy', 'Too many screens are open.', { retryAfterSeconds: 5 })
      return
    }
    const listener: Listener = {
      displayId,
      stream: new EventStream(reply, () => this.#left(listener)),
      isGreeted: false,
    }
    this.#listeners.add(listener)
    this.#stopWatching ??= this.#kitchen.board.watch((patch) => this.#tell('patch', () => patch))
    try {
      await this.#kitchen.board.catchUp()
      // Reads what has changed since, so that it may fail as well.
      this.#greet(listener)
    } catch (error) {
      // A page that was never greeted would wait for nothing.
      this.#end(listener)
      throw error
    }
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
  #tell(event: string, data: () => unknown): void {
    const listeners = [...this.#listeners].filter(({ isGreeted }) => isGreeted)
    if (listeners.length === 0) return
    const text = eventText(event, data())
    for (const { stream } of listeners) stream.write(text)
  }

  #greetAgain(): void {
    for (const listener of [...this.#listeners]) {
      if (!listener.isGreeted) continue
      try {
        this.#greet(listener)
      } catch {
        // Whoever changed the display has done so. The page comes back, and what is wrong is told where its feed is opened.
        this.#end(listener)
      }
    }
  }

  /** Its display as it is now, and the whole board; patches come after it. */
  #greet(listener: Listener): void {
    // It may have gone while the board was read.
    if (!this.#listeners.has(listener)) return
    const display = this.#kitchen.displays.find(listener.displayId)
    if (!display) {
      this.#end(listener)
      return
    }
    const hello = this.#kitchen.hello(display)
    listener.isGreeted = true
    listener.stream.send('hello', hello)
  }

  #left(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0) return
    this.#stopWatching?.()
    this.#stopWatching = null
  }

  #end(listener: Listener): void {
    if (!this.#listeners.has(listener)) return
    this.#left(listener)
    listener.stream.cut()
  }
}
