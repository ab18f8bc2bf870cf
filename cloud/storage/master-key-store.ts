// The check value of the relays' common master key, which recognises the key without containing it.
import type { RelayDatabase } from './database.ts'

const ONLY = 1

export class MasterKeyStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** What is kept; null: no relay was started on the database yet. */
  async check(): Promise<string | null> {
    const row = await this.#db.read.selectFrom('master_key').select('check_value').executeTakeFirst()
    return row?.check_value ?? null
  }

  /** Of several that are started at once on an empty database one is the first. @returns what is kept */
  keepFirst(check: string): Promise<string> {
    return this.#db.unit(async (tx) => {
      await tx
        .insertInto('master_key')
        .values({ id: ONLY, check_value: check })
        .onConflict((on) => on.doNothing())
        .execute()
      return (await tx.selectFrom('master_key').select('check_value').executeTakeFirstOrThrow()).check_value
    })
  }

  /** In place of what is kept. */
  async keep(check: string): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .insertInto('master_key')
        .values({ id: ONLY, check_value: check })
        .onConflict((on) => on.column('id').doUpdateSet({ check_value: check }))
        .execute(),
    )
  }
}
