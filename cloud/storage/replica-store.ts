// The relays that work on one database: their heartbeats, and the leases of what one of them does for all. Times are the database's, so that no relay's clock counts.
import { type RawBuilder, sql } from 'kysely'
import type { RelayDatabase, Tx } from './database.ts'
import { MIGRATIONS } from './migrations/migrations.ts'

/** A relay without a heartbeat for so long counts as ended. */
export const DEAD_AFTER_MS = 15_000
const BEAT = { name: 'beat', isSignOfLife: true } as const
const FORGOTTEN_AFTER_MS = 86_400_000
const NOBODY = ''

export interface LivingRelay {
  /** The time of its heartbeat, by the database's clock. */
  seenMs: number
  /** It is about to stop. */
  isDraining: boolean
}

/** What one heartbeat brings. */
export interface Beat {
  /** All running relays, including this one. */
  live: ReadonlyMap<string, LivingRelay>
  /** Since when the others may count on this one. */
  sinceMs: number
  /** Leases that this relay has now. */
  held: ReadonlySet<string>
}

/** Of a row of `replicas`. */
const lives = ({ words }: RelayDatabase): RawBuilder<boolean> =>
  sql`seen_at > ${words.nowMs} - ${sql.lit(DEAD_AFTER_MS)}`

/**
 * Rows of relays that have ended. On SQLite, all: the relay runs alone, and every earlier writer has ended.
 * @param column with the id of a relay
 */
export function ofDeadRelays(
  db: RelayDatabase,
  column: 'lease_by' | 'relay_id' | 'stream_by' = 'lease_by',
): RawBuilder<boolean> {
  if (db.replicaId === null) return sql`1 = 1`
  const live = sql`select id from replicas where ${lives(db)}`
  return sql`(${sql.ref(column)} is null or ${sql.ref(column)} not in (${live}))`
}

/** Whether no other relay runs. */
export function isAlone(db: RelayDatabase): RawBuilder<boolean> {
  if (db.replicaId === null) return sql`1 = 1`
  return sql`not exists (select 1 from replicas where id <> ${db.replicaId} and ${lives(db)})`
}

export class ReplicaStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Before its first heartbeat: a lease that no earlier version had is there to be taken. */
  async join(leases: readonly string[]): Promise<void> {
    const { nowMs } = this.#db.words
    await this.#db.unit(async (tx) => {
      await sql`delete from replicas where seen_at < ${nowMs} - ${sql.lit(FORGOTTEN_AFTER_MS)}`.execute(tx)
      const rows = leases.toSorted().map((name) => ({ name, holder: NOBODY, until: 0 }))
      await tx
        .insertInto('leases')
        .values(rows)
        .onConflict((on) => on.doNothing())
        .execute()
    })
  }

  /**
   * Records a heartbeat, renews the relay's leases and takes free ones. A relay that is about to stop gives its leases back, and
   * takes none.
   */
  beat(me: { id: string; version: string; draining: boolean }): Promise<Beat> {
    const { nowMs } = this.#db.words
    return this.#db.unit(async (tx) => {
      const since = await sql<{
        started_at: number
      }>`insert into replicas as r (id, version, knows, started_at, seen_at, draining)
        values (${me.id}, ${me.version}, ${MIGRATIONS.length}, ${nowMs}, ${nowMs}, ${me.draining ? 1 : 0})
        on conflict (id) do update set seen_at = excluded.seen_at, draining = excluded.draining,
          started_at = case when r.seen_at > excluded.seen_at - ${sql.lit(DEAD_AFTER_MS)} then r.started_at else excluded.seen_at end
        returning started_at`.execute(tx)
      const held = me.draining ? await this.#giveBack(tx, me.id) : await this.#take(tx, me.id)
      const live = await sql<{
        id: string
        seen_at: number
        draining: number
      }>`select id, seen_at, draining from replicas
        where ${lives(this.#db)}`.execute(tx)
      return {
        live: new Map(live.rows.map((row) => [row.id, { seenMs: row.seen_at, isDraining: row.draining !== 0 }])),
        held: new Set(held),
        sinceMs: since.rows[0]?.started_at ?? 0,
      }
    }, BEAT)
  }

  /** Others may take at once what it held. */
  async giveBack(id: string): Promise<void> {
    await this.#db.unit((tx) => this.#giveBack(tx, id), { isSignOfLife: true })
  }

  /** Its own and free ones. Rows that another relay is about to take are skipped: two that read at once do not wait for each other. */
  async #take(tx: Tx, id: string): Promise<string[]> {
    const { nowMs } = this.#db.words
    const taken = await tx
      .with('mine', (e) =>
        e
          .selectFrom('leases')
          .select('name')
          .where((where) => where.or([where('holder', '=', id), where('until', '<', nowMs)]))
          .orderBy('name')
          .forUpdate()
          .skipLocked(),
      )
      .updateTable('leases')
      .set({ holder: id, until: sql`${nowMs} + ${sql.lit(DEAD_AFTER_MS)}` })
      .where('name', 'in', (e) => e.selectFrom('mine').select('name'))
      .returning('name')
      .execute()
    return taken.map(({ name }) => name)
  }

  async #giveBack(tx: Tx, id: string): Promise<string[]> {
    await tx.updateTable('leases').set({ holder: NOBODY, until: 0 }).where('holder', '=', id).execute()
    return []
  }

  /** It ends: others may take at once what it held. */
  async leave(id: string): Promise<void> {
    await this.#db.unit(async (tx: Tx) => {
      await this.#giveBack(tx, id)
      await tx.deleteFrom('replicas').where('id', '=', id).execute()
    })
  }
}
