// Requests of accounts that want to act on a live merchant of another account.
import type { AccountId, MerchantKey, UserId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { GrantKey } from './grant-store.ts'

export interface GrantRequest {
  accountId: AccountId
  accountName: string
  merchantKey: MerchantKey
  merchantId: string
  merchantName: string
  scopes: readonly string[]
  text: string
  askedAtMs: number
}

export interface NewGrantRequest extends GrantKey {
  scopes: readonly string[]
  text: string
  askedBy: UserId | null
  atMs: number
}

export class GrantRequestStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** In place of what the account asked for before at this merchant. */
  async ask(tx: Tx, { accountId, merchantKey, scopes, text, askedBy, atMs }: NewGrantRequest): Promise<void> {
    const asked = { scopes: JSON.stringify(scopes), text, asked_by: askedBy, asked_at: atMs }
    const open = { answered_at: null, answer: null }
    await tx
      .insertInto('grant_requests')
      .values({ account_id: accountId, merchant_id: merchantKey, ...asked, ...open })
      .onConflict((conflict) => conflict.columns(['account_id', 'merchant_id']).doUpdateSet({ ...asked, ...open }))
      .execute()
  }

  /** How many the account waits for. */
  async countOpen(tx: Tx, accountId: AccountId): Promise<number> {
    const { n } = await tx
      .selectFrom('grant_requests')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('account_id', '=', accountId)
      .where('answered_at', 'is', null)
      .executeTakeFirstOrThrow()
    return Number(n)
  }

  /** The scopes that the account waits for at the merchant; null: it waits for none. */
  async waiting(tx: Tx, { accountId, merchantKey }: GrantKey): Promise<readonly string[] | null> {
    const row = await tx
      .selectFrom('grant_requests')
      .select('scopes')
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .where('answered_at', 'is', null)
      .executeTakeFirst()
    return row === undefined ? null : (JSON.parse(row.scopes) as string[])
  }

  /** @returns false when nothing waited for an answer */
  async answer(
    tx: Tx,
    { accountId, merchantKey }: GrantKey,
    { answer, atMs }: { answer: 'approved' | 'declined'; atMs: number },
  ): Promise<boolean> {
    const rows = await tx
      .updateTable('grant_requests')
      .set({ answer, answered_at: atMs })
      .where('account_id', '=', accountId)
      .where('merchant_id', '=', merchantKey)
      .where('answered_at', 'is', null)
      .returning('account_id')
      .execute()
    return rows.length > 0
  }

  /** Without an answer, oldest first: of an account that asks, or at merchants of an owner. */
  async open(of: { accountId: AccountId } | { ownerId: AccountId }): Promise<GrantRequest[]> {
    let query = this.#db.read
      .selectFrom('grant_requests as r')
      .innerJoin('accounts as a', 'a.id', 'r.account_id')
      .innerJoin('merchants as m', 'm.id', 'r.merchant_id')
      .select([
        'r.account_id as accountId',
        'a.name as accountName',
        'm.id as merchantKey',
        'm.public_id as merchantId',
        'm.name as merchantName',
        'r.scopes',
        'r.text',
        'r.asked_at as askedAtMs',
      ])
      .where('r.answered_at', 'is', null)
      .orderBy('r.asked_at')
    query =
      'accountId' in of ? query.where('r.account_id', '=', of.accountId) : query.where('m.account_id', '=', of.ownerId)
    return (await query.execute()).map((row) => ({ ...row, scopes: JSON.parse(row.scopes) as string[] }))
  }
}
