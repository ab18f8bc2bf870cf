// Grants: which other accounts may act on a live merchant.
import type { AccountId, MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'

export interface Grant {
  accountId: AccountId
  accountName: string
  merchantId: string
  grantedAtMs: number
}

export class GrantStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @returns false when it was there before */
  async add(tx: Tx, accountId: AccountId, merchantKey: MerchantKey, atMs: number): Promise<boolean> {
    const rows = await tx
      .insertInto('merchant_grants')
      .values({ account_id: accountId, merchant_id: merchantKey, created_at: atMs })
      .onConflict((conflict) => conflict.columns(['account_id', 'merchant_id']).doNothing())
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** Counts from the next request on. @returns false when there was none */
  async remove(tx: Tx, accountId: AccountId, merchantKey: MerchantKey): Promise<boolean> {
    const rows = await tx
      .deleteFrom('merchant_grants')
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** All grants, or those to one account or on one merchant. */
  async list(of: { accountId?: AccountId | undefined; merchantKey?: MerchantKey | undefined }): Promise<Grant[]> {
    let query = this.#db.read
      .selectFrom('merchant_grants as g')
      .innerJoin('accounts as a', 'a.id', 'g.account_id')
      .innerJoin('merchants as m', 'm.id', 'g.merchant_id')
      .select([
        'g.account_id as accountId',
        'a.name as accountName',
        'm.public_id as merchantId',
        'g.created_at as grantedAtMs',
      ])
      .orderBy('g.created_at', 'desc')
    if (of.accountId !== undefined) query = query.where('g.account_id', '=', of.accountId)
    if (of.merchantKey !== undefined) query = query.where('g.merchant_id', '=', of.merchantKey)
    return query.execute()
  }
}
