// The outbox to ordering platforms: channel items whose state the platform has not confirmed.
import { sql } from 'kysely'
import type { MerchantKey } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { isFree, OutboxRows, type OutboxTable } from './outbox-rows.ts'
import { queryBuilder } from './query-builder.ts'
import type { ChannelItemsTable, ChannelsTable } from './schema-catalog.ts'

export interface ChannelKey {
  merchantKey: MerchantKey
  channelId: string
}

/** A channel item under lease with everything needed to send it. `revision` is the one that is sent. */
export type ClaimedItem = Pick<
  ChannelItemsTable,
  'merchant_id' | 'channel_id' | 'ums_id' | 'external_id' | 'silenced_at' | 'silenced_until' | 'revision' | 'attempts'
> &
  Pick<ChannelsTable, 'connector' | 'config'> & { public_id: string; environment: 'sandbox' | 'live' }

const nextWaiting = prepared((p) =>
  queryBuilder
    .selectFrom('channel_items')
    .select(['merchant_id', 'channel_id'])
    .where('next_at', 'is not', null)
    .where(sql<boolean>`(merchant_id, channel_id) > (${p('merchant')}, ${p('channel')})`)
    .orderBy('merchant_id')
    .orderBy('channel_id')
    // As the partial index has them: PostgreSQL would take the other, and read all that waits for nothing.
    .orderBy('next_at')
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
    .where(isFree('i', p('nowMs')))

const firstDue = prepared((p) => dueOf(p).select('i.ums_id').limit(1))

const claimable = prepared((p) =>
  dueOf(p)
    .innerJoin('merchants as m', 'm.id', 'i.merchant_id')
    .select(['i.merchant_id', 'i.channel_id', 'i.ums_id', 'i.external_id', 'i.silenced_at', 'i.silenced_until'])
    .select(['i.revision', 'i.attempts', 'c.connector', 'c.config', 'm.public_id', 'm.environment'])
    .orderBy('i.next_at')
    .limit(p('limit'))
    .forNoKeyUpdate('i')
    .skipLocked(),
)

/** Of one item on one channel. */
type ItemKey = Pick<ChannelItemsTable, 'merchant_id' | 'channel_id' | 'ums_id'>

function tableOf(db: RelayDatabase): OutboxTable<ItemKey> {
  return {
    table: 'channel_items',
    key: 'ums_id',
    leased: sql`next_at is not null and lease_until is not null`,
    rows: (keys) =>
      sql.join(
        keys.map((k) => sql`merchant_id = ${k.merchant_id} and channel_id = ${k.channel_id} and ums_id = ${k.ums_id}`),
        sql` or `,
      ),
    parts: async () => {
      const channels = await db.read.selectFrom('channels').select(['merchant_id', 'channel_id']).execute()
      return channels.map(({ merchant_id, channel_id }) => ({
        index: 'channel_items_queue',
        keyed: sql`merchant_id = ${merchant_id} and channel_id = ${channel_id}`,
        within: sql`next_at is not null and merchant_id = ${merchant_id} and channel_id = ${channel_id}`,
        attempts: sql`attempts`,
      }))
    },
  }
}

export class ChannelOutbox extends OutboxRows<ItemKey> {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, tableOf(db))
    this.#db = db
  }

  /** Connected channels that have something to send now. Its cost depends on the number of channels with anything unconfirmed, not on how much. */
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
      await this.lease(tx, claimed, leaseUntilMs)
      return claimed
    })
  }

  /**
   * The result of sending an item. If it has changed meanwhile, only the lease ends: the newer revision must still be sent.
   * @param failed null: it was confirmed; `error`: a class such as `timeout`, never text from outside
   */
  settle(item: ClaimedItem, failed: { error: string; nextAtMs: number } | null, nowMs: number): Promise<void> {
    const columns =
      failed === null
        ? { sync_state: 'synced' as const, attempts: 0, next_at: null, last_error: null, synced_at: nowMs }
        : {
            sync_state: 'failed' as const,
            attempts: item.attempts + 1,
            next_at: failed.nextAtMs,
            last_error: failed.error,
          }
    return this.#db.unit(async (tx) => {
      await ofItem(tx, item).set({ lease_until: null }).execute()
      await ofItem(tx, item).set(columns).where('revision', '=', item.revision).execute()
    })
  }
}

function ofItem(tx: Tx, { merchant_id, channel_id, ums_id }: ItemKey) {
  return tx
    .updateTable('channel_items')
    .where('merchant_id', '=', merchant_id)
    .where('ums_id', '=', ums_id)
    .where('channel_id', '=', channel_id)
}
