// Where customers' data stands in the relay's database: the order's request, its kitchen jobs, its events, what a point of sale did not take,
// and whatever a note or a receipt says. Reads what is old and blanks it.
import { sql } from 'kysely'
import { newId, type ServiceOrderId } from '#shared/ids.ts'
import { boardJobId } from './board-job.ts'
import type { RelayDatabase, Tx } from './database.ts'

export interface CustomerDataPage {
  /** Orders of the page that have customer data. */
  orderIds: ServiceOrderId[]
  /** Pass it as `after` for the next page; null after the last. */
  last: ServiceOrderId | null
}

const PAGE = 200

export class CustomerDataStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The next orders taken before `beforeMs`, oldest first. Order ids sort by time, so the primary key serves as index. */
  async page(after: ServiceOrderId | null, beforeMs: number): Promise<CustomerDataPage> {
    let query = this.#db.read
      .selectFrom('orders')
      .select(['id', 'body'])
      .where('id', '<', newId('ord', beforeMs))
      .orderBy('id')
      .limit(PAGE)
    if (after !== null) query = query.where('id', '>', after)
    const rows = await query.execute()
    return {
      orderIds: rows.filter(({ body }) => body.includes('"customer":')).map(({ id }) => id),
      last: rows.at(-1)?.id ?? null,
    }
  }

  /** Blanks the customer of one order wherever it stands. The hash of the request stays: a replay is still recognised. */
  async blank(tx: Tx, orderId: ServiceOrderId): Promise<void> {
    const order = await tx.selectFrom('orders').select('body').where('id', '=', orderId).executeTakeFirstOrThrow()
    await tx
      .updateTable('orders')
      .set({ body: without(order.body, (body) => delete body['customer']) })
      .where('id', '=', orderId)
      .execute()
    const events = await tx.selectFrom('events').select(['id', 'payload']).where('subject_id', '=', orderId).execute()
    for (const { id, payload } of events) {
      const blanked = without(payload, (event) => {
        const shown = fieldOf(fieldOf(event, 'data'), 'order')
        if (shown['customer']) shown['customer'] = null
      })
      await tx.updateTable('events').set({ payload: blanked }).where('id', '=', id).execute()
    }
    for (const job of await this.#jobsOf(tx, orderId)) {
      const doc = without(job.doc, (it) => delete fieldOf(it, 'order')['customer'])
      await tx
        .updateTable('dispatches')
        .set({ doc, bytes: Buffer.byteLength(doc) })
        .where('id', '=', job.id)
        .execute()
    }
    // What was not taken for so long never will be, and what was has no payload any more.
    await tx.updateTable('pos_outbox').set({ payload: '{}' }).where('order_id', '=', orderId).execute()
  }

  /**
   * Deletes print jobs that are no orders and have their outcome: a note or a receipt may name its guest anywhere.
   * @returns how many, at most a page
   */
  async deletePapers(tx: Tx, beforeMs: number): Promise<number> {
    const old = await tx
      .selectFrom('dispatches')
      .select('ordinal')
      // As the partial index says it.
      .where('kind', '<>', sql.lit('order' as const))
      .where('created_at', '<', beforeMs)
      .where('settled_at', 'is not', null)
      .limit(PAGE)
      .execute()
    if (old.length === 0) return 0
    const ordinals = old.map((row) => row.ordinal)
    await tx.deleteFrom('dispatches').where('ordinal', 'in', ordinals).execute()
    return old.length
  }

  /** Its own job, or that for the displays, by its id, because dispatches have no index on the order, and its reprints and fired courses, which have one. */
  async #jobsOf(tx: Tx, orderId: ServiceOrderId) {
    const own = tx
      .selectFrom('orders as o')
      .innerJoin('dispatches as d', 'd.id', 'o.print_job_id')
      .select(['d.id', 'd.doc'])
      .where('o.id', '=', orderId)
    // Each kind has an index of its own.
    const further = (kind: 'reprint' | 'fire') =>
      tx
        .selectFrom('dispatches')
        .select(['id', 'doc'])
        .where('order_id', '=', orderId)
        .where('kind', '=', sql.lit(kind))
    const onBoard = tx.selectFrom('dispatches').select(['id', 'doc']).where('id', '=', boardJobId(orderId))
    return [
      ...(await own.execute()),
      ...(await onBoard.execute()),
      ...(await further('reprint').execute()),
      ...(await further('fire').execute()),
    ]
  }
}

type Json = Record<string, unknown>

function without(text: string, change: (value: Json) => void): string {
  const value = JSON.parse(text) as Json
  change(value)
  return JSON.stringify(value)
}

/** The object in that field; an empty one when there is none, so that a change to it goes nowhere. */
function fieldOf(value: Json, name: string): Json {
  const field = value[name]
  return typeof field === 'object' && field !== null ? (field as Json) : {}
}
