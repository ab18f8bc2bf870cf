// What a call that failed throws: one class of errors for each way to deal with it, told apart by `code` in detail.
import type { ErrorBody, ErrorCode, ErrorDetails } from './api.ts'

/**
 * What the client says where the relay said nothing that it can read. `client.connection`: no answer, or only a part of one.
 * `client.timeout`: no answer in time. `client.answer`: an answer that is not the relay's, such as a proxy's page.
 */
export type ClientErrorCode = 'client.connection' | 'client.timeout' | 'client.answer'

/** A body of the relay, or what the client makes in its place. */
type Told = Pick<ErrorBody, 'code' | 'message'> & Partial<ErrorBody>

/** A call that failed after all of its tries. */
export class TicketrailError extends Error {
  override name = 'TicketrailError'
  /** What happened: branch on it. The relay may add codes, so keep a default branch. */
  readonly code: ErrorCode | ClientErrorCode | (string & {})
  /** HTTP status of the last answer; 0 when there was none. */
  readonly status: number
  /** The fields that break a rule, with what to do. */
  readonly errors: NonNullable<ErrorBody['errors']>
  /** Names the call in the logs of the relay: tell it when you ask for help. Empty when there was no answer. */
  readonly requestId: string
  /** The page about this code. */
  readonly docUrl: string
  /** What this code says beside its message, such as `expected` and `received` of `order.total_mismatch`. */
  readonly details: ErrorDetails
  /** Seconds after which the relay lets you try again; undefined when it did not say. */
  readonly retryAfter: number | undefined

  constructor(
    { code, message, status = 0, errors = [], requestId = '', docUrl = '', ...details }: Told,
    options: ErrorOptions & { retryAfter?: number | undefined } = {},
  ) {
    super(message, options)
    this.code = code
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.docUrl = docUrl
    this.details = details
    this.retryAfter = options.retryAfter
  }
}

/** 401 and 403: the key is wrong, or may not do this. */
export class AuthError extends TicketrailError {
  override name = 'AuthError'
}

/** 404 and 410: there is no such thing, or not any more. */
export class NotFoundError extends TicketrailError {
  override name = 'NotFoundError'
}

/** Any other 4xx: the call is wrong. `errors` names the fields. */
export class ValidationError extends TicketrailError {
  override name = 'ValidationError'
}

/** 409: the order, the job or the key is in another state, or the id is taken. */
export class ConflictError extends TicketrailError {
  override name = 'ConflictError'
}

/** 429, on every try: send fewer calls. */
export class RateLimitError extends TicketrailError {
  override name = 'RateLimitError'
}

/** 5xx, on every try: send the same call again later. */
export class ServerError extends TicketrailError {
  override name = 'ServerError'
}

/** No answer that can be read: whether the call was taken is not known. Send the same call again later. */
export class ConnectionError extends TicketrailError {
  override name = 'ConnectionError'
}

/** The class that is thrown for an HTTP status; 0 stands for no answer. */
export function errorClassOf(status: number): typeof TicketrailError {
  if (status >= 500) return ServerError
  if (status < 400 || status === 408) return ConnectionError
  if (status === 401 || status === 403) return AuthError
  if (status === 404 || status === 410) return NotFoundError
  if (status === 409) return ConflictError
  return status === 429 ? RateLimitError : ValidationError
}

/** Whether an order was refused because its `total` is not the sum of its lines: `details` has both sums. */
export function isTotalMismatch(
  error: unknown,
): error is TicketrailError & { details: { expected: number; received: number } } {
  return error instanceof TicketrailError && error.code === 'order.total_mismatch'
}
