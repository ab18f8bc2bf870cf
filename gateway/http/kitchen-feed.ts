// The live feed of the screens: server-sent events; a page that connects gets the whole board, then the changes. A runner gets ready orders, the guests' board numbers.
import type { FastifyReply } from 'fastify'
import type { Kitchen } from '#gateway/kitchen/kitchen.ts'
import { isForRunner, PickUpNumbers, RunnerOrders } from '#gateway/kitchen/screen-kinds.ts'
import type { DisplayRecord } from '#gateway/storage/display-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { EventStream, eventText, oneTooMany } from '#shared/pages/event-stream.ts'
import type { KitchenHello, KitchenPatch } from '#shared/wire/kitchen.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'
import type { DisplayKind } from '#shared/wire/kitchen-screens.ts'
import { refuse } from './refusal.ts'

interface Listener {
  displayId: string
  /** As it was greeted. */
  kind: DisplayKind
  stream: EventStream
  /** It has the whole board: what changes goes to it, too. */
  isGreeted: boolean
  /** Of a pick-up board. */
  guests: GuestsBoard | null
  /** Of a runner's screen. */
  runner: RunnerOrders | null
  /** The last numbers that it received. */
  told: string
  /** Its page gets nothing any more. */
  detach: () => void
}

interface GuestsBoard {
  /** Without anything of an order. */
  hello: KitchenHello
  showNames: boolean
}

/** Pages of all screens, open at a time. */
const MOST_LISTENERS = 128
/** Numbers change with time, too: ready is sent when it can no longer be undone. */
const NUMBERS_EVERY_MS = 1_000

export class KitchenFeed {
  readonly #kitchen: Kitchen
  readonly #listeners = new Set<Listener>()
  readonly #cancels: Cancel[]
  /** Null: no pick-up board is open. */
  #numbers: PickUpNumbers | null = null
  /** The board is not watched while no page is open. */
  #stopWatching: Cancel | null = null

  constructor({ kitchen, clock }: { kitchen: Kitchen; clock: Clock }) {
    this.#kitchen = kitchen
    this.#cancels = [
      kitchen.printersChanged.subscribe(() => this.#tell('printers', () => kitchen.printers(), ['kitchen'])),
      // A display was renamed, or given other stations: every page gets its current data; a removed one is disconnected.
      kitchen.displays.changed.subscribe(() => this.#greetAgain()),
      kitchen.boxChanged.subscribe(() => this.#greetAgain()),
      clock.every(NUMBERS_EVERY_MS, () => this.#tellNumbers()),
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
      refuse(reply.code(503), 'busy', { message: 'Too many screens are open.', retryAfterSeconds: 5 })
      return
    }
    const listener: Listener = {
      displayId,
      kind: display.kind,
      stream: new EventStream(reply, () => this.#left(listener)),
      isGreeted: false,
      guests: null,
      runner: null,
      told: '',
      detach: this.#kitchen.presence.attach(displayId),
    }
    this.#listeners.add(listener)
    this.#stopWatching ??= this.#kitchen.board.watch((patch) => this.#patch(patch))
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

  #patch(patch: KitchenPatch): void {
    this.#tell('patch', () => patch, ['kitchen'])
    for (const { runner, stream } of [...this.#listeners]) {
      const changes = runner?.take(patch)
      if (changes) stream.send('patch', changes)
    }
    this.#numbers?.take(patch)
    this.#tellNumbers()
  }

  /** To each pick-up board whose numbers have changed. */
  #tellNumbers(): void {
    if (this.#numbers === null) return
    for (const listener of [...this.#listeners])
      if (listener.isGreeted && listener.guests) this.#sendNumbers(listener, listener.guests)
  }

  /** Nothing when the page already has them. */
  #sendNumbers(listener: Listener, { hello, showNames }: GuestsBoard): void {
    const nowMs = this.#kitchen.nowMs()
    const pickUp = this.#numbers?.rows(nowMs, { showNames }) ?? []
    const told = JSON.stringify(pickUp)
    if (told === listener.told) return
    listener.told = told
    listener.stream.send('hello', { ...hello, rev: this.#kitchen.board.rev, nowMs, pickUp })
  }

  /** The same text for all viewers of these kinds: serialised once. */
  #tell(event: string, data: () => unknown, kinds?: readonly DisplayKind[]): void {
    const listeners = [...this.#listeners].filter(
      ({ isGreeted, kind }) => isGreeted && (kinds === undefined || kinds.includes(kind)),
    )
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
        // The display has been changed. The page reconnects, and gets the reason when it opens its feed.
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
    const { kind, showNames } = display
    const whole = this.#kitchen.hello(display)
    const hello = { ...whole, display: { ...whole.display, kind } }
    const guests = { hello: emptyHello(hello), showNames }
    Object.assign(listener, {
      ...{ kind, isGreeted: true, told: '', guests: kind === 'pick-up' ? guests : null },
      runner: kind === 'runner' ? new RunnerOrders(whole.orders) : null,
    })
    if (kind === 'pick-up') {
      this.#numbers ??= new PickUpNumbers(whole.orders)
      this.#sendNumbers(listener, guests)
    } else if (kind === 'runner')
      listener.stream.send('hello', { ...hello, orders: hello.orders.filter(isForRunner), printers: [] })
    else listener.stream.send('hello', hello)
  }

  #left(listener: Listener): void {
    this.#listeners.delete(listener)
    listener.detach()
    if (![...this.#listeners].some(({ kind }) => kind === 'pick-up')) this.#numbers = null
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

/** What is named here is sent to a pick-up board, and nothing that is added to the board of the kitchen one day. */
function emptyHello({ app, rev, nowMs, timeZone, restaurant, display }: KitchenHello): KitchenHello {
  return { app, rev, nowMs, timeZone, restaurant, display, served: [], orders: [], printers: [] }
}
