// Which error codes each operation may answer, and what those with further fields carry.
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { ERROR_DETAILS } from '#shared/wire/api/errors.ts'
import type { Components } from './components.ts'
import { describeComponent } from './descriptions.ts'
import type { JsonSchema, Response } from './json-schema.ts'
import type { ApiRoute } from './routes.ts'

/** Every code that the operation may answer, in the order of the checks. */
export function errorCodesOf(route: ApiRoute): ErrorCode[] {
  const codes = new Set<ErrorCode>(['request.malformed', 'auth.missing_token', 'auth.invalid_token'])
  codes.add('rate_limit.exceeded')
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

/** Every POST but inject, whose orderId already is the key. */
export function takesIdempotencyKey(route: ApiRoute): boolean {
  return route.method === 'POST' && route.path !== '/v1/order/inject'
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

/** One answer per status: which codes it may carry, and the error body with their further fields. */
export function errorResponses(route: ApiRoute, components: Components): Record<string, Response> {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(route)) {
    const [status] = ERROR_TABLE[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const out: Record<string, Response> = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    out[status] = {
      description: codes.map(describe).join('\n\n'),
      headers: {
        'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
        ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
        ...(status === 503 ? { 'Should-Retry': { $ref: '#/components/headers/Should-Retry' } } : {}),
      },
      content: { 'application/json': { schema: schemaOf(codes, components) } },
      'x-error-codes': codes,
    }
  }
  return out
}

function schemaOf(codes: readonly ErrorCode[], components: Components): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  for (const code of codes) {
    Object.assign(properties, errorDetails(code, components)?.properties)
  }
  const error: JsonSchema = { $ref: '#/components/schemas/Error' }
  return Object.keys(properties).length === 0 ? error : { allOf: [error, { type: 'object', properties }] }
}
