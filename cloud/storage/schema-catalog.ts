// Tables of the catalog and its channels; conventions as in schema.ts.
import type { MerchantKey } from '#shared/ids.ts'

export interface CatalogItemsTable {
  merchant_id: MerchantKey
  ums_id: string
  name: string
  kind: 'item' | 'modifier'
  price_cents: number | null
  prep_minutes: number | null
  station: string | null
  /** For the routing rules of a kitchen. */
  category: string | null
  /** Set while the item cannot be ordered directly: silenced on `direct`, or on every channel. */
  silenced_at: number | null
  /** Pieces left; null is not counted. */
  stock: number | null
  /** `sku.low_stock` at or below this. */
  low_threshold: number
  /** When `sku.low_stock` was sent; null again once the stock is above the threshold. */
  low_stock_at: number | null
  /** Number of the item's last event. */
  sequence: number
  /** The pseudo channel `direct`, like the columns of channel_items. */
  direct_silenced_at: number | null
  direct_silenced_until: number | null
  direct_cause: 'call' | 'out_of_stock' | null
  direct_reason: string | null
}

/** A merchant's connection to an ordering platform. */
export interface ChannelsTable {
  merchant_id: MerchantKey
  /** Chosen at connection, such as `uber-eats`; unique within the merchant, never `direct`. */
  channel_id: string
  platform: string
  name: string
  connector: 'http' | 'simulated'
  /** JSON of the connector; secrets inside are sealed. */
  config: string
  status: 'connected' | 'disconnected'
  created_at: number
}

/**
 * The state of an item on a channel, and the outbox to it: the state wanted last is sent until the platform has confirmed it, so two changes
 * in a row may become one message. `revision` counts the changes; a confirmation counts only for the revision that was sent.
 */
export interface ChannelItemsTable {
  merchant_id: MerchantKey
  channel_id: string
  ums_id: string
  external_id: string
  silenced_at: number | null
  silenced_until: number | null
  cause: 'call' | 'out_of_stock' | null
  reason: string | null
  sync_state: 'synced' | 'pending' | 'failed'
  revision: number
  /** Tries since the last confirmation. */
  attempts: number
  /** When to send it next; null when synced. */
  next_at: number | null
  lease_until: number | null
  last_error: string | null
  synced_at: number | null
  /** The replica that has the lease; null: the relay is alone. */
  lease_by: string | null
}
