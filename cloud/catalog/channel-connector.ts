// The interface between the outbox and a platform: how an item's state is sent.
import type { Outcome } from '#cloud/outbox/outbox.ts'
import type { ChannelsTable } from '#cloud/storage/schema-catalog.ts'

/** The state for the platform. It is sent again until it is confirmed, so a connector and its platform must be idempotent by `revision`. */
export interface ChannelMessage {
  /** The public `M-...` id. */
  merchantId: string
  channelId: string
  /** The platform's own id of the item. */
  externalId: string
  umsId: string
  state: 'live' | 'silenced'
  /** ISO 8601; null: until another message. `live` will be sent then in any case. */
  until: string | null
  /** Counts the changes of this item on this channel. A revision lower than the platform's is old and must be ignored. */
  revision: number
}

export interface ChannelContext {
  /** The channel's own JSON: the connector that is named with it has written it. */
  config: string
  environment: 'sandbox' | 'live'
  /** The same at every attempt of one revision: printable ASCII. */
  messageId: string
  /** 1 for the first attempt. */
  attempt: number
}

export interface ChannelConnector {
  /** One attempt: `error` is a class of failure, never text from outside. Never rejects, and ends within 20 s or soon after `stopped`. */
  tell(message: ChannelMessage, context: ChannelContext, stopped: AbortSignal): Promise<Outcome>
  /** Closes its connections; a later attempt opens new ones. */
  close?(): Promise<void>
}

/** By `channels.connector`. */
export type ChannelConnectors = Record<ChannelsTable['connector'], ChannelConnector>
