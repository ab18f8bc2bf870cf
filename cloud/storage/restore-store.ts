// What a database records about having gone back to an earlier state: when, and which gateways have not connected since.
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'

export interface KitchenGateway {
  gatewayId: GatewayId
  locationId: LocationId
}

/** A relay was started at `atMs` on a state of the database that is as old as `copiedAtMs`, or younger. */
export interface Restore {
  atMs: number
  copiedAtMs: number
  /** Null: for all. Otherwise only a gateway of this location is evidence for it. */
  locationId: LocationId | null
}

const EVERYWHERE = ''
/** As long as events are kept, and a day. */
const KEPT_MS = 31 * 86_400_000

export class RestoreStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** A file marked as a copy is one that was restored: records since when. @returns when it was copied; null: it is no copy */
  async noteCopy(nowMs: number): Promise<number | null> {
    const mark = this.#db.read.selectFrom('marks').select('at').where('name', '=', 'copied')
    const copiedAtMs = (await mark.executeTakeFirst())?.at ?? null
    if (copiedAtMs === null) return null
    await this.#db.unit(async (tx) => {
      await tx.deleteFrom('marks').where('name', '=', 'copied').execute()
      await tx
        .deleteFrom('restores')
        .where('at', '<', nowMs - KEPT_MS)
        .execute()
      await this.note(tx, { atMs: nowMs, copiedAtMs, locationId: null })
    })
    return copiedAtMs
  }

  /** Once. */
  async note(tx: Tx, { atMs, copiedAtMs, locationId }: Restore): Promise<void> {
    await tx
      .insertInto('restores')
      .values({ at: atMs, location_id: locationId ?? EVERYWHERE, copied_at: copiedAtMs })
      .onConflict((on) => on.doNothing())
      .execute()
  }

  /**
   * A gateway of the location has handed back an order of `orderedMs` that this relay had lost. If only its location had evidence of an
   * earlier state, that state is proved now, and recorded for all. An order from before that state proves nothing: it was
   * deleted because of its age.
   */
  async prove(tx: Tx, { locationId, orderedMs }: { locationId: LocationId; orderedMs: number }): Promise<void> {
    const newest = tx.selectFrom('restores').selectAll().orderBy('at', 'desc').limit(1)
    const said = await newest
      .where('location_id', '=', locationId)
      .where('copied_at', '<', orderedMs)
      .executeTakeFirst()
    if (!said) return
    const proved = await newest.where('location_id', '=', EVERYWHERE).where('at', '>=', said.at).executeTakeFirst()
    if (!proved) await this.note(tx, { atMs: said.at, copiedAtMs: said.copied_at, locationId: null })
  }

  /** Not older than `sinceMs`. */
  async list(sinceMs: number): Promise<Restore[]> {
    const rows = await this.#db.read.selectFrom('restores').selectAll().where('at', '>', sinceMs).execute()
    return rows.map(({ at, copied_at, location_id }) => ({
      atMs: at,
      copiedAtMs: copied_at,
      locationId: location_id === EVERYWHERE ? null : location_id,
    }))
  }

  /** Gateways whose last connection was before the restore and not before `seenAfterMs`. */
  async notHeardSince(
    { atMs, locationId }: Restore,
    seenAfterMs: number,
    tx: Pick<Tx, 'selectFrom'> = this.#db.read,
  ): Promise<KitchenGateway[]> {
    const rows = await tx
      .selectFrom('gateways')
      .select(['id', 'location_id'])
      .where('revoked_at', 'is', null)
      .where('simulated', '=', 0)
      .where((e) => e(e.fn.coalesce('last_seen_at', 'created_at'), '<', atMs))
      .where((e) => e(e.fn.coalesce('last_seen_at', 'created_at'), '>=', seenAfterMs))
      .$if(locationId !== null, (all) => all.where('location_id', '=', locationId as LocationId))
      .execute()
    return rows.map((row) => ({ gatewayId: row.id, locationId: row.location_id }))
  }
}
