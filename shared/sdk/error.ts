// Errors of the client. The class shows the kind of error, `code` the exact one.
import type { ErrorBody, ErrorCode, ErrorDetails } from './api.ts'

/**
 * Codes of errors that come from the client, not from the relay. `client.connection`: no response, or an incomplete one. `client.timeout`:
 * no response in time. `client.answer`: a response that is not from a relay, such as the page of a proxy.
 */
export type ClientErrorCode = 'client.connection' | 'client.timeout' | 'client.answer'

/** The error body of the relay, or what the client uses in its place. */
type ErrorFields = Pick<ErrorBody, 'code' | 'message'> & Partial<ErrorBody> & { retryAfter?: number | undefined }

/** A call failed, after all attempts if it was retried. */
export class TicketrailError extends Error {
  override name = 'TicketrailError'
  /** The stable code of the error. Branch on it, and keep a default branch: the relay may add codes. */
  declare readonly code: ErrorCode | ClientErrorCode | (string & {})
  /** HTTP status of the last response; 0 if there was none. */
  declare readonly status: number
  /** The invalid fields, each with a message that names the fix. Empty for other errors. */
  declare readonly errors: NonNullable<ErrorBody['errors']>
  /** Identifies the request in the relay's logs. Include it when you report a problem. Empty if there was no response. */
  declare readonly requestId: string
  /** URL of the page that explains this code. */
  declare readonly docUrl: string
  /** Additional fields of some codes, such as `expected` and `received` of `order.total_mismatch`. */
  declare readonly details: ErrorDetails
  /** Seconds to wait before another attempt, from `Retry-After`; undefined if the relay sent none. */
  declare readonly retryAfter: number | undefined

  constructor(
    { code, message, status = 0, errors = [], requestId = '', docUrl = '', retryAfter, ...details }: ErrorFields,
    options?: ErrorOptions,
  ) {
    const [first] = errors
    super(first ? `${message} ${first.field}: ${first.message}` : message, options)
    Object.assign(this, { code, status, errors, requestId, docUrl, details, retryAfter })
  }
}

/** 401 or 403: the API key is invalid, or lacks the right for this call. */
export class AuthError extends TicketrailError {
  override name = 'AuthError'
}

/** 404 or 410: the object does not exist, or no longer. */
export class NotFoundError extends TicketrailError {
  override name = 'NotFoundError'
}

/** Any other 4xx: the request is invalid. `errors` lists the fields. */
export class ValidationError extends TicketrailError {
  override name = 'ValidationError'
}

/** 409: the state of the order, job or key does not allow the call, or the id is already used. */
export class ConflictError extends TicketrailError {
  override name = 'ConflictError'
}

/** 429 on every attempt: send fewer requests. */
export class RateLimitError extends TicketrailError {
  override name = 'RateLimitError'
}

/** 5xx on every attempt. Send the same request again later. */
export class ServerError extends TicketrailError {
  override name = 'ServerError'
}

/** No readable response, so the request may have been carried out or not. Send the same request again later. */
export class ConnectionError extends TicketrailError {
  override name = 'ConnectionError'
}

/** The error class for an HTTP status; 0 stands for no response. */
export function errorClassOf(status: number): typeof TicketrailError {
  if (status >= 500) return ServerError
  if (status < 400 || status === 408) return ConnectionError
  if (status === 401 || status === 403) return AuthError
  if (status === 404 || status === 410) return NotFoundError
  if (status === 409) return ConflictError
  return status === 429 ? RateLimitError : ValidationError
}

/** True if an order was refused because its `total` is not the sum of its lines. `details` has both amounts, in currency units. */
export function isTotalMismatch(
  error: unknown,
): error is TicketrailError & { details: { expected: number; received: number } } {
  return error instanceof TicketrailError && error.code === 'order.total_mismatch'
}
