// How an endpoint does, for its owner's page: deliveries of a day by state, its next retry, the newest that it has not taken.
import { type RawBuilder, sql } from 'kysely'
import { firstId, type WebhookId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import type { DeliveryRow } from './delivery-log.ts'
import { storedEventTypes } from './type-hops.ts'

const STATES = ['pending', 'retrying', 'delivered', 'failed'] as const
/** At most this many of one state and type are counted: the page shows "and more", and a busy endpoint costs no more than this. */
export const COUNTED_AT_MOST = 10_000

export interface DayCounts extends Record<(typeof STATES)[number], number> {
  /** There are more than were counted. */
  isCapped: boolean
}

export class EndpointFigures {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Deliveries recorded since then, by state. */
  async countsSince(endpointId: WebhookId, sinceMs: number): Promise<DayCounts> {
    const counts: DayCounts = { pending: 0, retrying: 0, delivered: 0, failed: 0, isCapped: false }
    const branches: RawBuilder<unknown>[] = []
    for (const state of STATES) {
      const there = sql`endpoint_id = ${endpointId} and state = ${state}`
      // One seek in `deliveries_list` for each type: else the index is read from its beginning, all days of it.
      for (const type of await storedEventTypes(this.#db.read, 'deliveries', there))
        branches.push(sql`select cast(${state} as text) as state, count(*) as count from (select 1 from deliveries where ${there} and type = ${type}
          and id >= ${firstId('dlv', sinceMs)} limit ${COUNTED_AT_MOST + 1}) as one_type`)
    }
    if (branches.length === 0) return counts
    const found = sql<{ state: (typeof STATES)[number]; count: number }>`${sql.join(branches, sql` union all `)}`
    for (const { state, count } of (await found.execute(this.#db.read)).rows) {
      counts[state] += Math.min(Number(count), COUNTED_AT_MOST)
      if (Number(count) > COUNTED_AT_MOST) counts.isCapped = true
    }
    return counts
  }

  /** Epoch ms of the retry that comes first; null: none is planned. */
  async nextRetryMs(endpointId: WebhookId): Promise<number | null> {
    const row = await this.#db.read
      .selectFrom('deliveries')
      .select('next_at')
      .where('endpoint_id', '=', endpointId)
      // A literal: SQLite uses a partial index only when the query has the same condition as the index.
      .where('state', '=', sql.lit('retrying' as const))
      .orderBy('next_at')
      .limit(1)
      .executeTakeFirst()
    return row?.next_at ?? null
  }

  /** Of those that it was sent and has not taken, the one recorded last. */
  async lastRefused(endpointId: WebhookId): Promise<DeliveryRow | null> {
    const newest = await Promise.all((['retrying', 'failed'] as const).map((state) => this.#newest(endpointId, state)))
    return newest.filter((row) => row !== null).sort((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null
  }

  async #newest(endpointId: WebhookId, state: 'retrying' | 'failed'): Promise<DeliveryRow | null> {
    const there = sql`endpoint_id = ${endpointId} and state = ${state}`
    const rows: DeliveryRow[] = []
    for (const type of await storedEventTypes(this.#db.read, 'deliveries', there)) {
      const row = await this.#db.read
        .selectFrom('deliveries')
        .selectAll()
        .where('endpoint_id', '=', endpointId)
        .where('state', '=', state)
        .where('type', '=', type)
        // What came while it was disabled was not sent.
        .where('attempts', '>', 0)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      if (row !== undefined) rows.push(row)
    }
    return rows.sort((a, b) => (a.id < b.id ? 1 : -1))[0] ?? null
  }
}
