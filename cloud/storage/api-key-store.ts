// API keys by hash. Read at every request, so that a revocation counts at once.
import type { KeyId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { ApiKeysTable } from './schema-accounts.ts'

export class ApiKeyStore {
  readonly #db: RelayDatabase
  readonly #byHash

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#byHash = prepared((p) => db.read.selectFrom('api_keys').selectAll().where('hash', '=', p('hash')))
  }

  async byHash(hash: string): Promise<ApiKeysTable | null> {
    const [row] = await this.#byHash(this.#db.read, { hash })
    return row ?? null
  }

  async insert(tx: Tx, row: NewRow<'api_keys'>): Promise<void> {
    await tx.insertInto('api_keys').values(row).execute()
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
