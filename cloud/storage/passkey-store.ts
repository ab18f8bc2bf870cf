// Passkeys of people: public keys alone, by which an answer of their device is checked.
import type { PasskeyId, UserId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { PasskeysTable } from './schema-people.ts'

const byCredential = holding((p) =>
  queryBuilder.selectFrom('passkeys').selectAll().where('credential_id', '=', p('credentialId')),
)

export class PasskeyStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** @param credentialId base64url. In a unit the row is held. */
  async byCredential(credentialId: string, on: Db | Tx = this.#db.read): Promise<PasskeysTable | null> {
    const [row] = await byCredential(on, { credentialId })
    return row ?? null
  }

  /** Oldest first. */
  async ofUser(userId: UserId, on: Db | Tx = this.#db.read): Promise<PasskeysTable[]> {
    return on.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  }

  async count(userId: UserId, on: Db | Tx = this.#db.read): Promise<number> {
    const row = await on
      .selectFrom('passkeys')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row?.n ?? 0
  }

  /** @returns false when this credential is known already, of whomever */
  async insert(tx: Tx, row: NewRow<'passkeys'>): Promise<boolean> {
    const rows = await tx
      .insertInto('passkeys')
      .values(row)
      .onConflict((on) => on.column('credential_id').doNothing())
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** @returns false when this person has no such passkey */
  async change(
    tx: Tx,
    { userId, id }: { userId: UserId; id: PasskeyId },
    change: Partial<Pick<PasskeysTable, 'name' | 'counter' | 'backed_up' | 'last_used_at'>>,
  ): Promise<boolean> {
    const rows = await tx
      .updateTable('passkeys')
      .set(change)
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute()
    return rows.length > 0
  }

  /** @returns its name; null: this person has no such passkey */
  async remove(tx: Tx, userId: UserId, id: PasskeyId): Promise<string | null> {
    const [row] = await tx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('name')
      .execute()
    return row?.name ?? null
  }

  async removeAll(tx: Tx, userId: UserId): Promise<void> {
    await tx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  }
}
