// Calls, and requests for a table, as lists of people show them.
import { sql } from 'kysely'
import type { AccountId, AppointmentId, CallId, MerchantKey, UserId } from '#shared/ids.ts'
import type { Cursor } from './cursor.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { AppointmentRequestsTable, CallsTable } from './schema-receptionist.ts'

/** A call as lists show it. */
export type ListedCall = Pick<
  CallsTable,
  | 'id'
  | 'from_enc'
  | 'to_e164'
  | 'status'
  | 'step'
  | 'started_at'
  | 'answered_at'
  | 'ended_at'
  | 'outcome'
  | 'transferred_to'
  | 'order_id'
  | 'text_deleted_at'
>

const LISTED = [
  'id',
  'from_enc',
  'to_e164',
  'status',
  'step',
  'started_at',
  'answered_at',
  'ended_at',
  'outcome',
  'transferred_to',
  'order_id',
  'text_deleted_at',
] as const satisfies readonly (keyof ListedCall)[]

export interface CallFilter {
  outcome?: string | undefined
  /** Keyed hash of the caller's number. */
  fromMac?: string | undefined
  /** Behind this one; null: from the newest. */
  after: Cursor | null
  limit: number
}

export type ListedRequest = AppointmentRequestsTable

export class CallListStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The newest first. */
  list(merchantKey: MerchantKey, { outcome, fromMac, after, limit }: CallFilter): Promise<ListedCall[]> {
    let rows = this.#db.read
      .selectFrom('calls')
      .select(LISTED)
      .where('merchant_id', '=', merchantKey)
      .orderBy('started_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    if (outcome !== undefined) rows = rows.where('outcome', '=', outcome)
    if (fromMac !== undefined) rows = rows.where('from_mac', '=', fromMac)
    if (after !== null) rows = rows.where(sql<boolean>`(started_at, id) < (${after.at}, ${after.id})`)
    return rows.execute()
  }

  /** Null: there is none of this merchant. */
  /** With its state, sealed; empty: it was deleted. */
  async find(merchantKey: MerchantKey, id: CallId): Promise<(ListedCall & Pick<CallsTable, 'state_enc'>) | null> {
    const row = await this.#db.read
      .selectFrom('calls')
      .select([...LISTED, 'state_enc'])
      .where('id', '=', id)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row ?? null
  }

  /** The call that a telephone company knows under this id; null: none, or none of this merchant. */
  async idOf(merchantKey: MerchantKey, providerCallId: string): Promise<CallId | null> {
    const row = await this.#db.read
      .selectFrom('calls')
      .select('id')
      .where('provider_id', '=', providerCallId)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row?.id ?? null
  }

  /** How many ended how, by quarters of an hour since 1970, which is what time zones differ by; those that go on are left out. */
  async outcomes(
    merchantKey: MerchantKey,
    sinceMs: number,
  ): Promise<{ quarter: number; outcome: string; count: number }[]> {
    const quarter = sql<number>`started_at / 900000`
    const rows = await this.#db.read
      .selectFrom('calls')
      .select([quarter.as('quarter'), 'outcome', (e) => e.fn.countAll().as('count')])
      .where('merchant_id', '=', merchantKey)
      .where('started_at', '>=', sinceMs)
      .where('outcome', 'is not', null)
      .groupBy([quarter, 'outcome'])
      .execute()
    return rows.map((row) => ({ quarter: Number(row.quarter), outcome: row.outcome ?? '', count: Number(row.count) }))
  }

  /** How often test restaurants of this account were called since then, and when first; epoch ms. */
  async triedSince(tx: Tx, accountId: AccountId, sinceMs: number): Promise<{ count: number; firstMs: number | null }> {
    const row = await tx
      .selectFrom('merchants as m')
      .innerJoin('calls as c', 'c.merchant_id', 'm.id')
      .select((e) => [e.fn.countAll().as('count'), e.fn.min('c.started_at').as('first')])
      .where('m.account_id', '=', accountId)
      .where('m.environment', '=', 'sandbox')
      .where('c.started_at', '>=', sinceMs)
      .executeTakeFirst()
    return { count: Number(row?.count ?? 0), firstMs: row?.first ?? null }
  }

  /** Requests for a table, the newest first; with those that are settled, or without. */
  requests(merchantKey: MerchantKey, { isDone, limit }: { isDone: boolean; limit: number }): Promise<ListedRequest[]> {
    return this.#db.read
      .selectFrom('appointment_requests')
      .selectAll()
      .where('merchant_id', '=', merchantKey)
      .where('state', '=', isDone ? 'done' : 'new')
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  }

  /** @param by null: it is open again. @returns false: there is none of this merchant */
  async settleRequest(
    tx: Tx,
    { merchantKey, id, by, nowMs }: { merchantKey: MerchantKey; id: AppointmentId; by: UserId | null; nowMs: number },
  ): Promise<boolean> {
    const done = await tx
      .updateTable('appointment_requests')
      .set(
        by === null ? { state: 'new', done_by: null, done_at: null } : { state: 'done', done_by: by, done_at: nowMs },
      )
      .where('id', '=', id)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  }
}
