// Operations on events: their inputs and what they answer.
import { z } from 'zod'
import type { DeliveryId, EventId } from '#shared/ids.ts'
import { merchantIdField, text, timeInput } from '#shared/wire/api/fields.ts'
import type { WebhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'
import type { DeliveryAnswer } from './webhook-list.ts'

const scope = 'webhooks:manage'
const eventId = idField('evt', 'an event')

export const EVENT_OPERATIONS = {
  'events.list': reads(
    'Events of 30 days, newest first',
    z.strictObject({
      merchantId: merchantIdField,
      type: z.enum(WEBHOOK_EVENT_TYPES).optional(),
      subjectId: text(64).optional(),
      from: timeInput.optional(),
      to: timeInput.optional(),
      ...pageOfList,
    }),
    { right: 'build', scope },
  ),
  'events.get': reads(
    'An event with its deliveries, and what is missing among the events of its order or SKU',
    z.strictObject({ merchantId: merchantIdField, eventId }),
    { right: 'build', scope },
  ),
  'events.resend': changes(
    'Send an event to one endpoint, once more or for the first time',
    z.strictObject({ merchantId: merchantIdField, eventId, webhookId: idField('we', 'a webhook endpoint') }),
    { right: 'build', scope },
  ),
}

export interface EventRowAnswer {
  eventId: EventId
  type: string
  at: string
  sequence: number
  /** A serviceOrderId, a umsId, or the id of an alert. */
  subjectId: string
  /** What people call it: the client's own id of the order, the name of the item, or what is wrong in one line. */
  subjectName: string
  isTest: boolean
  /** On this page, the events of the same subject go on from before this one without those between: their numbers. */
  missingBefore: number[]
}

export interface EventAnswer extends Omit<EventRowAnswer, 'missingBefore'> {
  event: WebhookEvent
  /** Customers' names, telephone numbers and addresses are replaced. */
  isMasked: boolean
  deliveries: DeliveryAnswer[]
  /** Sequence numbers that no event of this order or SKU has, below the newest. Those from before 30 days are not searched. */
  missing: number[]
}

export interface EventAnswers {
  'events.list': { data: EventRowAnswer[]; nextCursor: string | null }
  'events.get': EventAnswer
  'events.resend': { deliveryId: DeliveryId; eventId: EventId }
}
