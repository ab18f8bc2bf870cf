// Events as their reader sees them: what an endpoint was or would have been sent, for 30 days, also without an endpoint.
import { pageOfRows } from '#cloud/storage/cursor.ts'
import type { EventStore } from '#cloud/storage/event-store.ts'
import { idRange } from '#cloud/storage/id-range.ts'
import { msOf } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { EventId } from '#shared/ids.ts'
import type { EventsQuery } from '#shared/wire/api/webhooks.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { type EndpointMerchant, ownerOf } from './endpoints.ts'

export interface EventDeps {
  events: EventStore
}

/** Newest first: the account's orders, and the merchant's SKUs. */
export async function listEvents(
  { events }: EventDeps,
  merchant: EndpointMerchant,
  query: Omit<EventsQuery, 'merchantId'>,
): Promise<{ data: WebhookEvent[]; nextCursor: string | null }> {
  const { type, subjectId, from, to, limit, cursor } = query
  const filter = { type, subjectId, range: idRange('evt', { fromMs: msOf(from), toMs: msOf(to) }, cursor) }
  const found = await events.list(ownerOf(merchant), filter, limit + 1)
  const { rows, nextCursor } = pageOfRows(found, limit, ({ id, createdAt: at }) => ({ at, id }))
  return { data: rows.map(({ payload }) => JSON.parse(payload) as WebhookEvent), nextCursor }
}

/** @throws ServiceError request.not_found (404): unknown, too old, or of another merchant or account */
export async function getEvent(
  { events }: EventDeps,
  merchant: EndpointMerchant,
  eventId: EventId,
): Promise<WebhookEvent> {
  const row = await events.find(ownerOf(merchant), eventId)
  if (!row) throw new ServiceError('request.not_found', { message: 'No event has this eventId.' })
  return JSON.parse(row.payload) as WebhookEvent
}
