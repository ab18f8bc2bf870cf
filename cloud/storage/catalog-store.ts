// Catalog items of a merchant.
import type { MerchantKey } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { CatalogItemsTable } from './schema-catalog.ts'

/** Catalog rows by umsId. */
export type CatalogRows = ReadonlyMap<string, CatalogItemsTable>
type FindMany = (on: RelayDatabase['read'], values: Record<string, unknown>) => Promise<CatalogItemsTable[]>

const oneItem = prepared((p) =>
  queryBuilder
    .selectFrom('catalog_items')
    .selectAll()
    .where('merchant_id', '=', p('merchant'))
    .where('ums_id', '=', p('umsId')),
)

const countDown = prepared((p) =>
  queryBuilder
    .updateTable('catalog_items')
    .set((eb) => ({ stock: eb('stock', '-', p('quantity')) }))
    .where('merchant_id', '=', p('merchant'))
    .where('ums_id', '=', p('umsId'))
    .where('stock', '>=', p('quantity'))
    .returningAll(),
)

const countUp = prepared((p) =>
  queryBuilder
    .updateTable('catalog_items')
    .set((eb) => ({ stock: eb('stock', '+', p('quantity')) }))
    .where('merchant_id', '=', p('merchant'))
    .where('ums_id', '=', p('umsId'))
    .where('stock', 'is not', null)
    .returningAll(),
)

/** A quantity of one item of a merchant. */
export interface Pieces {
  merchantKey: MerchantKey
  umsId: string
  quantity: number
}

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

  /** One item, in a unit or as it is committed. */
  async item(on: Db | Tx, merchantKey: MerchantKey, umsId: string): Promise<CatalogItemsTable | null> {
    const [row] = await oneItem(on, { merchant: merchantKey, umsId })
    return row ?? null
  }

  /** Takes pieces of a counted item. @returns the row as it is now, or null when it is not counted, has too few or does not exist */
  async countDown(tx: Tx, { merchantKey, umsId, quantity }: Pieces): Promise<CatalogItemsTable | null> {
    const [row] = await countDown(tx, { merchant: merchantKey, umsId, quantity })
    return row ?? null
  }

  /** Gives pieces back. @returns the row as it is now, or null when it is not counted any more */
  async countUp(tx: Tx, { merchantKey, umsId, quantity }: Pieces): Promise<CatalogItemsTable | null> {
    const [row] = await countUp(tx, { merchant: merchantKey, umsId, quantity })
    return row ?? null
  }

  async update(
    tx: Tx,
    { merchant_id, ums_id }: Pick<CatalogItemsTable, 'merchant_id' | 'ums_id'>,
    change: Partial<CatalogItemsTable>,
  ): Promise<void> {
    await tx
      .updateTable('catalog_items')
      .set(change)
      .where('merchant_id', '=', merchant_id)
      .where('ums_id', '=', ums_id)
      .execute()
  }

  /** Whether stock at 0 silences the items of this merchant by itself. */
  async silencesAtZero(tx: Tx, merchantKey: MerchantKey): Promise<boolean> {
    const row = await tx.selectFrom('merchants').select('auto_silence').where('id', '=', merchantKey).executeTakeFirst()
    return row?.auto_silence === 1
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
