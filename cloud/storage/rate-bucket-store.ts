// What is left of each account's calls, where several relays count them together. A relay that is alone, as on SQLite, counts in memory.
import { sql } from 'kysely'
import type { AccountId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { holding } from './hold.ts'

/** The account whose calls are counted together. */
export interface BucketKey {
  accountId: AccountId
  environment: 'sandbox' | 'live'
}

export interface StoredBucket {
  tokens: number
  atMs: number
  /** What relays have leased and not used yet, by their ids. */
  ahead: Readonly<Record<string, { tokens: number; untilMs: number }>>
}

/** Numbers of the database are whole. */
const MILLION = 1_000_000

export class RateBucketStore {
  readonly #db: RelayDatabase
  readonly #queries: ReturnType<typeof compile>

  constructor(db: RelayDatabase) {
    this.#db = db
    this.#queries = compile(db)
  }

  /**
   * Changes one bucket. It may be lost when the server crashes: then calls are accepted that would have been refused.
   * @param decide returns its new value, by the database's clock; null: nothing was taken from it yet
   * @throws when another relay locks it for too long
   */
  change<T>(
    key: BucketKey,
    decide: (bucket: StoredBucket | null, nowMs: number) => { bucket: StoredBucket; result: T },
  ): Promise<T> {
    return this.#db.unit(
      async (tx) => {
        const { stored, nowMs } = await this.#held(tx, key)
        const { bucket, result } = decide(stored, nowMs)
        const { tokens, atMs } = bucket
        await this.#queries.write(tx, {
          ...key,
          millionths: Math.floor(tokens * MILLION),
          at: atMs,
          ahead: JSON.stringify(bucket.ahead),
        })
        return result
      },
      { isBestEffort: true },
    )
  }

  /** One bucket as it is, and the database's clock; null: nothing was taken from it yet. */
  async look(key: BucketKey): Promise<{ stored: StoredBucket; nowMs: number } | null> {
    const [row] = await this.#queries.held(this.#db.read, { ...key })
    return row === undefined ? null : { stored: storedBucket(row), nowMs: row.now }
  }

  async #held(tx: Tx, key: BucketKey): Promise<{ stored: StoredBucket | null; nowMs: number }> {
    const [row] = await this.#queries.held(tx, { ...key })
    if (row !== undefined) return { stored: storedBucket(row), nowMs: row.now }
    // Another relay may have created it meanwhile: then the second read locks and returns it.
    const [made] = await this.#queries.make(tx, { ...key })
    return made === undefined ? this.#held(tx, key) : { stored: null, nowMs: made.now }
  }
}

function storedBucket({
  millionths,
  at_ms,
  ahead,
}: {
  millionths: number
  at_ms: number
  ahead: string
}): StoredBucket {
  return { tokens: millionths / MILLION, atMs: at_ms, ahead: JSON.parse(ahead) as StoredBucket['ahead'] }
}

function compile({ read }: RelayDatabase) {
  return {
    held: holding((p, words) =>
      read
        .selectFrom('rate_buckets')
        .select(['millionths', 'at_ms', 'ahead', words.nowMs.as('now')])
        .where('account_id', '=', p('accountId'))
        .where('environment', '=', p('environment')),
    ),
    make: prepared((p, words) =>
      read
        .insertInto('rate_buckets')
        .values({
          account_id: p('accountId'),
          environment: p('environment'),
          millionths: 0,
          at_ms: words.nowMs,
          ahead: '{}',
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(sql<number>`at_ms`.as('now')),
    ),
    write: prepared((p) =>
      read
        .updateTable('rate_buckets')
        .set({ millionths: p('millionths'), at_ms: p('at'), ahead: p('ahead') })
        .where('account_id', '=', p('accountId'))
        .where('environment', '=', p('environment')),
    ),
  }
}
