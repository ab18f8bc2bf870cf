// Requests of accounts to act on a live merchant of another account.
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
  /** Of the merchant. */
  ownerId: AccountId
  scopes: readonly string[]
  text: string
  askedBy: UserId | null
  atMs: number
}

export interface GrantRequestPage {
  /** The last request of the page before; null: the first page. */
  after: Pick<GrantRequest, 'askedAtMs' | 'accountId' | 'merchantKey'> | null
  limit: number
}

export class GrantRequestStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** In place of what the account asked for before at this merchant. */
  async ask(tx: Tx, { accountId, merchantKey, ownerId, scopes, text, askedBy, atMs }: NewGrantRequest): Promise<void> {
    const asked = { scopes: JSON.stringify(scopes), text, asked_by: askedBy, asked_at: atMs }
    const open = { answered_at: null, answer: null }
    await tx
      .insertInto('grant_requests')
      .values({ account_id: accountId, merchant_id: merchantKey, owner_id: ownerId, ...asked, ...open })
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

  /** A page of those without an answer, newest first: of an account that asks, or at merchants of an owner. */
  async open(
    of: { accountId: AccountId } | { ownerId: AccountId },
    { after, limit }: GrantRequestPage,
  ): Promise<GrantRequest[]> {
    let page = this.#db.read
      .selectFrom('grant_requests')
      .select(['account_id', 'merchant_id', 'scopes', 'text', 'asked_at'])
      .where('answered_at', 'is', null)
      .orderBy('asked_at', 'desc')
      .orderBy('account_id', 'desc')
      .orderBy('merchant_id', 'desc')
      .limit(limit)
    page = 'accountId' in of ? page.where('account_id', '=', of.accountId) : page.where('owner_id', '=', of.ownerId)
    if (after !== null) {
      const { askedAtMs, accountId, merchantKey } = after
      page = page.where((e) =>
        e(e.refTuple('asked_at', 'account_id', 'merchant_id'), '<', e.tuple(askedAtMs, accountId, merchantKey)),
      )
    }
    // The page first: of what is beyond it no name is read.
    const rows = await this.#db.read
      .selectFrom(page.as('r'))
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
      .orderBy('r.asked_at', 'desc')
      .orderBy('r.account_id', 'desc')
      .orderBy('r.merchant_id', 'desc')
      .execute()
    return rows.map((row) => ({ ...row, scopes: JSON.parse(row.scopes) as string[] }))
  }
}
