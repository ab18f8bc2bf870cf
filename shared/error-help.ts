// What a client does about each error: the text behind every docUrl.
import type { ErrorCode } from './errors.ts'

/** Whether the same call, sent again, can succeed. `later`: after Retry-After, or with growing pauses. */
export type Retry = 'no' | 'later'

export const ERROR_HELP: Readonly<Record<ErrorCode, { todo: string; retry: Retry }>> = {
  'auth.missing_token': {
    todo: 'Send the header `Authorization: Bearer <API key>` with every call. Some HTTP clients drop it when they follow a redirect.',
    retry: 'no',
  },
  'auth.invalid_token': {
    todo: 'The key is mistyped, was revoked, or was replaced more than 24 hours ago. Check it for spaces and a missing end (a key has a checksum), then use a current key.',
    retry: 'no',
  },
  'auth.insufficient_scope': {
    todo: 'The reference names the scope of each operation. Live keys start with `orders:read` and `menu:read`; the operator grants further scopes for each key.',
    retry: 'no',
  },
  'merchant.not_found': {
    todo: 'Check the spelling of `merchantId`: `M-TEST-...` in the sandbox, `M-PROD-...` live. `GET /v1/merchants` lists the merchants that the key may act on.',
    retry: 'no',
  },
  'merchant.not_authorized': {
    todo: 'A sandbox key may act on `M-TEST-` merchants only, a live key on `M-PROD-` merchants of your account and those that granted it access.',
    retry: 'no',
  },
  'ums.unknown_item': {
    todo: '`errors` lists every item and modifier that is not in the catalog of this merchant. Read the catalog with `GET /v1/skus`.',
    retry: 'no',
  },
  'order.duplicate_id': {
    todo: '`serviceOrderId` names the order that was first sent under this `orderId`; `message` says which case it is. If that order is still kept, your body differs from its body: to repeat the order, send exactly the same body. If it has been deleted because of its age, the answer is 409 for any body, also the same one: the order was accepted then, so do not send it again. For a new order use a new id.',
    retry: 'no',
  },
  'order.total_mismatch': {
    todo: '`total` is the sum of `price` x `qty` to the cent. Modifiers add nothing, the tip is not part of it, no tax is added. `expected` and `received` contain both sums.',
    retry: 'no',
  },
  'printer.offline': {
    todo: '**It is stored**: `order` (or `printJob`) holds the result, and it prints when the printer is back. Keep the id, warn your user, wait for `order.printed` (or read the job). Sending an order again gives 200 with the same result and no second ticket; a print job does so only under its `Idempotency-Key`, and without one it is a second job.',
    retry: 'no',
  },
  'rate_limit.exceeded': {
    todo: 'Wait for the seconds in `Retry-After`, then go on slower; when it comes again double the pause. `X-RateLimit-Remaining` shows in advance how many calls are left. If `message` is about bytes, send fewer or shorter bodies.',
    retry: 'later',
  },
  'internal.error': {
    todo: 'This is our fault. Send the same call again with the same `orderId` or `Idempotency-Key`: nothing is done twice. If the error remains, report the `requestId` to us.',
    retry: 'later',
  },
  'request.malformed': {
    todo: 'The body is empty, is not JSON in UTF-8, is nested deeper than 16 levels, or the URL or a header cannot be read. `message` says which.',
    retry: 'no',
  },
  'request.invalid': {
    todo: '`errors` names each invalid field, at most 20, and what to send instead. For an unknown field it suggests the nearest known name.',
    retry: 'no',
  },
  'request.not_found': {
    todo: 'The path does not exist, or not for this key: paths under `/v1/test` are for sandbox keys only. Check for a slash at the end.',
    retry: 'no',
  },
  'request.method_not_allowed': { todo: 'The header `Allow` lists the methods of this path.', retry: 'no' },
  'request.too_large': {
    todo: 'A body has at most 256 KiB. An order has at most 128,000 bytes as the kitchen gets it: its own text in UTF-8, the names from the catalog, and about 150 more bytes for each line; `message` has its size. The order is not stored: send it as several orders, the later ones with `addOnTo`.',
    retry: 'no',
  },
  'request.headers_too_large': {
    todo: 'All headers together have at most 16 KiB. Usually a cookie is the cause.',
    retry: 'no',
  },
  'request.timeout': { todo: 'The whole request must arrive within 15 seconds. Send it again.', retry: 'later' },
  'request.unsupported_media_type': {
    todo: 'Send `Content-Type: application/json`, in UTF-8 and uncompressed.',
    retry: 'no',
  },
  'request.idempotency_mismatch': {
    todo: 'For 24 hours an `Idempotency-Key` belongs to one body. Use a new key for each new operation, and the same key when you repeat it.',
    retry: 'no',
  },
  'order.not_found': {
    todo: 'No order of your account at this merchant has this id. `GET /v1/orders?orderId=` finds it by your own id.',
    retry: 'no',
  },
  'order.not_voidable': {
    todo: 'The order is completed or refunded, see `orderStatus`. Refund a completed order instead.',
    retry: 'no',
  },
  'order.not_refundable': {
    todo: 'Only completed orders can be refunded. `orderStatus` has the state of this one; before it is completed, void it.',
    retry: 'no',
  },
  'order.refund_exceeds_balance': {
    todo: '`refundable` is what is left of `total` plus `tip`.',
    retry: 'no',
  },
  'order.invalid_transition': {
    todo: 'An order only moves forward, and a voided one is not printed again. `orderStatus` has its current state.',
    retry: 'no',
  },
  'order.fire_at_out_of_range': {
    todo: '`fireAt` may be up to 5 minutes in the past (then it means now) and up to 30 days ahead, or the limit of the merchant. Check your clock and time zone.',
    retry: 'no',
  },
  'ums.item_silenced': {
    todo: 'The kitchen is out of some items; `errors` names them. Take them off the menu until you get `sku.restored`.',
    retry: 'no',
  },
  'ums.not_found': {
    todo: 'Check the spelling of the `umsId` in the path; `GET /v1/skus` lists all items.',
    retry: 'no',
  },
  'channel.unknown': {
    todo: '`GET /v1/channels` lists the channels of the merchant; `direct` always exists.',
    retry: 'no',
  },
  'location.unknown': {
    todo: '`GET /v1/merchants` lists the locations. Without `locationId`, the default location is used.',
    retry: 'no',
  },
  'printer.not_found': { todo: '`GET /v1/printers` lists the printers of the merchant.', retry: 'no' },
  'printer.no_route': {
    todo: 'No printer of the location serves this type or station, or its gateway is too old for this kind of job. Name another station, or a `printerId`.',
    retry: 'no',
  },
  'print_job.not_found': { todo: 'Check the `printJobId` and the `merchantId`.', retry: 'no' },
  'print_job.not_cancellable': {
    todo: 'The job has ended, see `printJobState`. To cancel the tickets of an order, void the order: a VOID slip is printed for those that are on paper.',
    retry: 'no',
  },
  'ticket.not_found': {
    todo: 'Check the `ticketId`: `GET /v1/test/print/job/{printJobId}/tickets` lists those of the print job.',
    retry: 'no',
  },
  'webhook.not_found': {
    todo: 'The endpoint was deleted, or belongs to another merchant. `GET /v1/webhooks` lists the endpoints.',
    retry: 'no',
  },
  'webhook.delivery_not_found': { todo: 'Deliveries are kept for 30 days after their event.', retry: 'no' },
  'webhook.invalid_url': {
    todo: 'The URL must have a public address and no user name; a live endpoint needs https. `errors` has the reason.',
    retry: 'no',
  },
  'webhook.limit_reached': {
    todo: 'An account has at most 20 endpoints at a merchant. Delete one, or change one with PATCH.',
    retry: 'no',
  },
  'webhook.listener_limit': {
    todo: 'Delete one (`GET /v1/webhooks` lists them, with `kind` `listener`), or use an existing one: opening its stream replaces the stream of the other program. A listener that no program is connected to is deleted after 15 minutes.',
    retry: 'no',
  },
  'webhook.live_listening_off': {
    todo: 'Live events contain customer data, so an owner of the account must allow it: in the dashboard, Settings, Account. The sandbox needs no permission.',
    retry: 'no',
  },
  'webhook.result_unexpected': {
    todo: 'Drop this result. Send one result for each delivery that your stream received, with the `number` that came with it. If the delivery is still open, it is sent again.',
    retry: 'no',
  },
  'webhook.disabled': {
    todo: 'Enable the endpoint first: `PATCH /v1/webhook/{webhookId}` with `status: "enabled"`.',
    retry: 'no',
  },
  'event.not_found': {
    todo: 'Events are kept for 30 days. Check the `eventId` and the merchant; `GET /v1/events` lists them.',
    retry: 'no',
  },
  'event.place_gone': {
    todo: 'Events are kept for 30 days, and a relay that was restored from a backup may not have the newest events that you have seen. `message` has the reason. Send `after=start`, and skip events you already have (by their `id`).',
    retry: 'no',
  },
  'key.not_found': { todo: 'Send the full text of a key of your own account.', retry: 'no' },
  'gateway.claim_refused': {
    todo: 'A claim code works once and for 15 minutes. Check its ten characters, or make a new code.',
    retry: 'no',
  },
  'gateway.too_many': {
    todo: 'Revoke a gateway that is no longer used, or ask the operator for a higher number. The code stays valid until it expires.',
    retry: 'no',
  },
  'gateway.too_many_codes': {
    todo: 'Use one of the ten existing codes, or wait: each expires after 15 minutes.',
    retry: 'no',
  },
  'request_log.off': {
    todo: 'Whoever runs the relay has turned the log of requests off (`CLOUD_REQUEST_LOG_DAYS=0`), or its file cannot be written; `message` says which. Other calls are answered as usual.',
    retry: 'no',
  },
  'service.unavailable': {
    todo: 'The service is starting, stopping or overloaded, or cannot store anything now: the disk is full, another program has locked the database, or it is damaged. `message` says which. Nothing of the call was stored, unless `message` says that this is not known. Send it again after `Retry-After`, with the same `orderId` or `Idempotency-Key`. With `Should-Retry: false` the operator must fix the service first.',
    retry: 'later',
  },
}
