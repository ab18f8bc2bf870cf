// Latency slices: durations of each location in buckets, by five minutes and by hours, and the settled jobs and deliveries that they are made of.
import { sql } from 'kysely'
import { type AccountId, asId, type LocationId, type MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { LatencySlicesTable } from './schema-accounts.ts'

/** In place of a location: all live ones together. */
export const EVERY_PLACE = asId<'loc'>('loc_every')

/** Where a reading ended. */
export interface SettledPlace {
  atMs: number
  ordinal: number
}

export interface PlaceOfSlices {
  locationId: LocationId
  name: string
  merchantId: string
  merchantName: string
  timeZone: string
}

/** `counts` as an array. */
export type Slice = Omit<LatencySlicesTable, 'counts'> & { counts: number[] }

export class LatencyStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Tickets of orders that came to an end after this place and before `untilMs`, in that order; none of a simulated kitchen, which has no paper. */
  async settledJobs(after: SettledPlace, untilMs: number, limit: number) {
    return this.#db.read
      .selectFrom('dispatches as d')
      .innerJoin('orders as o', 'o.id', 'd.order_id')
      .innerJoin('merchants as m', 'm.id', 'o.merchant_id')
      .leftJoin('gateways as g', 'g.id', 'd.gateway_id')
      .select('m.environment')
      .select(['d.ordinal', 'd.settled_at', 'd.location_id', 'd.evidence', 'd.created_at', 'd.accepted_at'])
      .select(['o.result', 'o.queued_at', 'o.fire_at', 'o.fired_at', 'o.printed_at'])
      .where('d.kind', '=', 'order')
      .where((e) => e(e.fn.coalesce('g.simulated', e.lit(0)), '=', 0))
      .where('d.settled_at', '>=', after.atMs)
      .where('d.settled_at', '<', untilMs)
      .where((e) => e.or([e('d.settled_at', '>', after.atMs), e('d.ordinal', '>', after.ordinal)]))
      .orderBy('d.settled_at')
      .orderBy('d.ordinal')
      .limit(limit)
      .execute()
  }

  /** First attempts of deliveries about orders that came to an end after this place and before `untilMs`, in that order. */
  async settledDeliveries(after: SettledPlace, untilMs: number, limit: number) {
    return this.#db.read
      .selectFrom('deliveries as d')
      .innerJoin('delivery_attempts as a', (join) =>
        join.onRef('a.delivery_id', '=', 'd.id').on('a.number', '=', 1).on('a.trigger', '=', 'schedule'),
      )
      .innerJoin('events as e', 'e.id', 'd.event_id')
      .innerJoin('orders as o', (join) => join.on(sql<boolean>`o.id = e.subject_id`))
      .select(['d.ordinal', 'd.settled_at', 'o.location_id', 'd.created_at', 'a.at', 'e.environment'])
      .where('e.test', '=', 0)
      .where('d.settled_at', '>=', after.atMs)
      .where('d.settled_at', '<', untilMs)
      .where((eb) => eb.or([eb('d.settled_at', '>', after.atMs), eb('d.ordinal', '>', after.ordinal)]))
      .orderBy('d.settled_at')
      .orderBy('d.ordinal')
      .limit(limit)
      .execute()
  }

  /** Writes slices in place of what was there. */
  async put(tx: Tx, slices: readonly Slice[]): Promise<void> {
    if (slices.length === 0) return
    await tx
      .insertInto('latency_slices')
      .values(slices.map((slice) => ({ ...slice, counts: JSON.stringify(slice.counts) })))
      .onConflict((conflict) =>
        conflict
          .columns(['location_id', 'minutes', 'slot', 'stage'])
          .doUpdateSet((e) => ({ counts: e.ref('excluded.counts') })),
      )
      .execute()
  }

  /** The newest hour that has a slice; null: there is none. */
  async newestHour(): Promise<number | null> {
    const row = await this.#db.read
      .selectFrom('latency_slices')
      .select('slot')
      .where('minutes', '=', 60)
      .orderBy('slot', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.slot ?? null
  }

  /** Slices of these locations that begin at `fromMs` or later. */
  async since(locationIds: readonly LocationId[], minutes: 5 | 60, fromMs: number): Promise<Slice[]> {
    if (locationIds.length === 0) return []
    const rows = await this.#db.read
      .selectFrom('latency_slices')
      .selectAll()
      .where('location_id', 'in', locationIds)
      .where('minutes', '=', minutes)
      .where('slot', '>=', fromMs)
      .execute()
    return rows.map(sliceOf)
  }

  /** Locations of the account's own merchants, or of one of them, by name. */
  async places(
    of: { accountId: AccountId; environment: 'sandbox' | 'live' } | { merchantKey: MerchantKey },
    limit: number,
  ): Promise<PlaceOfSlices[]> {
    let query = this.#db.read
      .selectFrom('locations as l')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .select(['l.id as locationId', 'l.name', 'm.public_id as merchantId', 'm.name as merchantName'])
      .select('m.time_zone as timeZone')
      .orderBy('m.name')
      .orderBy('l.name')
      .orderBy('l.id')
      .limit(limit)
    query =
      'merchantKey' in of
        ? query.where('m.id', '=', of.merchantKey)
        : query.where('m.account_id', '=', of.accountId).where('m.environment', '=', of.environment)
    return query.execute()
  }

  /** Deletes slices of this length that began before, at most `limit`. @returns false when none was left */
  async prune(
    tx: Tx,
    { minutes, beforeMs, limit }: { minutes: 5 | 60; beforeMs: number; limit: number },
  ): Promise<boolean> {
    const old = await tx
      .selectFrom('latency_slices')
      .select(['location_id', 'slot', 'stage'])
      .where('minutes', '=', minutes)
      .where('slot', '<', beforeMs)
      .orderBy('slot')
      .limit(limit)
      .execute()
    if (old.length === 0) return false
    // Row by row: all places have slices of the same five minutes.
    await tx
      .deleteFrom('latency_slices')
      .where('minutes', '=', minutes)
      .where((e) => e.or(old.map((row) => e.and(row))))
      .execute()
    return true
  }
}

function sliceOf({ counts, ...row }: LatencySlicesTable): Slice {
  return { ...row, counts: JSON.parse(counts) as number[] }
}
