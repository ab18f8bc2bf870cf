// Events for their reader: what was sent, or would have been, for 30 days, even without an endpoint.
import { ListCursors } from '#cloud/storage/cursor.ts'
import { positionAt } from '#cloud/storage/event-position.ts'
import type { EventRow, EventStore } from '#cloud/storage/event-store.ts'
import { type Clock, msOf } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { EventId } from '#shared/ids.ts'
import type { EventsQuery } from '#shared/wire/api/webhooks.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { type EndpointMerchant, ownerOf } from './endpoints.ts'

export interface EventDeps {
  events: EventStore
  clock: Clock
}

/** Newest first: the account's orders, and the merchant's SKUs. @throws ServiceError request.invalid (422) for a cursor of another list */
export async function listEvents(
  { events, clock }: EventDeps,
  merchant: EndpointMerchant,
  query: Omit<EventsQuery, 'merchantId' | 'after'>,
): Promise<{ data: WebhookEvent[]; nextCursor: string | null }> {
  const { type, subjectId, limit } = query
  const [fromMs, toMs] = [msOf(query.from), msOf(query.to)]
  const filters = { type, subjectId, fromMs, toMs }
  const cursors = new ListCursors({
    list: 'events, newest first',
    of: [merchant.accountId, merchant.key],
    filters,
  })
  const reached = cursors.decode(query.cursor)?.at ?? Number.POSITIVE_INFINITY
  // Positions are ahead of a clock that was set back, so an end at or after now has no limit.
  const end = toMs === undefined || toMs > clock.now() ? Number.POSITIVE_INFINITY : positionAt(toMs)
  const below = Math.min(reached, end)
  const range = {
    ...(fromMs === undefined ? {} : { above: positionAt(fromMs) - 1 }),
    ...(below === Number.POSITIVE_INFINITY ? {} : { below }),
  }
  const found = await events.list(ownerOf(merchant), { type, subjectId, ...range }, { order: 'desc', limit: limit + 1 })
  const { rows, nextCursor } = cursors.page(found, limit, ({ position: at }) => ({ at, id: '' }))
  return { data: rows.map(eventOf), nextCursor }
}

/** @throws ServiceError event.not_found (404) if unknown, too old, or of another merchant or account */
export async function getEvent(
  { events }: Pick<EventDeps, 'events'>,
  merchant: EndpointMerchant,
  eventId: EventId,
): Promise<WebhookEvent> {
  const row = await events.find(ownerOf(merchant), eventId)
  if (!row) throw new ServiceError('event.not_found')
  return eventOf(row)
}

export const eventOf = ({ payload }: Pick<EventRow, 'payload'>) => JSON.parse(payload) as WebhookEvent
