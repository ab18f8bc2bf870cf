// Gateways as an operator lists them, with the place where each stands.
import type { MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'

export class GatewayListStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first, also revoked ones. @param merchantKey null for those of all merchants */
  async list(merchantKey: MerchantKey | null) {
    let query = this.#db.read
      .selectFrom('gateways as g')
      .innerJoin('locations as l', 'l.id', 'g.location_id')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .select([
        'g.id',
        'g.name',
        'g.presence',
        'g.simulated',
        'g.app_version',
        'g.last_seen_at',
        'g.revoked_at',
        'g.clock_offset_ms',
        'g.queue',
        'g.stations',
        'g.health',
        'g.created_at',
        'l.id as location_id',
        'l.name as location_name',
        'm.public_id',
      ])
      .orderBy('g.id', 'desc')
    if (merchantKey !== null) query = query.where('m.id', '=', merchantKey)
    return query.execute()
  }
}
