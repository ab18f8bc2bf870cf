// Messages for external points of sale, until they are accepted. Messages about one order are sent in order, one at a time.
import { sql } from 'kysely'
import type { MerchantKey, PosMessageId, ServiceOrderId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { isFree, type NextState, OutboxRows, type OutboxTable } from './outbox-rows.ts'
import type { NewRow, PosOutboxTable } from './schema.ts'

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

/** An inject waits for 100 ms, from its COMMIT on. */
const HELD_MS = 300

interface Held {
  id: PosMessageId
  by: string | null
  untilMs: number
}

interface PosWant {
  nowMs: number
  leaseMs: number
  limit: number
  busy: readonly MerchantKey[]
  within?: (found: PosMessage[]) => PosMessage[]
}

// A literal, not a parameter: SQLite uses a partial index only when the query has the same condition as the index.
const PENDING = sql.lit('pending' as const)

const TABLE: OutboxTable<PosMessageId> = {
  table: 'pos_outbox',
  key: 'ordinal',
  leased: sql`lease_until is not null`,
  rows: (ids) => sql`id in (${sql.join(ids)})`,
  parts: () =>
    Promise.resolve([
      {
        index: 'pos_outbox_due',
        within: sql`state = 'pending'`,
        attempts: sql`attempts`,
      },
    ]),
}

export class PosOutboxStore extends OutboxRows<PosMessageId> {
  /** A message was added; fired by the code that committed it, after the commit. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, TABLE)
    this.#db = db
  }

  /** @param row of several relays, that of a new order is sent by this one, which waits for its answer */
  async insert(tx: Tx, row: NewRow<'pos_outbox'>): Promise<void> {
    const { replicaId } = this.#db
    const isHeld = replicaId !== null && row.kind === 'order'
    const held = isHeld ? { held_by: replicaId, held_until: row.created_at + HELD_MS } : {}
    await tx
      .insertInto('pos_outbox')
      .values({ ...row, ...held })
      .execute()
  }

  /**
   * What a request for an order is answered that has no posOrderId yet.
   * @returns `held`: the relay that took it may still wait for its point of sale, so this may change. Null: there is no such order.
   */
  async firstAnswer(orderId: ServiceOrderId): Promise<{ result: string; held: Held | null } | null> {
    const row = await this.#db.read
      .selectFrom('orders as o')
      .leftJoin('pos_outbox as p', (join) =>
        join.onRef('p.order_id', '=', 'o.id').on('p.kind', '=', 'order').on('p.held_until', 'is not', null),
      )
      .select(['o.result', 'p.id', 'p.held_by as by', 'p.held_until as untilMs'])
      .where('o.id', '=', orderId)
      .executeTakeFirst()
    if (row === undefined) return null
    const { result, id, by, untilMs } = row
    return { result, held: id === null || untilMs === null ? null : { id, by, untilMs } }
  }

  /** The order's result changes no more, except by the caller. @returns false when it was done before */
  async endHold(tx: Tx, id: PosMessageId): Promise<boolean> {
    if (this.#db.replicaId === null) return true
    const ended = await tx
      .updateTable('pos_outbox')
      .set({ held_until: null })
      .where('id', '=', id)
      .where('held_until', 'is not', null)
      .executeTakeFirst()
    return ended.numUpdatedRows > 0n
  }

  /**
   * Leases messages that are due: of each order only the oldest that is pending, and none of merchants that have enough in flight.
   * @param want.within those of the found that are wanted
   */
  async claim(tx: Tx, { nowMs, leaseMs, limit, busy, within = (found) => found }: PosWant): Promise<PosMessage[]> {
    let due = this.#due(tx, nowMs)
      .innerJoin('merchants as m', 'm.id', 'p.merchant_id')
      .select(['p.id', 'p.merchant_id as merchantKey', 'p.order_id as orderId', 'p.kind', 'p.payload'])
      .select((e) => [e('p.attempts', '+', 1).as('attempt'), 'm.environment', 'm.pos_config as config'])
      .orderBy('p.next_at')
      .orderBy('p.ordinal')
      .limit(limit)
      .forNoKeyUpdate('p')
      .skipLocked()
    if (busy.length > 0) due = due.where('p.merchant_id', 'not in', busy)
    const taken = within(await due.execute())
    const ids = taken.map(({ id }) => id)
    await this.lease(tx, ids, nowMs + leaseMs)
    return taken
  }

  /** Whether `claim` would find something: a read costs less than an empty unit. */
  async hasDue(nowMs: number): Promise<boolean> {
    return (await this.#due(this.#db.read, nowMs).select('p.id').limit(1).executeTakeFirst()) !== undefined
  }

  /** An attempt, and what follows from it. The payload goes once it was taken: it holds the customer. */
  async settle(
    tx: Tx,
    { id, attempt }: PosMessage,
    { error, next, nowMs }: { error: string | null; next: NextState; nowMs: number },
  ): Promise<void> {
    await tx
      .updateTable('pos_outbox')
      .set({ attempts: attempt, last_error: error, lease_until: null })
      .set(this.#db.replicaId === null ? {} : { held_until: null })
      .set(
        next.state === 'retrying'
          ? { next_at: next.nextAtMs }
          : next.state === 'failed'
            ? { state: 'failed', settled_at: nowMs }
            : { state: 'done', settled_at: nowMs, payload: '{}' },
      )
      .where('id', '=', id)
      .execute()
  }

  #due(on: Tx | RelayDatabase['read'], nowMs: number) {
    const { replicaId } = this.#db
    const all = on.selectFrom('pos_outbox as p')
    const ours = all.where((e) =>
      e.or([e('p.held_until', 'is', null), e('p.held_by', '=', replicaId), e('p.held_until', '<=', nowMs)]),
    )
    return (replicaId === null ? all : ours)
      .where('p.state', '=', PENDING)
      .where('p.next_at', '<=', nowMs)
      .where(isFree('p', nowMs))
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('pos_outbox as earlier')
              .select('earlier.ordinal')
              .whereRef('earlier.order_id', '=', 'p.order_id')
              .whereRef('earlier.ordinal', '<', 'p.ordinal')
              .where('earlier.state', '=', PENDING)
              .limit(sql.lit(1))
              // One seek a row: without it PostgreSQL joins all that waits, for every claim.
              .offset(sql.lit(0)),
          ),
        ),
      )
  }
}
