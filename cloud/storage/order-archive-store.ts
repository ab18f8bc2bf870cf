// The end of orders: everything that the relay has about them as lines of text, and their deletion with everything that belongs to them.
import type { Selectable } from 'kysely'
import { firstId, type PrintJobId, type ServiceOrderId } from '#shared/ids.ts'
import { hasCustomer } from './customer-data-store.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import type { OrderExportsTable } from './schema.ts'
import { EVENTS_KEPT_MS, forgetEvents } from './webhook-history.ts'

export type ExportPlace = Selectable<OrderExportsTable>

/** An order that is to go. */
export interface OldOrder {
  id: ServiceOrderId
  queuedAtMs: number
  hasCustomer: boolean
  /**
   * A webhook about it must still be sent, its kitchen job waits for a box, it must fire later, or a client that follows the events may
   * not have read one of its own yet: it stays until then.
   */
  isAwaited: boolean
}

/** One line of the export, and what it is of. */
export interface ArchivedOrder {
  id: ServiceOrderId
  /** JSON without a line break: the rows as they are stored. */
  line: string
  /** A kitchen job of it had no outcome. */
  isOpen: boolean
}

/** Those of an order that is queued keep it here. */
const OPEN_JOBS = ['sent', 'accepted']

export class OrderArchiveStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The next orders taken before `beforeMs`, oldest first. Ids sort by time, so the primary key serves as index. */
  async oldest(
    after: ServiceOrderId | null,
    { beforeMs, nowMs, limit }: { beforeMs: number; nowMs: number; limit: number },
  ): Promise<OldOrder[]> {
    const { read } = this.#db
    const rows = await read
      .selectFrom('orders')
      .select(['id', 'queued_at', 'fire_at', hasCustomer(this.#db.words).as('has_customer')])
      .where('id', '<', firstId('ord', beforeMs))
      .where('id', '>', after ?? firstId('ord', 0))
      .orderBy('id')
      .limit(limit)
      .execute()
    if (rows.length === 0) return []
    const awaited = await read
      .selectFrom('events as e')
      .innerJoin('deliveries as d', 'd.event_id', 'e.id')
      .select('e.subject_id')
      .where('e.subject_id', 'in', idsOf(rows))
      .where((on) => on.or([on('d.state', 'in', ['pending', 'retrying']), on('d.manual_at', 'is not', null)]))
      .execute()
    const followed = await read
      .selectFrom('events')
      .select('subject_id')
      .where('subject_id', 'in', idsOf(rows))
      .where('created_at', '>=', nowMs - EVENTS_KEPT_MS)
      .execute()
    const waiting = await read
      .selectFrom('dispatches')
      .select('order_id')
      .where('order_id', 'in', idsOf(rows))
      .where('state', '=', 'queued')
      .execute()
    const untold = await read
      .selectFrom('pos_outbox')
      .select('order_id')
      .where('order_id', 'in', idsOf(rows))
      .where('state', '=', 'pending')
      .execute()
    const isAwaited = new Set<string | null>([
      ...awaited.map((row) => row.subject_id),
      ...followed.map((row) => row.subject_id),
      ...waiting.map((row) => row.order_id),
      ...untold.map((row) => row.order_id),
    ])
    return rows.map(({ id, queued_at: queuedAtMs, fire_at, has_customer }) => ({
      id,
      queuedAtMs,
      hasCustomer: Number(has_customer) === 1,
      isAwaited: isAwaited.has(id) || (fire_at !== null && fire_at > nowMs),
    }))
  }

  /** The lines of these orders, oldest first. Two calls give the same text as long as nothing of the orders was written between. */
  async linesOf(ids: readonly ServiceOrderId[], on: Db | Tx = this.#db.read): Promise<ArchivedOrder[]> {
    const { orders, ...parts } = await rowsOf(ids, on)
    return orders.map(({ merchant_public_id, environment, ...order }) => {
      const rest = {
        refunds: parts.refunds.filter((row) => row.order_id === order.id),
        posMessages: parts.posMessages.filter((row) => row.order_id === order.id),
        printJobs: parts.printJobs.filter((row) => row.order_id === order.id),
        events: parts.events.filter((row) => row.subject_id === order.id),
      }
      const jobs = new Set<string>(idsOf(rest.printJobs))
      const events = new Set<string>(idsOf(rest.events))
      const deliveries = parts.deliveries.filter((row) => events.has(row.event_id))
      const sent = new Set<string>(idsOf(deliveries))
      const line = JSON.stringify({
        format: 1,
        merchantId: merchant_public_id,
        environment,
        order,
        ...rest,
        deliveries,
        attempts: parts.attempts.filter((row) => sent.has(row.delivery_id)),
        sandboxTickets: parts.tickets.filter((row) => jobs.has(row.print_job_id)),
      })
      return { id: order.id, line, isOpen: rest.printJobs.some(({ state }) => OPEN_JOBS.includes(state)) }
    })
  }

  /** Deletes the orders with everything in `linesOf`; their client order ids stay taken. */
  async delete(tx: Tx, ids: readonly ServiceOrderId[]): Promise<void> {
    const { orders, printJobs, events, deliveries } = await rowsOf(ids, tx)
    await tx
      .insertInto('spent_order_ids')
      .values(
        orders.map(({ id, account_id, merchant_id, client_order_id }) => ({
          account_id,
          merchant_id,
          client_order_id,
          order_id: id,
        })),
      )
      .execute()
    // Attempts go with their deliveries.
    if (deliveries.length > 0) await tx.deleteFrom('deliveries').where('id', 'in', idsOf(deliveries)).execute()
    if (events.length > 0) await forgetEvents(tx, events)
    if (printJobs.length > 0)
      await tx.deleteFrom('sandbox_tickets').where('print_job_id', 'in', idsOf(printJobs)).execute()
    await tx.deleteFrom('dispatches').where('order_id', 'in', ids).execute()
    await tx.deleteFrom('pos_outbox').where('order_id', 'in', ids).execute()
    await tx.deleteFrom('refunds').where('order_id', 'in', ids).execute()
    await tx.deleteFrom('orders').where('id', 'in', ids).execute()
  }

  /** Where the export of a month ends; null before its first line. */
  async placeOf(month: string): Promise<ExportPlace | null> {
    const row = await this.#db.read
      .selectFrom('order_exports')
      .selectAll()
      .where('month', '=', month)
      .executeTakeFirst()
    return row ?? null
  }

  async keepPlace(tx: Tx, place: ExportPlace): Promise<void> {
    await tx
      .insertInto('order_exports')
      .values(place)
      .onConflict((conflict) => conflict.column('month').doUpdateSet({ part: place.part, bytes: place.bytes }))
      .execute()
  }
}

const idsOf = <T>(rows: readonly { id: T }[]): T[] => rows.map(({ id }) => id)

/** Every row about these orders, each table in the order of its own key. */
async function rowsOf(ids: readonly ServiceOrderId[], on: Db | Tx) {
  const orders = await on
    .selectFrom('orders as o')
    .innerJoin('merchants as m', 'm.id', 'o.merchant_id')
    .selectAll('o')
    .select(['m.public_id as merchant_public_id', 'm.environment'])
    .where('o.id', 'in', ids)
    .orderBy('o.id')
    .execute()
  const refunds = await on.selectFrom('refunds').selectAll().where('order_id', 'in', ids).orderBy('ordinal').execute()
  const posMessages = await on
    .selectFrom('pos_outbox')
    .selectAll()
    .where('order_id', 'in', ids)
    .orderBy('ordinal')
    .execute()
  const printJobs = await on
    .selectFrom('dispatches')
    .selectAll()
    .where('order_id', 'in', ids)
    .orderBy('ordinal')
    .execute()
  const tickets = await ticketsOf(idsOf(printJobs), on)
  const events = await on.selectFrom('events').selectAll().where('subject_id', 'in', ids).orderBy('id').execute()
  const deliveries =
    events.length === 0
      ? []
      : await on
          .selectFrom('deliveries')
          .selectAll()
          .where('event_id', 'in', idsOf(events))
          .orderBy('ordinal')
          .execute()
  const attempts =
    deliveries.length === 0
      ? []
      : await on
          .selectFrom('delivery_attempts')
          .selectAll()
          .where('delivery_id', 'in', idsOf(deliveries))
          .orderBy('id')
          .execute()
  return { orders, refunds, posMessages, printJobs, tickets, events, deliveries, attempts }
}

/** Their bytes in base64. */
async function ticketsOf(jobIds: readonly PrintJobId[], on: Db | Tx) {
  if (jobIds.length === 0) return []
  const rows = await on
    .selectFrom('sandbox_tickets')
    .selectAll()
    .where('print_job_id', 'in', jobIds)
    .orderBy('ticket_id')
    .execute()
  return rows.map((row) => ({ ...row, bytes: Buffer.from(row.bytes).toString('base64') }))
}
