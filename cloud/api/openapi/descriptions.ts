// The prose of the reference: what the API, its nouns and its fields mean. The shapes come from the zod schemas; a test holds the two together.
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { FIELD_TEXT, FIELD_TEXT_OF } from './field-text.ts'
import type { JsonSchema } from './json-schema.ts'

/** In CommonMark, as OpenAPI has it; blank lines part paragraphs, no other blocks. */
export const INTRODUCTION = `Ticketrail prints orders from your own kiosk, app or agent in restaurant kitchens, and reports reliably whether they were printed.

Every call needs the header \`Authorization: Bearer <API key>\` and, with a body, \`Content-Type: application/json\`. \`merchantId\` is the merchant that the call is about: in the body of a POST, PUT or PATCH, in the query of a GET or DELETE. \`sk_sandbox_\` keys act on \`M-TEST-\` merchants, \`sk_live_\` keys on \`M-PROD-\` merchants.

Money is a JSON number in the currency of the merchant, with at most two decimals. Times are ISO 8601: answers are in UTC with milliseconds, requests may have any offset. Texts must not contain control characters. Unknown fields are refused with the nearest known name, except inside \`customer\`; a field that stands twice in the same object is refused with its path.

Lists return at most \`limit\` entries, newest first unless stated otherwise. Send \`nextCursor\` of an answer as \`cursor\` of the next call; it is null at the end. A cursor is valid only for the same list, filters and merchant: send them again with it. You may change \`limit\`.

Retrying is safe. An order injected twice with the same \`orderId\` and body is one order, and the second answer is the first one with \`Idempotent-Replayed: true\`. Every other POST takes an \`Idempotency-Key\`, kept for 24 hours; only two need none: the check of an order, which changes nothing, and the result of a listener's delivery, whose \`number\` recognises a repetition. In both, an empty text, list or object and an absent field are the same.

Each plan has a steady and a burst rate; over both, a call is 429 with \`Retry-After\`, and so is one beyond the bytes of bodies that the account may send (sandbox: 10 MB at once, 1 MB a minute). Calls without a valid key, including this document and the reference pages, are limited by address and also get 429; calls with a valid key from that address are not affected. Every answer has the remaining calls in \`X-RateLimit-*\`, and an id in \`X-Request-Id\` to report to us with a problem.

\`/v1\` changes only by adding: optional request fields, answer fields, event types, error codes. Ignore what you do not know. What would break a client becomes \`/v2\`, and both are served for 12 months.`

export const TAG_TEXT = {
  Orders: 'Send orders to the kitchen, read them, void and refund them.',
  Printing: 'Print notes, receipts, labels and reprints, and read the state of the printers.',
  Menu: 'Silence and restore items across the delivery platforms and this API, and count stock.',
  Webhooks: 'Register endpoints for events, see what was delivered, and send it again.',
  Account: 'The merchants, the usage and the keys of your own account.',
  Sandbox:
    'Simulates kitchen, customers and paper. Only for `sk_sandbox_` keys; for live keys these paths do not exist.',
} as const

/** One line an event type, as the specification words it. */
export const EVENT_TEXT: Readonly<Record<WebhookEventType, string>> = {
  'order.accepted': 'The order is queued in the kitchen',
  'order.printed': 'The ticket is on paper; `confirmation` shows how reliable that is',
  'order.ready': 'The kitchen marked the order ready for pickup or delivery',
  'order.completed': 'The order was picked up or delivered',
  'order.voided': 'The order was voided before fulfilment',
  'order.refunded': 'A refund was made',
  'sku.silenced': 'An item was silenced on one or more channels',
  'sku.restored': 'An item is live again on one or more channels',
  'sku.low_stock': 'Stock fell to its threshold; sent once until it rises above it',
  'alert.started': 'A problem has lasted long enough to be an alert; sent only to endpoints that name it, not for `*`',
  'alert.ended': 'The problem is over; sent only to endpoints that name it, not for `*`',
}

/** By `METHOD path`. */
const OPERATION_TEXT: Readonly<Record<string, string>> = {
  'POST /v1/order/inject': `Answers as soon as the order is on disk. The ticket prints at once, or at \`fireAt\`. \`total\` must be the sum of \`price\` x \`qty\` to the cent: modifiers add nothing, the tip is not part of it.

\`ways\` shows for each station of the order how it reaches the kitchen: \`printer\`, \`backup\`, \`display\`, or null if nothing serves the station now; held courses are not included. It is the state at this moment: a failed printer is detected after 3 to 5 s, a display after 12 to 20 s, a frozen gateway after up to 30 s. The proof is \`order.printed\`, or \`cameBy\` of the order. If no line that is due now can reach the kitchen, the order **is stored**, and the answer is 503 \`printer.offline\` with the result in \`order\`: it prints when the printer is back. Sending it again returns 200 with the same result, which has \`printPending: true\`.

An order needs no \`Idempotency-Key\`. If you send one, it stands for this body for 24 hours: another order with it is 409 \`request.idempotency_mismatch\`.`,
  'POST /v1/order/check': `Takes the body of \`POST /v1/order/inject\` and answers what inject would answer now, with the names and menu prices of the items. Nothing is stored, printed or counted, and no event is sent: use it to read an order back to a guest, or for a "what if". It is metered like every other read.

What inject would refuse is refused here with the same status, \`code\` and \`errors\`: a silenced item is named in \`ums.item_silenced\`, an \`orderId\` that another order has is 409 \`order.duplicate_id\`. If this very order was taken before, \`serviceOrderId\` is its id, and the answer is that of the time when it was taken. If no printer or display could take it now, the answer is 200 with \`printPending: true\`, and inject would answer 503 \`printer.offline\`. The menu can change between check and inject, so inject can still refuse.`,
  'POST /v1/order/{serviceOrderId}/void':
    'Possible until the order is completed. If its ticket is on paper, a VOID slip is printed; a ticket that waits for `fireAt` never prints. Counted stock is added again. Voiding twice returns the same answer.',
  'POST /v1/order/{serviceOrderId}/fire':
    'Lines of the lowest `course` of an order print at once; the later courses are held until they are fired, here or in the kitchen. Firing prints the lines of that course, marked FIRE, once: firing it again returns the same answer, or 409 `order.invalid_transition` if the order was voided meanwhile. `printJobId` is the job of these tickets: `GET /v1/print/job/{printJobId}` shows whether they are on paper; no event is sent for it. When the printer is known to be offline the course **is fired**, and the answer is 503 `printer.offline` with the result in `fired`.',
  'POST /v1/order/{serviceOrderId}/refund':
    'Refunds a completed order, in full or in parts, up to `total` plus `tip`. The refund is recorded and sent to the point of sale; no money is moved. Send an `Idempotency-Key`, or a repeated call is a second refund.',
  'GET /v1/order/{serviceOrderId}':
    'Returns the order with its timeline, its refunds and the proof of print. `ways`: how each station could take it at the moment of injection. `cameBy`: how it actually reached the kitchen; printers are listed when the result of their whole print job is known, displays once it is ready.',
  'GET /v1/orders': 'Filters are joined by "and". After a timeout, `orderId` finds the order by your own id.',
  'POST /v1/print/job':
    'Exactly one of `text`, `content` and `serviceOrderId` (a reprint of the tickets of that order, marked REPRINT). When no printer that could take it is online the job **is stored** and the answer is 503 `printer.offline` with the result in `printJob`. Send an `Idempotency-Key`, or a repeated call is a second job. One exception protects clients that retry a 503 by themselves: within ten minutes of a 503 `printer.offline` the same body without a key is the same job, as long as that job has no final state.',
  'POST /v1/print/job/{printJobId}/cancel':
    'Possible until the job has ended. `cancelled`: nothing was printed. `sent`: the relay has sent a cancel to the gateway; read the job again for its result. To cancel an order’s own tickets, void the order.',
  'GET /v1/print/job/{printJobId}':
    'Returns a print job, or the job of an order. `uncertain`: it may or may not be on paper.',
  'GET /v1/printers':
    'Lists printers with their last reported state and its time. `standIn`: the backup that prints its tickets now.',
  'GET /v1/gateways':
    'Lists gateways with their last report: version, clock, queue, how each station can take an order (`stations`; the entry without a name is for all others) and the health of the box (`health`), and the result for printers that were added in the cloud.',
  'POST /v1/gateway/claim-code':
    'Makes a code. Type it in within 15 minutes, on the page of a box or with `ticketrail-gateway pair <code>`: the box becomes a gateway of the location. A code works once. A gateway gets the orders of its location, so the key must belong to the account that owns the merchant, and have `orders:read` as well.',
  'POST /v1/test/gateway/claim-code':
    'The same for sandbox keys, under another path: your own box replaces the simulated kitchen of that location.',
  'GET /v1/skus': 'In the order of `umsId`.',
  'GET /v1/sku/{umsId}': 'Returns one item with its stock and its state on each platform.',
  'GET /v1/channels': 'Lists channels, each with the number of mapped items and how many of them are silenced.',
  'GET /v1/webhooks': 'All of them, oldest first; never the secret.',
  'GET /v1/webhook/{webhookId}': 'Returns one endpoint with its recent results; never the secret.',
  'GET /v1/webhook/{webhookId}/deliveries':
    'One delivery for each event. `failed`: no more attempts are made until you request one.',
  'GET /v1/webhook/delivery/{deliveryId}': 'Returns what was sent, and the answer to each attempt.',
  'GET /v1/event/{eventId}': 'Returns exactly the payload that was sent.',
  'GET /v1/test/print/job/{printJobId}/tickets': 'Laid out by the same code as in a real kitchen, as plain text.',
  'GET /v1/test/print/job/{printJobId}/ticket/{ticketId}':
    'The paper as text, as a picture, or as the ESC/POS bytes that a printer would get.',
  'POST /v1/sku/{umsId}/silence':
    'On the named channels, or on all and on `direct` (orders through this API). With `until` it is restored automatically. The change is sent to each platform until it confirms: `sync` of each channel shows the progress.',
  'POST /v1/sku/{umsId}/restore': 'On the named channels, or on all, whatever silenced it.',
  'PUT /v1/sku/{umsId}/stock':
    'Orders count it down. At `lowThreshold` `sku.low_stock` is sent once; at 0 the item is silenced everywhere, and above 0 it is restored. `null` stops counting.',
  'POST /v1/webhooks':
    'Registers an endpoint. Its `secret`, with which events are signed, is shown only in this answer. Live endpoints need https and a public address. At most 20 for each merchant.',
  'PATCH /v1/webhook/{webhookId}':
    'Absent fields stay unchanged. `status: "enabled"` also enables an endpoint that we disabled after five days without a success; send what failed meanwhile again with recover.',
  'DELETE /v1/webhook/{webhookId}': 'Nothing more is sent to the endpoint, including deliveries that wait for a retry.',
  'POST /v1/webhook/{webhookId}/rotate-secret':
    'Events are signed with the new secret at once, and also with the old one for `expireOldInHours`, in `X-Service-Signature-Previous`.',
  'POST /v1/webhook/listener':
    'Creates a listener: an endpoint without an address, for development. A program on your machine opens its stream, sends each delivery to your own server, and reports the answer with `result`; `ticketrail listen` does all of this. An account has at most 5 listeners, in addition to its endpoints. With `like`, deliveries are signed with the secret of that endpoint, which is not shown; without it, with the listen secret of the account, which is the same each time. For live events an owner must allow listening (403 `webhook.live_listening_off`).',
  'GET /v1/webhook/{webhookId}/stream': `Opens a stream of server-sent events, each with one \`data:\` line of JSON. \`ready\` \`{webhookId, waiting}\` is first. \`delivery\` \`{deliveryId, number, eventId, type, headers, body}\`: send \`body\` with exactly these \`headers\` to your server, then call \`result\`. \`beat\` \`{time}\` is sent every 10 seconds: after 25 seconds without data, reconnect. \`bye\` \`{reason}\` is last: \`replaced\` (another program opened the stream: do not reconnect), \`deleted\` (create a new listener), \`draining\` (reconnect at once), \`refused\` (the key, its rights or the permission of the owner are gone).

A listener has one stream; a new one replaces it. At most 16 deliveries are unanswered at a time, and one of each order. A delivery without a result is sent again with the same \`number\`, after 30 seconds or on the next stream: do not send it to your server twice, but send its result again. While no program is connected, deliveries wait for 15 minutes; then the listener is deleted together with them. The call is not metered.`,
  'POST /v1/webhook/{webhookId}/result':
    'Records the `status` of your server, or the `error` if there was no answer. With 2xx the delivery is `delivered`, otherwise `failed` at once, without retries; redeliver and recover work as for every endpoint. Sending a result again changes nothing (`repeated`), so the call takes no `Idempotency-Key`. `response` may hold any characters. 409 `webhook.result_unexpected`: this `number` was not sent, or has ended. The call is not metered.',
  'POST /v1/webhook/{webhookId}/test': 'Sends an event of this type with made-up data and `test: true`.',
  'POST /v1/webhook/{webhookId}/recover':
    'Sends everything that failed in the time span again, in the background. `since` is at most 14 days ago.',
  'POST /v1/webhook/delivery/{deliveryId}/redeliver':
    'Makes one more attempt now, also after a success. The schedule of retries does not change.',
  'GET /v1/events': `Lists the events of the last 30 days, whether or not an endpoint subscribed to them; alerts only if one did. Without \`after\` they are newest first, as in every list.

With \`after\` you follow them: oldest first, in the order of their commits, each once and without gaps, however many are written at the time. Begin with \`after=start\` (the oldest stored event), \`after=now\` (events from now on) or the id of an event, and send \`nextCursor\` as the next \`after\`. There is always one, also after an empty page: store it together with your data. After a full page there are more; after one that is not full wait a second or longer. You may filter by \`type\` and \`subjectId\`; \`cursor\`, \`from\` and \`to\` are for the other order. A cursor older than 30 days, or of events that the relay lost in a restore, is 410 \`event.place_gone\`: send \`after=start\`, and skip events you already have.`,
  'POST /v1/keys/revoke':
    'Without a body it revokes the calling key, with `key` another key of the account, given by its full text. The key is refused from the next request on. `merchantId` is only checked against the key.',
  'GET /v1/merchants':
    'Lists the merchants that this key may act on, with their locations, printers and channels. `merchantId` is only checked against the key; the list stays the same.',
  'GET /v1/usage':
    'Returns the usage of one calendar month, UTC, in the environment of the key. The invoice is a draft until the month ends. `merchantId` is only checked against the key.',
  'GET /v1/key': 'Returns the account, environment, scopes and expiry of the calling key. It needs no scope.',
  'GET /v1/requests': `Lists the calls that this relay answered in the last days (7, unless its operator sets another number), without their bodies. The relay keeps all refused calls, and up to 50 successful calls of an account a second. In \`path\`, query values other than ids and times are \`***\`.

A key sees its own calls. With \`keys=all\` it sees those of every key of the account in its environment; this needs the scope \`webhooks:manage\`. \`status\` is a status such as \`404\`, or a class such as \`4xx\`. A page may have fewer than \`limit\` calls, or none, although there are more: follow \`nextCursor\` until it is null. Successful calls of this operation are not listed, and none is billed.`,
  'POST /v1/test/order/{serviceOrderId}/advance': 'Does what the kitchen and the counter would do.',
}

export function describeOperation(method: string, path: string): string | undefined {
  return OPERATION_TEXT[`${method} ${path}`]
}

/** Every operation that has prose of its own, for the test that each of them exists. */
export const DESCRIBED_OPERATIONS: readonly string[] = Object.keys(OPERATION_TEXT)

/** The meaning of a field with this name in any schema. */
export function describeField(name: string): string | undefined {
  return FIELD_TEXT[name]
}

/** The schema with what its fields mean, also in objects inside it (`Merchant.locations.name`) and in each kind of it. */
export function describeComponent(component: string, schema: JsonSchema): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, of]) => {
    const text = FIELD_TEXT_OF[`${component}.${name}`] ?? FIELD_TEXT[name]
    return [
      name,
      describeInner(`${component}.${name}`, text === undefined ? of : { ...of, description: joined(text, of) }),
    ] as const
  })
  return {
    ...schema,
    ...(schema.properties ? { properties: Object.fromEntries(properties) } : {}),
    ...(schema.oneOf ? { oneOf: schema.oneOf.map((one) => describeComponent(component, one)) } : {}),
  }
}

/** The text of the field, with its default from the schema. */
const joined = (text: string, { description }: JsonSchema) =>
  description === undefined ? text : `${text} ${description}`

function describeInner(path: string, schema: JsonSchema): JsonSchema {
  if (schema.properties) return describeComponent(path, schema)
  if (schema.items) return { ...schema, items: describeInner(path, schema.items) }
  return schema
}
