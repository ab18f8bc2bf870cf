// Searches all stored orders, newest first, in slices: printing never waits for a search.
import type { OrderKitchenRows } from '#gateway/storage/order-kitchen-rows.ts'
import type { OrderRecord, OrderStore, UnreadOrder } from '#gateway/storage/order-store.ts'
import { type OrderWords, orderWords, type WordsOf } from '#gateway/storage/order-words.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { Slices } from '#shared/slices.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { ControlRefusal } from './control-refusal.ts'
import { LookingLine, requireAsker } from './looking-line.ts'

export type OrderFilter = 'waiting' | 'trouble' | 'printed' | 'scheduled' | 'ready' | 'voided'

export interface OrderQuery {
  /** Empty: all orders. */
  search: string
  filter: OrderFilter | undefined
  limit: number
  /** `position` of the last order of the page before. */
  before: number | undefined
}

export interface FoundOrders {
  orders: OrderRecord[]
  /** Where to continue; null: at the end of the stored orders. */
  next: number | null
  lookedBackToMs: EpochMs | null
}

export interface OrderSearchDeps {
  orders: Pick<OrderStore, 'unread' | 'standing' | 'at' | 'find' | 'belongsTo' | 'jobsAfter'>
  orderKitchen: Pick<OrderKitchenRows, 'of'>
  clock: Clock
  /** Relay time. */
  time: { now(): EpochMs }
}

/** Work of one call: to search further, call again; so a search can be stopped. */
const LIST_WORK_MS = 120
/** A search for one order may take longer: its caller cannot continue it. */
const SHOW_WORK_MS = 2_500
const ROWS_AT_ONCE = 32
/** While other searches run: this much is done before it waits for its turn. */
const STEPS_AT_ONCE = 4
/** Copies of an order are asked for on its day or the next. */
const COPIES_WITHIN_MS = 48 * 3_600_000

export class OrderSearch {
  readonly #deps: OrderSearchDeps

  readonly #line: LookingLine

  constructor(deps: OrderSearchDeps, line = new LookingLine()) {
    this.#deps = deps
    this.#line = line
  }

  /** As many as asked for, or as were found within its time. */
  async list({ search, filter, limit, before }: OrderQuery, signal?: AbortSignal): Promise<FoundOrders> {
    const words = orderWords(search)
    const found: OrderRecord[] = []
    let at = before ?? Number.MAX_SAFE_INTEGER
    let isMore = true
    await this.#inSlices({ workMs: LIST_WORK_MS, signal }, () => {
      const step = this.#step({ words, filter, before: at, wanted: limit - found.length })
      found.push(...step.orders)
      isMore = step.next !== null
      at = step.next ?? at
      return isMore && found.length < limit
    })
    const next = isMore ? at : null
    const last = this.#deps.orders.at(at)
    return { orders: found, next, lookedBackToMs: last?.receivedAtMs ?? null }
  }

  /**
   * The order that is named: by the id of a job or a ticket of it, or by its number (`#64`) or another id of it: the newest then.
   * Null: there is none, or it was not found in time.
   */
  async named(name: string, signal?: AbortSignal): Promise<OrderRecord | null> {
    const { orders } = this.#deps
    const known = orders.belongsTo(name)
    if (known?.isItself) return orders.find(known.jobId)
    const text = name.trim().toLowerCase()
    const isIt = known
      ? ({ serviceOrderId }: WordsOf) => serviceOrderId === known.serviceOrderId
      : (order: WordsOf) =>
          [orderNumber(order), order.orderId, order.serviceOrderId].some((one) =>
            [text, text.replace(/^#/, '')].includes(one.toLowerCase()),
          )
    const mayBe = known ? known.serviceOrderId.toLowerCase() : text.replace(/^#/, '')
    return mayBe === '' ? null : await this.#newest(mayBe, isIt, { before: known?.position, signal })
  }

  /** The job that brought the order first, then those that fired its courses, then copies of it. */
  async jobIdsOf(record: OrderRecord, signal?: AbortSignal): Promise<string[]> {
    const { courses } = this.#deps.orderKitchen.of(record.order?.serviceOrderId ?? '')
    const fired = courses.flatMap(({ jobId }) => jobId ?? [])
    return [...new Set([record.jobId, ...fired, ...(await this.#related(record, signal))])]
  }

  async #related({ position, order, receivedAtMs, settledAtMs }: OrderRecord, signal?: AbortSignal): Promise<string[]> {
    if (!order) return []
    const untilMs = Math.max(receivedAtMs, settledAtMs ?? 0) + COPIES_WITHIN_MS
    const jobIds: string[] = []
    let at = position
    await this.#inSlices({ workMs: LIST_WORK_MS, signal }, () => {
      const jobs = this.#deps.orders.jobsAfter(at, 10 * ROWS_AT_ONCE)
      for (const job of jobs) if (job.serviceOrderId === order.serviceOrderId) jobIds.push(job.jobId)
      const last = jobs.at(-1)
      at = last?.position ?? at
      return last !== undefined && last.receivedAtMs <= untilMs
    })
    return jobIds
  }

  async #newest(
    mayBe: string,
    isIt: (order: WordsOf) => boolean,
    { before, signal }: { before: number | undefined; signal: AbortSignal | undefined },
  ): Promise<OrderRecord | null> {
    const { orders } = this.#deps
    const inJson = JSON.stringify(mayBe).slice(1, -1)
    let at = before ?? Number.MAX_SAFE_INTEGER
    let found: OrderRecord | null = null
    await this.#inSlices({ workMs: SHOW_WORK_MS, signal }, () => {
      const rows = orders.unread(at, ROWS_AT_ONCE)
      const hit = rows.find(({ documentText }) => {
        if (!documentText.toLowerCase().includes(inJson)) return false
        const order = orderIn(documentText)
        return order !== null && isIt(order)
      })
      if (hit) found = orders.at(hit.position)
      at = rows.at(-1)?.position ?? at
      return !hit && rows.length === ROWS_AT_ONCE
    })
    return found
  }

  /** Those of the next few that fit. */
  #step({ words, filter, before, wanted }: Step): { orders: OrderRecord[]; next: number | null } {
    const { orders } = this.#deps
    const rows = orders.unread(before, ROWS_AT_ONCE)
    const found: OrderRecord[] = []
    for (const row of rows) {
      if ((words !== null && !fits(words, row)) || !this.#passes(row, filter)) continue
      const record = orders.at(row.position)
      if (record) found.push(record)
      if (found.length === wanted) return { orders: found, next: row.position }
    }
    return { orders: found, next: rows.length < ROWS_AT_ONCE ? null : (rows.at(-1)?.position ?? null) }
  }

  #passes(row: UnreadOrder, filter: OrderFilter | undefined): boolean {
    if (filter === undefined) return true
    if (filter === 'voided') return row.voidedAtMs !== null
    if (filter === 'scheduled')
      return row.voidedAtMs === null && row.notBeforeMs !== null && row.notBeforeMs > this.#deps.time.now()
    const { tickets, readyAtMs } = this.#deps.orders.standing(row)
    if (filter === 'ready') return row.voidedAtMs === null && readyAtMs !== null
    if (filter === 'printed') return tickets.printed > 0 && tickets.waiting + tickets.trouble === 0
    return tickets[filter] > 0
  }

  /**
   * Calls `step` until it returns false or has worked for so long, with pauses in which everything else runs. A quick search waits
   * for no turn; one that takes longer waits for its turn.
   * @throws ControlRefusal when too many search, or the caller has disconnected
   */
  async #inSlices(
    { workMs, signal }: { workMs: number; signal: AbortSignal | undefined },
    step: () => boolean,
  ): Promise<void> {
    let slices = new Slices(this.#deps.clock, workMs)
    let leave: (() => void) | null = null
    try {
      for (let steps = 1; step(); steps++) {
        requireAsker(signal)
        if (leave) {
          if (!(await slices.breathe())) return
        } else if (slices.isOver || (this.#line.isBusy && steps >= STEPS_AT_ONCE)) {
          leave = await this.#line.enter(signal)
          slices = new Slices(this.#deps.clock, workMs)
        }
      }
    } finally {
      leave?.()
    }
  }
}

/** @throws ControlRefusal */
export async function orderNamed(search: OrderSearch, name: string, signal?: AbortSignal): Promise<OrderRecord> {
  const found = await search.named(name, signal)
  if (found) return found
  throw new ControlRefusal(
    'not-found',
    `There is no order ${name}. Give its number as it stands on paper, or look for it with orders list --search.`,
    { said: { key: 'order.unknown-order' } },
  )
}

interface Step {
  words: OrderWords | null
  filter: OrderFilter | undefined
  before: number
  wanted: number
}

function fits(words: OrderWords, { jobId, documentText }: UnreadOrder): boolean {
  if (!words.mayFit(jobId, documentText)) return false
  const order = orderIn(documentText)
  return order !== null && words.fits(jobId, order)
}

/** Unchecked: what is shown is read and checked again. */
function orderIn(documentText: string): WordsOf | null {
  try {
    const { order } = JSON.parse(documentText) as { order?: WordsOf }
    return Array.isArray(order?.items) ? order : null
  } catch {
    return null
  }
}
