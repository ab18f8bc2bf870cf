// Issued invoices: one of an account and month, never changed.
import type { AccountId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { InvoicesTable } from './schema-accounts.ts'

export class InvoiceStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async find(accountId: AccountId, month: string): Promise<InvoicesTable | null> {
    const row = await this.#db.read
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('month', '=', month)
      .executeTakeFirst()
    return row ?? null
  }

  /** Newest month first. */
  async ofAccount(accountId: AccountId): Promise<InvoicesTable[]> {
    return this.#db.read
      .selectFrom('invoices')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('month', 'desc')
      .execute()
  }

  /** Does nothing when the month has its invoice. @returns whether it was issued now */
  async issue(tx: Tx, row: NewRow<'invoices'>): Promise<boolean> {
    const rows = await tx
      .insertInto('invoices')
      .values(row)
      .onConflict((conflict) => conflict.columns(['account_id', 'month']).doNothing())
      .returning('id')
      .execute()
    return rows.length > 0
  }
}
