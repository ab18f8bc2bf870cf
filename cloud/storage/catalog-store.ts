// Catalog items of a merchant.
import type { MerchantKey } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import type { NewRow } from './schema.ts'
import type { CatalogItemsTable } from './schema-catalog.ts'

/** Catalog rows by umsId. */
export type CatalogRows = ReadonlyMap<string, CatalogItemsTable>
type FindMany = (on: RelayDatabase['read'], values: Record<string, unknown>) => Promise<CatalogItemsTable[]>

export class CatalogStore {
  readonly #db: RelayDatabase
  /** One compiled query for 1, 2, 4, 8, ... ids: the list is padded to the next size. */
  readonly #findMany = new Map<number, FindMany>()

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The rows of those ids that the merchant has. */
  async find(merchantKey: MerchantKey, umsIds: ReadonlySet<string>): Promise<CatalogRows> {
    const ids = [...umsIds]
    const last = ids.at(-1)
    if (last === undefined) return new Map()
    const size = 2 ** Math.ceil(Math.log2(ids.length))
    const values: Record<string, unknown> = { merchant: merchantKey }
    for (let i = 0; i < size; i++) values[`id${i}`] = ids[i] ?? last
    const rows = await this.#query(size)(this.#db.read, values)
    return new Map(rows.map((row) => [row.ums_id, row]))
  }

  /** Adds items; one that exists is replaced. */
  async put(tx: Tx, rows: readonly NewRow<'catalog_items'>[]): Promise<void> {
    for (const row of rows) {
      await tx
        .insertInto('catalog_items')
        .values(row)
        .onConflict((conflict) => conflict.columns(['merchant_id', 'ums_id']).doUpdateSet(row))
        .execute()
    }
  }

  #query(size: number): FindMany {
    const known = this.#findMany.get(size)
    if (known) return known
    const made: FindMany = prepared((p) =>
      this.#db.read
        .selectFrom('catalog_items')
        .selectAll()
        .where('merchant_id', '=', p('merchant'))
        .where(
          'ums_id',
          'in',
          Array.from({ length: size }, (_, i) => p(`id${i}`)),
        ),
    )
    this.#findMany.set(size, made)
    return made
  }
}
