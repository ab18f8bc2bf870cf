// What waits in the three outboxes for its next attempt, and the index of each that has it in order.
import { sql } from 'kysely'
import type { RelayDatabase } from './database.ts'
import type { Waiting, WaitingPart } from './waiting-rows.ts'

/** First attempts too: their times are shown, and order them. */
export function waitingDeliveries(endpoints: (state: 'pending' | 'retrying') => Promise<string[]>): Waiting {
  const partsOf = async (state: 'pending' | 'retrying', index: string): Promise<WaitingPart[]> =>
    (await endpoints(state)).map((endpointId) => ({
      index,
      within: sql`state = ${sql.lit(state)} and endpoint_id = ${endpointId}`,
      attempts: state === 'pending' ? sql`0` : sql`(attempts - manual_attempts)`,
    }))
  return {
    table: 'deliveries',
    key: 'ordinal',
    leased: sql`lease_until is not null`,
    parts: async () => [
      ...(await partsOf('retrying', 'deliveries_retrying')),
      ...(await partsOf('pending', 'deliveries_pending')),
    ],
  }
}

export const WAITING_POS_MESSAGES: Waiting = {
  table: 'pos_outbox',
  key: 'ordinal',
  leased: sql`lease_until is not null`,
  parts: () =>
    Promise.resolve([
      {
        index: 'pos_outbox_due',
        within: sql`state = 'pending'`,
        attempts: sql`attempts`,
      },
    ]),
}

export function waitingChannelItems(db: RelayDatabase): Waiting {
  return {
    table: 'channel_items',
    key: 'ums_id',
    leased: sql`next_at is not null and lease_until is not null`,
    parts: async () => {
      const channels = await db.read.selectFrom('channels').select(['merchant_id', 'channel_id']).execute()
      return channels.map(({ merchant_id, channel_id }) => ({
        index: 'channel_items_queue',
        within: sql`next_at is not null and merchant_id = ${merchant_id} and channel_id = ${channel_id}`,
        attempts: sql`attempts`,
      }))
    },
  }
}
