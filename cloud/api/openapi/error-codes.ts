// Which error codes each operation may answer, and what those with further fields carry.
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { ERROR_DETAILS } from '#shared/wire/api/errors.ts'
import type { Components } from './components.ts'
import { describeComponent } from './descriptions.ts'
import type { ExampleAnswer } from './examples.ts'
import type { Example, JsonSchema, Ref, Response } from './json-schema.ts'
import type { ApiRoute } from './routes.ts'

export interface DocumentedExamples {
  /** The relay's address as clients see it, without a slash at the end. */
  server: string
  /** By `METHOD path`. */
  answers: Readonly<Record<string, ExampleAnswer>>
}

/** Every code that the operation may answer, in the order of the checks. */
export function errorCodesOf(route: ApiRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(['request.malformed', 'auth.missing_token', 'auth.invalid_token'])
  codes.add('rate_limit.exceeded').add('request.timeout').add('request.headers_too_large')
  if (route.access !== 'any-key') codes.add('auth.insufficient_scope')
  // A DELETE needs no body, but one that is there is read.
  if (route.method !== 'GET') codes.add('request.too_large').add('request.unsupported_media_type')
  if (route.body || route.query) codes.add('request.invalid')
  if (namesMerchant(route)) codes.add('merchant.not_found').add('merchant.not_authorized')
  if (route.params || route.sandboxOnly) codes.add('request.not_found')
  if (takesIdempotencyKey(route)) codes.add('request.invalid').add('request.idempotency_mismatch')
  for (const code of route.doc.errors ?? []) codes.add(code)
  return [...codes.add('internal.error').add('service.unavailable')]
}

export function takesIdempotencyKey(route: ApiRoute): boolean {
  return route.method === 'POST' && route.doc.takesNoIdempotencyKey !== true
}

function namesMerchant({ body, query }: ApiRoute): boolean {
  const shapes = [body, query].map((schema) => (schema && 'shape' in schema ? schema.shape : {}) as object)
  return shapes.some((shape) => 'merchantId' in shape)
}

/** The further fields of a code's body with what they mean; null when it has none. */
export function errorDetails(code: ErrorCode, components: Components): JsonSchema | null {
  const details = ERROR_DETAILS[code]
  return details ? describeComponent('Error', components.of(details, 'output')) : null
}

/** What the text of a code leaves out, because it is also the message of one of its cases. */
const FURTHER: Readonly<Partial<Record<ErrorCode, string>>> = {
  'service.unavailable':
    'Or it cannot store anything: its disk is full, another program holds the database, or the database is damaged. `message` says which. It comes with `Retry-After`; a refusal of the storage also with `Should-Retry`.',
  'printer.offline': 'It is stored, so it comes without `Retry-After`.',
}

const describe = (code: ErrorCode): string =>
  [`\`${code}\`: ${ERROR_TABLE[code][1]}`, FURTHER[code] ?? ''].join(' ').trim()

/** Of the plan; on every answer behind a key. */
export const RATE_HEADERS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const

/** References to the headers of these names. */
export function headerRefs(...names: string[]): Record<string, Ref> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Answered before any key is checked. */
const BEFORE_THE_KEY: readonly number[] = [401, 408, 431]

function headersOf(status: number): Record<string, Ref> {
  return headerRefs(
    'X-Request-Id',
    ...(BEFORE_THE_KEY.includes(status) ? [] : RATE_HEADERS),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 503 ? ['Should-Retry'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  )
}

/** One answer per status: which codes it may carry, and the error body with their further fields. */
export function errorResponses(
  route: ApiRoute,
  components: Components,
  examples: DocumentedExamples,
): Record<string, Response> {
  const out: Record<string, Response> = {}
  const byStatus = Object.entries(Object.groupBy(errorCodesOf(route), (code) => ERROR_TABLE[code][0]))
  for (const [status, codes = []] of byStatus) {
    out[status] = {
      description: codes.map(describe).join('\n\n'),
      headers: headersOf(Number(status)),
      content: {
        'application/json': {
          schema: schemaOf(codes, components),
          examples: Object.fromEntries(codes.map((code) => [code, exampleFor(code, route, examples)])),
        },
      },
      'x-error-codes': codes,
    }
  }
  return out
}

/** The error body with the codes of this answer by name, so that a generated client can distinguish them. */
function schemaOf(codes: readonly ErrorCode[], components: Components): JsonSchema {
  const properties: Record<string, JsonSchema> = {
    code: { type: 'string', enum: [...codes], description: 'What to branch on. Later versions may add codes.' },
  }
  for (const code of codes) Object.assign(properties, errorDetails(code, components)?.properties)
  return { allOf: [{ $ref: '#/components/schemas/Error' }, { type: 'object', properties }] }
}

/** The further fields of the examples. Those of `printer.offline` are another operation's each. */
const DETAIL_EXAMPLES: Readonly<Partial<Record<ErrorCode, object>>> = {
  'request.invalid': { errors: [{ field: 'merchantId', message: 'is required' }] },
  'order.total_mismatch': { expected: 32.95, received: 32.5 },
  'order.duplicate_id': { serviceOrderId: 'ord_01kaj2vq8ze3s9vd2m4xw7rbtn' },
  'order.not_voidable': { orderStatus: 'completed' },
  'order.not_refundable': { orderStatus: 'printed' },
  'order.invalid_transition': { orderStatus: 'voided' },
  'order.refund_exceeds_balance': { refundable: 12.5 },
  'print_job.not_cancellable': { printJobState: 'printed' },
}

/** The field with what an operation has stored although the printer is offline. */
const STORED_AS: Readonly<Record<string, string>> = {
  'POST /v1/order/inject': 'order',
  'POST /v1/print/job': 'printJob',
  'POST /v1/order/{serviceOrderId}/fire': 'fired',
}

function exampleFor(code: ErrorCode, route: ApiRoute, { server, answers }: DocumentedExamples): Example {
  const name = `${route.method} ${route.path}`
  const stored = STORED_AS[name]
  if (code !== 'printer.offline' || stored === undefined) return { $ref: `#/components/examples/${code}` }
  const result = answers[name]?.body as object | undefined
  const details = result === undefined ? {} : { [stored]: { ...result, printPending: true } }
  return { summary: ERROR_TABLE[code][1], value: errorOf(code, server, details) }
}

/** One example for each code that an operation may answer. */
export function errorExamples(routes: readonly ApiRoute[], server: string): Record<string, Example> {
  const codes = new Set(routes.flatMap((route) => errorCodesOf(route)))
  codes.delete('printer.offline')
  return Object.fromEntries(
    [...codes].sort().map((code) => {
      const value = errorOf(code, server, DETAIL_EXAMPLES[code] ?? {})
      return [code, { summary: ERROR_TABLE[code][1], value }]
    }),
  )
}

function errorOf(code: ErrorCode, server: string, details: object) {
  const [status, message] = ERROR_TABLE[code]
  const requestId = 'req_01kaj2vq8ze3s9vd2m4xw7rbtn'
  return { code, message, status, requestId, docUrl: `${server}/docs/errors#${code}`, ...details }
}
