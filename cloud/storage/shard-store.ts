// Which relay serves which gateways of a shared broker: 64 shards, each leased to one of them. Times are the database's, so that no relay's clock counts.
import { type RawBuilder, sql } from 'kysely'
import { SHARDS } from '#shared/wire/gateway-link.ts'
import type { RelayDatabase, Tx } from './database.ts'
import { DEAD_AFTER_MS } from './replica-store.ts'

const SIGN_OF_LIFE = { isSignOfLife: true } as const

/** The result of one read. */
export interface ShardLook {
  /** Shards that this relay has now, each with its term. */
  held: ReadonlyMap<number, number>
  /** How many it shall have at most. */
  fair: number
  /** Milliseconds until the first lease of another relay ends, unless it is renewed; null: no other relay has any. */
  othersEndMs: number | null
}

interface Row {
  shard: number
  owner: string | null
  term: number
  /** Milliseconds. */
  left: number
}

export class ShardStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Renews what this relay has and takes, up to its fair part, what is free. @param serves false: it takes no part, and nothing */
  look(id: string, serves: boolean): Promise<ShardLook> {
    const { nowMs } = this.#db.words
    return this.#db.unit(async (tx) => {
      const until = serves ? this.#until : sql<number>`0`
      await tx.updateTable('replicas').set({ shards_until: until }).where('id', '=', id).execute()
      await tx.updateTable('shards').set({ until: this.#until }).where('owner', '=', id).execute()
      const relays = await tx
        .selectFrom('replicas')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('shards_until', '>', nowMs)
        .executeTakeFirst()
      const fair = Math.ceil(SHARDS / Math.max(relays?.n ?? 1, 1))
      const { rows } = await sql<Row>`select shard, owner, term, until - ${nowMs} as ${sql.ref('left')}
        from shards order by shard`.execute(tx)
      const mine = rows.filter(({ owner }) => owner === id)
      const isFree = ({ owner, left }: Row): boolean => owner === null || (owner !== id && left < 0)
      const lacks = Math.min(fair - mine.length, rows.filter(isFree).length)
      const taken = serves && lacks > 0 ? await this.#take(tx, id, lacks) : []
      const others = rows.filter((row) => row.owner !== null && row.owner !== id && !isFree(row))
      return {
        held: new Map([...mine, ...taken].map(({ shard, term }) => [shard, term])),
        fair,
        othersEndMs: others.length === 0 ? null : Math.min(...others.map(({ left }) => left)),
      }
    }, SIGN_OF_LIFE)
  }

  /** Others may take these at once. */
  async giveBack(id: string, shards: readonly number[]): Promise<void> {
    await this.#db.unit(
      (tx) =>
        tx
          .updateTable('shards')
          .set({ owner: null, until: 0 })
          .where('owner', '=', id)
          .where('shard', 'in', [...shards])
          .execute(),
      SIGN_OF_LIFE,
    )
  }

  get #until(): RawBuilder<number> {
    return sql`${this.#db.words.nowMs} + ${sql.lit(DEAD_AFTER_MS)}`
  }

  /** Two relays that take at once do not wait for each other: each takes what the other has not locked. */
  #take(tx: Tx, id: string, most: number): Promise<{ shard: number; term: number }[]> {
    const { nowMs } = this.#db.words
    return tx
      .updateTable('shards')
      .set((e) => ({ owner: id, term: e('term', '+', 1), until: this.#until }))
      .where('shard', 'in', (e) =>
        e
          .selectFrom('shards')
          .select('shard')
          .where((free) => free.or([free('owner', 'is', null), free('until', '<', nowMs)]))
          .orderBy('shard')
          .limit(most)
          .forUpdate()
          .skipLocked(),
      )
      .returning(['shard', 'term'])
      .execute()
  }
}
