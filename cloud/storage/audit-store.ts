// Who changed what about accounts, keys, merchants and money. Rows are only ever added.
import type { Selectable } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AuditLogTable } from './schema-accounts.ts'

/** Writes down a change in the unit that makes it. `before` and `after` are JSON without secrets and customers' data. */
export async function recordAudit(tx: Tx, row: NewRow<'audit_log'>): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute()
}

export type AuditRow = Selectable<AuditLogTable>

export class AuditStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first. @param accountId null for everything */
  async list(accountId: AccountId | null, limit: number): Promise<AuditRow[]> {
    let query = this.#db.read.selectFrom('audit_log').selectAll().orderBy('ordinal', 'desc').limit(limit)
    if (accountId !== null) query = query.where('account_id', '=', accountId)
    return query.execute()
  }
}
