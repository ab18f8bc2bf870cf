// The board in memory: the kitchen's orders, read again by the ids of changed jobs, and sent as patches to watching pages.
//
// Printing does not need any of this, so it must not slow printing down: a change costs one note of its id; orders are read only while a
// page watches or reads, in slices of a few milliseconds with pauses between them; a document is read once and kept while its order is on the board.
import type { BoardRows } from '#gateway/storage/board-rows.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Signal } from '#shared/signal.ts'
import type { BoardOrder, KitchenPatch } from '#shared/wire/kitchen.ts'
import { BACKGROUND_TIMES, Background } from './background.ts'
import { type BoardTicket, boardOrder, boardTicket, isOnBoard } from './board-order.ts'
import type { Revisions } from './revisions.ts'

export interface BoardDeps {
  rows: BoardRows
  store: KitchenStore
  /** Relay time. */
  time: TimeSource
  clock: Clock
  log: Logger
  revisions: Revisions
  /** Each fires with the id of a job that may have changed. */
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
  /** Orders that were not sent to any page before. */
  added: Set<string>
}

/** A board holds what a large kitchen has open; the oldest of more are in the history, and on paper. */
const MOST_ORDERS = 400
const MOST_CANDIDATES = 1_000
/** Notes that are kept while no page watches. With one more, the newest jobs and all that are on the board are read again. */
const MOST_NOTED = 1_000
/** How often orders come by their time and leave by their age. */
const TIMES_EVERY_MS = 1_000
/** The event loop is held for this long at a time. */
const SLICE_MS = 4
/** A pause is so many times as long as the slice before it: then reading takes a fifth of the program's time. */
const PAUSES = 4
/** Watchers get the first change at once; the next round begins so long after it, with all that came meanwhile. */
const PATCH_EVERY_MS = 50

export class Board {
  readonly #deps: BoardDeps
  readonly #orders = new Map<string, Kept>()
  readonly #byJob = new Map<string, Kept>()
  /** Jobs to read again. */
  readonly #noted = new Set<string>()
  /** Jobs whose last read failed. */
  readonly #failed = new Set<string>()
  #failedRounds = 0
  /** Jobs that could not be read twice in a row, and when that is tried again. */
  readonly #unread = new Map<string, number>()
  readonly #background: Background
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
    this.#background = new Background({ ...deps, name: 'the board' })
  }

  get rev(): number {
    return this.#rev
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0
  }

  start(): void {
    if (this.#cancels.length > 0) return
    const { clock, jobChanged, paperChanged } = this.#deps
    this.#stop = new AbortController()
    this.#mustReload = true
    this.#cancels = [
      jobChanged.subscribe((jobId) => this.#note(jobId)),
      // What is not on the board and was not noted as new does not come onto it by its paper.
      paperChanged.subscribe((jobId) => {
        if (this.#byJob.has(jobId)) this.#note(jobId)
      }),
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

  /** Sends watching pages something other than orders. */
  announce(news: Pick<KitchenPatch, 'adopter'>): void {
    this.#send({ orders: [], gone: [], ...news })
  }

  /** Reads what has changed until this call, with pauses. Resolves when the board shows it, or is stopped. */
  async catchUp(): Promise<void> {
    // A round that has begun does not include later changes.
    if (this.#catchingUp !== null) await this.#catchingUp
    this.#noteUnread()
    if (this.#isBehind) await this.#round()
  }

  /** Oldest due first. */
  orders(): BoardOrder[] {
    this.#noteTimed()
    this.#readNow()
    return this.#sorted()
  }

  /** As it was read last: what screens were sent. Oldest due first. */
  sent(): BoardOrder[] {
    return this.#sorted()
  }

  find(orderId: string): BoardOrder | null {
    const known = this.#orders.get(orderId)
    if (!known) this.#readNow()
    else if (this.#noted.has(known.jobId) || isDue(known.order, this.#deps.time.now())) {
      this.#noted.add(known.jobId)
      this.#readSlice([known.jobId], Number.POSITIVE_INFINITY)
    }
    return this.#orders.get(orderId)?.order ?? null
  }

  /** The job that brought the order. */
  jobOf(orderId: string): string | null {
    return this.#orders.get(orderId)?.jobId ?? null
  }

  /** The kitchen's work on this order is on disk: read it again, and send it. */
  touch(orderId: string): void {
    const jobId = this.jobOf(orderId)
    if (jobId !== null) this.#note(jobId)
  }

  #note(jobId: string): void {
    const isWatched = this.#watchers.size > 0
    if (this.#noted.size < MOST_NOTED || isWatched || this.#noted.has(jobId)) this.#noted.add(jobId)
    else this.#mustReload = true
    if (isWatched) this.#readSoon()
  }

  get #isBehind(): boolean {
    return this.#mustReload || this.#noted.size > 0
  }

  #noteTimed(): void {
    this.#noteUnread()
    const nowMs = this.#deps.time.now()
    for (const { jobId, order } of this.#orders.values()) if (isDue(order, nowMs)) this.#note(jobId)
  }

  /** What could not be read a while ago. */
  #noteUnread(): void {
    const nowMs = this.#deps.clock.monotonicMs()
    for (const [jobId, againAtMs] of this.#unread) {
      if (againAtMs > nowMs) continue
      this.#unread.delete(jobId)
      this.#note(jobId)
    }
  }

  /** Not within the commit that signalled a change: its caller comes first. */
  #readSoon(): void {
    if (this.#cancelRound !== null || this.#catchingUp !== null || this.#stop.signal.aborted) return
    const { clock } = this.#deps
    this.#cancelRound = clock.after(this.#nextRoundMs - clock.monotonicMs(), () => {
      this.#cancelRound = null
      void this.#background.run(() => this.catchUp())
    })
  }

  #round(): Promise<void> {
    this.#catchingUp ??= this.#readOrRest().finally(() => {
      this.#catchingUp = null
      // What changed meanwhile.
      if (this.#isBehind && this.#watchers.size > 0) this.#readSoon()
    })
    return this.#catchingUp
  }

  async #readAll(): Promise<void> {
    const { clock } = this.#deps
    const { signal } = this.#stop
    let startedMs = clock.monotonicMs()
    const jobIds = this.#toRead()
    while (!signal.aborted) {
      const isDone = this.#readSlice(jobIds, startedMs + SLICE_MS)
      const endedMs = clock.monotonicMs()
      const pauseMs = PAUSES * (endedMs - startedMs)
      this.#nextRoundMs = endedMs + Math.max(pauseMs, PATCH_EVERY_MS)
      if (isDone) break
      await clock.sleep(pauseMs, signal)
      startedMs = clock.monotonicMs()
    }
  }

  /** @throws what could not be read; when that lasts, the next round comes later */
  async #readOrRest(): Promise<void> {
    try {
      await this.#readAll()
      this.#failedRounds = 0
    } catch (error) {
      const restMs = this.#failedRounds++ === 0 ? PATCH_EVERY_MS : BACKGROUND_TIMES.againAfterMs
      this.#nextRoundMs = this.#deps.clock.monotonicMs() + restMs
      throw error
    }
  }

  /** Everything at once, for callers that cannot wait. Others have awaited `catchUp` before, so that little is left. */
  #readNow(): void {
    if (this.#isBehind) this.#readSlice(this.#toRead(), Number.POSITIVE_INFINITY)
  }

  /** Reversed, because they are taken from the end: what was noted first is read first. */
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
    const change: Change = { orders: [], gone: [], added: new Set() }
    try {
      for (let jobId = jobIds.pop(); jobId !== undefined; jobId = jobIds.pop()) {
        // A missing note means that a caller that could not wait has read it.
        if (this.#noted.has(jobId)) this.#readOrPutAside(jobId, change)
        if (clock.monotonicMs() >= untilMs) break
      }
    } finally {
      // Also when one cannot be read: the others are on the board, and would not be sent again.
      this.#shorten(change)
      this.#send(change)
    }
    return jobIds.length === 0
  }

  /** One order that cannot be read, also not with the next round, keeps none of the others from the board. */
  #readOrPutAside(jobId: string, change: Change): void {
    try {
      this.#read(jobId, change)
      this.#noted.delete(jobId)
      this.#failed.delete(jobId)
    } catch (error) {
      const isLasting = this.#failed.has(jobId)
      this.#failed.add(jobId)
      // If nothing can be read, no page may conclude that nothing is open.
      if (isLasting && this.#orders.size > 0) {
        this.#noted.delete(jobId)
        this.#unread.set(jobId, this.#deps.clock.monotonicMs() + BACKGROUND_TIMES.againAfterMs)
      }
      throw error
    }
  }

  #send({ orders, gone, adopter }: Pick<Change, 'orders' | 'gone'> & Pick<KitchenPatch, 'adopter'>): void {
    if (orders.length + gone.length === 0 && adopter === undefined) return
    this.#rev++
    const about = { rev: this.#rev, nowMs: this.#deps.time.now(), orders, gone }
    const patch = adopter === undefined ? about : { ...about, adopter }
    for (const watcher of [...this.#watchers]) watcher(patch)
  }

  /** Adds to `change` the order if it is new or another than before, or its id when it left the board. */
  #read(jobId: string, change: Change): void {
    const { rows, store, time, revisions } = this.#deps
    const nowMs = time.now()
    const before = this.#byJob.get(jobId)
    const doc = before?.ticket.doc ?? rows.doc(jobId)
    const job = doc && rows.progress(jobId, doc, nowMs)
    if (!doc || !job) return
    const orderId = doc.order.serviceOrderId
    // A second job of the same order is the same order.
    if (!before && this.#orders.has(orderId)) return
    const ticket = before?.ticket ?? boardTicket(doc)
    const known = { state: store.state(orderId, ticket.blank), seen: store.seen(orderId) }
    const order = { ...boardOrder(ticket, job, known), rev: revisions.next() }
    if (isOnBoard(order, nowMs)) {
      // Back where it was after a recall and a Ready is not what screens have seen.
      const isOld = before !== undefined && revisions.lastOf(orderId) > (before.order.rev ?? 0)
      if (before && !isOld && progressText(before.order) === progressText(order)) return
      if (!before) change.added.add(orderId)
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

  /** Removes the oldest when there are too many. One that came just now was never on the board, so screens get nothing about it. */
  #shorten(change: Change): void {
    if (this.#orders.size <= MOST_ORDERS) return
    const over = this.#sorted()
      .filter(({ isScheduled }) => !isScheduled)
      .slice(0, this.#orders.size - MOST_ORDERS)
      .map(({ orderId }) => orderId)
    for (const orderId of over) {
      const kept = this.#orders.get(orderId)
      if (kept) this.#forget(kept)
    }
    const gone = new Set(over)
    change.orders = change.orders.filter(({ orderId }) => !gone.has(orderId))
    change.gone.push(...over.filter((orderId) => !change.added.has(orderId)))
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
  return JSON.stringify({ ...order, lines: null, rev: null })
}
