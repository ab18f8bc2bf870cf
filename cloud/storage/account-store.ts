// Accounts: the owners of keys and merchants.
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'

export class AccountStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async insert(tx: Tx, row: NewRow<'accounts'>): Promise<void> {
    await tx.insertInto('accounts').values(row).execute()
  }

  /** Whether the database answers at all; throws or is false when it does not. For /readyz. */
  async answers(): Promise<boolean> {
    await this.#db.read.selectFrom('accounts').select('id').limit(1).execute()
    return true
  }
}
