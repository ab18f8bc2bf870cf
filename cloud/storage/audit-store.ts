// The log of changes of accounts, keys, merchants and money, with their authors. Rows are only ever added.
import type { Selectable } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import type { AuditAction } from './audit-actions.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AuditLogTable } from './schema-accounts.ts'

/** `action`: one that has words in the dashboard. */
type NewAuditRow = NewRow<'audit_log'> & { action: AuditAction }

/** Writes down a change in the unit that makes it. `before` and `after` are JSON without secrets and customers' data. */
export async function recordAudit(tx: Tx, row: NewAuditRow): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute()
}

/** The `after` of those of one kind since then, of an account, in the unit that limits them. */
export async function auditedSince(
  tx: Tx,
  { accountId, action, sinceMs }: { accountId: AccountId; action: AuditAction; sinceMs: number },
): Promise<(string | null)[]> {
  const rows = await tx
    .selectFrom('audit_log')
    .select('after')
    .where('account_id', '=', accountId)
    .where('action', '=', action)
    .where('at', '>', sinceMs)
    .execute()
  return rows.map(({ after }) => after)
}

export type AuditRow = Selectable<AuditLogTable>

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  /** Of several: one of these. */
  subject?: string | readonly string[] | undefined
  before?: number | undefined
  limit: number
}

export class AuditStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first. @param accountId null for everything */
  list(accountId: AccountId | null, limit: number): Promise<AuditRow[]> {
    return this.page(accountId, { limit })
  }

  /**
   * Newest first, those that fit the filter. @param accountId null for everything
   * @param filter.action ends with a full stop: all of that noun. @param filter.before only those with a smaller ordinal
   */
  async page(accountId: AccountId | null, filter: AuditFilter): Promise<AuditRow[]> {
    const { actor, action, subject, before, limit } = filter
    let query = this.#db.read.selectFrom('audit_log').selectAll().orderBy('ordinal', 'desc').limit(limit)
    if (accountId !== null) query = query.where('account_id', '=', accountId)
    if (before !== undefined) query = query.where('ordinal', '<', before)
    if (actor !== undefined) query = query.where('actor', '=', actor)
    if (typeof subject === 'string') query = query.where('subject', '=', subject)
    else if (subject !== undefined) query = query.where('subject', 'in', subject)
    if (action?.endsWith('.')) query = query.where('action', '>=', action).where('action', '<', `${action}~`)
    else if (action !== undefined) query = query.where('action', '=', action)
    return query.execute()
  }
}
