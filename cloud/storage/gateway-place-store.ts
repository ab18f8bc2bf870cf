// Locations and names of gateways, as people change them.
import { sql } from 'kysely'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import { endSimulation } from './end-simulation.ts'

/** Jobs that a gateway was sent and has not reported a result for. */
export type OpenJobs = ReadonlyMap<GatewayId, number>

export class GatewayPlaceStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  async rename(tx: Tx, gatewayId: GatewayId, name: string): Promise<void> {
    await tx.updateTable('gateways').set({ name }).where('id', '=', gatewayId).execute()
  }

  /**
   * From its next hello on the gateway serves another location. It must be offline and without open jobs: a session keeps the location that
   * it began with. A simulated kitchen of the new location ends.
   */
  async move(tx: Tx, gatewayId: GatewayId, to: { locationId: LocationId; nowMs: number }): Promise<void> {
    await endSimulation(tx, to.locationId, to.nowMs)
    await tx.updateTable('gateways').set({ location_id: to.locationId }).where('id', '=', gatewayId).execute()
  }

  /** Gateways without open jobs are not in it. */
  async openJobs(gatewayIds: readonly GatewayId[], on: Db | Tx = this.#db.read): Promise<OpenJobs> {
    if (gatewayIds.length === 0) return new Map()
    const rows = await on
      .selectFrom('dispatches')
      .select((e) => ['gateway_id', e.fn.countAll<number>().as('n')])
      .where('gateway_id', 'in', [...gatewayIds])
      // Literals, as in the partial index dispatches_open.
      .where('state', 'in', [sql.lit('sent' as const), sql.lit('accepted' as const)])
      .groupBy('gateway_id')
      .execute()
    return new Map(rows.flatMap(({ gateway_id, n }) => (gateway_id === null ? [] : [[gateway_id, n] as const])))
  }

  /** Jobs that wait for a gateway of each location and may go now. Locations without any are not in it. */
  async queuedAt(locationIds: readonly LocationId[], nowMs: number): Promise<ReadonlyMap<LocationId, number>> {
    if (locationIds.length === 0) return new Map()
    const rows = await this.#db.read
      .selectFrom('dispatches')
      .select((e) => ['location_id', e.fn.countAll<number>().as('n')])
      .where('location_id', 'in', [...locationIds])
      .where('state', '=', sql.lit('queued' as const))
      .where('available_at', '<=', nowMs)
      .groupBy('location_id')
      .execute()
    return new Map(rows.map(({ location_id, n }) => [location_id, n]))
  }

  /** When the newest ticket of each was printed, by the relay's receipt of the result, epoch ms. Gateways that have printed nothing are missing. */
  async lastPrints(gatewayIds: readonly GatewayId[]): Promise<ReadonlyMap<GatewayId, number>> {
    if (gatewayIds.length === 0) return new Map()
    const rows = await this.#db.read
      .selectFrom('gateways as g')
      .select('g.id')
      .select((e) =>
        e
          .selectFrom('dispatches as d')
          .select('d.settled_at')
          .whereRef('d.gateway_id', '=', 'g.id')
          .whereRef('d.stream', '=', 'g.stream')
          .where('d.seq', 'is not', null)
          .where('d.state', '=', sql.lit('printed' as const))
          // By number, because that is in the index: the newest few of a stream are all that is read.
          .orderBy('d.seq', 'desc')
          .limit(1)
          .as('at'),
      )
      .where('g.id', 'in', [...gatewayIds])
      .execute()
    return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at] as const])))
  }
}
