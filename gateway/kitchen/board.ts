// The board in memory: read from the jobs on disk, kept up to date by their ids, told to whoever listens as patches.
import type { BoardRows } from '#gateway/storage/board-rows.ts'
import type { KitchenStore } from '#gateway/storage/kitchen-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { BoardOrder, KitchenPatch } from '#shared/wire/kitchen.ts'
import { blankState, boardOrder, isOnBoard } from './board-order.ts'

export interface BoardDeps {
  rows: BoardRows
  store: KitchenStore
  /** Relay time. */
  time: TimeSource
  clock: Clock
  /** Fires with the id of a job that changed. */
  jobChanged: Signal<string>
  /** Fires when a job has its result: its paper has changed. */
  jobSettled: Signal
}

/** A board holds what a large kitchen has open; the oldest of more are in the history, and on paper. */
const MOST_ORDERS = 400
const MOST_CANDIDATES = 1_000
/** How often paper is looked at again, in case nobody told of it. */
const PAPER_EVERY_MS = 5_000
/** How often orders come by their time and leave by their age. */
const TIMES_EVERY_MS = 1_000

export class Board {
  /** What changed since the last one. */
  readonly patched = new Signal<KitchenPatch>()
  readonly #deps: BoardDeps
  readonly #orders = new Map<string, BoardOrder>()
  readonly #jobOf = new Map<string, string>()
  /** Jobs to read again. */
  readonly #dirty = new Set<string>()
  #rev = 0
  #cancels: Cancel[] = []
  #cancelFlush: Cancel | null = null

  constructor(deps: BoardDeps) {
    this.#deps = deps
  }

  get rev(): number {
    return this.#rev
  }

  start(): void {
    if (this.#cancels.length > 0) return
    const { rows, clock, jobChanged, jobSettled } = this.#deps
    for (const jobId of rows.candidates(MOST_CANDIDATES)) this.#read(jobId)
    this.#shorten()
    this.#cancels = [
      jobChanged.subscribe((jobId) => this.#touchJob(jobId)),
      jobSettled.subscribe(() => this.#touchWaiting()),
      clock.every(PAPER_EVERY_MS, () => this.#touchWaiting()),
      clock.every(TIMES_EVERY_MS, () => this.#touchTimed()),
    ]
  }

  stop(): void {
    for (const cancel of this.#cancels.splice(0)) cancel()
    this.#cancelFlush?.()
    this.#cancelFlush = null
  }

  /** Oldest due first. */
  orders(): BoardOrder[] {
    return [...this.#orders.values()].sort((a, b) => a.dueAtMs - b.dueAtMs)
  }

  find(orderId: string): BoardOrder | null {
    return this.#orders.get(orderId) ?? null
  }

  /** The job that brought the order. */
  jobOf(orderId: string): string | null {
    return this.#jobOf.get(orderId) ?? null
  }

  /** What the kitchen has done with this order is on disk: read it again, and tell. */
  touch(orderId: string): void {
    const jobId = this.#jobOf.get(orderId)
    if (jobId !== undefined) this.#touchJob(jobId)
  }

  #touchJob(jobId: string): void {
    this.#dirty.add(jobId)
    // Not within the commit that told it: whoever waits for that comes first. All that changed in this turn goes out together.
    this.#cancelFlush ??= this.#deps.clock.after(0, () => this.#flush())
  }

  #touchWaiting(): void {
    for (const [orderId, { paper }] of this.#orders) if (paper === 'waits') this.touch(orderId)
  }

  #touchTimed(): void {
    const nowMs = this.#deps.time.now()
    for (const [orderId, order] of this.#orders)
      if ((order.isScheduled && order.dueAtMs <= nowMs) || !isOnBoard(order, nowMs)) this.touch(orderId)
  }

  #flush(): void {
    this.#cancelFlush = null
    const changed: BoardOrder[] = []
    const gone: string[] = []
    for (const jobId of this.#dirty) {
      const outcome = this.#read(jobId)
      if (outcome?.order) changed.push(outcome.order)
      else if (outcome) gone.push(outcome.gone)
    }
    this.#dirty.clear()
    gone.push(...this.#shorten())
    if (changed.length + gone.length === 0) return
    this.#rev++
    this.patched.notify({ rev: this.#rev, nowMs: this.#deps.time.now(), orders: changed, gone })
  }

  /** @returns the order if it is new or another than before, or its id when it left the board; null when nothing changed */
  #read(jobId: string): { order: BoardOrder } | { order: null; gone: string } | null {
    const { rows, store, time } = this.#deps
    const job = rows.find(jobId, time.now())
    if (!job) return null
    const orderId = job.order.serviceOrderId
    const first = this.#jobOf.get(orderId)
    // A second job of the same order is the same order.
    if (first !== undefined && first !== jobId) return null
    const before = this.#orders.get(orderId)
    const order = boardOrder(job, store.state(orderId, blankState(job)), store.seen(orderId))
    if (isOnBoard(order, time.now())) {
      if (before && JSON.stringify(before) === JSON.stringify(order)) return null
      this.#orders.set(orderId, order)
      this.#jobOf.set(orderId, jobId)
      return { order }
    }
    if (!before) return null
    this.#forget(orderId)
    return { order: null, gone: orderId }
  }

  #shorten(): string[] {
    if (this.#orders.size <= MOST_ORDERS) return []
    const over = this.orders()
      .filter(({ isScheduled }) => !isScheduled)
      .slice(0, this.#orders.size - MOST_ORDERS)
    for (const { orderId } of over) this.#forget(orderId)
    return over.map(({ orderId }) => orderId)
  }

  #forget(orderId: string): void {
    this.#orders.delete(orderId)
    this.#jobOf.delete(orderId)
  }
}
