// Members of accounts, and their roles.
import type { AccountId, UserId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { AccountsTable } from './schema-accounts.ts'
import type { MembershipsTable, UsersTable } from './schema-people.ts'

/** An account of a person. */
export type OwnAccount = Pick<AccountsTable, 'id' | 'name' | 'plan' | 'live_approved_at'> &
  Pick<MembershipsTable, 'role'>
/** A person of an account. */
export type Member = Pick<UsersTable, 'id' | 'name' | 'email'> &
  Pick<MembershipsTable, 'role'> & { since: number; lastSeenAt: number | null }

const roleOf = prepared((p) =>
  queryBuilder
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', p('user'))
    .where('account_id', '=', p('account')),
)

export class MembershipStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Null: no member. */
  async role(
    userId: UserId,
    accountId: AccountId,
    on: Db | Tx = this.#db.read,
  ): Promise<MembershipsTable['role'] | null> {
    const [row] = await roleOf(on, { user: userId, account: accountId })
    return row?.role ?? null
  }

  /** By the account's name. */
  async ofUser(userId: UserId, on: Db | Tx = this.#db.read): Promise<OwnAccount[]> {
    return on
      .selectFrom('memberships as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select(['a.id', 'a.name', 'a.plan', 'a.live_approved_at', 'm.role'])
      .where('m.user_id', '=', userId)
      .orderBy('a.name')
      .orderBy('a.id')
      .execute()
  }

  /** The accounts of these people; people without an account are missing. */
  async ofUsers(userIds: readonly UserId[]): Promise<Map<UserId, OwnAccount[]>> {
    if (userIds.length === 0) return new Map()
    const rows = await this.#db.read
      .selectFrom('memberships as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select(['m.user_id', 'a.id', 'a.name', 'a.plan', 'a.live_approved_at', 'm.role'])
      .where('m.user_id', 'in', userIds)
      .orderBy('a.name')
      .orderBy('a.id')
      .execute()
    return Map.groupBy(rows, (row) => row.user_id)
  }

  /** By name. */
  async ofAccount(accountId: AccountId, on: Db | Tx = this.#db.read): Promise<Member[]> {
    return on
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select(['u.id', 'u.name', 'u.email', 'm.role', 'm.created_at as since'])
      .select((e) =>
        e
          .selectFrom('login_sessions as s')
          .select((s) => s.fn.max('s.seen_at').as('at'))
          .whereRef('s.user_id', '=', 'u.id')
          .as('lastSeenAt'),
      )
      .where('m.account_id', '=', accountId)
      .orderBy('u.name')
      .orderBy('u.id')
      .execute()
  }

  /** Owners who can sign in. Under `holdRow(tx, 'accounts', accountId)` no other transaction changes them meanwhile. */
  async owners(tx: Tx, accountId: AccountId): Promise<UserId[]> {
    const rows = await tx
      .selectFrom('memberships as m')
      .innerJoin('users as u', 'u.id', 'm.user_id')
      .select('m.user_id')
      .where('m.account_id', '=', accountId)
      .where('m.role', '=', 'owner')
      .where('u.disabled_at', 'is', null)
      .orderBy('m.created_at')
      .execute()
    return rows.map((row) => row.user_id)
  }

  /** An existing member gets the role. */
  async put(tx: Tx, row: MembershipsTable): Promise<void> {
    await tx
      .insertInto('memberships')
      .values(row)
      .onConflict((on) => on.columns(['user_id', 'account_id']).doUpdateSet({ role: row.role }))
      .execute()
  }

  /** @returns false when there was none */
  async remove(tx: Tx, userId: UserId, accountId: AccountId): Promise<boolean> {
    const rows = await tx
      .deleteFrom('memberships')
      .where('user_id', '=', userId)
      .where('account_id', '=', accountId)
      .returning('user_id')
      .execute()
    return rows.length > 0
  }

  async removeAll(tx: Tx, userId: UserId): Promise<void> {
    await tx.deleteFrom('memberships').where('user_id', '=', userId).execute()
  }
}
