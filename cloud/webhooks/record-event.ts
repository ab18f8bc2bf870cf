// Records an event and one delivery for each subscribed endpoint, in the caller's transaction: with the order, or not at all.

import type { Tx } from '#cloud/storage/database.ts'
import { insertDelivery } from '#cloud/storage/delivery-store.ts'
import { endpointOf, subscribersOf } from '#cloud/storage/endpoint-store.ts'
import { insertEvent } from '#cloud/storage/event-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import {
  type AccountId,
  type DeliveryId,
  derivedId,
  type EventId,
  isId,
  type MerchantKey,
  newId,
  timeOfId,
  type WebhookId,
} from '#shared/ids.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { STAR_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { sampleEvent } from './sample-event.ts'

export interface NewEvent {
  type: WebhookEventType
  accountId: AccountId
  /** The relay's own id of the merchant. */
  merchantKey: MerchantKey
  /** The public `M-...` id. */
  merchantId: string
  environment: 'sandbox' | 'live'
  /** The id of the order, SKU or alert. */
  subjectId: string
  /** Counts the events of one subject from 1. */
  sequence: number
  /**
   * For actions that can happen again to the same subject with another result (a refund, a change of a SKU): distinguishes this one from
   * all others. A relay restored from a backup counts `sequence` from the backup, and a new action must not look like a lost one.
   */
  act?: string
  /** When it happened, in epoch ms. For `order.printed` the time on paper. */
  atMs: number
  /** `{order: ...}` and so on: the state at this time. It is not validated again. */
  data: Readonly<Record<string, unknown>>
  /**
   * `account` (default): for endpoints of this account only, because it is about one of its orders. `merchant`: for those of every account
   * that may act on the merchant, because it is about the merchant's SKUs.
   */
  audience?: 'account' | 'merchant'
  /** Restricts the subscribed endpoints to these. Default: all. */
  only?: ReadonlySet<WebhookId>
}

/**
 * Fixes the bytes that every attempt will send. A disabled endpoint gets a failed delivery instead of none, so that the event can be sent
 * again once it is enabled.
 * @returns the endpoints with a delivery to send: call `DeliveryStore.announce` after the commit
 */
export async function recordEvent(
  tx: Tx,
  { clock }: { clock: Clock },
  event: NewEvent,
): Promise<{ eventId: EventId; endpointIds: WebhookId[] }> {
  const nowMs = clock.now()
  const { audience = 'account', only } = event
  const eventId = eventIdOf(event)
  await insertNew(tx, event, { eventId, audience, test: false, nowMs })
  const endpointIds: WebhookId[] = []
  for (const endpoint of await subscribersOf(tx, event, audience)) {
    if (!wants(endpoint.events, event.type)) continue
    if (only?.has(endpoint.id) === false) continue
    await insertDelivery(tx, {
      eventId,
      endpointId: endpoint.id,
      subjectId: event.subjectId,
      type: event.type,
      enabled: endpoint.enabled,
      nowMs,
    })
    if (endpoint.enabled) endpointIds.push(endpoint.id)
  }
  return { eventId, endpointIds }
}

/**
 * Sends a test event to one endpoint, whatever its subscriptions; a disabled one gets a failed delivery. The data is made up, or edited by
 * the sender, and valid; the envelope has `test: true`.
 * @returns also the endpoint, if the delivery is to be sent: call `DeliveryStore.announce` after the commit
 * @throws ServiceError webhook.not_found (404)
 */
export async function recordTestEvent(
  tx: Tx,
  { clock }: { clock: Clock },
  {
    merchant,
    endpointId,
    event: { type, data: edited },
  }: { merchant: TestMerchant; endpointId: WebhookId; event: TestEvent },
): Promise<{ eventId: EventId; deliveryId: DeliveryId; endpointIds: WebhookId[] }> {
  const nowMs = clock.now()
  const sample = sampleEvent(type, merchant, nowMs)
  const { data, sequence } = edited === undefined ? sample : { data: edited, sequence: sequenceIn(edited) }
  // Never the subject in the edited data: a real event of that order must find its sequence number unused.
  const { subjectId } = sample
  const { accountId, key: merchantKey, publicId: merchantId, environment } = merchant
  const owner = { accountId, merchantKey, environment }
  const endpoint = await endpointOf(tx, owner, endpointId)
  if (!endpoint) throw new ServiceError('webhook.not_found')
  const enabled = endpoint.status === 'enabled'
  const event: NewEvent = { ...owner, merchantId, type, subjectId, sequence, atMs: nowMs, data }
  const eventId = newId('evt', nowMs)
  await insertNew(tx, event, { eventId, audience: 'account', test: true, nowMs })
  const deliveryId = await insertDelivery(tx, { eventId, endpointId, subjectId, type, enabled, nowMs })
  return { eventId, deliveryId, endpointIds: enabled ? [endpointId] : [] }
}

export interface TestEvent {
  type: WebhookEventType
  /** Replaces the made-up data; must match `WEBHOOK_EVENT_DATA[type]`. */
  data?: Readonly<Record<string, unknown>> | undefined
}

function sequenceIn({ order }: { order?: unknown }): number {
  return (order as { sequence?: number } | undefined)?.sequence ?? 1
}

type TestMerchant = Pick<MerchantRecord, 'key' | 'publicId' | 'accountId' | 'environment'>

/**
 * The same event recorded again has the same id, even by a relay restored from a backup: receivers that process each id once skip it. The
 * time in the id is that of the order, or, if the event has no time of its own, that of the action.
 */
function eventIdOf({ accountId, merchantKey, subjectId, type, sequence, act = '', atMs }: NewEvent): EventId {
  const ms = isId('ord', subjectId) ? timeOfId(subjectId) : atMs
  return derivedId('evt', ms, JSON.stringify([accountId, merchantKey, subjectId, type, sequence, act]))
}

async function insertNew(
  tx: Tx,
  event: NewEvent,
  more: { eventId: EventId; audience: 'account' | 'merchant'; test: boolean; nowMs: number },
): Promise<void> {
  const { eventId, audience, test, nowMs } = more
  await insertEvent(tx, {
    id: eventId,
    account_id: event.accountId,
    merchant_id: event.merchantKey,
    environment: event.environment,
    type: event.type,
    subject_id: event.subjectId,
    sequence: event.sequence,
    payload: payloadOf(eventId, event, test),
    audience,
    test: test ? 1 : 0,
    created_at: nowMs,
  })
}

function payloadOf(id: EventId, event: NewEvent, test: boolean): string {
  const envelope: WebhookEvent = {
    id,
    type: event.type,
    timestamp: toIso(event.atMs),
    apiVersion: 'v1',
    environment: event.environment,
    merchantId: event.merchantId,
    sequence: event.sequence,
    ...(test ? { test: true } : {}),
    data: event.data,
  }
  return JSON.stringify(envelope)
}

/** Types outside of `*` are subscribed to by name only. */
function wants(subscribed: readonly string[], type: WebhookEventType): boolean {
  return subscribed.includes(type) || (subscribed.includes('*') && STAR_EVENT_TYPES.includes(type))
}
