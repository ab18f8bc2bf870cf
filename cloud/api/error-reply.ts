// One shape for every refusal: {code, message, status, requestId, docUrl, errors?}. Fastify's own errors are translated here.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { codeOf } from '#shared/code-of.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { InvalidRequest } from './zod-schema.ts'

/** Fastify's error codes that are the client's doing, as ours. Anything else that is thrown is a bug: internal.error. */
const FRAMEWORK_ERRORS: Readonly<Record<string, () => ServiceError>> = {
  FST_ERR_BAD_URL: () => new ServiceError('request.malformed', { message: 'The URL is not valid.' }),
  FST_ERR_MAX_PARAM_LENGTH: () => new ServiceError('request.not_found'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ServiceError('request.unsupported_media_type'),
  FST_ERR_CTP_EMPTY_TYPE: () => new ServiceError('request.unsupported_media_type'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ServiceError('request.malformed', { message: 'The body is not as long as Content-Length says.' }),
  FST_ERR_CTP_EMPTY_JSON_BODY: () =>
    new ServiceError('request.malformed', { message: 'The request body is empty. Send a JSON object.' }),
  FST_ERR_CTP_INVALID_JSON_BODY: () => new ServiceError('request.malformed'),
}

/** The body is longer than its route takes. */
export class BodyTooLarge extends ServiceError {
  /** Such as `1 MiB`. */
  readonly limit: string

  constructor(limitBytes: number) {
    const limit = limitBytes < MIB ? `${limitBytes / KIB} KiB` : `${limitBytes / MIB} MiB`
    super('request.too_large', { message: `The request body is larger than ${limit}.` })
    this.limit = limit
  }
}

const KIB = 1_024
const MIB = 1_048_576

/** A fault of ours, with what makes it safe to send this call again. */
export function internalError(
  { method, routeOptions }: Pick<FastifyRequest, 'routeOptions' | 'method'>,
  cause?: unknown,
): ServiceError {
  if (method !== 'POST' || routeOptions?.config?.doc?.takesNoIdempotencyKey === true)
    return new ServiceError('internal.error', { cause })
  const name = routeOptions?.url === '/v1/order/inject' ? 'orderId' : 'Idempotency-Key'
  const message = `Something went wrong on our side. Sending the same call again with the same ${name} is safe.`
  return new ServiceError('internal.error', { message, cause })
}

/** What was thrown as a ServiceError; a bug becomes `internal.error` with the bug as its cause. */
export function asServiceError(error: unknown, request: Pick<FastifyRequest, 'routeOptions' | 'method'>): ServiceError {
  const { routeOptions } = request
  if (error instanceof ServiceError) return error
  if (error instanceof InvalidRequest) return new ServiceError('request.invalid', { errors: error.errors })
  const code = codeOf(error)
  // The client disconnected while it was sending its body: nobody reads the answer.
  if (code === 'ECONNRESET' || code === 'ECONNABORTED') return new ServiceError('request.malformed', { cause: error })
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new BodyTooLarge(routeOptions.bodyLimit)
  return FRAMEWORK_ERRORS[code]?.() ?? internalError(request, error)
}

/** The JSON text of a refusal. `status` differs from the code's own only at the socket level. */
export function errorBody(error: ServiceError, requestId: string, docBase: string): string {
  return JSON.stringify({
    code: error.code,
    message: error.message,
    status: error.status,
    requestId,
    docUrl: `${docBase}/docs/errors#${error.code}`,
    ...(error.errors && error.errors.length > 0 ? { errors: error.errors } : {}),
    ...error.extra,
  })
}

/** Answers the request with the refusal and logs what is our fault. */
export function sendError(
  deps: { log: Logger; docBase: () => string },
  reply: FastifyReply,
  thrown: unknown,
): FastifyReply {
  const { request } = reply
  const error = asServiceError(thrown, request)
  request.refusal = error.code
  if (error.errors) request.refusedFields = error.errors.map(({ field }) => field)
  if (error.code === 'internal.error') {
    deps.log.error({ err: error.cause, requestId: request.id, route: request.routeOptions?.url }, 'a request failed')
  }
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  if (error.shouldRetry !== undefined) reply.header('should-retry', String(error.shouldRetry))
  if (error.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(error.status)
    .header('x-request-id', request.id)
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(errorBody(error, request.id, deps.docBase()))
}
