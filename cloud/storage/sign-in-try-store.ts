// Counts of sign-in attempts, by address and name, for all relays on one database. Keys are macs: neither addresses nor what was typed is stored.
import type { Db, RelayDatabase, Tx } from './database.ts'
import { deleteExpired, hasExpiredRow } from './expired-rows.ts'
import type { SignInTriesTable } from './schema-people.ts'

const EXPIRING = { table: 'sign_in_tries', key: 'key_hash' } as const

export class SignInTryStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Those of these keys that were tried. */
  look(keyHashes: readonly string[]): Promise<SignInTriesTable[]> {
    return rowsOf(this.#db.read, keyHashes).execute()
  }

  /** All of these keys, held: one that has no row gets it first, so that tries that come together are counted one after the other. */
  async hold(tx: Tx, keyHashes: readonly string[], expiresAtMs: number): Promise<SignInTriesTable[]> {
    const none = { tries: 0, last_at: 0, came_in_at: null, expires_at: expiresAtMs }
    await tx
      .insertInto('sign_in_tries')
      .values(keyHashes.toSorted().map((key_hash) => ({ key_hash, ...none })))
      .onConflict((on) => on.column('key_hash').doNothing())
      .execute()
    return rowsOf(tx, keyHashes).forNoKeyUpdate().execute()
  }

  /** @param rows held in this unit, each key once */
  async write(tx: Tx, rows: readonly SignInTriesTable[]): Promise<void> {
    for (const { key_hash, ...row } of rows)
      await tx.updateTable('sign_in_tries').set(row).where('key_hash', '=', key_hash).execute()
  }

  /** Whether there are tries that count no more. */
  hasExpired(nowMs: number): Promise<boolean> {
    return hasExpiredRow(this.#db, EXPIRING, nowMs)
  }

  /** Forgets up to `limit` of them. */
  prune(tx: Tx, nowMs: number, limit: number): Promise<void> {
    return deleteExpired(tx, EXPIRING, { nowMs, limit })
  }
}

/** Sorted: so they are locked, too. */
function rowsOf(on: Db | Tx, keyHashes: readonly string[]) {
  return on.selectFrom('sign_in_tries').selectAll().where('key_hash', 'in', keyHashes).orderBy('key_hash')
}
