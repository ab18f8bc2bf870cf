// Answers of POSTs that had an Idempotency-Key, for 24 hours. Written in the unit of the effect, so that there is never one without the other.
import { sql } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import type { IdempotencyTable } from './schema.ts'

/** The account of a key, and its path. */
export interface IdempotencyKey {
  accountId: AccountId
  environment: 'sandbox' | 'live'
  path: string
  key: string
}

export type StoredAnswer = Pick<IdempotencyTable, 'body_hash' | 'status' | 'response' | 'sealed'>

export class IdempotencyStore {
  readonly #db: RelayDatabase
  readonly #find: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#find = compile(db)
  }

  /** The answer under this key that has not expired. In a unit it also sees one that the same COMMIT will carry. */
  async find(wanted: IdempotencyKey, nowMs: number, on: Db | Tx = this.#db.read): Promise<StoredAnswer | null> {
    const [row] = await this.#find(on, {
      account: wanted.accountId,
      environment: wanted.environment,
      path: wanted.path,
      key: wanted.key,
      now: nowMs,
    })
    return row ?? null
  }

  /** Keeps an answer; one under the same key has expired. */
  async insert(tx: Tx, row: IdempotencyTable): Promise<void> {
    await tx
      .insertInto('idempotency')
      .values(row)
      .onConflict((on) =>
        on.columns(['account_id', 'environment', 'path', 'key']).doUpdateSet((e) => ({
          body_hash: e.ref('excluded.body_hash'),
          status: e.ref('excluded.status'),
          response: e.ref('excluded.response'),
          sealed: e.ref('excluded.sealed'),
          created_at: e.ref('excluded.created_at'),
          expires_at: e.ref('excluded.expires_at'),
        })),
      )
      .execute()
  }

  /** Whether there is an answer that can no longer be returned. */
  async hasExpired(nowMs: number): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('idempotency')
      .select('path')
      .where('expires_at', '<=', nowMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Forgets up to `limit` answers that have expired. */
  async prune(tx: Tx, nowMs: number, limit: number): Promise<void> {
    await sql`delete from idempotency where (account_id, environment, path, key) in
      (select account_id, environment, path, key from idempotency where expires_at <= ${nowMs} limit ${limit})`.execute(
      tx,
    )
  }
}

function compile({ read }: RelayDatabase) {
  return prepared((p) =>
    read
      .selectFrom('idempotency')
      .select(['body_hash', 'status', 'response', 'sealed'])
      .where('account_id', '=', p('account'))
      .where('environment', '=', p('environment'))
      .where('path', '=', p('path'))
      .where('key', '=', p('key'))
      .where('expires_at', '>', p('now')),
  )
}
