// Records an event and one delivery for each endpoint that wants it, in the caller's transaction: with the order, or not at all.

import type { Tx } from '#cloud/storage/database.ts'
import { insertDelivery } from '#cloud/storage/delivery-store.ts'
import { subscribersOf } from '#cloud/storage/endpoint-store.ts'
import { insertEvent } from '#cloud/storage/event-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { type AccountId, type EventId, type MerchantKey, newId } from '#shared/ids.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEvent, type WebhookEventType } from '#shared/wire/webhook-event.ts'

export interface NewEvent {
  type: WebhookEventType
  accountId: AccountId
  /** The relay's own id of the merchant. */
  merchantKey: MerchantKey
  /** The public `M-...` id. */
  merchantId: string
  environment: 'sandbox' | 'live'
  /** The order or SKU that it is about. */
  subjectId: string
  /** Counts the events of one subject from 1. */
  sequence: number
  /** When it happened: for `order.printed` the time on paper. Epoch ms. */
  atMs: number
  /** `{order: ...}` and the like: the state at this time. It is not looked at again. */
  data: Readonly<Record<string, unknown>>
}

/**
 * Fixes the bytes that every attempt will send. A disabled endpoint gets a failed delivery instead of none, so that
 * the event can be sent again once it is enabled.
 * @returns how many deliveries wait to be sent; when any, notify `DeliveryStore.changed` after the commit.
 */
export async function recordEvent(
  tx: Tx,
  { clock }: { clock: Clock },
  event: NewEvent,
): Promise<{ eventId: EventId; deliveries: number }> {
  const nowMs = clock.now()
  const eventId = newId('evt', nowMs)
  await insertEvent(tx, {
    id: eventId,
    account_id: event.accountId,
    merchant_id: event.merchantKey,
    environment: event.environment,
    type: event.type,
    subject_id: event.subjectId,
    sequence: event.sequence,
    payload: payloadOf(eventId, event),
    created_at: nowMs,
  })
  let deliveries = 0
  for (const endpoint of await subscribersOf(tx, event)) {
    if (!wants(endpoint.events, event.type)) continue
    await insertDelivery(tx, {
      eventId,
      endpointId: endpoint.id,
      subjectId: event.subjectId,
      enabled: endpoint.enabled,
      nowMs,
    })
    if (endpoint.enabled) deliveries += 1
  }
  return { eventId, deliveries }
}

function payloadOf(id: EventId, event: NewEvent): string {
  const envelope: WebhookEvent = {
    id,
    type: event.type,
    timestamp: toIso(event.atMs),
    apiVersion: 'v1',
    environment: event.environment,
    merchantId: event.merchantId,
    sequence: event.sequence,
    data: event.data,
  }
  return JSON.stringify(envelope)
}

/** `*` stands for the nine types of the specification; types that come later are subscribed to by name only. */
function wants(subscribed: readonly string[], type: WebhookEventType): boolean {
  return subscribed.includes(type) || (subscribed.includes('*') && WEBHOOK_EVENT_TYPES.includes(type))
}
