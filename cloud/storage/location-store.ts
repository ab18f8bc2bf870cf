// Locations: the kitchens of a merchant, one gateway each.
import type { LocationId, MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { NewRow } from './schema.ts'

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

  async insert(tx: Tx, row: NewRow<'locations'>): Promise<void> {
    await tx.insertInto('locations').values(row).execute()
  }
}
