// Holds one answer of the API against the OpenAPI document: path, status, media type, every field, and the error code.
import type { JsonSchema, OpenApiDocument, Operation } from '#cloud/api/openapi/json-schema.ts'
import { ERROR_TABLE, type ErrorCode } from '#shared/errors.ts'
import { ERROR_DETAILS } from '#shared/wire/api/errors.ts'
import { schemaFaults } from './schema-check.ts'

export interface AnswerToCheck {
  method: string
  /** As it was called, with its query. */
  url: string
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** The answer or the document is wrong. */
export class NotAsDocumented extends Error {
  override readonly name = 'NotAsDocumented'
}

/** @throws NotAsDocumented that lists what differs */
export function holdToDocument(document: OpenApiDocument, answer: AnswerToCheck): void {
  const faults = answerFaults(document, answer)
  if (faults.length > 0) throw new NotAsDocumented(`not as the OpenAPI document says:\n${faults.join('\n')}`)
}

/** What calls that lead to no operation of the document may get. */
const OUTSIDE: readonly ErrorCode[] = [
  'request.not_found',
  'request.method_not_allowed',
  'request.malformed',
  'request.headers_too_large',
  'request.timeout',
  'service.unavailable',
]

/** Everything in which the answer departs from the document. Empty when it is as documented; paths outside /v1 are not looked at. */
export function answerFaults(document: OpenApiDocument, answer: AnswerToCheck): string[] {
  const path = answer.url.split('?', 1)[0] ?? ''
  if (!path.startsWith('/v1/') || path === '/v1/openapi.json') return []
  const found = operationOf(document, answer.method, path)
  const faults = found ? operationFaults(document, found, answer) : outsideFaults(document, answer)
  if (answer.headers['x-request-id'] === undefined) faults.push('no X-Request-Id')
  return faults.map((fault) => `${answer.method} ${path} -> ${answer.status}: ${fault}`)
}

/** The operation that a call of this path reaches; a path that is spelled out wins over a pattern. */
export function operationOf(document: OpenApiDocument, method: string, path: string): Operation | null {
  const spelled = document.paths[path]
  if (spelled) return spelled[method.toLowerCase()] ?? null
  for (const [pattern, methods] of Object.entries(document.paths)) {
    const operation = methods[method.toLowerCase()]
    if (operation && matches(pattern, path)) return operation
  }
  return null
}

function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  return (
    wanted.length === parts.length &&
    wanted.every((part, i) => (part.startsWith('{') ? parts[i] !== '' : part === parts[i]))
  )
}

function operationFaults(document: OpenApiDocument, operation: Operation, answer: AnswerToCheck): string[] {
  const response = operation.responses[answer.status]
  if (!response) return [`the document has no such status: ${answer.text.slice(0, 200)}`]
  if (answer.status === 204) return answer.text === '' ? [] : ['204 with a body']
  const type = String(answer.headers['content-type']).split(';', 1)[0] ?? ''
  const schema = response.content?.[type]?.schema
  if (!schema) return [`the document has no ${type} there`]
  if (type !== 'application/json') return []
  const faults = bodyFaults(document, schema, answer.text)
  if (answer.status >= 400) faults.push(...errorFaults(answer, response['x-error-codes'] ?? []))
  if (answer.status === 201 && answer.headers['location'] === undefined) faults.push('201 without Location')
  return faults
}

function outsideFaults(document: OpenApiDocument, answer: AnswerToCheck): string[] {
  if (answer.method === 'HEAD' && answer.text === '')
    return answer.status === 404 || answer.status === 405 ? [] : ['HEAD']
  return [...bodyFaults(document, { $ref: '#/components/schemas/Error' }, answer.text), ...errorFaults(answer, OUTSIDE)]
}

function bodyFaults(document: OpenApiDocument, schema: JsonSchema, text: string): string[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return [`not JSON: ${text.slice(0, 100)}`]
  }
  return schemaFaults(body, schema, document.components.schemas)
}

function errorFaults(answer: AnswerToCheck, codes: readonly string[]): string[] {
  const body = JSON.parse(answer.text) as { code: ErrorCode; status: number; requestId: string }
  const faults: string[] = []
  if (!codes.includes(body.code)) faults.push(`the code ${body.code} is not documented there`)
  if (ERROR_TABLE[body.code]?.[0] !== answer.status) faults.push(`${body.code} is not ${answer.status}`)
  if (body.status !== answer.status) faults.push(`the body says ${body.status}`)
  if (body.requestId !== answer.headers['x-request-id']) faults.push('requestId is not X-Request-Id')
  if (body.code === 'rate_limit.exceeded' && answer.headers['retry-after'] === undefined) faults.push('no Retry-After')
  const details = ERROR_DETAILS[body.code]
  if (details && !details.safeParse(body).success) faults.push(`${body.code} lacks its further fields`)
  return faults
}
