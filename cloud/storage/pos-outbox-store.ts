// What outside points of sale must be told, until they have taken it. Messages about one order go in order, one at a time.
import { sql } from 'kysely'
import type { MerchantKey, PosMessageId, ServiceOrderId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { WAITING_POS_MESSAGES } from './outbox-parts.ts'
import type { NewRow, PosOutboxTable } from './schema.ts'
import { WaitingRows } from './waiting-rows.ts'

/** A message that is leased to this program. */
export interface PosMessage {
  id: PosMessageId
  merchantKey: MerchantKey
  orderId: ServiceOrderId
  kind: PosOutboxTable['kind']
  payload: string
  /** Of this attempt: 1 for the first. */
  attempt: number
  environment: 'sandbox' | 'live'
  /** `merchants.pos_config`; null: the merchant has no outside point of sale any more. */
  config: string | null
}

// A literal, not a parameter: SQLite uses a partial index only when the query says the same as the index.
const PENDING = sql.lit('pending' as const)

export class PosOutboxStore {
  /** A message was added; fired by whoever committed it, after the commit. */
  readonly changed = new Signal()
  /** The times of messages that wait. */
  readonly waiting: WaitingRows
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
    this.waiting = new WaitingRows(db, WAITING_POS_MESSAGES)
  }

  async insert(tx: Tx, row: NewRow<'pos_outbox'>): Promise<void> {
    await tx.insertInto('pos_outbox').values(row).execute()
  }

  /** Leases messages that are due: of each order only the oldest that is pending, and none of merchants that have enough in flight. */
  async claim(
    tx: Tx,
    want: { nowMs: number; leaseMs: number; limit: number; busy: readonly MerchantKey[] },
  ): Promise<PosMessage[]> {
    const { nowMs, leaseMs, limit, busy } = want
    let due = this.#due(tx, nowMs)
      .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
      .select(['p.id', 'p.merchant_id', 'p.order_id', 'p.kind', 'p.payload', 'p.attempts'])
      .select(['m.environment', 'm.pos_config'])
      .orderBy('p.next_at')
      .orderBy('p.ordinal')
      .limit(limit)
    if (busy.length > 0) due = due.where('p.merchant_id', 'not in', busy)
    const rows = await due.execute()
    for (const { id } of rows)
      await tx
        .updateTable('pos_outbox')
        .set({ lease_until: nowMs + leaseMs })
        .where('id', '=', id)
        .execute()
    return rows.map((row) => ({
      id: row.id,
      merchantKey: row.merchant_id,
      orderId: row.order_id,
      kind: row.kind,
      payload: row.payload,
      attempt: row.attempts + 1,
      environment: row.environment,
      config: row.pos_config,
    }))
  }

  /** Whether `claim` would find something: a look costs less than an empty unit. */
  async hasDue(nowMs: number): Promise<boolean> {
    return (await this.#due(this.#db.read, nowMs).select('p.id').limit(1).executeTakeFirst()) !== undefined
  }

  /** It was taken, or never will be. The payload goes once it was taken: it holds the customer. */
  async settle(
    tx: Tx,
    outcome: { id: PosMessageId; state: 'done' | 'failed'; attempts: number; error: string | null; atMs: number },
  ): Promise<void> {
    await tx
      .updateTable('pos_outbox')
      .set({ state: outcome.state, attempts: outcome.attempts, last_error: outcome.error })
      .set({ settled_at: outcome.atMs, lease_until: null, ...(outcome.state === 'done' ? { payload: '{}' } : {}) })
      .where('id', '=', outcome.id)
      .execute()
  }

  /** It is tried again at `nextAtMs`. */
  async postpone(
    tx: Tx,
    later: { id: PosMessageId; attempts: number; error: string | null; nextAtMs: number },
  ): Promise<void> {
    await tx
      .updateTable('pos_outbox')
      .set({ attempts: later.attempts, last_error: later.error, next_at: later.nextAtMs, lease_until: null })
      .where('id', '=', later.id)
      .execute()
  }

  /** Nothing came of the attempt, through no fault of the receiver's: it counts for nothing. */
  async release(tx: Tx, id: PosMessageId): Promise<void> {
    await tx.updateTable('pos_outbox').set({ lease_until: null }).where('id', '=', id).execute()
  }

  /** At start: leases of the program that ran before mean nothing. */
  async releaseAll(tx: Tx): Promise<void> {
    await tx
      .updateTable('pos_outbox')
      .set({ lease_until: null })
      // The condition of the partial index pos_outbox_leased.
      .where('lease_until', 'is not', null)
      .execute()
  }

  #due(on: Tx | RelayDatabase['read'], nowMs: number) {
    return on
      .selectFrom('pos_outbox as p')
      .where('p.state', '=', PENDING)
      .where('p.next_at', '<=', nowMs)
      .where((e) => e.or([e('p.lease_until', 'is', null), e('p.lease_until', '<=', nowMs)]))
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('pos_outbox as earlier')
              .select('earlier.ordinal')
              .whereRef('earlier.order_id', '=', 'p.order_id')
              .whereRef('earlier.ordinal', '<', 'p.ordinal')
              .where('earlier.state', '=', PENDING),
          ),
        ),
      )
  }
}
