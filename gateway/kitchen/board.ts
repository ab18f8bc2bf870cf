// The board in memory: the orders of the kitchen, read again by the ids of the jobs that changed, and sent as patches to whoever watches.
//
// Nothing here is needed to print, so it must not cost what prints: a change costs one note of its id; orders are read only while somebody
// watches or asks, in slices of a few milliseconds with pauses between them; a document is read once and kept while its order is on the board.
import type { BoardRows } from '#gateway/storage/board-rows.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Signal } from '#shared/signal.ts'
import type { BoardOrder, KitchenPatch } from '#shared/wire/kitchen.ts'
import { type BoardTicket, boardOrder, boardTicket, isOnBoard } from './board-order.ts'

export interface BoardDeps {
  rows: BoardRows
  store: KitchenStore
  /** Relay time. */
  time: TimeSource
  clock: Clock
  /** Each fires with the id of a job that may look different now. */
  jobChanged: Signal<string>
  paperChanged: Signal<string>
}

interface Kept {
  jobId: string
  ticket: BoardTicket
  order: BoardOrder
}

interface Change {
  orders: BoardOrder[]
  gone: string[]
}

/** A board holds what a large kitchen has open; the oldest of more are in the history, and on paper. */
const MOST_ORDERS = 400
const MOST_CANDIDATES = 1_000
/** Changes noted while nobody watches: of more than these all candidates are read again. */
const MOST_NOTED = 1_000
/** Orders that may be read at once, without a pause. */
const FEW = 50
/** How often orders come by their time and leave by their age. */
const TIMES_EVERY_MS = 1_000
/** The event loop is held for this long at a time. */
const SLICE_MS = 4
/** A pause is so many times as long as the slice before it: the board takes a fifth of the program's time at most. */
const PAUSES = 4
/** Watchers get the first change at once, and what follows it in one patch. */
const PATCH_EVERY_MS = 50

export class Board {
  readonly #deps: BoardDeps
  readonly #orders = new Map<string, Kept>()
  readonly #byJob = new Map<string, Kept>()
  /** Jobs to read again. */
  readonly #noted = new Set<string>()
  /** The notes are not complete: at the start, and when there were too many. */
  #mustReload = true
  readonly #watchers = new Set<(patch: KitchenPatch) => void>()
  #rev = 0
  #cancels: Cancel[] = []
  #stop = new AbortController()
  #cancelRound: Cancel | null = null
  #nextRoundMs = 0
  #catchingUp: Promise<void> | null = null

  constructor(deps: BoardDeps) {
    this.#deps = deps
  }

  get rev(): number {
    return this.#rev
  }

  /** So much has changed since somebody looked that it should be read with `catchUp`. */
  get isFarBehind(): boolean {
    return this.#mustReload || this.#noted.size > FEW
  }

  start(): void {
    if (this.#cancels.length > 0) return
    const { clock, jobChanged, paperChanged } = this.#deps
    this.#stop = new AbortController()
    this.#cancels = [
      jobChanged.subscribe((jobId) => this.#note(jobId)),
      paperChanged.subscribe((jobId) => this.#note(jobId)),
      clock.every(TIMES_EVERY_MS, () => {
        if (this.#watchers.size > 0) this.#noteTimed()
      }),
    ]
  }

  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
    this.#cancelRound?.()
    this.#cancelRound = null
    this.#stop.abort()
  }

  /** Calls `watcher` with what changes, as long as it is not cancelled. */
  watch(watcher: (patch: KitchenPatch) => void): Cancel {
    this.#watchers.add(watcher)
    this.#readSoon()
    return () => this.#watchers.delete(watcher)
  }

  /** Reads what has changed until now, with pauses. Resolves when the board shows it. */
  async catchUp(): Promise<void> {
    if (!this.#mustReload && this.#noted.size === 0) return
    this.#catchingUp ??= this.#readAll().finally(() => {
      this.#catchingUp = null
      // What changed meanwhile.
      if (this.#noted.size > 0 && this.#watchers.size > 0) this.#readSoon()
    })
    await this.#catchingUp
  }

  /** Oldest due first. */
  orders(): BoardOrder[] {
    this.#noteTimed()
    this.#readNow()
    return this.#sorted()
  }

  find(orderId: string): BoardOrder | null {
    const known = this.#orders.get(orderId)
    if (known && isDue(known.order, this.#deps.time.now())) this.#note(known.jobId)
    this.#readNow()
    return this.#orders.get(orderId)?.order ?? null
  }

  /** The job that brought the order. */
  jobOf(orderId: string): string | null {
    return this.#orders.get(orderId)?.jobId ?? null
  }

  /** What the kitchen has done with this order is on disk: read it again, and tell. */
  touch(orderId: string): void {
    const jobId = this.jobOf(orderId)
    if (jobId !== null) this.#note(jobId)
  }

  #note(jobId: string): void {
    const isWatched = this.#watchers.size > 0
    if (this.#noted.size < MOST_NOTED || isWatched) this.#noted.add(jobId)
    else this.#mustReload = true
    if (isWatched) this.#readSoon()
  }

  #noteTimed(): void {
    const nowMs = this.#deps.time.now()
    for (const { jobId, order } of this.#orders.values()) if (isDue(order, nowMs)) this.#note(jobId)
  }

  /** Not within the commit that told of a change: whoever waits for that comes first. */
  #readSoon(): void {
    if (this.#cancelRound !== null || this.#catchingUp !== null || this.#stop.signal.aborted) return
    const { clock } = this.#deps
    this.#cancelRound = clock.after(this.#nextRoundMs - clock.monotonicMs(), () => {
      this.#cancelRound = null
      void this.catchUp()
    })
  }

  async #readAll(): Promise<void> {
    const { clock } = this.#deps
    const { signal } = this.#stop
    const jobIds = this.#toRead()
    while (!signal.aborted) {
      const startedMs = clock.monotonicMs()
      const isDone = this.#readSlice(jobIds, startedMs + SLICE_MS)
      const endedMs = clock.monotonicMs()
      const pauseMs = PAUSES * (endedMs - startedMs)
      this.#nextRoundMs = endedMs + Math.max(pauseMs, PATCH_EVERY_MS)
      if (isDone) break
      await clock.sleep(pauseMs, signal)
    }
  }

  /** Everything at once: for who cannot wait, when little has changed. */
  #readNow(): void {
    if (this.#mustReload || this.#noted.size > 0) this.#readSlice(this.#toRead(), Number.POSITIVE_INFINITY)
  }

  /** The last one is read first. */
  #toRead(): string[] {
    if (this.#mustReload) {
      for (const jobId of this.#byJob.keys()) this.#noted.add(jobId)
      for (const jobId of this.#deps.rows.candidates(MOST_CANDIDATES)) this.#noted.add(jobId)
      this.#mustReload = false
    }
    return [...this.#noted].reverse()
  }

  /** @returns true when all of them were read */
  #readSlice(jobIds: string[], untilMs: number): boolean {
    const { clock } = this.#deps
    const change: Change = { orders: [], gone: [] }
    for (let jobId = jobIds.pop(); jobId !== undefined; jobId = jobIds.pop()) {
      // Else it was read meanwhile.
      if (this.#noted.delete(jobId)) this.#read(jobId, change)
      if (clock.monotonicMs() >= untilMs) break
    }
    change.gone.push(...this.#shorten())
    this.#send(change)
    return jobIds.length === 0
  }

  #send({ orders, gone }: Change): void {
    if (orders.length + gone.length === 0) return
    this.#rev++
    const patch = { rev: this.#rev, nowMs: this.#deps.time.now(), orders, gone }
    for (const watcher of [...this.#watchers]) watcher(patch)
  }

  /** Adds to `change` the order if it is new or another than before, or its id when it left the board. */
  #read(jobId: string, change: Change): void {
    const { rows, store, time } = this.#deps
    const nowMs = time.now()
    const before = this.#byJob.get(jobId)
    const doc = before?.ticket.doc ?? rows.doc(jobId)
    const job = doc && rows.progress(jobId, doc, nowMs)
    if (!doc || !job) return
    const orderId = doc.order.serviceOrderId
    // A second job of the same order is the same order.
    if (!before && this.#orders.has(orderId)) return
    const ticket = before?.ticket ?? boardTicket(doc)
    const order = boardOrder(ticket, job, { state: store.state(orderId, ticket.blank), seen: store.seen(orderId) })
    if (isOnBoard(order, nowMs)) {
      if (before && progressText(before.order) === progressText(order)) return
      const kept = { jobId, ticket, order }
      this.#orders.set(orderId, kept)
      this.#byJob.set(jobId, kept)
      change.orders.push(order)
    } else if (before) {
      this.#forget(before)
      change.gone.push(orderId)
    }
  }

  #sorted(): BoardOrder[] {
    return [...this.#orders.values()].map(({ order }) => order).sort((a, b) => a.dueAtMs - b.dueAtMs)
  }

  #shorten(): string[] {
    if (this.#orders.size <= MOST_ORDERS) return []
    const over = this.#sorted()
      .filter(({ isScheduled }) => !isScheduled)
      .slice(0, this.#orders.size - MOST_ORDERS)
      .map(({ orderId }) => orderId)
    for (const orderId of over) {
      const kept = this.#orders.get(orderId)
      if (kept) this.#forget(kept)
    }
    return over
  }

  #forget({ jobId, order }: Kept): void {
    this.#orders.delete(order.orderId)
    this.#byJob.delete(jobId)
  }
}

/** Its time has come, or it has stood there for long enough. */
function isDue(order: BoardOrder, nowMs: number): boolean {
  return (order.isScheduled && order.dueAtMs <= nowMs) || !isOnBoard(order, nowMs)
}

/** What may change of an order: its lines never do. */
function progressText(order: BoardOrder): string {
  return JSON.stringify({ ...order, lines: null })
}
