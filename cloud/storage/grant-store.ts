// Grants: which other accounts may act on a live merchant, and with which scopes.
import { sql } from 'kysely'
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

/** Grants to one account, on one merchant, or on any merchant of an owner; of all accounts if absent. */
export interface GrantFilter {
  accountId?: AccountId | undefined
  merchantKey?: MerchantKey | undefined
  ownerId?: AccountId | undefined
}

export interface GrantPage {
  /** The last grant of the page before; null: the first page. */
  after: Pick<Grant, 'grantedAtMs' | 'accountId' | 'merchantKey'> | null
  limit: number
}

/** Orders that the account has sent to the merchant: how many, at most 1,000, and when the last one came. */
export interface GrantWithOrders extends Grant {
  orders: { count: number; more: boolean; lastAtMs: number | null }
}

/** Orders are counted up to this many: an owner wants to see whether a partner is active, not the number. */
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

  /** A page of grants, newest first. @param page.limit how many at most */
  async list(of: GrantFilter, page: GrantPage): Promise<Grant[]> {
    return (await this.#page(of, page).execute()).map(grantOf)
  }

  /** As `list`, with the orders that each account has sent there since then. */
  async listWithOrders(of: GrantFilter, page: GrantPage & { sinceMs: number }): Promise<GrantWithOrders[]> {
    // The page first: what is beyond it is not counted.
    const rows = await this.#db.read
      .selectFrom(this.#page(of, page).as('g'))
      .selectAll()
      .select([
        sql<number>`(select count(*) from (select 1 as n ${theirOrders(page.sinceMs)} limit ${MOST_ORDERS + 1}) as counted)`.as(
          'count',
        ),
        sql<number | null>`(select max(o.queued_at) ${theirOrders(page.sinceMs)})`.as('lastAtMs'),
      ])
      .orderBy('g.grantedAtMs', 'desc')
      .orderBy('g.accountId', 'desc')
      .orderBy('g.merchantKey', 'desc')
      .execute()
    return rows.map(({ count, lastAtMs, ...row }) => {
      const orders = { count: Math.min(Number(count), MOST_ORDERS), more: Number(count) > MOST_ORDERS, lastAtMs }
      return { ...grantOf(row), orders }
    })
  }

  #page(of: GrantFilter, { after, limit }: GrantPage) {
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
      .orderBy('g.account_id', 'desc')
      .orderBy('g.merchant_id', 'desc')
      .limit(limit)
    if (of.accountId !== undefined) query = query.where('g.account_id', '=', of.accountId)
    if (of.merchantKey !== undefined) query = query.where('g.merchant_id', '=', of.merchantKey)
    if (of.ownerId !== undefined) query = query.where('m.account_id', '=', of.ownerId)
    if (after === null) return query
    const { grantedAtMs, accountId, merchantKey } = after
    return query.where((e) =>
      e(e.refTuple('g.created_at', 'g.account_id', 'g.merchant_id'), '<', e.tuple(grantedAtMs, accountId, merchantKey)),
    )
  }
}

/** Of the grant `g`. */
function theirOrders(sinceMs: number) {
  return sql`from orders as o where o.account_id = ${sql.ref('g.accountId')} and o.merchant_id = ${sql.ref('g.merchantKey')} and o.queued_at >= ${sinceMs}`
}

function grantOf<R extends { scopes: string | null }>(row: R): Omit<R, 'scopes'> & Pick<Grant, 'scopes'> {
  return { ...row, scopes: namesOf(row.scopes) }
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
