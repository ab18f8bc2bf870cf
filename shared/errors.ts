// Every error code of the API in one table: code, HTTP status, default text. The specification's eleven first, ours after.

export const ERROR_TABLE = {
  'auth.missing_token': [401, 'No Authorization header. Send `Authorization: Bearer <API key>`.'],
  'auth.invalid_token': [401, 'This API key does not exist or was revoked. Use a current key.'],
  'auth.insufficient_scope': [403, 'This API key lacks the scope that the call needs.'],
  'merchant.not_found': [404, 'No merchant has this merchantId.'],
  'merchant.not_authorized': [403, 'This API key is not allowed to act on this merchant.'],
  'ums.unknown_item': [422, 'A UMS id is not in the merchant catalog.'],
  'order.duplicate_id': [
    409,
    'This orderId is taken: by an order with another body, or by one that was deleted after its time.',
  ],
  'order.total_mismatch': [422, 'The total does not equal the sum of the items.'],
  'printer.offline': [
    503,
    'The printer cannot be reached. The order is queued and prints when the printer reconnects.',
  ],
  'rate_limit.exceeded': [429, 'Too many calls. Wait for Retry-After seconds, then back off exponentially.'],
  'internal.error': [500, 'Something went wrong on our side. Sending the same call again is safe.'],
  'request.malformed': [400, 'The request body is not valid JSON.'],
  'request.invalid': [422, 'The request does not match the schema.'],
  'request.not_found': [404, 'This path does not exist. See the reference at /docs.'],
  'request.method_not_allowed': [405, 'This path does not support this method. See the Allow header.'],
  'request.too_large': [413, 'The request body is larger than 256 KiB.'],
  'request.headers_too_large': [431, 'The request headers are larger than 16 KiB.'],
  'request.timeout': [408, 'The request did not arrive in time. Send it again.'],
  'request.unsupported_media_type': [415, 'Send the body as application/json.'],
  'request.idempotency_mismatch': [409, 'This Idempotency-Key was already used with a different body.'],
  'order.not_found': [404, 'No order has this serviceOrderId at this merchant.'],
  'order.not_voidable': [409, 'The order is already fulfilled and cannot be voided.'],
  'order.not_refundable': [409, 'The order is not completed and cannot be refunded.'],
  'order.refund_exceeds_balance': [422, 'The amount is more than what is left to refund.'],
  'order.invalid_transition': [409, 'The order cannot move from its current state to this one.'],
  'order.fire_at_out_of_range': [422, 'fireAt is too far in the past or in the future.'],
  'ums.item_silenced': [422, 'An item is silenced (sold out) and cannot be ordered now.'],
  'ums.not_found': [404, 'No catalog item has this UMS id.'],
  'channel.unknown': [422, 'A channel is not connected to this merchant.'],
  'location.unknown': [422, 'The merchant has no location with this locationId.'],
  'printer.not_found': [404, 'No printer has this printerId.'],
  'printer.no_route': [422, 'No printer of this location can print this job.'],
  'print_job.not_found': [404, 'No print job has this printJobId.'],
  'print_job.not_cancellable': [409, 'The print job can no longer be cancelled.'],
  'ticket.not_found': [404, 'The print job has no ticket with this ticketId.'],
  'webhook.not_found': [404, 'No webhook endpoint has this webhookId.'],
  'webhook.delivery_not_found': [404, 'No delivery has this deliveryId.'],
  'webhook.invalid_url': [422, 'The webhook URL cannot be used.'],
  'webhook.limit_reached': [409, 'The merchant already has the largest number of webhook endpoints.'],
  'webhook.listener_limit': [
    409,
    'The account already has 5 listeners that are connected or have events that wait. Delete one, or wait until one expires.',
  ],
  'webhook.live_listening_off': [403, 'The account does not allow listening to live events.'],
  'webhook.result_unexpected': [
    409,
    'No result is expected for this attempt: it was not sent to this listener, or it has ended.',
  ],
  'webhook.disabled': [409, 'The webhook endpoint is disabled, so nothing is sent to it.'],
  'event.not_found': [404, 'No event has this eventId.'],
  'event.place_gone': [
    410,
    'Cannot resume from this cursor: the events after it are no longer stored. Send after=start.',
  ],
  'key.not_found': [404, 'This account has no API key with this text.'],
  'gateway.claim_refused': [403, 'This claim code does not exist, has expired, or was used by another gateway.'],
  'gateway.too_many': [409, 'The account has reached its maximum number of gateways.'],
  'gateway.too_many_codes': [409, 'Too many unused claim codes for this location.'],
  'request_log.off': [404, 'This relay keeps no log of requests.'],
  'service.unavailable': [503, 'The service is starting, stopping or overloaded. Retry shortly.'],
} as const satisfies Record<string, readonly [number, string]>

export type ErrorCode = keyof typeof ERROR_TABLE

/** One broken rule of the request: where (`items[0].qty`) and what to do. */
export interface FieldError {
  field: string
  message: string
}

export interface ServiceErrorOptions {
  message?: string
  errors?: readonly FieldError[]
  /** Further fields of the error body, such as `order` in `printer.offline`. */
  extra?: Readonly<Record<string, unknown>>
  /** Seconds for the Retry-After header. */
  retryAfterSeconds?: number
  /** For the Should-Retry header: whether the same call can succeed without anybody's doing. Absent: no header. */
  shouldRetry?: boolean
  cause?: unknown
}

/** Codes whose every refusal has the same `Should-Retry`: what was stored must not be sent again. */
const SHOULD_RETRY: Readonly<Partial<Record<ErrorCode, boolean>>> = { 'printer.offline': false }

/** A refused call. Anything else that is thrown is a bug and becomes `internal.error`. */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly errors: readonly FieldError[] | undefined
  readonly extra: Readonly<Record<string, unknown>>
  readonly retryAfterSeconds: number | undefined
  readonly shouldRetry: boolean | undefined

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const [status, text] = ERROR_TABLE[code]
    super(options.message ?? text, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.status = status
    this.errors = options.errors
    this.extra = options.extra ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.shouldRetry = options.shouldRetry ?? SHOULD_RETRY[code]
  }
}
