// People who sign in to the dashboard.
import type { UserId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { UsersTable } from './schema-people.ts'

const byId = holding((p) => queryBuilder.selectFrom('users').selectAll().where('id', '=', p('id')))
const byEmail = holding((p) => queryBuilder.selectFrom('users').selectAll().where('email_norm', '=', p('email')))

export class UserStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** In a unit the row is held. */
  async find(userId: UserId, on: Db | Tx = this.#db.read): Promise<UsersTable | null> {
    const [row] = await byId(on, { id: userId })
    return row ?? null
  }

  /** @param emailNorm as `emailNorm` of cloud/people/email.ts makes it. In a unit the row is held. */
  async byEmail(emailNorm: string, on: Db | Tx = this.#db.read): Promise<UsersTable | null> {
    const [row] = await byEmail(on, { email: emailNorm })
    return row ?? null
  }

  /** @throws what the engine throws when the address is taken: ask `byEmail` in the same unit, under `holdName(tx, 'user', emailNorm)` */
  async insert(tx: Tx, row: NewRow<'users'>): Promise<void> {
    await tx.insertInto('users').values(row).execute()
  }

  async change(
    tx: Tx,
    userId: UserId,
    change: Partial<
      Pick<
        UsersTable,
        | 'name'
        | 'email'
        | 'email_norm'
        | 'language'
        | 'password_hash'
        | 'email_verified_at'
        | 'is_operator'
        | 'disabled_at'
      >
    >,
  ): Promise<void> {
    await tx.updateTable('users').set(change).where('id', '=', userId).execute()
  }

  /** Newest first, those that are disabled too. @param page.after the last one of the page before; null: the first page */
  async page({ after, limit }: { after: UserId | null; limit: number }): Promise<UsersTable[]> {
    const query = this.#db.read.selectFrom('users').selectAll().orderBy('id', 'desc').limit(limit)
    return (after === null ? query : query.where('id', '<', after)).execute()
  }
}
