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
    todo: 'The key is mistyped, was revoked, or was replaced more than 24 hours ago. Look for blanks and cut-off ends (a key has a checksum), then use a current key.',
    retry: 'no',
  },
  'auth.insufficient_scope': {
    todo: 'Each operation names its scope in the reference. Live keys begin with `orders:read` and `menu:read`; more is granted key by key.',
    retry: 'no',
  },
  'merchant.not_found': {
    todo: 'Look at the spelling of `merchantId`: `M-TEST-...` in the sandbox, `M-PROD-...` live. `GET /v1/merchants` lists those that the key may act on.',
    retry: 'no',
  },
  'merchant.not_authorized': {
    todo: 'A sandbox key acts on `M-TEST-` merchants only, a live key on `M-PROD-` merchants that your account was granted.',
    retry: 'no',
  },
  'ums.unknown_item': {
    todo: '`errors` lists every item and modifier that the catalog of this merchant does not have. Read it with `GET /v1/skus`.',
    retry: 'no',
  },
  'order.duplicate_id': {
    todo: '`serviceOrderId` names the order that was first sent under this `orderId`; `message` says which case it is. If that order is still kept, your body differs from its body: to repeat the order, send exactly the same body. If it has been deleted after its time, the answer is 409 to any body, the same one too: it was taken then, so do not send it again. For a new order use a new id.',
    retry: 'no',
  },
  'order.total_mismatch': {
    todo: '`total` is the sum of `price` x `qty` to the cent. Modifiers add nothing, the tip is not part of it, no tax is added. `expected` and `received` tell both sums.',
    retry: 'no',
  },
  'printer.offline': {
    todo: '**It is stored**: `order` (or `printJob`) holds the result, and it prints when the printer is back. Keep the id, warn your user, wait for `order.printed` (or read the job). Sending an order again gives 200 with the same result and no second ticket; a print job does so only under its `Idempotency-Key`, and without one it is a second job.',
    retry: 'no',
  },
  'rate_limit.exceeded': {
    todo: 'Wait for the seconds in `Retry-After`, then go on slower; when it comes again double the pause. `X-RateLimit-Remaining` says before how many calls are left. Where `message` speaks of bytes, send fewer or shorter bodies.',
    retry: 'later',
  },
  'internal.error': {
    todo: 'A fault of ours. Send the same call again with the same `orderId` or `Idempotency-Key`: nothing is done twice. If it stays, tell us the `requestId`.',
    retry: 'later',
  },
  'request.malformed': {
    todo: 'The body is empty, is not JSON in UTF-8, is nested deeper than 16 levels, or the URL or a header cannot be read. `message` says which.',
    retry: 'no',
  },
  'request.invalid': {
    todo: '`errors` names each field that breaks its rule, at most 20. An unknown field comes with the nearest known name.',
    retry: 'no',
  },
  'request.not_found': {
    todo: 'There is no such path, or not for this key: paths under `/v1/test` are for sandbox keys only. Look for a slash at the end.',
    retry: 'no',
  },
  'request.method_not_allowed': { todo: 'The header `Allow` lists the methods of this path.', retry: 'no' },
  'request.too_large': {
    todo: 'A body has at most 256 KiB. An order has at most 128,000 bytes as the kitchen gets it: its own words in UTF-8, the names from the catalog, and about 150 bytes beside them for each line; `message` says how many it has. Nothing of it is stored: send it as several orders, the later ones with `addOnTo`.',
    retry: 'no',
  },
  'request.headers_too_large': {
    todo: 'All headers together have at most 16 KiB. Mostly it is a cookie.',
    retry: 'no',
  },
  'request.timeout': { todo: 'The whole request must arrive within 15 seconds. Send it again.', retry: 'later' },
  'request.unsupported_media_type': {
    todo: 'Send `Content-Type: application/json`, in UTF-8 and uncompressed.',
    retry: 'no',
  },
  'request.idempotency_mismatch': {
    todo: 'Within 24 hours an `Idempotency-Key` stands for one body. Make a new key for each new intention, and keep it for the repetitions of that one.',
    retry: 'no',
  },
  'order.not_found': {
    todo: 'No order of your account at this merchant has this id. `GET /v1/orders?orderId=` finds it by your own id.',
    retry: 'no',
  },
  'order.not_voidable': {
    todo: 'The order is completed or refunded: `orderStatus` says which. Refund it instead.',
    retry: 'no',
  },
  'order.not_refundable': {
    todo: 'Only completed orders are refunded. `orderStatus` says where this one stands; before that, void it.',
    retry: 'no',
  },
  'order.refund_exceeds_balance': {
    todo: '`refundable` says what is left of `total` plus `tip`.',
    retry: 'no',
  },
  'order.invalid_transition': {
    todo: 'An order only moves forward, and a voided one is not printed again. `orderStatus` says where it stands.',
    retry: 'no',
  },
  'order.fire_at_out_of_range': {
    todo: '`fireAt` may lie up to 5 minutes in the past (then it means now) and up to 30 days ahead, or what the merchant has set. Check your clock and the zone.',
    retry: 'no',
  },
  'ums.item_silenced': {
    todo: 'The kitchen is out of it: `errors` names the items. Take them off the menu until `sku.restored`.',
    retry: 'no',
  },
  'ums.not_found': { todo: 'Look at the spelling of the `umsId` in the path; `GET /v1/skus` lists all.', retry: 'no' },
  'channel.unknown': { todo: '`GET /v1/channels` lists those of the merchant; `direct` is always there.', retry: 'no' },
  'location.unknown': {
    todo: '`GET /v1/merchants` lists the locations. Without one, the default is taken.',
    retry: 'no',
  },
  'printer.not_found': { todo: '`GET /v1/printers` lists those of the merchant.', retry: 'no' },
  'printer.no_route': {
    todo: 'No printer of the location serves this type or station, or its gateway is too old for this kind of job. Name another station, or a `printerId`.',
    retry: 'no',
  },
  'print_job.not_found': { todo: 'Look at the `printJobId` and the merchant.', retry: 'no' },
  'print_job.not_cancellable': {
    todo: 'It has its outcome already: `printJobState` says which. The tickets of an order are taken back with void: a VOID slip follows those on paper.',
    retry: 'no',
  },
  'webhook.not_found': {
    todo: 'It was deleted, or is of another merchant. `GET /v1/webhooks` lists them.',
    retry: 'no',
  },
  'webhook.delivery_not_found': { todo: 'Deliveries are kept for 30 days after their event.', retry: 'no' },
  'webhook.invalid_url': {
    todo: 'The URL needs a public address and no user name in it; live ones need https. `errors` says what is wrong.',
    retry: 'no',
  },
  'webhook.limit_reached': {
    todo: 'A merchant has at most 20 endpoints. Delete one, or change one with PATCH.',
    retry: 'no',
  },
  'event.place_gone': {
    todo: 'Events are kept for 30 days, and a relay that was restored from a backup may not have the events that you have seen last: `message` says why. Send `after=start`, and skip events you already have (by their `id`).',
    retry: 'no',
  },
  'key.not_found': { todo: 'Send the full text of a key of your own account.', retry: 'no' },
  'gateway.claim_refused': {
    todo: 'A claim code works once and for 15 minutes. Look at its ten characters, or have a new one made.',
    retry: 'no',
  },
  'gateway.too_many': {
    todo: 'Revoke a gateway that is not used any more, or have the number raised: the code stays valid until it expires.',
    retry: 'no',
  },
  'gateway.too_many_codes': {
    todo: 'Use one of the ten codes that were made, or wait: each expires after 15 minutes.',
    retry: 'no',
  },
  'service.unavailable': {
    todo: 'We are starting, stopping or overloaded; or we cannot store anything now: the disk is full, another program holds the database, or it is damaged. `message` says which. Nothing of the call was kept, unless `message` says that this is not known. Send it again after `Retry-After`, with the same `orderId` or `Idempotency-Key`; with `Should-Retry: false` somebody has to mend something first.',
    retry: 'later',
  },
}
