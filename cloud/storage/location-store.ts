// Locations: the kitchens of a merchant, one gateway each.
import type { AccountId, LocationId, MerchantKey } from '#shared/ids.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { LocationsTable } from './schema-gateways.ts'

export class LocationStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Whether the merchant has this location. */
  async belongsTo(merchantKey: MerchantKey, locationId: LocationId): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('locations')
      .select('id')
      .where('id', '=', locationId)
      .where('merchant_id', '=', merchantKey)
      .executeTakeFirst()
    return row !== undefined
  }

  async find(locationId: LocationId, on: Db | Tx = this.#db.read): Promise<LocationsTable | null> {
    const row = await on.selectFrom('locations').selectAll().where('id', '=', locationId).executeTakeFirst()
    return row ?? null
  }

  async rename(tx: Tx, locationId: LocationId, name: string): Promise<void> {
    await tx.updateTable('locations').set({ name }).where('id', '=', locationId).execute()
  }

  /** The default one first. */
  async ofMerchant(merchantKey: MerchantKey): Promise<LocationsTable[]> {
    return this.#db.read
      .selectFrom('locations')
      .selectAll()
      .where('merchant_id', '=', merchantKey)
      .orderBy('is_default', 'desc')
      .orderBy('id')
      .execute()
  }

  /** Locations of the live merchants that the account owns, which its plan limits. */
  async countLive(tx: Tx, accountId: AccountId): Promise<number> {
    const row = await tx
      .selectFrom('locations')
      .innerJoin('merchants', 'merchants.id', 'locations.merchant_id')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('merchants.account_id', '=', accountId)
      .where('merchants.environment', '=', 'live')
      .executeTakeFirst()
    return row?.n ?? 0
  }

  async insert(tx: Tx, row: NewRow<'locations'>): Promise<void> {
    await tx.insertInto('locations').values(row).execute()
  }
}
