// Single values of the box, each under its key in `meta`. The migrations create the rows; each store defines the meaning of its values.
import type { Statement } from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'

export class MetaValues<K extends string> {
  readonly #get: Statement<[K], { value: string }>
  readonly #put: Statement<[string, K]>

  constructor(db: GatewayDatabase) {
    this.#get = db.sqlite.prepare('select value from meta where key = ?')
    this.#put = db.sqlite.prepare('update meta set value = ? where key = ?')
  }

  /** Null: there is no such row. */
  get(key: K): string | null {
    return this.#get.get(key)?.value ?? null
  }

  /** Call it in a transaction. */
  put(key: K, value: string): void {
    this.#put.run(value, key)
  }
}
