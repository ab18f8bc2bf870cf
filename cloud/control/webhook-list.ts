// Operations on webhook endpoints and deliveries: their inputs and what they answer.
import { z } from 'zod'
import type { DayCounts } from '#cloud/storage/endpoint-figures.ts'
import type { DeliveryId, EventId, WebhookId } from '#shared/ids.ts'
import { merchantIdField, text, timeInput } from '#shared/wire/api/fields.ts'
import {
  changeWebhook,
  createWebhook,
  DELIVERY_STATES,
  type Delivery,
  type DeliveryDetail,
  type RotatedSecret,
  rotateSecret,
  type WebhookEndpoint,
} from '#shared/wire/api/webhooks.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { idField, pageOfList } from './input-fields.ts'
import { changes, reads } from './operation.ts'

const scope = 'webhooks:manage'
const webhookId = idField('we', 'a webhook endpoint')
const deliveryId = idField('dlv', 'a delivery')
const ofMerchant = z.strictObject({ merchantId: merchantIdField })
const oneEndpoint = ofMerchant.extend({ webhookId })
const type = z.enum(WEBHOOK_EVENT_TYPES)

export const WEBHOOK_OPERATIONS = {
  'endpoints.list': reads('Endpoints of a merchant, and how each did in the last 24 hours', ofMerchant, {
    right: 'build',
    scope,
  }),
  'endpoints.get': reads('An endpoint, and how it did in the last 24 hours', oneEndpoint, { right: 'build', scope }),
  'endpoints.create': changes('A new endpoint; its signing secret is shown this once', createWebhook, {
    right: 'build',
    ...{ scope, stepUp: 'live', isSecret: true },
  }),
  'endpoints.change': changes(
    'Change the URL, the events or the description of an endpoint, enable or disable it',
    changeWebhook.extend({ webhookId }),
    { right: 'build', scope, stepUp: 'live' },
  ),
  'endpoints.delete': changes('Delete an endpoint with its deliveries', oneEndpoint, { right: 'build', scope }),
  'endpoints.rotate': changes(
    'A new signing secret; the old one signs beside it for a while',
    rotateSecret.extend({ webhookId }),
    { right: 'build', scope, stepUp: 'live', isSecret: true },
  ),
  'endpoints.listenSecret': changes(
    'Show the listen secret, which signs for all listeners of the account in this environment',
    ofMerchant,
    { right: 'build', scope, stepUp: 'live', isSecret: true },
  ),
  'endpoints.test': changes('Fire an event with made-up data', oneEndpoint.extend({ type }), {
    right: 'build',
    ...{ scope, stepUp: 'live' },
  }),
  'endpoint.testData': changes(
    'Fire an event of any type with your own data; it is marked as a test',
    oneEndpoint.extend({ type, data: z.record(z.string(), z.unknown()) }),
    { right: 'build', scope, stepUp: 'live' },
  ),
  'endpoint.samples': reads('Made-up data of each type of event, to begin with', ofMerchant, { right: 'build', scope }),
  'endpoint.recover': changes(
    'Send again what failed since then, at most 14 days ago',
    oneEndpoint.extend({ since: timeInput, until: timeInput.optional() }),
    { right: 'build', scope },
  ),
  'deliveries.list': reads(
    'Deliveries to one endpoint or to all, newest first',
    ofMerchant.extend({
      webhookId: webhookId.optional(),
      /** Of the events of one order or SKU: its serviceOrderId or umsId. */
      subjectId: text(64).optional(),
      state: z.enum(DELIVERY_STATES).optional(),
      type: type.optional(),
      from: timeInput.optional(),
      to: timeInput.optional(),
      ...pageOfList,
    }),
    { right: 'build', scope },
  ),
  'deliveries.get': reads(
    'A delivery with each attempt, and the headers and the body as they were sent',
    ofMerchant.extend({ deliveryId }),
    { right: 'build', scope },
  ),
  'deliveries.resend': changes(
    'One more attempt now, whatever came of those before',
    ofMerchant.extend({ deliveryId }),
    { right: 'build', scope },
  ),
  'inspector.open': changes(
    'The inspector: an endpoint that this page answers for; at most one a merchant, in the sandbox',
    ofMerchant,
    { right: 'build', scope, isSecret: true },
  ),
  'inspector.answer': changes(
    'What the inspector answers from now on',
    ofMerchant.extend({ status: z.number().int().min(200).max(599), delayMs: z.number().int().min(0).max(30_000) }),
    { right: 'build', scope },
  ),
  'inspector.list': reads(
    'What the inspector received, newest first, with the check of each signature step by step',
    ofMerchant.extend(pageOfList),
    { right: 'build', scope },
  ),
}

export interface EndpointAnswer extends Omit<WebhookEndpoint, 'webhookId'> {
  webhookId: WebhookId
  kind: 'url' | 'inspector' | 'listener'
  /** Until when the secret from before the rotation signs beside the new one; null: it does not. */
  oldSecretEndsAt: string | null
  /** Failed attempts since the last success. */
  failures: number
  /** When it is disabled if nothing is taken until then; null: it does not fail, or is disabled. */
  disablesAt: string | null
  /** Deliveries recorded in the last 24 hours. */
  day: DayCounts
  /** Of those that came to an end or are being tried again, how many were taken: 0 to 1; null: none was. */
  successShare: number | null
  /** Of what it has not taken, the newest. */
  lastFailure: EndpointFailure | null
  nextRetryAt: string | null
  /** Of an inspector. */
  answer: InspectorSetting | null
}

export interface EndpointFailure {
  deliveryId: DeliveryId
  type: string
  at: string
  /** HTTP status; null: no answer came. */
  status: number | null
  /** Class of the failure, such as `timeout`. */
  error: string
  /** Beginning of what it answered. */
  response: string | null
}

export interface InspectorSetting {
  status: number
  delayMs: number
}

export type DeliveryAnswer = Omit<Delivery, 'deliveryId' | 'webhookId' | 'eventId'> & {
  deliveryId: DeliveryId
  webhookId: WebhookId
  eventId: EventId
}

export interface DeliveryDetailAnswer extends Omit<DeliveryDetail, 'attempts' | 'event'> {
  endpoint: {
    webhookId: WebhookId
    url: string
    kind: 'url' | 'inspector' | 'listener'
    status: 'enabled' | 'disabled'
  }
  /** The bytes that were signed and sent. */
  body: string
  /** Names, telephone numbers and addresses of customers are replaced in `body`: then the signature does not fit it. */
  isMasked: boolean
  attempts: (DeliveryDetail['attempts'][number] & {
    /** Null: signed by a secret that has been replaced since. */
    headers: Record<string, string> | null
  })[]
}

export interface ReceivedAnswer {
  deliveryId: DeliveryId
  eventId: EventId
  /** Which attempt of the delivery it was. */
  number: number
  at: string
  type: string
  headers: Record<string, string>
  body: string
  /** What the inspector answered; `error` as the sender saw it. */
  answered: { status: number | null; error: string | null; ms: number }
  state: Delivery['state']
  nextAttemptAt: string | null
  steps: SignatureStepAnswer[]
}

export interface SignatureStepAnswer {
  step: 'body' | 'service-signature' | 'signed-text' | 'standard-signature' | 'age'
  ok: boolean
  /** In the order in which they are read, such as `expected` and `received`. */
  values: { name: string; value: string }[]
}

export interface WebhookAnswers {
  'endpoints.list': EndpointAnswer[]
  'endpoints.get': EndpointAnswer
  'endpoints.create': { webhookId: WebhookId; secret: string }
  'endpoints.change': { webhookId: WebhookId; status: 'enabled' | 'disabled' }
  'endpoints.delete': { webhookId: WebhookId }
  'endpoints.rotate': RotatedSecret
  'endpoints.listenSecret': { secret: string }
  'endpoints.test': { deliveryId: string; eventId: string }
  'endpoint.testData': { deliveryId: string; eventId: string }
  'endpoint.samples': { type: WebhookEventType; data: Record<string, unknown> }[]
  'endpoint.recover': { queued: number }
  'deliveries.list': { data: DeliveryAnswer[]; nextCursor: string | null }
  'deliveries.get': DeliveryDetailAnswer
  'deliveries.resend': DeliveryAnswer
  /** `secret`: null when it was open before. */
  'inspector.open': { webhookId: WebhookId; secret: string | null }
  'inspector.answer': InspectorSetting & { webhookId: WebhookId }
  /** `webhookId`: null when it was never opened. */
  'inspector.list': {
    webhookId: WebhookId | null
    answer: InspectorSetting | null
    data: ReceivedAnswer[]
    nextCursor: string | null
  }
}
