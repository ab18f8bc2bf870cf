// Single values of the box, each under its key in `meta`. The steps of the database make the rows; what a value means is its store's matter.
import type { Statement } from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'

export class MetaValues<K extends string> {
  readonly #get: Statement<[K], { value: string }>
  readonly #put: Statement<[string, K]>

  constructor(db: GatewayDatabase) {
    this.#get = db.sqlite.prepare('select value from meta where key = ?')
    this.#put = db.sqlite.prepare('update meta set value = ? where key = ?')
  }

  /** Null: the row is not there. */
  get(key: K): string | null {
    return this.#get.get(key)?.value ?? null
  }

  /** Belongs into a transaction. */
  put(key: K, value: string): void {
    this.#put.run(value, key)
  }
}
