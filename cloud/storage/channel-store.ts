// A merchant's connections to ordering platforms, and what each mapped item is on each of them.
import type { MerchantKey } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'
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
  /** Fired after the commit that gave a platform something to be told. */
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
   * Writes what the item is to be on the channel. It becomes the next revision, to be told at `nextAt` (null: not before the channel is
   * connected again). A message that is in flight keeps its lease; its confirmation counts for the revision before.
   */
  async mark(
    tx: Tx,
    link: Pick<ChannelItemsTable, 'merchant_id' | 'ums_id' | 'channel_id'>,
    mark: ChannelMark,
    nextAt: number | null,
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

  /** All of the merchant, in the order of channelId. */
  list(merchantKey: MerchantKey, on: Db | Tx = this.#db.read): Promise<ChannelsTable[]> {
    return on.selectFrom('channels').selectAll().where('merchant_id', '=', merchantKey).orderBy('channel_id').execute()
  }
}
