// Grants: which other accounts may act on a live merchant, and with which scopes.
import type { AccountId, MerchantKey } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'

export interface Grant {
  accountId: AccountId
  accountName: string
  merchantKey: MerchantKey
  merchantId: string
  merchantName: string
  grantedAtMs: number
  /** Names; null: all. */
  scopes: readonly string[] | null
}

/** What a grant is about. */
export interface GrantKey {
  accountId: AccountId
  merchantKey: MerchantKey
}

/** Orders are counted up to this many: an owner wants to know whether a partner is busy, not the number. */
const MOST_ORDERS = 1_000

export class GrantStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @param grant.scopes null: all. @returns false when there was a grant before: it stays as it is */
  async add(
    tx: Tx,
    { accountId, merchantKey }: GrantKey,
    { scopes, atMs }: { scopes: readonly string[] | null; atMs: number },
  ): Promise<boolean> {
    const rows = await tx
      .insertInto('merchant_grants')
      .values({ account_id: accountId, merchant_id: merchantKey, created_at: atMs, scopes: stored(scopes) })
      .onConflict((conflict) => conflict.columns(['account_id', 'merchant_id']).doNothing())
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** Counts from the next request on. @returns false when there is no such grant */
  async setScopes(tx: Tx, { accountId, merchantKey }: GrantKey, scopes: readonly string[] | null): Promise<boolean> {
    const rows = await tx
      .updateTable('merchant_grants')
      .set({ scopes: stored(scopes) })
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** In a unit as the unit sees it; null: there is none. */
  async find(on: Db | Tx, { accountId, merchantKey }: GrantKey): Promise<Pick<Grant, 'scopes'> | null> {
    const row = await on
      .selectFrom('merchant_grants')
      .select('scopes')
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row === undefined ? null : { scopes: namesOf(row.scopes) }
  }

  /** Counts from the next request on. @returns false when there was none */
  async remove(tx: Tx, { accountId, merchantKey }: GrantKey): Promise<boolean> {
    const rows = await tx
      .deleteFrom('merchant_grants')
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** All grants, newest first: those to one account, on one merchant, or on any merchant of an owner. */
  async list(of: {
    accountId?: AccountId | undefined
    merchantKey?: MerchantKey | undefined
    ownerId?: AccountId | undefined
  }): Promise<Grant[]> {
    let query = this.#db.read
      .selectFrom('merchant_grants as g')
      .innerJoin('accounts as a', 'a.id', 'g.account_id')
      .innerJoin('merchants as m', 'm.id', 'g.merchant_id')
      .select([
        'g.account_id as accountId',
        'a.name as accountName',
        'm.id as merchantKey',
        'm.public_id as merchantId',
        'm.name as merchantName',
        'g.created_at as grantedAtMs',
        'g.scopes',
      ])
      .orderBy('g.created_at', 'desc')
    if (of.accountId !== undefined) query = query.where('g.account_id', '=', of.accountId)
    if (of.merchantKey !== undefined) query = query.where('g.merchant_id', '=', of.merchantKey)
    if (of.ownerId !== undefined) query = query.where('m.account_id', '=', of.ownerId)
    return (await query.execute()).map((row) => ({ ...row, scopes: namesOf(row.scopes) }))
  }

  /** Orders that the account has sent to the merchant since then: how many, at most 1,000, and when the last one came. */
  async ordersSince(
    { accountId, merchantKey }: GrantKey,
    sinceMs: number,
  ): Promise<{ count: number; more: boolean; lastAtMs: number | null }> {
    const rows = await this.#db.read
      .selectFrom('orders')
      .select('queued_at as atMs')
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .where('queued_at', '>=', sinceMs)
      .orderBy('queued_at', 'desc')
      .limit(MOST_ORDERS + 1)
      .execute()
    return {
      count: Math.min(rows.length, MOST_ORDERS),
      more: rows.length > MOST_ORDERS,
      lastAtMs: rows[0]?.atMs ?? null,
    }
  }
}

function stored(scopes: readonly string[] | null): string | null {
  return scopes === null ? null : JSON.stringify(scopes)
}

/** @throws Error for text that is no list: nothing but this store writes it */
export function namesOf(scopes: string | null): readonly string[] | null {
  if (scopes === null) return null
  const names: unknown = JSON.parse(scopes)
  if (!Array.isArray(names)) throw new Error('stored scopes of a grant are not an array')
  return names.map(String)
}
