// Accounts.
import type { Tx } from './database.ts'
import type { AccountsTable } from './schema.ts'

export class AccountStore {
  async insert(tx: Tx, row: AccountsTable): Promise<void> {
    await tx.insertInto('accounts').values(row).execute()
  }
}
