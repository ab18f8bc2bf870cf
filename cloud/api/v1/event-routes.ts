// /v1/events and /v1/event/{eventId}: the events of the last 30 days, for clients that missed them or have no endpoint.
import { type App, principalOf } from '#cloud/api/app.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { getEvent, listEvents } from '#cloud/webhooks/events.ts'
import { type FollowDeps, followEvents } from '#cloud/webhooks/follow-events.ts'
import { ServiceError } from '#shared/errors.ts'
import { type EventId, isId } from '#shared/ids.ts'
import { merchantQuery } from '#shared/wire/api/fields.ts'
import { type EventsQuery, eventParams, eventsPage, eventsQuery } from '#shared/wire/api/webhooks.ts'
import { webhookEvent } from '#shared/wire/webhook-event.ts'

export interface EventRouteDeps extends FollowDeps {
  authorize: Authorize
}

/** @throws ServiceError event.not_found (404) for text that is no event's id */
function eventIdOf(text: string): EventId {
  if (isId('evt', text)) return text
  throw new ServiceError('event.not_found')
}

/** @throws ServiceError request.invalid (422) for what belongs to the list that is newest first */
function checkFollow({ cursor, from, to }: Pick<EventsQuery, 'cursor' | 'from' | 'to'>): void {
  const besides = Object.entries({ cursor, from, to }).filter(([, value]) => value !== undefined)
  if (besides.length === 0) return
  const message = 'cannot be sent with after: leave one of them out'
  throw new ServiceError('request.invalid', { errors: besides.map(([field]) => ({ field, message })) })
}

export function eventRoutes(app: App, deps: EventRouteDeps): void {
  const access = 'webhooks:manage'
  const tag = 'Webhooks'

  app.route({
    method: 'GET',
    url: '/v1/events',
    config: {
      access,
      doc: {
        operationId: 'listEvents',
        summary: 'List events of 30 days, newest first, or follow them',
        tag,
        errors: ['event.place_gone'],
      },
    },
    schema: { querystring: eventsQuery, response: { 200: eventsPage } },
    handler: async (request, reply) => {
      const { merchantId, after, ...query } = request.query
      if (after !== undefined) checkFollow(query)
      const merchant = await deps.authorize(principalOf(request), merchantId)
      const page =
        after === undefined
          ? await listEvents(deps, merchant, query)
          : await followEvents(deps, merchant, { ...query, after })
      return reply.header('cache-control', 'no-store').send(page)
    },
  })

  app.route({
    method: 'GET',
    url: '/v1/event/:eventId',
    config: {
      access,
      doc: { operationId: 'getEvent', summary: 'Read an event', tag, errors: ['event.not_found'] },
    },
    schema: { params: eventParams, querystring: merchantQuery, response: { 200: webhookEvent } },
    handler: async (request, reply) => {
      const merchant = await deps.authorize(principalOf(request), request.query.merchantId)
      const event = await getEvent(deps, merchant, eventIdOf(request.params.eventId))
      return reply.header('cache-control', 'no-store').send(event)
    },
  })
}
