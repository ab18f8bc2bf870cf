// Catalog items of a merchant.
import { type ExpressionBuilder, sql } from 'kysely'
import type { MerchantKey } from '#shared/ids.ts'
import { DIRECT_CHANNEL } from '#shared/wire/api/catalog.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow, RelaySchema } from './schema.ts'
import type { CatalogItemsTable } from './schema-catalog.ts'

/** Catalog rows by umsId. */
export type CatalogRows = ReadonlyMap<string, CatalogItemsTable>
type FindMany = (on: RelayDatabase['read'], values: Record<string, unknown>) => Promise<CatalogItemsTable[]>

const oneItem = holding((p) =>
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

const ofMenu = prepared((p) =>
  queryBuilder
    .selectFrom('catalog_items')
    .select(['ums_id', 'name', 'kind', 'category', 'price_cents', 'silenced_at', 'stock'])
    .where('merchant_id', '=', p('merchant'))
    .orderBy('ums_id')
    .limit(p('limit')),
)

/** What a menu shows of an item. */
export type MenuRow = Pick<
  CatalogItemsTable,
  'ums_id' | 'name' | 'kind' | 'category' | 'price_cents' | 'silenced_at' | 'stock'
>

/** A quantity of one item of a merchant. */
export interface Pieces {
  merchantKey: MerchantKey
  umsId: string
  quantity: number
}

/** `menu`: in reading order, items before modifiers, by category, then by name; items without a category come last. */
export type CatalogOrder = 'umsId' | 'menu'

export interface CatalogFilter {
  order: CatalogOrder
  /** The umsId that the page before ended with. */
  after: string | null
  /** Items that are sold there; null is everywhere. */
  channelId: string | null
  /** On that channel; without one, `silenced` is silenced anywhere. */
  state: 'live' | 'silenced' | null
}

/** Behind every text. */
const LAST = '\u{10FFFF}'
/** As in the index `catalog_items_menu`, word by word. */
const CATEGORY = sql<string>`coalesce(c.category, ${sql.lit(LAST)})`

type ItemQuery = ExpressionBuilder<RelaySchema & { c: RelaySchema['catalog_items'] }, 'c'>

function onChannel(eb: ItemQuery, channelId: string | null, state: 'live' | 'silenced' | null) {
  let query = eb
    .selectFrom('channel_items as i')
    .select('i.ums_id')
    .whereRef('i.merchant_id', '=', 'c.merchant_id')
    .whereRef('i.ums_id', '=', 'c.ums_id')
  if (channelId !== null) query = query.where('i.channel_id', '=', channelId)
  if (state !== null) query = query.where('i.silenced_at', state === 'silenced' ? 'is not' : 'is', null)
  return query
}

function anywhere(eb: ItemQuery) {
  return eb.or([eb('c.direct_silenced_at', 'is not', null), eb.exists(onChannel(eb, null, 'silenced'))])
}

const dueDirect = prepared((p) =>
  queryBuilder
    .selectFrom('catalog_items')
    .select(['merchant_id', 'ums_id'])
    .where('direct_silenced_until', '<=', p('nowMs'))
    .orderBy('direct_silenced_until')
    .limit(p('limit')),
)

const dueOnChannels = prepared((p) =>
  queryBuilder
    .selectFrom('channel_items')
    .select(['merchant_id', 'ums_id'])
    .where('silenced_until', '<=', p('nowMs'))
    .orderBy('silenced_until')
    .limit(p('limit')),
)

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

  /** Adds items. An existing one gets the menu's fields; its silence and stock stay. */
  async put(tx: Tx, rows: readonly NewRow<'catalog_items'>[]): Promise<void> {
    for (const row of rows) {
      const { name, kind, price_cents, prep_minutes, station, category } = row
      await tx
        .insertInto('catalog_items')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['merchant_id', 'ums_id'])
            .doUpdateSet({ name, kind, price_cents, prep_minutes, station, category }),
        )
        .execute()
    }
  }

  /** By umsId, in one read. */
  menu(merchantKey: MerchantKey, limit: number): Promise<MenuRow[]> {
    return ofMenu(this.#db.read, { merchant: merchantKey, limit })
  }

  async page(merchantKey: MerchantKey, filter: CatalogFilter, limit: number): Promise<CatalogItemsTable[]> {
    const { order, after, channelId, state } = filter
    let query = this.#db.read.selectFrom('catalog_items as c').selectAll('c').where('c.merchant_id', '=', merchantKey)
    if (after !== null && order === 'umsId') query = query.where('c.ums_id', '>', after)
    else if (after !== null) {
      const last = await this.item(this.#db.read, merchantKey, after)
      // Items are never deleted: this cursor is not of this list.
      if (last === null) return []
      const { kind, category, name, ums_id } = last
      query = query.where(
        sql<boolean>`(c.kind, ${CATEGORY}, c.name, c.ums_id) > (${kind}, ${category ?? LAST}, ${name}, ${ums_id})`,
      )
    }
    if (channelId === null) {
      if (state !== null) query = query.where((eb) => (state === 'silenced' ? anywhere(eb) : eb.not(anywhere(eb))))
    } else if (channelId === DIRECT_CHANNEL) {
      if (state !== null) query = query.where('c.direct_silenced_at', state === 'silenced' ? 'is not' : 'is', null)
    } else {
      query = query.where((eb) => eb.exists(onChannel(eb, channelId, state)))
    }
    if (order === 'menu') query = query.orderBy('c.kind').orderBy(CATEGORY).orderBy('c.name')
    return query.orderBy('c.ums_id').limit(limit).execute()
  }

  /** Items of all merchants that are silenced on `direct` or a channel until this time or an earlier one. */
  async due(nowMs: number, limit: number): Promise<Pick<CatalogItemsTable, 'merchant_id' | 'ums_id'>[]> {
    // One after the other: if both ran when the first fails, nothing would await the second, and its rejection would end the program.
    const direct = await dueDirect(this.#db.read, { nowMs, limit })
    const channels = await dueOnChannels(this.#db.read, { nowMs, limit })
    const byKey = new Map([...direct, ...channels].map((row) => [row.merchant_id + row.ums_id, row]))
    return [...byKey.values()].slice(0, limit)
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
