// The events in the OpenAPI document: one schema for each type, WebhookEvent as one of them, and the call that each makes to a client's endpoint.
import { WEBHOOK_EVENT_DATA, webhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import type { Components } from './components.ts'
import { EVENT_TEXT } from './descriptions.ts'
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from './json-schema.ts'

/** `OrderAcceptedEvent` of `order.accepted`. */
const schemaName = (type: WebhookEventType): string => `${pascal(type)}Event`
const schemaRef = (type: WebhookEventType): string => `#/components/schemas/${schemaName(type)}`

const pascal = (type: WebhookEventType): string =>
  type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/**
 * The envelope with the data of each type, by the name of its schema, and `WebhookEvent`: one of them, distinguished by `type`. Generators make
 * a union of it that a `switch` narrows. It replaces the envelope that the server validates with.
 * @param components gets the data of each type
 */
export function eventSchemas(components: Components): Record<string, JsonSchema> {
  components.of(webhookEvent, 'output')
  const envelope = components.schemas['WebhookEvent']
  const schemas: Record<string, JsonSchema> = {}
  for (const type of WEBHOOK_EVENT_TYPES) {
    const data = components.of(WEBHOOK_EVENT_DATA[type], 'output')
    schemas[schemaName(type)] = {
      ...envelope,
      properties: {
        ...envelope?.properties,
        id: {
          type: 'string',
          description: 'The id of the event. Use it to detect duplicates: each event is delivered at least once.',
        },
        type: { type: 'string', enum: [type], description: EVENT_TEXT[type] },
        data: { ...data, description: 'What the event is about, as it was then.' },
      },
    }
  }
  schemas['WebhookEvent'] = {
    oneOf: WEBHOOK_EVENT_TYPES.map((type) => ({ $ref: schemaRef(type) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, schemaRef(type)])),
    },
  }
  return schemas
}

/** What we send to a client's endpoint, by type. */
export function eventWebhooks(): OpenApiDocument['webhooks'] {
  return Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: eventCall(type) }]))
}

function eventCall(type: WebhookEventType): Operation {
  return {
    operationId: `on${pascal(type)}`,
    summary: EVENT_TEXT[type],
    tags: ['Webhooks'],
    // It carries our signature, not the client's key.
    security: [],
    parameters: EVENT_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: schemaRef(type) } } } },
    responses: {
      '2XX': { description: 'Taken. Any other answer, a redirect too, is a failed attempt and is tried again.' },
    },
  }
}

const header = (name: string, description: string, required = true): Parameter => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
})

/** What the receiver of an event verifies and keeps. */
const EVENT_HEADERS: Parameter[] = [
  header('X-Service-Signature', 'Hexadecimal HMAC-SHA256 of the raw body, keyed with the endpoint’s whole secret.'),
  header('X-Service-Signature-Previous', 'The same with the old secret, while a rotation lets both sign.', false),
  header('X-Service-Event', 'The type of the event.'),
  header('X-Service-Delivery', 'This event for this endpoint, `dlv_...`.'),
  header('X-Service-Attempt', 'Counts the attempts of the delivery from 1.'),
  header('webhook-id', 'The id of the event, the same at every attempt.'),
  header('webhook-timestamp', 'When this attempt was made, Unix seconds.'),
  header(
    'webhook-signature',
    'Standard Webhooks, `v1,...`: covers id, timestamp and body; keyed with the bytes that the secret holds in base64 after `whsec_`. Two, with a space between, during a rotation.',
  ),
]
