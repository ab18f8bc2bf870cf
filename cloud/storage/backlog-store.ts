// The backlog in the database, for metrics: counted up to a limit and found by partial indexes, in pieces, so that other work does not wait.
import { type RawBuilder, sql } from 'kysely'
import type { RelayDatabase } from './database.ts'

/** More of one kind are not counted. */
export const MOST_COUNTED = 10_000
/** Locations or endpoints read in one query, and in total. */
const PIECE = 100
const MOST_PIECES = 100

export interface Backlog {
  deliveries: { pending: number; retrying: number }
  /** How long the attempt has been due that is due the longest, in milliseconds; 0: none is. */
  oldestDeliveryMs: number
  dispatches: { queued: number; sent: number; accepted: number }
  /** The same of a job that may go to its gateway, where one is online. */
  oldestDispatchMs: number
  /** Of restaurants, not revoked. */
  gateways: { offline: number; unknown: number }
  /** Telephone numbers that are not as they were asked for: given up, or tried again after a failure. */
  numbers: { failed: number; retrying: number }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** States are literals in the queries, because SQLite uses a partial index only for a condition that it can read. */
export class BacklogStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Never more than a moment of the database at a time: between two queries others have their turn. */
  async read(nowMs: number): Promise<Backlog> {
    const pending = await this.#count(sql`deliveries where state = 'pending'`)
    const retrying = await this.#count(sql`deliveries where state = 'retrying'`)
    const dueMs = Math.min(await this.#oldestAttempt('pending', nowMs), await this.#oldestAttempt('retrying', nowMs))
    const queued = await this.#count(sql`dispatches where state = 'queued'`)
    const under = await this.#underWay()
    const jobMs = await this.#oldestJob(nowMs)
    const offline = await this.#count(sql`gateways where presence = 'offline' and simulated = 0 and revoked_at is null`)
    const unknown = await this.#count(sql`gateways where presence = 'unknown' and simulated = 0`)
    const failed = await this.#count(sql`phone_numbers where state = 'failed'`)
    const again = await this.#count(sql`phone_numbers where next_at is not null and error is not null`)
    return {
      deliveries: { pending, retrying },
      oldestDeliveryMs: Math.max(0, nowMs - dueMs),
      dispatches: { queued, ...under },
      oldestDispatchMs: Math.max(0, nowMs - jobMs),
      gateways: { offline, unknown },
      numbers: { failed, retrying: again },
    }
  }

  /** Of webhook deliveries: how many wait, and since when the one is due that is due the longest; null: none is. */
  async oldestDelivery(nowMs: number): Promise<{ waiting: number; sinceMs: number | null }> {
    const dueMs = Math.min(await this.#oldestAttempt('pending', nowMs), await this.#oldestAttempt('retrying', nowMs))
    if (dueMs === Number.POSITIVE_INFINITY) return { waiting: 0, sinceMs: null }
    const pending = await this.#count(sql`deliveries where state = 'pending'`)
    return { waiting: pending + (await this.#count(sql`deliveries where state = 'retrying'`)), sinceMs: dueMs }
  }

  /** What waits for platforms and points of sale. */
  async outside(): Promise<{ channels: number; pos: number }> {
    const channels = await this.#count(sql`channel_items where next_at is not null`)
    return { channels, pos: await this.#count(sql`pos_outbox where state = 'pending'`) }
  }

  async #count(what: RawBuilder<unknown>): Promise<number> {
    await turn()
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from (select 1 as one from ${what} limit ${sql.lit(MOST_COUNTED)}) as few`.execute(
      this.#db.read,
    )
    return rows[0]?.n ?? 0
  }

  async #underWay(): Promise<{ sent: number; accepted: number }> {
    await turn()
    const { rows } = await sql<{ sent: number; accepted: number }>`
      select count(case when state = 'sent' then 1 end) as sent, count(case when state = 'accepted' then 1 end) as accepted
      from (select state from dispatches where state in ('sent', 'accepted') limit ${sql.lit(MOST_COUNTED)}) as few`.execute(
      this.#db.read,
    )
    return rows[0] ?? { sent: 0, accepted: 0 }
  }

  /** @returns since when it is due; Infinity: none is */
  #oldestAttempt(state: 'pending' | 'retrying', nowMs: number): Promise<number> {
    const due = sql`(select next_at from deliveries ${this.#db.words.indexedBy(`deliveries_${state}`)}
      where state = ${sql.lit(state)} and endpoint_id = hop.id and next_at <= ${nowMs} order by next_at limit 1)`
    return this.#oldest({ table: 'deliveries', column: 'endpoint_id', state, due })
  }

  #oldestJob(nowMs: number): Promise<number> {
    const { larger } = this.#db.words
    // With `case`: as a plain condition it makes SQLite join and sort.
    const due = sql`case when exists (
        select 1 from gateways where location_id = hop.id and presence = 'online' and revoked_at is null
      ) then (
        select ${larger(sql`created_at`, sql`available_at`)} from dispatches
          where state = 'queued' and location_id = hop.id and available_at <= ${nowMs}
          order by available_at, ordinal limit 1
      ) end`
    return this.#oldest({ table: 'dispatches', column: 'location_id', state: 'queued', due })
  }

  /** From one endpoint or location of the partial index to the next. @param what.due of the one that is called `hop.id` */
  async #oldest(what: { table: string; column: string; state: string; due: RawBuilder<unknown> }): Promise<number> {
    const [table, column, state] = [sql.table(what.table), sql.ref(what.column), sql.lit(what.state)]
    let oldestMs = Number.POSITIVE_INFINITY
    let after: string | undefined = ''
    for (let piece = 0; piece < MOST_PIECES && after !== undefined; piece++) {
      await turn()
      const { rows } = await sql<{ id: string; since: number | null }>`
        with recursive hop(id, place) as (
          select (select min(${column}) from ${table} where state = ${state} and ${column} > ${after}), 1
          union all
          select (select min(${column}) from ${table} where state = ${state} and ${column} > hop.id), place + 1
            from hop where hop.id is not null and place < ${sql.lit(PIECE)}
        )
        select id, ${what.due} as since from hop where id is not null`.execute(this.#db.read)
      for (const { since } of rows) if (since !== null) oldestMs = Math.min(oldestMs, since)
      const ids = rows.map(({ id }) => id).toSorted()
      after = ids.length < PIECE ? undefined : ids.at(-1)
    }
    return oldestMs
  }
}
