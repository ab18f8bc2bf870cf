// The outbox to ordering platforms: channel items whose platform has not confirmed what they are now.
import type { MerchantKey } from '#shared/ids.ts'
import type { RelayDatabase, Tx } from './database.ts'
import type { ChannelItemsTable, ChannelsTable } from './schema-catalog.ts'

export interface ChannelKey {
  merchantKey: MerchantKey
  channelId: string
}

/** A channel item under lease with all that telling it needs. `revision` is the one that is told. */
export type ClaimedItem = Pick<
  ChannelItemsTable,
  'merchant_id' | 'channel_id' | 'ums_id' | 'external_id' | 'silenced_at' | 'silenced_until' | 'revision' | 'attempts'
> &
  Pick<ChannelsTable, 'connector' | 'config'> & { public_id: string; environment: 'sandbox' | 'live' }

/** `error`: a class such as `timeout`, never text from outside. */
export type Settlement = { told: true } | { told: false; error: string; attempts: number; nextAtMs: number }

type ItemKey = Pick<ChannelItemsTable, 'merchant_id' | 'channel_id' | 'ums_id'>

export class ChannelOutbox {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Connected channels that have something to be told now. */
  async channelsDue(nowMs: number): Promise<ChannelKey[]> {
    const rows = await this.#due(this.#db.read, nowMs).select(['i.merchant_id', 'i.channel_id']).distinct().execute()
    return rows.map((row) => ({ merchantKey: row.merchant_id, channelId: row.channel_id }))
  }

  /** Takes items of one channel under lease, those that wait longest first. On disk when the promise resolves. */
  claim(
    { merchantKey, channelId }: ChannelKey,
    { limit, nowMs, leaseUntilMs }: { limit: number; nowMs: number; leaseUntilMs: number },
  ): Promise<ClaimedItem[]> {
    return this.#db.unit(async (tx) => {
      const claimed = await this.#due(tx, nowMs)
        .innerJoin('merchants as m', 'm.id', 'i.merchant_id')
        .select(['i.merchant_id', 'i.channel_id', 'i.ums_id', 'i.external_id', 'i.silenced_at', 'i.silenced_until'])
        .select(['i.revision', 'i.attempts', 'c.connector', 'c.config', 'm.public_id', 'm.environment'])
        .where('i.merchant_id', '=', merchantKey)
        .where('i.channel_id', '=', channelId)
        .orderBy('i.next_at')
        .limit(limit)
        .execute()
      for (const item of claimed) await ofItem(tx, item).set({ lease_until: leaseUntilMs }).execute()
      return claimed
    })
  }

  /** What came of telling an item. When it has changed meanwhile, only the lease ends: the newer revision is still to be told. */
  settle(item: ClaimedItem, outcome: Settlement, nowMs: number): Promise<void> {
    const columns = outcome.told
      ? { sync_state: 'synced' as const, attempts: 0, next_at: null, last_error: null, synced_at: nowMs }
      : {
          sync_state: 'failed' as const,
          attempts: outcome.attempts,
          next_at: outcome.nextAtMs,
          last_error: outcome.error,
        }
    return this.#db.unit(async (tx) => {
      await ofItem(tx, item).set({ lease_until: null }).execute()
      await ofItem(tx, item).set(columns).where('revision', '=', item.revision).execute()
    })
  }

  /** Gives a lease back without an attempt. */
  async release(item: ItemKey): Promise<void> {
    await this.#db.unit((tx) => ofItem(tx, item).set({ lease_until: null }).execute())
  }

  /** Gives all leases back: for the start, when whoever held them is dead. */
  async releaseAll(): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('channel_items')
        .set({ lease_until: null })
        .where('next_at', 'is not', null)
        .where('lease_until', 'is not', null)
        .execute(),
    )
  }

  #due(on: RelayDatabase['read'] | Tx, nowMs: number) {
    return on
      .selectFrom('channel_items as i')
      .innerJoin('channels as c', (join) =>
        join.onRef('c.merchant_id', '=', 'i.merchant_id').onRef('c.channel_id', '=', 'i.channel_id'),
      )
      .where('i.next_at', '<=', nowMs)
      .where('c.status', '=', 'connected')
      .where((eb) => eb.or([eb('i.lease_until', 'is', null), eb('i.lease_until', '<=', nowMs)]))
  }
}

function ofItem(tx: Tx, { merchant_id, channel_id, ums_id }: ItemKey) {
  return tx
    .updateTable('channel_items')
    .where('merchant_id', '=', merchant_id)
    .where('ums_id', '=', ums_id)
    .where('channel_id', '=', channel_id)
}
