// A merchant's connections to ordering platforms, and what each mapped item is on each of them.
import type { AccountId, MerchantKey } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { ChannelItemsTable, ChannelsTable } from './schema-catalog.ts'

/** An item on a channel, with how the channel is. */
export type ChannelLink = ChannelItemsTable & { channel_status: ChannelsTable['status'] }

/** The part of a channel item that a call, a stock or the time changes. */
export type ChannelMark = Pick<ChannelItemsTable, 'silenced_at' | 'silenced_until' | 'cause' | 'reason'>

const links = () =>
  queryBuilder
    .selectFrom('channel_items as i')
    .innerJoin('channels as c', (join) =>
      join.onRef('c.merchant_id', '=', 'i.merchant_id').onRef('c.channel_id', '=', 'i.channel_id'),
    )
    .selectAll('i')
    .select('c.status as channel_status')

const linksOfItem = prepared((p) =>
  links().where('i.merchant_id', '=', p('merchant')).where('i.ums_id', '=', p('umsId')).orderBy('i.channel_id'),
)

const markItem = prepared((p) =>
  queryBuilder
    .updateTable('channel_items')
    .set((eb) => ({
      silenced_at: p('silenced_at'),
      silenced_until: p('silenced_until'),
      cause: p('cause'),
      reason: p('reason'),
      sync_state: 'pending',
      revision: eb('revision', '+', 1),
      attempts: 0,
      next_at: p('nextAt'),
      last_error: null,
    }))
    .where('merchant_id', '=', p('merchant'))
    .where('ums_id', '=', p('umsId'))
    .where('channel_id', '=', p('channelId')),
)

export class ChannelStore {
  /** Fired after the commit of something to send to a platform. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The item on its channels, in the order of channelId. */
  links(on: Db | Tx, merchantKey: MerchantKey, umsId: string): Promise<ChannelLink[]> {
    return linksOfItem(on, { merchant: merchantKey, umsId })
  }

  /** Links of several items, for a page of a list. */
  async linksOfMany(merchantKey: MerchantKey, umsIds: readonly string[]): Promise<Map<string, ChannelLink[]>> {
    const byItem = new Map<string, ChannelLink[]>()
    if (umsIds.length === 0) return byItem
    const rows = await this.#db.read
      .selectFrom('channel_items as i')
      .innerJoin('channels as c', (join) =>
        join.onRef('c.merchant_id', '=', 'i.merchant_id').onRef('c.channel_id', '=', 'i.channel_id'),
      )
      .selectAll('i')
      .select('c.status as channel_status')
      .where('i.merchant_id', '=', merchantKey)
      .where('i.ums_id', 'in', [...umsIds])
      .orderBy('i.channel_id')
      .execute()
    for (const row of rows) {
      const known = byItem.get(row.ums_id)
      if (known) known.push(row)
      else byItem.set(row.ums_id, [row])
    }
    return byItem
  }

  /**
   * Writes the wanted state of the item on the channel. It becomes the next revision, to be sent at `nextAt` (null: not before the channel is
   * connected again). A message in flight keeps its lease; its confirmation counts for its own revision.
   */
  async mark(
    tx: Tx,
    link: Pick<ChannelItemsTable, 'merchant_id' | 'ums_id' | 'channel_id'>,
    { mark, nextAt }: { mark: ChannelMark; nextAt: number | null },
  ): Promise<void> {
    const { silenced_at, silenced_until, cause, reason } = mark
    await markItem(tx, {
      silenced_at,
      silenced_until,
      cause,
      reason,
      nextAt,
      merchant: link.merchant_id,
      umsId: link.ums_id,
      channelId: link.channel_id,
    })
  }

  /** Adds the channel or changes it. */
  async put(tx: Tx, row: ChannelsTable): Promise<void> {
    const { platform, name, connector, config, status } = row
    await tx
      .insertInto('channels')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['merchant_id', 'channel_id']).doUpdateSet({ platform, name, connector, config, status }),
      )
      .execute()
  }

  async find(on: Db | Tx, merchantKey: MerchantKey, channelId: string): Promise<ChannelsTable | null> {
    const row = await on
      .selectFrom('channels')
      .selectAll()
      .where('merchant_id', '=', merchantKey)
      .where('channel_id', '=', channelId)
      .executeTakeFirst()
    return row ?? null
  }

  /** The umsIds that are mapped to the channel. */
  async itemsOf(tx: Tx, merchantKey: MerchantKey, channelId: string): Promise<string[]> {
    const rows = await tx
      .selectFrom('channel_items')
      .select('ums_id')
      .where('merchant_id', '=', merchantKey)
      .where('channel_id', '=', channelId)
      .execute()
    return rows.map((row) => row.ums_id)
  }

  /** Maps an item that was not mapped, and sends the platform its state. */
  async insertItem(tx: Tx, row: NewRow<'channel_items'>): Promise<void> {
    await tx.insertInto('channel_items').values(row).execute()
  }

  /** The platform's own id of a mapped item. `mark` sends it. */
  async rename(
    tx: Tx,
    link: Pick<ChannelItemsTable, 'merchant_id' | 'ums_id' | 'channel_id'>,
    externalId: string,
  ): Promise<void> {
    await tx
      .updateTable('channel_items')
      .set({ external_id: externalId })
      .where('merchant_id', '=', link.merchant_id)
      .where('ums_id', '=', link.ums_id)
      .where('channel_id', '=', link.channel_id)
      .execute()
  }

  /** Schedules what the platform has not confirmed for `nextAt`; null: not at all. */
  async holdOrTell(
    tx: Tx,
    { merchantKey, channelId, nextAt }: { merchantKey: MerchantKey; channelId: string; nextAt: number | null },
  ): Promise<void> {
    await tx
      .updateTable('channel_items')
      .set({ next_at: nextAt, attempts: 0 })
      .where('merchant_id', '=', merchantKey)
      .where('channel_id', '=', channelId)
      .where('sync_state', '!=', 'synced')
      .execute()
  }

  /** By channelId: mapped items, how many of them are silenced, and how many failed. */
  async counts(merchantKey: MerchantKey): Promise<Map<string, { items: number; silenced: number; failed: number }>> {
    const rows = await this.#db.read
      .selectFrom('channel_items')
      .select((eb) => [
        'channel_id',
        eb.fn.countAll<number>().as('items'),
        eb.fn.count<number>('silenced_at').as('silenced'),
        eb.fn.sum<number>(eb.case().when('sync_state', '=', 'failed').then(1).else(0).end()).as('failed'),
      ])
      .where('merchant_id', '=', merchantKey)
      .groupBy('channel_id')
      .execute()
    return new Map(rows.map(({ channel_id, ...counts }) => [channel_id, counts]))
  }

  /** By channelId: items whose state the platform has not confirmed, how many of them failed; when it last confirmed one, epoch ms. */
  async told(
    merchantKey: MerchantKey,
  ): Promise<Map<string, { unconfirmed: number; failed: number; lastMs: number | null }>> {
    const rows = await this.#db.read
      .selectFrom('channel_items')
      .select((eb) => [
        'channel_id',
        eb.fn.sum<number>(eb.case().when('sync_state', '=', 'synced').then(0).else(1).end()).as('unconfirmed'),
        eb.fn.sum<number>(eb.case().when('sync_state', '=', 'failed').then(1).else(0).end()).as('failed'),
        eb.fn.max('synced_at').as('lastMs'),
      ])
      .where('merchant_id', '=', merchantKey)
      .groupBy('channel_id')
      .execute()
    return new Map(rows.map(({ channel_id, ...counts }) => [channel_id, counts]))
  }

  /** The largest number of connected platforms of one of the account's live merchants. */
  async mostPlatforms(accountId: AccountId): Promise<number> {
    const row = await this.#db.read
      .selectFrom('channels as c')
      .innerJoin('merchants as m', 'm.id', 'c.merchant_id')
      .select((e) => e.fn.count<number>('c.platform').distinct().as('platforms'))
      .where('m.account_id', '=', accountId)
      .where('m.environment', '=', 'live')
      .where('c.status', '=', 'connected')
      .groupBy('c.merchant_id')
      .orderBy('platforms', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.platforms ?? 0
  }

  /** All of the merchant, in the order of channelId. */
  list(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<ChannelsTable[]> {
    return on.selectFrom('channels').selectAll().where('merchant_id', '=', merchantKey).orderBy('channel_id').execute()
  }
}
