// Gateways as an operator lists them, with the location of each.
import type { AccountId, LocationId, MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { MerchantsTable } from './schema-accounts.ts'

type Environment = MerchantsTable['environment']

export class GatewayListStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The owner of this location. @throws NoResultError when there is no such location */
  ownerOf(tx: Tx, locationId: LocationId): Promise<{ accountId: AccountId; environment: Environment }> {
    return tx
      .selectFrom('locations as l')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .select(['m.account_id as accountId', 'm.environment'])
      .where('l.id', '=', locationId)
      .executeTakeFirstOrThrow()
  }

  /** How many gateways and locations the account has in this environment. Revoked and simulated gateways do not count. */
  async heldBy(
    tx: Tx,
    { accountId, environment }: { accountId: AccountId; environment: Environment },
  ): Promise<{ gateways: number; locations: number }> {
    const ofOwner = tx
      .selectFrom('locations as l')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .where('m.account_id', '=', accountId)
      .where('m.environment', '=', environment)
    const locations = await ofOwner.select((e) => e.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
    const gateways = await ofOwner
      .innerJoin('gateways as g', 'g.location_id', 'l.id')
      .where('g.revoked_at', 'is', null)
      .where('g.simulated', '=', 0)
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return { gateways: gateways.n, locations: locations.n }
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
        'g.hardware',
        'g.rotation_asked_at',
        'l.id as location_id',
        'l.name as location_name',
        'm.public_id',
      ])
      .orderBy('g.id', 'desc')
    if (merchantKey !== null) query = query.where('m.id', '=', merchantKey)
    return query.execute()
  }
}
