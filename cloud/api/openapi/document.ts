// The OpenAPI 3.1 document of /v1, made from the routes and their zod schemas. Served at /v1/openapi.json and drawn at /docs/reference.
import { z } from 'zod'
import { VERSION } from '#shared/version.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { idempotencyKey } from '#shared/wire/api/fields.ts'
import { WEBHOOK_EVENT_DATA, webhookEvent } from '#shared/wire/webhook-event.ts'
import { WEBHOOK_EVENT_TYPES } from '#shared/wire/webhook-event-names.ts'
import { Components } from './components.ts'
import { describeField, describeOperation, EVENT_TEXT, INTRODUCTION, TAG_TEXT } from './descriptions.ts'
import { errorResponses, takesIdempotencyKey } from './error-codes.ts'
import type { ExampleAnswer, ExampleRequest } from './examples.ts'
import {
  type JsonSchema,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Ref,
  refName,
} from './json-schema.ts'
import type { ApiRoute } from './routes.ts'

export interface DocumentOptions {
  /** The relay's address as clients see it, without a slash at the end. */
  server: string
  /** Both by `METHOD path`. */
  requests: Readonly<Record<string, ExampleRequest>>
  answers: Readonly<Record<string, ExampleAnswer>>
}

/** @throws when two different schemas have one name */
export function openApiDocument(routes: readonly ApiRoute[], options: DocumentOptions): OpenApiDocument {
  const components = new Components()
  components.of(errorBody, 'output')
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components, options) }
  }
  const webhooks = Object.fromEntries(WEBHOOK_EVENT_TYPES.map((type) => [type, { post: eventCall(type, components) }]))
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Ticketrail API',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.server }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAG_TEXT).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: { 'Idempotency-Key': idempotencyHeader(components) },
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_sandbox_...` or `sk_live_...`.' },
      },
    },
  }
}

function operation(route: ApiRoute, components: Components, { requests, answers }: DocumentOptions): Operation {
  const { doc } = route
  const description = describeOperation(route.method, route.path)
  const example = requests[`${route.method} ${route.path}`]
  const parameters: (Parameter | Ref)[] = [
    ...parametersOf(route.params, 'path', components),
    ...parametersOf(route.query, 'query', components),
  ]
  if (takesIdempotencyKey(route)) parameters.push({ $ref: '#/components/parameters/Idempotency-Key' })
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    ...(description === undefined ? {} : { description }),
    tags: [doc.tag],
    'x-scope': route.access === 'any-key' ? null : route.access,
    ...(route.sandboxOnly ? { 'x-sandbox-only': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route.body, !route.bodyOptional, components, example?.body) } : {}),
    responses: {
      ...successes(route, components, answers[`${route.method} ${route.path}`]),
      ...errorResponses(route, components),
    },
  }
}

function requestBody(body: z.ZodType, required: boolean, components: Components, example: unknown) {
  const schema = components.of(body, 'input')
  return { required, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } }
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query', components: Components): Parameter[] {
  if (schema === undefined) return []
  // Not a component: OpenAPI takes parameters apart. Its own instance leaves the components alone.
  const own = new Components()
  const root = own.of(schema, 'input')
  const object = root.$ref === undefined ? root : own.schemas[refName(root.$ref)]
  for (const [name, used] of Object.entries(own.schemas)) if (used !== object) components.schemas[name] ??= used
  return Object.entries(object?.properties ?? {}).map(([name, of]) => {
    const { description, ...rest } = of
    const text = description ?? describeField(name)
    const standard = defaultOf(schema.shape[name])
    return {
      name,
      in: place,
      required: place === 'path' || (object?.required ?? []).includes(name),
      ...(text === undefined ? {} : { description: text }),
      schema: { ...rest, ...(standard === undefined ? {} : { default: standard }) },
    }
  })
}

/** zod leaves the default of a transformed field out. */
function defaultOf(field: unknown): unknown {
  return field instanceof z.ZodDefault ? field.def.defaultValue : undefined
}

function successes(
  route: ApiRoute,
  components: Components,
  example: ExampleAnswer | undefined,
): Operation['responses'] {
  const headers = {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    'X-RateLimit-Limit': { $ref: '#/components/headers/X-RateLimit-Limit' },
    'X-RateLimit-Remaining': { $ref: '#/components/headers/X-RateLimit-Remaining' },
    'X-RateLimit-Reset': { $ref: '#/components/headers/X-RateLimit-Reset' },
    ...(route.method === 'POST' ? { 'Idempotent-Replayed': { $ref: '#/components/headers/Idempotent-Replayed' } } : {}),
  }
  if (route.doc.produces) {
    const content = Object.fromEntries(route.doc.produces.map((type) => [type, { schema: { type: 'string' } }]))
    return { 200: { description: 'Done', headers, content } }
  }
  const statuses = Object.entries(route.answers).filter(([status]) => status.startsWith('2'))
  if (statuses.length === 0) return { 204: { description: 'Done; nothing to say', headers } }
  return Object.fromEntries(
    statuses.map(([status, schema]) => [
      status,
      {
        description: STATUS_TEXT[status] ?? 'Done',
        headers: status === '201' ? { ...headers, Location: { $ref: '#/components/headers/Location' } } : headers,
        content: {
          'application/json': {
            schema: components.of(schema, 'output'),
            ...(example?.status === Number(status) ? { example: example.body } : {}),
          },
        },
      },
    ]),
  )
}

const STATUS_TEXT: Readonly<Record<string, string>> = {
  200: 'Done',
  201: 'Made',
  202: 'Begun; it goes on in the background',
}

/** What we send to a client's endpoint: the envelope with the data of this type. */
function eventCall(type: (typeof WEBHOOK_EVENT_TYPES)[number], components: Components): Operation {
  const own: JsonSchema = {
    type: 'object',
    properties: { type: { const: type }, data: components.of(WEBHOOK_EVENT_DATA[type], 'output') },
    required: ['type', 'data'],
  }
  const schema = { allOf: [components.of(webhookEvent, 'output'), own] }
  return {
    operationId: `on.${type}`,
    summary: EVENT_TEXT[type],
    tags: ['Webhooks'],
    // It carries our signature, not the client's key.
    security: [],
    parameters: EVENT_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
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
    'Standard Webhooks, `v1,...`: covers id, timestamp and body. Two, with a space between, during a rotation.',
  ),
]

function idempotencyHeader(components: Components): Parameter {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: describeField('Idempotency-Key') ?? '',
    schema: components.of(idempotencyKey, 'input'),
  }
}

const HEADERS: OpenApiDocument['components']['headers'] = {
  'X-Request-Id': {
    description: 'Names this call in our logs; tell it when you ask for help.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': { description: 'Calls a minute that can go on for ever.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls that are free now.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'When all are free again, Unix seconds.', schema: { type: 'integer' } },
  'Retry-After': {
    description:
      'Seconds to wait before the next try: with 429 and 503 `service.unavailable`, not with `printer.offline`.',
    schema: { type: 'integer' },
  },
  'Should-Retry': {
    description:
      'With 503 `service.unavailable` of the storage: `true` when the same call can succeed after `Retry-After`, `false` when somebody has to mend something first.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer of an earlier call.',
    schema: { type: 'string', const: 'true' },
  },
  Location: { description: 'The path of what was made.', schema: { type: 'string' } },
}
