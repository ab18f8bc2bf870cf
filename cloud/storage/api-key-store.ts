// API keys by hash. Read at every request, so that a revocation counts at once.
import { sql } from 'kysely'
import type { AccountId, KeyId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { AccountsTable, ApiKeysTable } from './schema-accounts.ts'

/** A key with what its account pays for: one question at each request. */
export type ApiKeyWithPlan = ApiKeysTable & Pick<AccountsTable, 'plan' | 'plan_overrides'>

export class ApiKeyStore {
  readonly #db: RelayDatabase
  readonly #byHash

  constructor(db: RelayDatabase) {
    this.#db = db
    // Subqueries and not a join: SQLite needs a fifth of the time.
    this.#byHash = prepared((p) =>
      db.read
        .selectFrom('api_keys as k')
        .selectAll('k')
        .select((e) => [
          e.selectFrom('accounts as a').select('a.plan').whereRef('a.id', '=', 'k.account_id').as('plan'),
          e
            .selectFrom('accounts as a')
            .select('a.plan_overrides')
            .whereRef('a.id', '=', 'k.account_id')
            .as('plan_overrides'),
        ])
        .$narrowType<{ plan: AccountsTable['plan'] }>()
        .where('k.hash', '=', p('hash')),
    )
  }

  async byHash(hash: string): Promise<ApiKeyWithPlan | null> {
    const [row] = await this.#byHash(this.#db.read, { hash })
    return row ?? null
  }

  /** Inside the unit that is going to change it. */
  async find(tx: Tx, keyId: KeyId): Promise<ApiKeysTable | null> {
    const row = await tx.selectFrom('api_keys').selectAll().where('id', '=', keyId).forNoKeyUpdate().executeTakeFirst()
    return row ?? null
  }

  /** By the SHA-256 of its text, inside the unit that is going to change it. */
  async findByHash(tx: Tx, hash: string): Promise<ApiKeysTable | null> {
    const row = await tx.selectFrom('api_keys').selectAll().where('hash', '=', hash).forNoKeyUpdate().executeTakeFirst()
    return row ?? null
  }

  /** Newest first, also revoked and expired ones. */
  async ofAccount(accountId: AccountId): Promise<ApiKeysTable[]> {
    return this.#db.read
      .selectFrom('api_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .execute()
  }

  /** Keys of the account that this one has taken the place of and that are not revoked. */
  async replacedBy(tx: Tx, accountId: AccountId, keyId: KeyId): Promise<ApiKeysTable[]> {
    return tx
      .selectFrom('api_keys')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('replaced_by', '=', keyId)
      .where('revoked_at', 'is', null)
      .execute()
  }

  async insert(tx: Tx, row: NewRow<'api_keys'>): Promise<void> {
    await tx.insertInto('api_keys').values(row).execute()
  }

  /** Keys of the account that were made since then: how many, and when the first of them; epoch ms. */
  async made(tx: Tx, accountId: AccountId, sinceMs: number): Promise<{ count: number; firstMs: number | null }> {
    const row = await tx
      .selectFrom('api_keys')
      .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min('created_at').as('firstMs')])
      .where('account_id', '=', accountId)
      .where('created_at', '>', sinceMs)
      .executeTakeFirst()
    return { count: Number(row?.count ?? 0), firstMs: row?.firstMs ?? null }
  }

  async change(
    tx: Tx,
    keyId: KeyId,
    change: Partial<Pick<ApiKeysTable, 'name' | 'scopes' | 'expires_at' | 'replaced_by'>>,
  ): Promise<void> {
    await tx.updateTable('api_keys').set(change).where('id', '=', keyId).execute()
  }

  /** When the keys were used last, for people: a few seconds late. */
  async markUsed(tx: Tx, used: readonly (readonly [keyId: KeyId, atMs: number])[]): Promise<void> {
    for (const [keyId, atMs] of used.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await tx
        .updateTable('api_keys')
        .set({ last_used_at: this.#db.words.larger(sql`coalesce(last_used_at, 0)`, sql`${atMs}`) })
        .where('id', '=', keyId)
        .execute()
    }
  }

  /** For a key that was never shown: it is in no list afterwards. */
  async remove(tx: Tx, keyId: KeyId): Promise<void> {
    await tx.deleteFrom('api_keys').where('id', '=', keyId).execute()
  }

  /** Ends the key with the next request; a second revocation keeps the first time. */
  async revoke(tx: Tx, keyId: KeyId, atMs: number): Promise<void> {
    await tx
      .updateTable('api_keys')
      .set({ revoked_at: atMs })
      .where('id', '=', keyId)
      .where('revoked_at', 'is', null)
      .execute()
  }
}
