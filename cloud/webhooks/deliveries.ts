// Deliveries for their owner: the log of attempts, manual redelivery, and recovery of failed deliveries.
import { ListCursors } from '#cloud/storage/cursor.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryLog, DeliveryRow } from '#cloud/storage/delivery-log.ts'
import { type DeliveryStore, insertDelivery } from '#cloud/storage/delivery-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { type EndpointStore, endpointOf } from '#cloud/storage/endpoint-store.ts'
import { idRange } from '#cloud/storage/id-range.ts'
import type { DeliveryAttemptsTable } from '#cloud/storage/schema-webhooks.ts'
import { type Clock, msOf, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { DeliveryId, EventId, WebhookId } from '#shared/ids.ts'
import type * as api from '#shared/wire/api/webhooks.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { type EndpointMerchant, ownerOf } from './endpoints.ts'
import { type EventDeps, getEvent } from './events.ts'

const RECOVER_MS = 14 * 24 * 3_600_000

export interface DeliveryDeps {
  endpoints: EndpointStore
  deliveries: DeliveryStore
  deliveryLog: DeliveryLog
  clock: Clock
}

/** Newest first. @throws ServiceError webhook.not_found (404), request.invalid (422) for a cursor of another list */
export async function listDeliveries(
  { endpoints, deliveryLog }: Pick<DeliveryDeps, 'endpoints' | 'deliveryLog'>,
  merchant: EndpointMerchant,
  { webhookId, ...query }: { webhookId: WebhookId } & Omit<api.DeliveriesQuery, 'merchantId'>,
): Promise<{ data: api.Delivery[]; nextCursor: string | null }> {
  if (!(await endpoints.find(ownerOf(merchant), webhookId))) throw new ServiceError('webhook.not_found')
  const { state, type, limit, cursor } = query
  const times = { fromMs: msOf(query.from), toMs: msOf(query.to) }
  const of = [merchant.accountId, webhookId]
  const cursors = new ListCursors({ list: 'deliveries', of, filters: { state, type, ...times } })
  const range = idRange('dlv', times, cursors.decode(cursor)?.id)
  const found = await deliveryLog.list({ endpointId: webhookId, state, type, range }, limit + 1)
  const { rows, nextCursor } = cursors.page(found, limit, ({ id, created_at: at }) => ({ at, id }))
  return { data: rows.map(shownDelivery), nextCursor }
}

/**
 * To all endpoints of the account at the merchant, newest first. @throws ServiceError request.invalid (422) for a cursor of another list
 */
export async function listAllDeliveries(
  { endpoints, deliveryLog }: Pick<DeliveryDeps, 'endpoints' | 'deliveryLog'>,
  merchant: EndpointMerchant,
  query: Omit<api.DeliveriesQuery, 'merchantId'>,
): Promise<{ data: api.Delivery[]; nextCursor: string | null }> {
  const { state, type, limit, cursor } = query
  const times = { fromMs: msOf(query.from), toMs: msOf(query.to) }
  const of = [merchant.accountId, merchant.key]
  const cursors = new ListCursors({ list: 'deliveries of all endpoints', of, filters: { state, type, ...times } })
  const range = idRange('dlv', times, cursors.decode(cursor)?.id)
  const found: DeliveryRow[] = []
  for (const { id: endpointId } of await endpoints.list(ownerOf(merchant)))
    found.push(...(await deliveryLog.list({ endpointId, state, type, range }, limit + 1)))
  found.sort((a, b) => (a.id < b.id ? 1 : -1))
  const { rows, nextCursor } = cursors.page(found.slice(0, limit + 1), limit, ({ id, created_at: at }) => ({ at, id }))
  return { data: rows.map(shownDelivery), nextCursor }
}

/**
 * For the events of one order or SKU, to one endpoint or to all, newest first. @throws ServiceError request.invalid (422) for a cursor of
 * another list
 */
export async function listSubjectDeliveries(
  { deliveryLog }: Pick<DeliveryDeps, 'deliveryLog'>,
  merchant: EndpointMerchant,
  query: Omit<api.DeliveriesQuery, 'merchantId'> & { subjectId: string; webhookId?: WebhookId | undefined },
): Promise<{ data: api.Delivery[]; nextCursor: string | null }> {
  const { subjectId, webhookId: endpointId, state, type, limit, cursor } = query
  const times = { fromMs: msOf(query.from), toMs: msOf(query.to) }
  const filters = { subjectId, endpointId, state, type, ...times }
  const cursors = new ListCursors({ list: 'deliveries of a subject', of: [merchant.accountId, merchant.key], filters })
  const range = idRange('dlv', times, cursors.decode(cursor)?.id)
  const found = await deliveryLog.ofSubject(ownerOf(merchant), { subjectId, endpointId, state, type, range }, limit + 1)
  const { rows, nextCursor } = cursors.page(found, limit, ({ id, created_at: at }) => ({ at, id }))
  return { data: rows.map(shownDelivery), nextCursor }
}

/** The deliveries of an event to the account's endpoints, oldest first. */
export async function deliveriesOfEvent(
  { deliveryLog }: Pick<DeliveryDeps, 'deliveryLog'>,
  merchant: EndpointMerchant,
  eventId: EventId,
): Promise<api.Delivery[]> {
  return (await deliveryLog.ofEvent(ownerOf(merchant), eventId)).map(shownDelivery)
}

/**
 * Sends an event to one endpoint, whatever that has subscribed to: once more, or for the first time.
 * @throws ServiceError webhook.not_found (404), event.not_found (404), webhook.disabled (409)
 */
export async function sendEventTo(
  tx: Tx,
  deps: Pick<DeliveryDeps, 'deliveryLog' | 'deliveries' | 'clock'> & Pick<EventDeps, 'events'>,
  { merchant, eventId, webhookId }: { merchant: EndpointMerchant; eventId: EventId; webhookId: WebhookId },
): Promise<Effect<api.TestWebhookResult & { deliveryId: DeliveryId }>> {
  const { deliveryLog, deliveries, clock } = deps
  const endpoint = await endpointOf(tx, ownerOf(merchant), webhookId)
  if (!endpoint) throw new ServiceError('webhook.not_found')
  if (endpoint.status === 'disabled') throw new ServiceError('webhook.disabled')
  const event = await getEvent(deps, merchant, eventId)
  const before = (await deliveryLog.ofEvent(ownerOf(merchant), eventId, tx)).find(
    (row) => row.endpoint_id === webhookId,
  )
  if (before !== undefined) {
    const { wake } = await redeliver(tx, deps, { merchant, deliveryId: before.id })
    return { answer: { deliveryId: before.id, eventId }, ...(wake && { wake }) }
  }
  const deliveryId = await insertDelivery(tx, {
    ...{ eventId, endpointId: webhookId, enabled: true, nowMs: clock.now() },
    // With its own subject, so that it does not wait for other events of that order at the endpoint.
    ...{ type: event.type, subjectId: eventId },
  })
  return { answer: { deliveryId, eventId }, wake: () => deliveries.announce([webhookId]) }
}

/** @throws ServiceError webhook.delivery_not_found (404) if unknown, or to an endpoint of another merchant or account */
export async function getDelivery(
  { deliveryLog }: Pick<DeliveryDeps, 'deliveryLog'>,
  merchant: EndpointMerchant,
  deliveryId: DeliveryId,
): Promise<api.DeliveryDetail> {
  const row = await deliveryLog.find(ownerOf(merchant), deliveryId)
  if (!row) throw new ServiceError('webhook.delivery_not_found')
  const attempts = await deliveryLog.attempts(deliveryId)
  return { ...shownDelivery(row), attempts: attempts.map(shownAttempt), event: JSON.parse(row.payload) as WebhookEvent }
}

/**
 * Requests one more attempt, whatever the results of those before. The schedule does not change. It is made even if the endpoint is
 * disabled. A delivery without any attempt gets it after its first attempt.
 * @throws ServiceError webhook.delivery_not_found (404)
 */
export async function redeliver(
  tx: Tx,
  { deliveryLog, deliveries, clock }: Pick<DeliveryDeps, 'deliveryLog' | 'deliveries' | 'clock'>,
  { merchant, deliveryId }: { merchant: EndpointMerchant; deliveryId: DeliveryId },
): Promise<Effect<api.Delivery>> {
  const row = await deliveryLog.find(ownerOf(merchant), deliveryId, tx)
  if (!row) throw new ServiceError('webhook.delivery_not_found')
  const nowMs = clock.now()
  await deliveryLog.askAgain(tx, deliveryId, nowMs)
  return { answer: shownDelivery({ ...row, manual_at: nowMs }), wake: () => deliveries.announce([row.endpoint_id]) }
}

/**
 * Puts what failed in a span of time back on the schedule from its beginning. Here it is only noted; `Recoveries` does it in pieces.
 * @returns how many deliveries that will be
 * @throws ServiceError webhook.not_found (404), webhook.disabled (409), request.invalid (422): `since` too long ago, an empty span
 */
export async function recoverEndpoint(
  tx: Tx,
  { deliveryLog, clock }: Pick<DeliveryDeps, 'deliveryLog' | 'clock'>,
  {
    merchant,
    webhookId,
    ...body
  }: { merchant: EndpointMerchant; webhookId: WebhookId } & Pick<api.RecoverWebhook, 'since' | 'until'>,
): Promise<Effect<api.RecoverResult>> {
  const endpoint = await endpointOf(tx, ownerOf(merchant), webhookId)
  if (!endpoint) throw new ServiceError('webhook.not_found')
  const nowMs = clock.now()
  const sinceMs = msOf(body.since) ?? 0
  const untilMs = msOf(body.until) ?? nowMs + 1
  if (sinceMs < nowMs - RECOVER_MS) throw invalid('since', 'must not be more than 14 days ago')
  if (untilMs <= sinceMs) throw invalid('until', 'must be after since')
  if (endpoint.status === 'disabled') throw new ServiceError('webhook.disabled')
  const range = idRange('dlv', { fromMs: sinceMs, toMs: untilMs })
  const queued = await deliveryLog.askRecovery(tx, webhookId, { range, nowMs })
  return { answer: { queued }, wake: () => deliveryLog.recoveryWanted.notify() }
}

export function shownDelivery(row: DeliveryRow): api.Delivery {
  const nextMs = nextAttemptMs(row)
  return {
    deliveryId: row.id,
    webhookId: row.endpoint_id,
    eventId: row.event_id,
    type: row.type,
    state: row.state,
    attempts: row.attempts,
    createdAt: toIso(row.created_at),
    nextAttemptAt: nextMs === null ? null : toIso(nextMs),
    lastStatus: row.last_status,
    lastError: row.last_error,
  }
}

function nextAttemptMs({ state, next_at, manual_at }: DeliveryRow): number | null {
  if (state === 'pending') return next_at
  if (state === 'retrying') return manual_at === null ? next_at : Math.min(next_at, manual_at)
  return manual_at
}

export function shownAttempt({ number, trigger, at, ms, status, error, response }: DeliveryAttemptsTable) {
  return { number, trigger, at: toIso(at), ms, status, error, response }
}

function invalid(field: string, message: string): ServiceError {
  return new ServiceError('request.invalid', { message: `${field} ${message}.`, errors: [{ field, message }] })
}
