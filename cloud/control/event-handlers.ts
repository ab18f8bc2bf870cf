// Events: the list of 30 days, one with its deliveries and the gaps next to it, and sending it to one endpoint.

import { withoutCustomers } from '#cloud/requests/hide-fields.ts'
import { deliveriesOfEvent, sendEventTo } from '#cloud/webhooks/deliveries.ts'
import { getEvent, listEvents } from '#cloud/webhooks/events.ts'
import type { EventId } from '#shared/ids.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import type { ControlContext } from './context.ts'
import { masksCustomers } from './customer-mask.ts'
import { entry } from './endpoint-handlers.ts'
import type { EVENT_OPERATIONS, EventRowAnswer } from './event-list.ts'
import { type Doing, type Handlers, merchantOf } from './handler.ts'
import type { DeliveryAnswer } from './webhook-list.ts'

/** At most this many events of one subject are checked for gaps: an order has a dozen. */
const SUBJECT_EVENTS = 200

export const EVENT_HANDLERS: Pick<Handlers, keyof typeof EVENT_OPERATIONS> = {
  'events.list': async (context, doing, { merchantId: _, ...query }) => {
    const { data, nextCursor } = await listEvents(context, merchantOf(doing), query)
    // When events of other types are left out, a gap means nothing.
    const isWhole = query.type === undefined
    return {
      data: data.map((event, at) => ({ ...rowOf(event), missingBefore: isWhole ? gapBelow(data, at) : [] })),
      nextCursor,
    }
  },

  'events.get': async (context, doing, { eventId }) => {
    const merchant = merchantOf(doing)
    const event = await getEvent(context, merchant, eventId)
    const isMasked = masksCustomers(doing)
    return {
      ...rowOf(event),
      event: isMasked ? { ...event, data: withoutCustomers(event.data) as WebhookEvent['data'] } : event,
      isMasked,
      deliveries: (await deliveriesOfEvent(context, merchant, eventId)) as DeliveryAnswer[],
      missing: event.test === true ? [] : await missingOf(context, doing, subjectOf(event)),
    }
  },

  'events.resend': async (context, doing, { eventId, webhookId }) => {
    const effect = await sendEventTo(doing.tx, context, { merchant: merchantOf(doing), eventId, webhookId })
    const after = { webhookId, deliveryId: effect.answer.deliveryId }
    return {
      ...effect,
      answer: { ...effect.answer, eventId },
      audit: entry(doing, 'event.resend', { subject: eventId, after }),
    }
  },
}

function rowOf(event: WebhookEvent): Omit<EventRowAnswer, 'missingBefore'> {
  const { id, type, timestamp: at, sequence, test } = event
  const { order, sku, alert } = subjectsOf(event)
  const subjectName = order?.orderId ?? sku?.name ?? alert?.title ?? ''
  return { eventId: id as EventId, type, at, sequence, subjectId: subjectOf(event), subjectName, isTest: test === true }
}

function subjectsOf({ data }: WebhookEvent) {
  return data as {
    order?: { serviceOrderId: string; orderId: string }
    sku?: { umsId: string; name: string }
    alert?: { alertId: string; title: string }
  }
}

/** As the list is filtered by: the order, the SKU, or the alert. */
function subjectOf(event: WebhookEvent): string {
  const { order, sku, alert } = subjectsOf(event)
  return order?.serviceOrderId ?? sku?.umsId ?? alert?.alertId ?? ''
}

/** The gap between this event and the previous one of the same subject, if the page has that too. Newest first. */
function gapBelow(page: readonly WebhookEvent[], at: number): number[] {
  const event = page[at]
  if (event === undefined || event.test === true) return []
  const subject = subjectOf(event)
  const older = page.slice(at + 1).find((other) => other.test !== true && subjectOf(other) === subject)
  return older === undefined ? [] : between(older.sequence, event.sequence)
}

async function missingOf(context: ControlContext, doing: Doing, subjectId: string): Promise<number[]> {
  const { data } = await listEvents(context, merchantOf(doing), { subjectId, limit: SUBJECT_EVENTS })
  const sequences = data.filter(({ test }) => test !== true).map(({ sequence }) => sequence)
  sequences.sort((a, b) => a - b)
  return sequences.flatMap((sequence, at) => (at === 0 ? [] : between(sequences[at - 1] ?? sequence, sequence)))
}

function between(low: number, high: number): number[] {
  return Array.from({ length: Math.max(0, high - low - 1) }, (_, at) => low + 1 + at)
}
