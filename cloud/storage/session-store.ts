// Browsers in which people are signed in. The token is in the browser alone; here is its hash.
import type { AccountId, SignInId, UserId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { LoginSessionsTable, UsersTable } from './schema-people.ts'

const HOUR_MS = 3_600_000
/** A session that is not used so long has ended. */
export const IDLE_MS = 12 * HOUR_MS
export const LONGEST_MS = 30 * 24 * HOUR_MS

/** A session with its person as they are now. */
export type SessionWithUser = LoginSessionsTable &
  Pick<UsersTable, 'email' | 'name' | 'language' | 'is_operator' | 'disabled_at'>

const byToken = prepared((p) =>
  queryBuilder
    .selectFrom('login_sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('s')
    .select(['u.email', 'u.name', 'u.language', 'u.is_operator', 'u.disabled_at'])
    .where('s.token_hash', '=', p('tokenHash')),
)

export class LoginSessionStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async byToken(tokenHash: string): Promise<SessionWithUser | null> {
    const [row] = await byToken(this.#db.read, { tokenHash })
    return row ?? null
  }

  async insert(tx: Tx, row: NewRow<'login_sessions'>): Promise<void> {
    await tx.insertInto('login_sessions').values(row).execute()
  }

  /** Used last first. */
  async ofUser(userId: UserId): Promise<LoginSessionsTable[]> {
    return this.#db.read
      .selectFrom('login_sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('seen_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
  }

  async change(
    tx: Tx,
    id: SignInId,
    change: Partial<
      Pick<LoginSessionsTable, 'seen_at' | 'elevated_until' | 'view_account_id' | 'view_reason' | 'view_until'>
    >,
  ): Promise<void> {
    await tx.updateTable('login_sessions').set(change).where('id', '=', id).execute()
  }

  /** The account that the operator of this session views; null: none, or its time is over. */
  async viewing(id: SignInId, nowMs: number, on: Db | Tx = this.#db.read): Promise<AccountId | null> {
    const row = await on
      .selectFrom('login_sessions as s')
      .innerJoin('users as u', 'u.id', 's.user_id')
      .select('s.view_account_id as accountId')
      .where('s.id', '=', id)
      .where('s.view_until', '>', nowMs)
      .where('u.is_operator', '=', 1)
      .executeTakeFirst()
    return row?.accountId ?? null
  }

  /** @returns false when this person has no such session */
  async end(tx: Tx, userId: UserId, id: SignInId): Promise<boolean> {
    const rows = await tx
      .deleteFrom('login_sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute()
    if (rows.length > 0) await denyDevices(tx, userId)
    return rows.length > 0
  }

  /** On all devices. @param except this one stays */
  async endAll(tx: Tx, userId: UserId, except: SignInId | null = null): Promise<void> {
    let query = tx.deleteFrom('login_sessions').where('user_id', '=', userId)
    if (except !== null) query = query.where('id', '!=', except)
    await query.execute()
    await denyDevices(tx, userId)
  }

  /** Whether there is one that can no longer be used. */
  async hasEnded(before: { seenMs: number; createdMs: number }): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('login_sessions')
      .select('id')
      .where((e) => e.or([e('seen_at', '<=', before.seenMs), e('created_at', '<=', before.createdMs)]))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Forgets up to `limit` of those. */
  async prune(tx: Tx, before: { seenMs: number; createdMs: number }, limit: number): Promise<void> {
    await tx
      .deleteFrom('login_sessions')
      .where('id', 'in', (e) =>
        e
          .selectFrom('login_sessions')
          .select('id')
          .where((w) => w.or([w('seen_at', '<=', before.seenMs), w('created_at', '<=', before.createdMs)]))
          .limit(limit),
      )
      .execute()
  }
}

/** Programs that the person approved and that have not fetched their key: whoever ends a session may do so because another used it. */
async function denyDevices(tx: Tx, userId: UserId): Promise<void> {
  await tx
    .updateTable('device_sign_ins')
    .set({ state: 'denied' })
    .where('answered_by', '=', userId)
    .where('state', '=', 'approved')
    .execute()
}
