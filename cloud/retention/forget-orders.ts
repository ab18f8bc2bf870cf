// Deletes orders once their time is over, oldest first and in pieces. Each piece is exported and proved on disk before its deletion commits.
import type { CustomerDataStore } from '#cloud/storage/customer-data-store.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { holdName, holdRow } from '#cloud/storage/hold.ts'
import type { ArchivedOrder, ExportPlace, OldOrder, OrderArchiveStore } from '#cloud/storage/order-archive-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { OrderExport } from './order-export.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Orders deleted in one commit: a few milliseconds, so that no new order waits long. */
const PIECE = 20
/** Between two pieces, so that most new orders meet none. It is still 6.9 million orders a day, more than come. */
const PAUSE_MS = 250

export interface ForgetOrdersDeps {
  db: RelayDatabase
  orderArchive: OrderArchiveStore
  customerData: CustomerDataStore
  /** Days from the taking of an order; null: they are kept. */
  orderDays: number | null
  /** Folder of the export; null: there is none. */
  exportFolder: string | null
  /** The operator allowed deletion without an export explicitly. */
  mayDeleteUnexported: boolean
  /** Between two pieces; for tests of what is deleted, and not when. */
  pauseMs?: number
  clock: Clock
  log: Logger
}

interface Deleted {
  orders: number
  /** Of them, with a kitchen job that had no outcome. */
  open: number
}

export class ForgetOrders implements Service {
  readonly #deps: ForgetOrdersDeps
  readonly #rounds: Rounds
  readonly #export: OrderExport | null
  /** Logged once, until a pass succeeds again. */
  #isFailing = false
  #hasSaidKept = false

  constructor(deps: ForgetOrdersDeps) {
    this.#deps = deps
    this.#export = deps.exportFolder === null ? null : new OrderExport(deps.exportFolder)
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: HOUR_MS,
      pass: () => this.sweep(),
      failed: (error) => this.#failed(error),
    })
  }

  async start(): Promise<void> {
    if (this.#deps.orderDays === null) return
    await this.#rounds.start()
    this.#rounds.wake()
  }

  async stop(): Promise<void> {
    await this.#rounds.stop()
    this.#export?.close()
  }

  /** One pass over everything that is too old. @throws Error when it could not be exported: then it is still there */
  async sweep(): Promise<Deleted> {
    const { orderArchive, orderDays, pauseMs = PAUSE_MS, clock, log } = this.#deps
    const all: Deleted = { orders: 0, open: 0 }
    if (orderDays === null) return all
    // Also when nothing is old yet: a second relay on this folder learns it at its start, and not in a year.
    await this.#export?.prepare()
    const nowMs = clock.now()
    const beforeMs = nowMs - orderDays * DAY_MS
    let after: ServiceOrderId | null = null
    while (!this.#rounds.stopping) {
      const old: OldOrder[] = await orderArchive.oldest(after, { beforeMs, nowMs, limit: PIECE })
      const last = old.at(-1)
      if (last === undefined) break
      if (!this.#mayDelete(old)) return all
      for (const month of byMonth(old)) {
        const { orders, open } = await this.#forget(month.name, month.orders)
        all.orders += orders
        all.open += open
      }
      after = last.id
      if (pauseMs > 0 && old.length === PIECE) await clock.sleep(pauseMs)
    }
    this.#isFailing = false
    if (all.orders > 0) log.info({ ...all, exported: this.#export !== null }, 'old orders were deleted')
    return all
  }

  #mayDelete(old: readonly OldOrder[]): boolean {
    const { mayDeleteUnexported, orderDays, log } = this.#deps
    if (this.#export !== null || mayDeleteUnexported) return true
    if (!this.#hasSaidKept)
      log.warn(
        { orderDays, oldest: toIso(old[0]?.queuedAtMs ?? 0) },
        'old orders are kept: set CLOUD_EXPORT_DIR, or CLOUD_DELETE_WITHOUT_EXPORT=yes, or CLOUD_ORDER_DAYS=never',
      )
    this.#hasSaidKept = true
    return false
  }

  async #forget(month: string, old: readonly OldOrder[]): Promise<Deleted> {
    const { db, orderArchive, customerData } = this.#deps
    const due = old.filter((order) => !order.isAwaited)
    if (due.length === 0) return { orders: 0, open: 0 }
    const customers = due.filter((order) => order.hasCustomer)
    // No export ever holds a customer, also when orders are to go before their customers' own time is over.
    if (customers.length > 0)
      await db.unit(async (tx) => {
        await holdName(tx, 'forget')
        for (const { id } of customers) await customerData.blank(tx, id)
      })
    const lines = await orderArchive.linesOf(idsOf(due))
    const place = await this.#exported(month, lines)
    return db.unit(async (tx) => {
      // Another relay may delete them at this moment.
      await holdName(tx, 'forget')
      for (const id of idsOf(due)) await holdRow(tx, 'orders', id)
      const now = new Map((await orderArchive.linesOf(idsOf(due), tx)).map(({ id, line }) => [id, line]))
      // What was written to meanwhile stays, with its new state, until the next pass.
      const same = lines.filter(({ id, line }) => now.get(id) === line)
      if (place !== null) await orderArchive.keepPlace(tx, place)
      if (same.length > 0) await orderArchive.delete(tx, idsOf(same))
      return { orders: same.length, open: same.filter(({ isOpen }) => isOpen).length }
    })
  }

  async #exported(month: string, orders: readonly ArchivedOrder[]): Promise<ExportPlace | null> {
    if (this.#export === null) return null
    const place = await this.#deps.orderArchive.placeOf(month)
    return this.#export.append(
      month,
      place,
      orders.map(({ line }) => line),
    )
  }

  #failed(error: unknown): void {
    const { exportFolder, log } = this.#deps
    if (!this.#isFailing)
      log.error({ err: error, exportFolder }, 'old orders could not be exported and stay; tried again every hour')
    this.#isFailing = true
  }
}

const idsOf = (orders: readonly { id: ServiceOrderId }[]) => orders.map(({ id }) => id)

/** By the UTC month in which they were taken. */
function byMonth(old: readonly OldOrder[]): { name: string; orders: OldOrder[] }[] {
  return [...Map.groupBy(old, ({ queuedAtMs }) => toIso(queuedAtMs).slice(0, 7))].map(([name, orders]) => ({
    name,
    orders,
  }))
}
