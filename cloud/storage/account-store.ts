// Accounts: the owners of keys and merchants.
import type { AccountId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AccountsTable } from './schema-accounts.ts'

export class AccountStore {
  readonly #db: RelayDatabase
  readonly #planColumns
  readonly #showsDevelopers
  readonly #liveListening

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#planColumns = prepared((p) =>
      db.read.selectFrom('accounts').select(['plan', 'plan_overrides']).where('id', '=', p('id')),
    )
    this.#showsDevelopers = prepared((p) =>
      db.read.selectFrom('accounts').select('developers_see_customers').where('id', '=', p('id')),
    )
    this.#liveListening = prepared((p) =>
      db.read.selectFrom('accounts').select('live_listening').where('id', '=', p('id')),
    )
  }

  /** Whether programs may listen to events of its live restaurants. */
  async liveListening(accountId: AccountId): Promise<boolean> {
    const [row] = await this.#liveListening(this.#db.read, { id: accountId })
    return row?.live_listening === 1
  }

  async insert(tx: Tx, row: NewRow<'accounts'>): Promise<void> {
    await tx.insertInto('accounts').values(row).execute()
  }

  /** What the account pays for, to be read by planOf (cloud/billing/plans.ts). */
  async planColumns(accountId: AccountId): Promise<Pick<AccountsTable, 'plan' | 'plan_overrides'> | null> {
    const [row] = await this.#planColumns(this.#db.read, { id: accountId })
    return row ?? null
  }

  /** False for an account that is not known. */
  async developersSeeCustomers(accountId: AccountId, on: Db | Tx = this.#db.read): Promise<boolean> {
    const [row] = await this.#showsDevelopers(on, { id: accountId })
    return row?.developers_see_customers === 1
  }

  async find(accountId: AccountId, on: Db | Tx = this.#db.read): Promise<AccountsTable | null> {
    const row = await on.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
    return row ?? null
  }

  /** Newest first. */
  async list(): Promise<AccountsTable[]> {
    return this.#newest().execute()
  }

  /** Newest first. @param page.after the last one of the page before; null: the first page */
  async page({ after, limit }: { after: AccountId | null; limit: number }): Promise<AccountsTable[]> {
    const query = this.#newest().limit(limit)
    return (after === null ? query : query.where('id', '<', after)).execute()
  }

  /** In the order of the ids; those that are not known are left out. */
  async named(accountIds: readonly AccountId[]): Promise<AccountsTable[]> {
    if (accountIds.length === 0) return []
    const rows = await this.#newest().where('id', 'in', accountIds).execute()
    return accountIds.flatMap((accountId) => rows.find(({ id }) => id === accountId) ?? [])
  }

  #newest() {
    return this.#db.read.selectFrom('accounts').selectAll().orderBy('id', 'desc')
  }

  async change(tx: Tx, accountId: AccountId, change: Partial<Omit<AccountsTable, 'id' | 'created_at'>>): Promise<void> {
    await tx.updateTable('accounts').set(change).where('id', '=', accountId).execute()
  }

  /** Whether the database answers at all; throws or is false when it does not. For /readyz. */
  async answers(): Promise<boolean> {
    await this.#db.read.selectFrom('accounts').select('id').limit(1).execute()
    return true
  }
}
