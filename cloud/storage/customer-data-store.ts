// Where customers' data is in the relay's database: the order's request, its kitchen jobs, its events, messages that a point of sale did not
// accept, what the customer was told, and the text of notes and receipts. Reads what is old and blanks it.
import { sql } from 'kysely'
import { firstId, type ServiceOrderId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { DialectWords } from './dialect-words.ts'
import { readyMailId } from './notice-store.ts'

const PAGE = 200

/** Whether an order has a customer. The condition of the partial index orders_customer: word by word, or SQLite does not use it. */
export const hasCustomer = (words: DialectWords) => words.contains('body', '"customer":')

export class CustomerDataStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The next orders taken before `beforeMs` that have a customer, oldest first. An index holds these alone: what is blanked is not read again. */
  async page(after: ServiceOrderId | null, beforeMs: number): Promise<ServiceOrderId[]> {
    const rows = await this.#db.read
      .selectFrom('orders')
      .select('id')
      .where(hasCustomer(this.#db.words))
      .where('id', '>', after ?? firstId('ord', 0))
      .where('id', '<', firstId('ord', beforeMs))
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** Blanks the customer of one order everywhere. The hash of the request stays: a replay is still recognised. */
  async blank(tx: Tx, orderId: ServiceOrderId): Promise<void> {
    const order = await tx.selectFrom('orders').select('body').where('id', '=', orderId).executeTakeFirst()
    // Another relay has deleted it meanwhile.
    if (!order) return
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
    // What the customer was told when it was ready.
    await tx.deleteFrom('text_messages').where('kind', '=', 'order-ready').where('subject_id', '=', orderId).execute()
    await tx.deleteFrom('notices').where('id', '=', readyMailId(orderId)).execute()
    // What was not accepted for so long never will be, and what was accepted has no payload any more.
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
      // As in the partial index.
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

  /** Its own job, or that for the displays, its reprints and fired courses. */
  async #jobsOf(tx: Tx, orderId: ServiceOrderId) {
    return tx.selectFrom('dispatches').select(['id', 'doc']).where('order_id', '=', orderId).execute()
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
