// Who changed what about accounts, keys, merchants and money. Rows are only ever added.
import type { Selectable } from 'kysely'
import type { AccountId, UserId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AuditLogTable } from './schema-accounts.ts'

/** Writes down a change in the unit that makes it. `before` and `after` are JSON without secrets and customers' data. */
export async function recordAudit(tx: Tx, row: NewRow<'audit_log'>): Promise<void> {
  await tx.insertInto('audit_log').values(row).execute()
}

export type AuditRow = Selectable<AuditLogTable>

export interface AuditFilter {
  actor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  before?: number | undefined
  limit: number
}

/** Ids of one query. */
const NAMES_AT_ONCE = 500

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
    if (subject !== undefined) query = query.where('subject', '=', subject)
    if (action?.endsWith('.')) query = query.where('action', '>=', action).where('action', '<', `${action}~`)
    else if (action !== undefined) query = query.where('action', '=', action)
    return query.execute()
  }

  /** Names of these people by their ids; who is gone is not in it. */
  async namesOf(userIds: readonly UserId[]): Promise<Map<string, string>> {
    const ids = [...new Set(userIds)]
    const names = new Map<string, string>()
    for (let from = 0; from < ids.length; from += NAMES_AT_ONCE) {
      const rows = await this.#db.read
        .selectFrom('users')
        .select(['id', 'name'])
        .where('id', 'in', ids.slice(from, from + NAMES_AT_ONCE))
        .execute()
      for (const { id, name } of rows) names.set(id, name)
    }
    return names
  }
}
