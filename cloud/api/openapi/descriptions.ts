// The prose of the reference: what the API, its nouns and its fields mean. The shapes come from the zod schemas; a test holds the two together.
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { FIELD_TEXT, FIELD_TEXT_OF } from './field-text.ts'
import type { JsonSchema } from './json-schema.ts'

/** In CommonMark, as OpenAPI has it; blank lines part paragraphs, no other blocks. */
export const INTRODUCTION = `Ticketrail puts orders from your own kiosk, app or agent onto kitchen paper, and tells the truth about it back.

Every call carries \`Authorization: Bearer <API key>\` and, when it has a body, \`Content-Type: application/json\`. \`merchantId\` says whom the call is about: in the body of a POST, PUT or PATCH, in the query of a GET or DELETE. \`sk_sandbox_\` keys act on \`M-TEST-\` merchants, \`sk_live_\` keys on \`M-PROD-\` merchants.

Money is a JSON number in the currency of the merchant, with at most two decimals. Times are ISO 8601: we answer in UTC with milliseconds, and take any offset. Texts may not hold control characters. Fields that are not known are refused with the nearest known name, except inside \`customer\`.

Lists with a \`limit\` give up to that many at once, newest first unless they say otherwise; \`nextCursor\` of an answer is \`cursor\` of the next call, and null at the end. A cursor fits only the list, the filters and the merchant that it came with: send them again beside it; another \`limit\` is fine.

Sending again is safe. An order injected twice with the same \`orderId\` and body is one order, and the second answer is the first one with \`Idempotent-Replayed: true\`. Every other POST takes an \`Idempotency-Key\`, kept for 24 hours.

Each plan has a steady and a burst rate; over both, a call is 429 with \`Retry-After\`, and so is one beyond the bytes of bodies that the account may send (sandbox: 10 MB at once, 1 MB a minute). Calls without a valid key, this document and the pages of the reference among them, are counted by address and are 429 as well; calls with one go on from there. Every answer says in \`X-RateLimit-*\` what is left, and in \`X-Request-Id\` what to tell us when something is odd.

\`/v1\` changes only by adding: optional request fields, answer fields, event types, error codes. Ignore what you do not know. What would break a client becomes \`/v2\`, and both are served for 12 months.`

export const TAG_TEXT = {
  Orders: 'Send orders to the kitchen, read them, void and refund them.',
  Printing: 'Print what is not an order: a note, a receipt, a label, a reprint. See what the printers say.',
  Menu: 'Silence and restore items across the delivery platforms and this API, and count stock.',
  Webhooks: 'Where events are sent, what was delivered, and how to get it again.',
  Account: 'The merchants, the use and the keys of your own account.',
  Sandbox:
    'Stands in for kitchen, customers and paper. Only for `sk_sandbox_` keys; for live keys these paths do not exist.',
} as const

/** One line an event type, as the specification words it. */
export const EVENT_TEXT: Readonly<Record<WebhookEventType, string>> = {
  'order.accepted': 'The order is queued in the kitchen',
  'order.printed': 'The ticket stands on paper; says how sure that is',
  'order.ready': 'The kitchen marked the order ready for pickup or delivery',
  'order.completed': 'The order was picked up or delivered',
  'order.voided': 'The order was voided before fulfilment',
  'order.refunded': 'A refund was made',
  'sku.silenced': 'An item was silenced on one or more channels',
  'sku.restored': 'An item is live again on one or more channels',
  'sku.low_stock': 'Counted stock fell to its threshold; said once until it rises above it',
  'alert.started': 'Something is wrong and has lasted; sent where it is named, not for `*`',
  'alert.ended': 'What was wrong is over; sent where it is named, not for `*`',
}

/** By `METHOD path`. */
const OPERATION_TEXT: Readonly<Record<string, string>> = {
  'POST /v1/order/inject': `Answers as soon as the order is on disk; the ticket goes out at once, or at \`fireAt\`. \`total\` must be the sum of \`price\` x \`qty\` to the cent: modifiers add nothing, the tip is not part of it.

\`ways\` says for each station of the order by what it comes into the kitchen: \`printer\`, \`backup\`, \`display\`, or null for a station that nothing serves now; held courses are left out. It is of this moment: a printer that fails is known after 3 to 5 s, a display after 12 to 20 s, a box that freezes after up to 30 s. Proof is \`order.printed\`, or \`cameBy\` of the order. Where nothing can take any line that is due now the order **is stored**, and the answer is 503 \`printer.offline\` with the result in \`order\`: it prints when the printer is back. Sending it again is 200 with the same result.`,
  'POST /v1/order/{serviceOrderId}/void':
    'Before the order is completed. A ticket that is already out is followed by a VOID slip; one that waits for `fireAt` never prints. Counted stock is given back. Voiding twice gives the same answer.',
  'POST /v1/order/{serviceOrderId}/fire':
    'Lines of the lowest `course` of an order print at once; the later courses are held until they are fired, here or in the kitchen. Firing prints the lines of that course under a FIRE mark, once: firing it again gives the same answer, but 409 `order.invalid_transition` when the order was voided meanwhile. `printJobId` is the job of these tickets: `GET /v1/print/job/{printJobId}` tells whether they are on paper; no event is sent for it. When the printer is known to be offline the course **is fired**, and the answer is 503 `printer.offline` with the result in `fired`.',
  'POST /v1/order/{serviceOrderId}/refund':
    'Of a completed order, in parts if you like, up to `total` plus `tip`. It is recorded and told to the point of sale; no money moves here. Send an `Idempotency-Key`, or a repeated call is a second refund.',
  'GET /v1/order/{serviceOrderId}':
    'With its timeline, its refunds and the proof of print. `ways`: by what each station could take it at the moment when it was injected. `cameBy`: by what the kitchen got it in the end; printers are named when the outcome of their whole print job is known, displays once it is ready.',
  'GET /v1/orders': 'Filters are joined by "and". After a timeout, `orderId` finds the order by your own id.',
  'POST /v1/print/job':
    'Exactly one of `text`, `content` and `serviceOrderId` (a reprint of the tickets of that order, marked REPRINT). When no printer that could take it is online the job **is stored** and the answer is 503 `printer.offline` with the result in `printJob`. Send an `Idempotency-Key`, or a repeated call is a second job.',
  'POST /v1/print/job/{printJobId}/cancel':
    'While it has no outcome. `cancelled`: nothing was printed. `sent`: it is asked back from its gateway, read it again for what became of it. An order’s own tickets are taken back with void.',
  'GET /v1/print/job/{printJobId}': 'Of a job of its own or of an order. `uncertain`: it may or may not be on paper.',
  'GET /v1/printers': 'With what each said last, and when. `standIn`: the backup by which its tickets come out now.',
  'GET /v1/gateways':
    'With the version, the clock, the queue, by what each station can take an order (`stations`; the one without a name is all others) and how the box is (`health`), as each said last, and what became of the printers that were added in the cloud.',
  'POST /v1/gateway/claim-code':
    'Typed into a box within 15 minutes, on its page or by `ticketrail-gateway pair <code>`, it makes that box a gateway of the location. It works once. A box gets the orders of its location: the key must be of the account that owns the merchant, and have `orders:read` as well.',
  'POST /v1/test/gateway/claim-code':
    'The same under another path, for sandbox keys only: your own box takes the place of the simulated kitchen of that location.',
  'GET /v1/skus': 'In the order of `umsId`.',
  'GET /v1/sku/{umsId}': 'With its stock and how it stands on each platform.',
  'GET /v1/channels': 'With how many items are mapped to each and how many of them are silenced.',
  'GET /v1/webhooks': 'All of them, oldest first; never the secret.',
  'GET /v1/webhook/{webhookId}': 'With what became of it lately; never the secret.',
  'GET /v1/webhook/{webhookId}/deliveries': 'One for each event. `failed`: nothing more is tried until you ask for it.',
  'GET /v1/webhook/delivery/{deliveryId}': 'What was sent, and what came back each time.',
  'GET /v1/event/{eventId}': 'The very payload that was sent.',
  'GET /v1/test/print/job/{printJobId}/tickets': 'Laid out by the same code as in a real kitchen, as plain text.',
  'GET /v1/test/print/job/{printJobId}/ticket/{ticketId}':
    'The paper as text, as a picture, or as the ESC/POS bytes that a printer would get.',
  'POST /v1/sku/{umsId}/silence':
    'On the named channels, or on all and on `direct` (orders through this API). With `until` it comes back by itself. Each platform is told until it has taken it: `sync` of each channel says how far that is.',
  'POST /v1/sku/{umsId}/restore': 'On the named channels, or on all, whatever silenced it.',
  'PUT /v1/sku/{umsId}/stock':
    'Orders count it down. At `lowThreshold` `sku.low_stock` is sent once; at 0 the item is silenced everywhere, and above 0 it is restored. `null` stops counting.',
  'POST /v1/webhooks':
    'The `secret` in the answer is shown this once: signatures are made with it. Live endpoints need https and a public address. At most 20 a merchant.',
  'PATCH /v1/webhook/{webhookId}':
    'What is absent stays. `status: "enabled"` also revives an endpoint that we disabled after five days without one success; what failed meanwhile is got back with recover.',
  'DELETE /v1/webhook/{webhookId}': 'Nothing more is sent to it, also not what waits for a retry.',
  'POST /v1/webhook/{webhookId}/rotate-secret':
    'The new secret signs at once; the old one signs beside it for `expireOldInHours`, in `X-Service-Signature-Previous`.',
  'POST /v1/webhook/{webhookId}/test': 'Sends an event of this type with made-up data and `test: true`.',
  'POST /v1/webhook/{webhookId}/recover':
    'Everything that failed in the span is sent again, in the background. `since` is at most 14 days ago.',
  'POST /v1/webhook/delivery/{deliveryId}/redeliver':
    'One more attempt now, also after a success. The plan of retries stays as it is.',
  'GET /v1/events': `Of the last 30 days, whether or not an endpoint wanted them; alerts only where one named them. Without \`after\` they come newest first, as in every list.

With \`after\` they are followed: oldest first, in the order in which they were committed, each once and none left out, however many are written at the time. Begin with \`after=start\` (the oldest that is kept), \`after=now\` (what comes from now on) or the id of an event, and send \`nextCursor\` as the next \`after\`. There is always one, also after an empty page: keep it with what you have stored. A full page has more behind it; after one that is not full wait a second or longer. \`type\` and \`subjectId\` narrow it; \`cursor\`, \`from\` and \`to\` are for the other order. A place older than 30 days, or of a past that the relay lost in a restore, is 410 \`event.place_gone\`: send \`after=start\`, and skip events you already have.`,
  'POST /v1/keys/revoke':
    'Without a body: the key that calls. With `key`: another one of the account, proven by its full text. It ends with the next request.',
  'GET /v1/merchants': 'Those that this key may act on, with their locations, printers and channels.',
  'GET /v1/usage':
    'Of one calendar month, UTC, in the environment of the key. The invoice is a draft until the month ends.',
  'POST /v1/test/order/{serviceOrderId}/advance': 'What the kitchen and the counter would do.',
}

export function describeOperation(method: string, path: string): string | undefined {
  return OPERATION_TEXT[`${method} ${path}`]
}

/** Every operation that has prose of its own, for the test that each of them exists. */
export const DESCRIBED_OPERATIONS: readonly string[] = Object.keys(OPERATION_TEXT)

/** What a field of this name means wherever it stands. */
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

/** The text of the field, and what the schema itself says of it: its default. */
const joined = (text: string, { description }: JsonSchema) =>
  description === undefined ? text : `${text} ${description}`

function describeInner(path: string, schema: JsonSchema): JsonSchema {
  if (schema.properties) return describeComponent(path, schema)
  if (schema.items) return { ...schema, items: describeInner(path, schema.items) }
  return schema
}
