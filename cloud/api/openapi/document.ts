// The OpenAPI 3.1 document of /v1, made from the routes and their zod schemas. Served at /v1/openapi.json and drawn at /docs/reference.
import { z } from 'zod'
import { VERSION } from '#shared/version.ts'
import { errorBody } from '#shared/wire/api/errors.ts'
import { idempotencyKey } from '#shared/wire/api/fields.ts'
import { Components } from './components.ts'
import { describeField, describeOperation, INTRODUCTION, TAG_TEXT } from './descriptions.ts'
import {
  type DocumentedExamples,
  errorExamples,
  errorResponses,
  headerRefs,
  RATE_HEADERS,
  takesIdempotencyKey,
} from './error-codes.ts'
import { eventSchemas, eventWebhooks } from './event-schemas.ts'
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

export interface DocumentOptions extends DocumentedExamples {
  /** The relay's address as clients see it, without a slash at the end. */
  server: string
  /** By `METHOD path`. */
  requests: Readonly<Record<string, ExampleRequest>>
}

/** @throws when two different schemas have one name */
export function openApiDocument(routes: readonly ApiRoute[], options: DocumentOptions): OpenApiDocument {
  const components = new Components()
  components.of(errorBody, 'output')
  const paths: OpenApiDocument['paths'] = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, components, options) }
  }
  const webhooks = eventWebhooks()
  const events = eventSchemas(components)
  const schemas = { ...components.schemas, ...events }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Ticketrail API',
      version: VERSION,
      description: INTRODUCTION,
      contact: { name: 'Ticketrail', url: `${options.server}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.server }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAG_TEXT).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      parameters: { 'Idempotency-Key': idempotencyHeader(components) },
      examples: errorExamples(routes, options.server),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_sandbox_...` or `sk_live_...`.' },
      },
    },
  }
}

function operation(route: ApiRoute, components: Components, options: DocumentOptions): Operation {
  const { requests, answers } = options
  const { doc } = route
  const description = describeOperation(route.method, route.path)
  const example = requests[`${route.method} ${route.path}`]
  const parameters: (Parameter | Ref)[] = [
    ...parametersOf(route.params, { place: 'path', examples: example?.params }, components),
    ...parametersOf(route.query, { place: 'query', examples: example?.query }, components),
  ]
  if (takesIdempotencyKey(route)) parameters.push({ $ref: '#/components/parameters/Idempotency-Key' })
  return {
    operationId: doc.operationId,
    summary: doc.summary,
    ...(description === undefined ? {} : { description }),
    tags: [doc.tag],
    'x-scope': scopesOf(route),
    ...(route.sandboxOnly ? { 'x-sandbox-only': true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: requestBody(route.body, { required: !route.bodyOptional, components, example: example?.body }) }
      : {}),
    responses: {
      ...successes(route, components, answers[`${route.method} ${route.path}`]),
      ...errorResponses(route, components, options),
    },
  }
}

function requestBody(
  body: z.ZodType,
  { required, components, example }: { required: boolean; components: Components; example: unknown },
) {
  const schema = components.of(body, 'input')
  return { required, content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } } }
}

/** All of them are needed; none: any valid key. */
export function scopesOf({ access, alsoNeeds }: Pick<ApiRoute, 'access' | 'alsoNeeds'>): string[] {
  return access === 'any-key' ? [] : [access, ...alsoNeeds]
}

function parametersOf(
  schema: z.ZodObject | undefined,
  { place, examples = {} }: { place: 'path' | 'query'; examples?: Readonly<Record<string, string>> | undefined },
  components: Components,
): Parameter[] {
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
      ...(examples[name] === undefined ? {} : { example: exampleOf(rest, examples[name]) }),
    }
  })
}

/** Examples are written as in a URL. */
const exampleOf = ({ type }: JsonSchema, text: string) => (type === 'integer' ? Number(text) : text)

/** zod leaves the default of a transformed field out. */
function defaultOf(field: unknown): unknown {
  return field instanceof z.ZodDefault ? field.def.defaultValue : undefined
}

function successes(
  route: ApiRoute,
  components: Components,
  example: ExampleAnswer | undefined,
): Operation['responses'] {
  const headers = headerRefs(
    'X-Request-Id',
    ...RATE_HEADERS,
    ...(route.method === 'POST' ? ['Idempotent-Replayed'] : []),
  )
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
        headers: status === '201' ? { ...headers, ...headerRefs('Location') } : headers,
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
      '`false`: do not send the call again by yourself. With 503 `printer.offline`, because it is stored, and with 503 `service.unavailable` when somebody has to mend something first. `true`: the same call can succeed after `Retry-After`.',
    schema: { type: 'string', enum: ['true', 'false'] },
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the stored answer of an earlier call.',
    schema: { type: 'string', const: 'true' },
  },
  'WWW-Authenticate': {
    description: 'Says that a key is wanted.',
    schema: { type: 'string', const: 'Bearer' },
  },
  Location: { description: 'The path of what was made.', schema: { type: 'string' } },
}
