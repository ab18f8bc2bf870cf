// The outbox to ordering platforms: channel items whose platform has not confirmed what they are now.
import { sql } from 'kysely'
import type { MerchantKey } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { waitingChannelItems } from './outbox-parts.ts'
import { queryBuilder } from './query-builder.ts'
import type { ChannelItemsTable, ChannelsTable } from './schema-catalog.ts'
import { WaitingRows } from './waiting-rows.ts'

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

const nextWaiting = prepared((p) =>
  queryBuilder
    .selectFrom('channel_items')
    .select(['merchant_id', 'channel_id'])
    .where('next_at', 'is not', null)
    .where(sql<boolean>`(merchant_id, channel_id) > (${p('merchant')}, ${p('channel')})`)
    .orderBy('merchant_id')
    .orderBy('channel_id')
    .limit(1),
)

// biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
const dueOf = (p: (name: string) => any) =>
  queryBuilder
    .selectFrom('channel_items as i')
    .innerJoin('channels as c', (join) =>
      join.onRef('c.merchant_id', '=', 'i.merchant_id').onRef('c.channel_id', '=', 'i.channel_id'),
    )
    .where('i.merchant_id', '=', p('merchant'))
    .where('i.channel_id', '=', p('channel'))
    .where('i.next_at', '<=', p('nowMs'))
    .where('c.status', '=', 'connected')
    .where((eb) => eb.or([eb('i.lease_until', 'is', null), eb('i.lease_until', '<=', p('nowMs'))]))

const firstDue = prepared((p) => dueOf(p).select('i.ums_id').limit(1))

const claimable = prepared((p) =>
  dueOf(p)
    .innerJoin('merchants as m', 'm.id', 'i.merchant_id')
    .select(['i.merchant_id', 'i.channel_id', 'i.ums_id', 'i.external_id', 'i.silenced_at', 'i.silenced_until'])
    .select(['i.revision', 'i.attempts', 'c.connector', 'c.config', 'm.public_id', 'm.environment'])
    .orderBy('i.next_at')
    .limit(p('limit')),
)

export class ChannelOutbox {
  /** The times of items that wait to be told. */
  readonly waiting: WaitingRows
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
    this.waiting = new WaitingRows(db, waitingChannelItems(db))
  }

  /** Connected channels that have something to be told now. Costs as much as there are channels with anything unconfirmed, however much it is. */
  async channelsDue(nowMs: number): Promise<ChannelKey[]> {
    const due: ChannelKey[] = []
    let after = { merchant: '', channel: '' }
    for (;;) {
      const [next] = await nextWaiting(this.#db.read, after)
      if (!next) return due
      after = { merchant: next.merchant_id, channel: next.channel_id }
      const [first] = await firstDue(this.#db.read, { ...after, nowMs })
      if (first) due.push({ merchantKey: next.merchant_id, channelId: next.channel_id })
    }
  }

  /** Takes items of one channel under lease, those that wait longest first. On disk when the promise resolves. */
  claim(
    { merchantKey, channelId }: ChannelKey,
    { limit, nowMs, leaseUntilMs }: { limit: number; nowMs: number; leaseUntilMs: number },
  ): Promise<ClaimedItem[]> {
    return this.#db.unit(async (tx) => {
      const claimed = await claimable(tx, { merchant: merchantKey, channel: channelId, nowMs, limit })
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
}

function ofItem(tx: Tx, { merchant_id, channel_id, ums_id }: ItemKey) {
  return tx
    .updateTable('channel_items')
    .where('merchant_id', '=', merchant_id)
    .where('ums_id', '=', ums_id)
    .where('channel_id', '=', channel_id)
}
