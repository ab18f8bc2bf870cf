// What /v1 takes and answers, and the methods of the client. Made by `npm run sdk:types`: not to be edited.
import type { Answer, CallOptions, FileAnswer, List, PrintAnswer } from './answer.ts'

/** Every code of an error. More may be added. */
export type ErrorCode =
  | 'auth.missing_token'
  | 'auth.invalid_token'
  | 'auth.insufficient_scope'
  | 'merchant.not_found'
  | 'merchant.not_authorized'
  | 'ums.unknown_item'
  | 'order.duplicate_id'
  | 'order.total_mismatch'
  | 'printer.offline'
  | 'rate_limit.exceeded'
  | 'internal.error'
  | 'request.malformed'
  | 'request.invalid'
  | 'request.not_found'
  | 'request.method_not_allowed'
  | 'request.too_large'
  | 'request.headers_too_large'
  | 'request.timeout'
  | 'request.unsupported_media_type'
  | 'request.idempotency_mismatch'
  | 'order.not_found'
  | 'order.not_voidable'
  | 'order.not_refundable'
  | 'order.refund_exceeds_balance'
  | 'order.invalid_transition'
  | 'order.fire_at_out_of_range'
  | 'ums.item_silenced'
  | 'ums.not_found'
  | 'channel.unknown'
  | 'location.unknown'
  | 'printer.not_found'
  | 'printer.no_route'
  | 'print_job.not_found'
  | 'print_job.not_cancellable'
  | 'ticket.not_found'
  | 'webhook.not_found'
  | 'webhook.delivery_not_found'
  | 'webhook.invalid_url'
  | 'webhook.limit_reached'
  | 'webhook.listener_limit'
  | 'webhook.live_listening_off'
  | 'webhook.result_unexpected'
  | 'webhook.disabled'
  | 'event.not_found'
  | 'event.place_gone'
  | 'key.not_found'
  | 'gateway.claim_refused'
  | 'gateway.too_many'
  | 'gateway.too_many_codes'
  | 'request_log.off'
  | 'service.unavailable'

/** What some codes say beside their message. */
export interface ErrorDetails {
  /** Our id of the order, `ord_...`. */
  serviceOrderId?: string
  /** The sum of the items. */
  expected?: number
  /** The value that was sent. */
  received?: number
  /** The order, which is stored in spite of the error: the result of the inject. */
  order?: OrderResult
  /** The print job, which is stored in spite of the error. */
  printJob?: PrintJobResult
  /** The course, which is fired in spite of the error. */
  fired?: FireResult
  /** The current state of the order. */
  orderStatus?: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** The amount that can still be refunded. */
  refundable?: number
  /** The current state of the print job. */
  printJobState?: 'queued' | 'sent' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
}

export interface AdvanceOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The state that the order should be in. */
  to: 'printed' | 'ready' | 'completed'
}

export interface Alert {
  /** Our id of the alert, `alr_...`: the same when it begins and when it ends. */
  alertId: string
  /** The kind of problem. More kinds may be added. */
  kind: 'box-silent' | 'printer-away' | 'ticket-late' | 'ticket-uncertain' | 'endpoint-failing' | 'endpoint-failing-long' | 'endpoint-disabled' | 'clock-off' | 'usage-high' | 'usage-full'
  /** `critical`: orders are delayed, or something has stopped. */
  severity: 'critical' | 'warning'
  /** The problem in one line, in English. */
  title: string
  /** What to do, in English. */
  act: string
  /** The gateway that it is about, or that of the printer; null for other kinds. */
  gatewayId: string | null
  /** The printer that it is about; null for other kinds. */
  printerId: string | null
  /** The location whose tickets it is about; null for other kinds. */
  locationId: string | null
  /** The endpoint that it is about; null for other kinds. */
  webhookId: string | null
  /** The values in the sentences, by kind. */
  values: Record<string, string | number>
  /** Since when the problem is known. */
  since: string
  /** When the problem had lasted long enough to be an alert. */
  startedAt: string
  /** When the problem was over; null while it lasts. */
  endedAt: string | null
}

export interface AlertEndedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The problem is over; sent only to endpoints that name it, not for `*` */
  type: 'alert.ended'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: AlertEventData
}

export interface AlertEventData {
  /** The alert. */
  alert: Alert
}

export interface AlertStartedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** A problem has lasted long enough to be an alert; sent only to endpoints that name it, not for `*` */
  type: 'alert.started'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: AlertEventData
}

export interface ApiRequest {
  /** The same as in `X-Request-Id`. */
  requestId: string
  /** When it was answered. */
  answeredAt: string
  /** The HTTP method. */
  method: string
  /** With its query; values other than ids and times are `***`. */
  path: string
  /** The HTTP status. */
  status: number
  /** From its arrival to the end of the answer. */
  durationMs: number
  /** The code of a refusal; null if the call was not refused. */
  code: string | null
  /** What the refusal was about, at most five, such as `items[0].qty`. */
  fields: string[]
  /** The merchant that the call named; null if it named none. */
  merchantId: string | null
  /** The key that called. */
  keyId: string
}

export interface ChangeWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The URL to which events are sent. */
  url?: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent only to endpoints that name them, alone or in addition to `*`. */
  events?: ('*' | 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended')[]
  /** `null` removes it. */
  description?: string | null
  /** The current status. */
  status?: 'enabled' | 'disabled'
}

export interface Channel {
  /** A delivery platform of the merchant, or `direct`: orders through this API. */
  channelId: string
  /** The delivery platform. */
  platform: string
  /** The name, for people. */
  name: string
  /** Whether the platform accepts our updates. */
  status: 'connected' | 'disconnected' | 'failing'
  /** How many items are mapped to it. */
  items: number
  /** How many of them are silenced. */
  silenced: number
}

export interface ClaimCode {
  /** Ten letters and digits. Shown once. */
  claimCode: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** Until this time it can be used. */
  expiresAt: string
}

export type ContentLine = {
  /** The type of this element. */
  type: "text"
  /** One line or more: text wider than the paper is wrapped. An empty text makes a blank line. */
  text: string
  /** `normal` by default. */
  size?: 'normal' | 'large'
  /** Heavier letters. */
  bold?: boolean
  /** `left` by default. */
  align?: 'left' | 'center' | 'right'
} | {
  /** The type of this element. */
  type: "rule"
} | {
  /** The type of this element. */
  type: "qr"
  /** The data in the code; a barcode is CODE 128. */
  data: string
} | {
  /** The type of this element. */
  type: "barcode"
  /** The data in the code; a barcode is CODE 128. */
  data: string
}

export interface CreateListener {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent only to endpoints that name them, alone or in addition to `*`. Without it: `["*"]`. */
  events?: ('*' | 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended')[]
  /** The endpoint whose secret signs the deliveries. */
  like?: string
  /** Your own text, shown as `description` in lists. */
  label?: string
}

export interface CreateWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The URL to which events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent only to endpoints that name them, alone or in addition to `*`. Without it: `["*"]`. */
  events?: ('*' | 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended')[]
  /** Your own note. */
  description?: string
}

export interface CreatedListener {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** When it is deleted, unless a program opens its stream. */
  expiresAt: string
  /** The listen secret of the account, the same each time; null with `like`. */
  secret: string | null
}

export interface CreatedWebhookEndpoint {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** The URL to which events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent only to endpoints that name them, alone or in addition to `*`. */
  events: string[]
  /** Your own note. */
  description: string | null
  /** The current status. */
  status: 'enabled' | 'disabled'
  /** `owner`: by a call. `failing`: by us, after five days without one success. */
  disabledReason: 'owner' | 'failing' | null
  /** When it was created. */
  createdAt: string
  /** When it last accepted an event. */
  lastDeliveryAt: string | null
  /** Since when every attempt has failed. */
  failingSince: string | null
  /** Always `url`. */
  kind: 'url' | 'inspector' | 'listener'
  /** Always null. */
  listener: {
    /** Whether a program has its stream open. */
    connected: boolean
    /** When a listener is deleted. */
    expiresAt: string | null
    /** The endpoint whose secret signs the deliveries. */
    like: string | null
  } | null
  /** The secret that signs every event. It is shown once: store it. */
  secret: string
}

export interface Customer {
  /** The name, which is printed on the ticket. */
  name?: string
  /** For notifications. */
  phone?: string
  /** For notifications. */
  email?: string
}

export interface Delivery {
  /** The delivery of one event to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
  /** The type. */
  type: string
  /** The current state. */
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** The number of attempts. */
  attempts: number
  /** When it was created. */
  createdAt: string
  /** When the next attempt is made; null if none is planned. */
  nextAttemptAt: string | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** The error of the last attempt. */
  lastError: string | null
}

export interface DeliveryAttempt {
  /** The number of the attempt, from 1, including those by hand. */
  number: number
  /** What caused the attempt: the schedule of retries, or a call. */
  trigger: 'schedule' | 'manual'
  /** When it began. */
  at: string
  /** How long the attempt took, in milliseconds. */
  ms: number
  /** HTTP status of the answer; null when there was none. */
  status: number | null
  /** The error if there was no answer. */
  error: string | null
  /** The first KiB of the answer. */
  response: string | null
}

export interface DeliveryDetail {
  /** The delivery of one event to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
  /** The type. */
  type: string
  /** The current state. */
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** Each attempt, oldest first. */
  attempts: DeliveryAttempt[]
  /** When it was created. */
  createdAt: string
  /** When the next attempt is made; null if none is planned. */
  nextAttemptAt: string | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** The error of the last attempt. */
  lastError: string | null
  /** The event as it is sent. */
  event: TicketrailEvent
}

export interface ErrorBody {
  /** The stable code of the error, for programs. */
  code: string
  /** The error in words, for people; it may change. */
  message: string
  /** The HTTP status. */
  status: number
  /** The same as in `X-Request-Id`. */
  requestId: string
  /** The page that explains what to do. */
  docUrl: string
  /** The invalid fields, at most 20. */
  errors?: {
    /** The field, such as `items[0].qty`. */
    field: string
    /** The error in words, for people; it may change. */
    message: string
  }[]
}

export interface FireCourse {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
  course: number
}

export interface FireResult {
  /** Always `fired`. */
  status: "fired"
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
  course: number
  /** When the course was fired the first time. */
  firedAt: string
  /** The print job of the FIRE tickets. Null if the relay created none: the order is not printed, or the kitchen fired the course itself. */
  printJobId: string | null
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface Gateway {
  /** The gateway, `gw_...`. */
  gatewayId: string
  /** The name, for people. */
  name: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** Whether it is connected. */
  state: 'online' | 'offline' | 'unknown'
  /** The version of its program at its last connection. */
  version: string | null
  /** True for the simulated kitchen of the sandbox. */
  simulated: boolean
  /** How far its own clock is ahead of ours; it uses our time for printing. Null before its first report. */
  clockSkewMs: number | null
  /** What waits at the gateway, by its last report. Null before its first report. */
  queue: {
    /** Tickets that wait for their printer. */
    waiting: number
    /** Tickets that are held for later. */
    held: number
    /** Results that it has not reported yet. */
    unreported: number
  } | null
  /** How each of its stations can take an order, by its last report. Null before its first report, and for an older gateway. */
  stations: ({
    /** The station; null for lines without one and for every station that is not listed. */
    station: string | null
    /** `printer`: the printer of the station. `backup`: its backup printer. `display`: a connected kitchen display. Null: nothing serves it now. */
    way: 'printer' | 'backup' | 'display' | null
    /** The name of the printer or the display; null if there is none. */
    name: string | null
  })[] | null
  /** Its findings, by its last report. Null before its first report, and for an older gateway. */
  health: {
    /** The number of findings that keep orders from the kitchen now. */
    critical: number
    /** The number of findings that soon may. */
    warning: number
    /** The number of recommendations. */
    advice: number
    /** The key of the worst finding, such as `printer-down`; null if there is none. */
    worst: string | null
    /** Since when the worst finding has lasted, by the clock of the gateway; null if that is not known. */
    since: string | null
  } | null
  /** When it last sent a message. */
  lastSeenAt: string | null
  /** When it was paired. */
  pairedAt: string
  /** Printers that were added in the cloud. Null when there are none. */
  configuration: {
    /** The version of the configuration; it counts the changes. */
    version: number
    /** The last version that the gateway has answered. */
    answeredVersion: number | null
    /** The printers, each with its result. */
    printers: ({
      /** The name, for people. */
      name: string
      /** The printer at the gateway. Null when it has none for it. */
      printerId: string | null
      /** What the gateway did with it. */
      state: 'waiting' | 'applied' | 'refused' | 'removed'
      /** Why it did not apply all of it, as a stable word. */
      reason: string | null
      /** Fields that were changed on the box and in the cloud. */
      conflicts: ({
        /** The field. */
        field: string
        /** Which side made the later change, which is in effect. */
        stands: 'gateway' | 'cloud'
        /** The value in effect. */
        value: string
        /** Who made that change. */
        by: string
        /** When it was made. */
        at: string
      })[]
    })[]
  } | null
}

export interface InjectOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId: string
  /** The name of your app; it is printed on the ticket. */
  source: string
  /** The ordered items, one for each line. */
  items: LineItem[]
  /** Sum of `price` x `qty`, without the tip. */
  total: number
  /** The guest. Unknown fields in it are ignored. */
  customer?: Customer
  /** Tip, which is not part of `total`. */
  tip?: number
  /** Whether a kitchen ticket is printed. Without it: `true`. */
  print?: boolean
  /** When the ticket is due: up to 30 days ahead; up to 5 minutes in the past means now. */
  fireAt?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
  /** The `orderId` of an earlier order of yours at this merchant that this one adds to: its tickets say ADD-ON TO #... It is an order of its own, whatever the state of the earlier one. */
  addOnTo?: string
  /** How the guest gets the order; printed at the top of the ticket. */
  orderType?: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside'
  /** The table, as staff call it. */
  table?: string
  /** Number of guests. */
  guests?: number
  /** Who took the order. */
  server?: string
  /** For the kitchen; line breaks are kept, as `\n`. */
  note?: string
  /** Allergies of the guests, in your own words, never blank; printed at the top of the ticket of every station. */
  allergens?: string[]
}

export interface Invoice {
  /** The current status. */
  status: 'draft' | 'issued'
  /** The lines of the invoice. */
  lines: InvoiceLine[]
  /** Dollars; null when a line is by contract. */
  total: number | null
  /** When it became final; null for a draft. */
  issuedAt: string | null
}

export interface InvoiceLine {
  /** What the line is for. */
  description: string
  /** The quantity. */
  quantity: number
  /** Dollars; null where the price is by contract. */
  unitPrice: number | null
  /** Dollars; null where the price is by contract. */
  amount: number | null
}

export interface LineItem {
  /** Universal Menu Schema id: one item on every platform. */
  umsId: string
  /** Quantity, from 1. */
  qty: number
  /** Unit price of the line as sold, in the currency of the merchant. */
  price: number
  /** For the kitchen; line breaks are kept, as `\n`. */
  note?: string
  /** UMS ids of the modifiers, or objects with more details; they add nothing to the total. */
  modifiers?: ((string | Modifier))[]
  /** Seat at the table, from 1. */
  seat?: number
  /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
  course?: number
  /** Allergies of the guests, in your own words, never blank; printed at the top of the ticket of every station. */
  allergens?: string[]
}

export interface ListenerResult {
  /** The delivery of one event to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The number of the attempt, from the stream. */
  number: number
  /** The HTTP status of your server. Send either this or `error`. */
  status?: number
  /** Why your server gave no answer. */
  error?: 'timeout' | 'dns' | 'refused' | 'unreachable' | 'reset' | 'tls' | 'invalid_response' | 'connection'
  /** How long your server took, in milliseconds. */
  ms: number
  /** The beginning of the answer of your server. */
  response?: string
}

export interface MakeClaimCode {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
  /** The name that the gateway gets. Without it: `"Kitchen"`. */
  name?: string
}

export interface Merchant {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** The name, for people. */
  name: string
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** IANA zone of the tickets and the business day. */
  timezone: string
  /** The currency of all its amounts, ISO 4217. */
  currency: string
  /** The locations; the first is the default one. */
  locations: {
    /** A location of the merchant; without it the default one. */
    locationId: string
    /** The name, for people. */
    name: string
    /** Whether its gateway is connected now. */
    gatewayOnline: boolean
    /** How many there are, and how many of them can print. */
    printers: {
      /** Printers that can print now. */
      online: number
      /** All of them. */
      total: number
    }
  }[]
  /** The connected platforms. */
  channels: ({
    /** A delivery platform of the merchant, or `direct`: orders through this API. */
    channelId: string
    /** The delivery platform. */
    platform: string
    /** The name, for people. */
    name: string
    /** The current status. */
    status: 'connected' | 'disconnected' | 'failing'
  })[]
  /** Minutes to prepare, for items without their own value. */
  prepMinutes: number
  /** The features that are switched on. */
  features: {
    /** Whether an item is silenced when its stock reaches 0. */
    autoSilence: boolean
    /** What numbers the orders: the built-in register, or an external point of sale. */
    pos: 'register' | 'http'
  }
}

export interface MerchantBody {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
}

export interface Modifier {
  /** Universal Menu Schema id: one item on every platform. */
  umsId: string
  /** The quantity for one piece of the item; 1 by default. */
  qty?: number
  /** What the modifier does: `add`, `remove`, `instead` of what belongs there, or on the `side`. Without `verb` the words of its name decide. */
  verb?: 'add' | 'remove' | 'instead' | 'side'
  /** The group from which it was chosen, such as `Sauces`. */
  group?: string
}

export interface Order {
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** The name of your app; it is printed on the ticket. */
  source: string
  /** Moves only forward: accepted, printed, ready, completed, refunded; or voided. */
  status: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** The ordered items, one for each line. */
  items: ({
    /** Universal Menu Schema id: one item on every platform. */
    umsId: string
    /** The name of the item in the catalog. */
    name: string
    /** Quantity, from 1. */
    qty: number
    /** Unit price of the line as sold, in the currency of the merchant. */
    price: number
    /** For the kitchen; line breaks are kept, as `\n`. */
    note?: string
    /** UMS ids. */
    modifiers: string[]
    /** The modifiers with all fields that were sent; present if one was sent as an object. */
    modifierDetails?: ({
      /** Universal Menu Schema id: one item on every platform. */
      umsId: string
      /** Quantity, from 1. */
      qty?: number
      /** What the modifier does: `add`, `remove`, `instead` of what belongs there, or on the `side`. Without `verb` the words of its name decide. */
      verb?: 'add' | 'remove' | 'instead' | 'side'
      /** The group from which it was chosen, such as `Sauces`. */
      group?: string
    })[]
    /** Seat at the table, from 1. */
    seat?: number
    /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
    course?: number
    /** Allergies of the guests, in your own words, never blank; printed at the top of the ticket of every station. */
    allergens?: string[]
  })[]
  /** Sum of `price` x `qty`, without the tip. */
  total: number
  /** Tip, which is not part of `total`. */
  tip: number
  /** The guest. Unknown fields in it are ignored. */
  customer: (Customer | null)
  /** How the guest gets the order; printed at the top of the ticket. */
  orderType: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside' | null
  /** The table, as staff call it. */
  table: string | null
  /** Number of guests. */
  guests: number | null
  /** Who took the order. */
  server: string | null
  /** For the kitchen; line breaks are kept, as `\n`. */
  note: string | null
  /** Allergies of the guests, in your own words, never blank; printed at the top of the ticket of every station. */
  allergens: string[]
  /** Whether a kitchen ticket is printed. */
  print: boolean
  /** When the ticket is due: up to 30 days ahead; up to 5 minutes in the past means now. */
  fireAt: string | null
  /** When the order became due for the kitchen. */
  firedAt: string | null
  /** When it was stored. */
  queuedAt: string
  /** When the kitchen should be done. */
  estimatedReadyAt: string
  /** When the ticket was printed. */
  printedAt: string | null
  /** When the kitchen marked the order ready. */
  readyAt: string | null
  /** When the order was picked up or delivered. */
  completedAt: string | null
  /** When it was voided. */
  voidedAt: string | null
  /** The reason that was sent with the void. */
  voidReason: string | null
  /** The courses of the order, lowest first; empty if it has none. */
  courses: ({
    /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
    course: number
    /** `held` until it is fired, here or in the kitchen. */
    state: 'held' | 'fired'
    /** When it was fired; null while it is held. */
    firedAt: string | null
    /** The print job of its tickets; for the lowest course, that of the order. Null while it is held, and if the relay created no job: the order is not printed, or the kitchen fired the course itself. */
    printJobId: string | null
  })[]
  /** The `orderId` of an earlier order of yours at this merchant that this one adds to: its tickets say ADD-ON TO #... It is an order of its own, whatever the state of the earlier one. */
  addOnTo: string | null
  /** The number of the order in the point of sale; null until it has answered. */
  posOrderId: string | null
  /** Our id of the print job, `pj_...`; null if nothing is printed. */
  printJobId: string | null
  /** The state of the ticket, independent of the state of the order. */
  printState: 'none' | 'scheduled' | 'pending' | 'printed' | 'uncertain' | 'failed' | 'cancelled'
  /** The proof of printing; null until something is printed. */
  printProof: (PrintFacts | null)
  /** For each station with lines that were due, how it could reach the kitchen at that moment; several entries if rules split the lines of a station. Not a guarantee. Empty while nothing is known, and when nothing was to be printed then. */
  ways: OrderWay[]
  /** How it reached the kitchen, oldest first: printers once the result of all tickets of the order, or of a fired course, is known; the displays that had shown it once it is ready. */
  cameBy: ({
    /** By its own printer, by a backup, or by a display. */
    way: 'printer' | 'backup' | 'display'
    /** The name of the printer or the display. */
    name: string
    /** When it was printed there, or drawn on that display. */
    at: string
  })[]
  /** The amount refunded so far. */
  refundedTotal: number
  /** The amount that can still be refunded. */
  refundable: number
  /** Each refund, oldest first. */
  refunds: Refund[]
  /** The steps of the order, each with its time. */
  timeline: {
    /** What happened. */
    type: string
    /** When it happened. */
    at: string
  }[]
}

export interface OrderAcceptedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The order is queued in the kitchen */
  type: 'order.accepted'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderEventData
}

export interface OrderCompletedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The order was picked up or delivered */
  type: 'order.completed'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderEventData
}

export interface OrderEventData {
  /** The order at the time of the event. */
  order: Order
}

export interface OrderPrintedData {
  /** The order at the time of the event. */
  order: Order
  /** Whether a kitchen ticket is printed. */
  print: PrintFacts
}

export interface OrderPrintedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The ticket is on paper; `confirmation` shows how reliable that is */
  type: 'order.printed'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderPrintedData
}

export interface OrderReadyEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The kitchen marked the order ready for pickup or delivery */
  type: 'order.ready'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderEventData
}

export interface OrderRefundedData {
  /** The order at the time of the event. */
  order: Order
  /** The refund that was made. */
  refund: Refund
}

export interface OrderRefundedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** A refund was made */
  type: 'order.refunded'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderRefundedData
}

export interface OrderResult {
  /** Always `accepted` at injection. */
  status: "accepted"
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** The number of the order in the point of sale; null until it has answered. */
  posOrderId: string | null
  /** When it was stored. */
  queuedAt: string
  /** When the kitchen should be done. */
  estimatedReadyAt: string
  /** Our id of the print job, `pj_...`; null if nothing is printed. */
  printJobId: string | null
  /** For each station with lines that were due, how it could reach the kitchen at that moment; several entries if rules split the lines of a station. Not a guarantee. Empty while nothing is known, and when nothing was to be printed then. */
  ways?: OrderWay[]
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface OrderVoidedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** The order was voided before fulfilment */
  type: 'order.voided'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: OrderEventData
}

export interface OrderWay {
  /** The station of the lines; null for lines without one. */
  station: string | null
  /** `printer`: the printer of the station. `backup`: its backup printer. `display`: a connected kitchen display. Null: nothing serves it now. */
  way: 'printer' | 'backup' | 'display' | null
  /** The name of the printer or the display; null if there is none. */
  name: string | null
}

export interface OwnKey {
  /** Our id of the key, which is not secret. */
  keyId: string
  /** The name that people gave the key; null if it has none. */
  name: string | null
  /** The account of the key. */
  account: {
    /** Our id of the account, `acc_...`. */
    accountId: string
    /** The name, for people. */
    name: string
  }
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** What the key may do. */
  scopes: string[]
  /** When it was created. */
  createdAt: string
  /** When it expires; null: never. */
  expiresAt: string | null
}

export interface PrintFacts {
  /** `confirmed` by the printer itself, or `assumed` if the printer cannot answer. */
  confirmation: 'confirmed' | 'assumed'
  /** The method by which the printer confirmed; of a call, its HTTP method. */
  method: 'gs-paren-h' | 'star-etb' | 'gs-i' | 'gs-r' | 'dle-eot' | 'person' | 'none'
  /** When the ticket was printed. */
  printedAt: string
  /** The number of attempts. */
  attempts: number
  /** True if this may be on paper twice; the paper is marked then. */
  possibleDuplicate: boolean
  /** Number of characters that could not be printed: their code points, such as [U+0378], or ? are printed instead. 0: the paper is complete. Absent: not known, because an older gateway printed it. */
  unprintable?: number
  /** The printers that print it. */
  printers: ({
    /** A printer of the merchant. */
    printerId: string
    /** The name, for people. */
    name: string
    /** The `printerId` of the printer that the ticket was meant for; absent if that is this one. */
    movedFrom?: string
    /** `confirmed` by the printer itself, or `assumed` if the printer cannot answer. */
    confirmation: 'confirmed' | 'assumed'
    /** The method by which the printer confirmed; of a call, its HTTP method. */
    method: 'gs-paren-h' | 'star-etb' | 'gs-i' | 'gs-r' | 'dle-eot' | 'person' | 'none'
    /** When the printer got the first byte. */
    firstByteAt: string | null
    /** When the ticket was printed. */
    printedAt: string
    /** The number of attempts. */
    attempts: number
    /** True if this may be on paper twice; the paper is marked then. */
    possibleDuplicate: boolean
    /** Number of characters that could not be printed: their code points, such as [U+0378], or ? are printed instead. 0: the paper is complete. Absent: not known, because an older gateway printed it. */
    unprintable?: number
  })[]
}

export interface PrintJob {
  /** Our id of the print job, `pj_...`; null if nothing is printed. */
  printJobId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** `order`: the tickets of an injected order. */
  type: 'order' | 'kitchen' | 'receipt' | 'label' | 'reprint' | 'fire'
  /** The current state. */
  state: 'queued' | 'sent' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
  /** When it was stored. */
  queuedAt: string
  /** When the ticket was printed. */
  printedAt: string | null
  /** The number of attempts. */
  attempts: number
  /** The printers that print it. */
  printers: ({
    /** A printer of the merchant. */
    printerId: string
    /** The name, for people. */
    name: string
    /** The current state. */
    state: 'queued' | 'sent' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
    /** When the ticket was printed. */
    printedAt: string | null
    /** The number of attempts. */
    attempts: number
    /** `confirmed` by the printer itself, or `assumed` if the printer cannot answer. */
    confirmation: 'confirmed' | 'assumed' | null
    /** True if this may be on paper twice; the paper is marked then. */
    possibleDuplicate: boolean
    /** Number of characters that could not be printed: their code points, such as [U+0378], or ? are printed instead. 0: the paper is complete. Absent: not known, because an older gateway printed it. */
    unprintable?: number
    /** Why it failed; null if it did not. */
    reason: string | null
  })[]
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string | null
}

export interface PrintJobResult {
  /** The current status. */
  status: "queued"
  /** Our id of the print job, `pj_...`; null if nothing is printed. */
  printJobId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** When it was stored. */
  queuedAt: string
  /** The printers that print it. */
  printers: PrinterOfJob[]
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface Printer {
  /** A printer of the merchant. */
  printerId: string
  /** The name, for people. */
  name: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** The stations that it prints for. */
  stations: string[]
  /** Whether it is the default printer, which prints what no other printer serves. */
  isDefault: boolean
  /** The last reported state, or `unknown`. */
  state: 'online' | 'offline' | 'unknown'
  /** The reason, as a keyword of the Internet Printing Protocol. */
  detail: ('none' | 'connecting-to-device' | 'timed-out' | 'shutdown' | 'busy' | 'media-empty' | 'media-low' | 'cover-open' | 'cutter-error' | 'recoverable-error' | 'unrecoverable-error' | 'offline' | 'not-responding' | 'another-printer')[]
  /** The `printerId` of the backup that prints its tickets now; null if there is none. */
  standIn: string | null
  /** When it last answered. */
  lastSeenAt: string | null
}

export interface PrinterOfJob {
  /** A printer of the merchant. */
  printerId: string
  /** The name, for people. */
  name: string
}

export interface RecordedResult {
  /** The delivery of one event to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The number of the attempt. */
  number: number
  /** The current state. */
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** Whether a result of this attempt was recorded before. It is not changed. */
  repeated: boolean
}

export interface RecoverResult {
  /** The number of deliveries that are sent again. */
  queued: number
}

export interface RecoverWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The start of the time span. */
  since: string
  /** When it ends. */
  until?: string
}

export interface Refund {
  /** Our id of the refund, `rfd_...`. */
  refundId: string
  /** The amount, in the currency of the merchant. */
  amount: number
  /** In your own words. */
  reason: string | null
  /** When it was created. */
  createdAt: string
}

export interface RefundOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The amount, in the currency of the merchant. */
  amount: number
  /** In your own words. */
  reason?: string
}

export interface RefundResult {
  /** The current status. */
  status: "refunded"
  /** Our id of the refund, `rfd_...`. */
  refundId: string
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** The amount, in the currency of the merchant. */
  amount: number
  /** The amount refunded so far. */
  refundedTotal: number
  /** The amount that can still be refunded. */
  refundable: number
  /** When it was recorded. */
  refundedAt: string
}

export interface RestoreSku {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Channel ids, and `direct`. */
  channels?: string[]
}

export interface RevokeKey {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The full text of the key to revoke. */
  key?: string
}

export interface RevokedKey {
  /** Our id of the key, which is not secret. */
  keyId: string
  /** When the key was revoked. */
  revokedAt: string
}

export interface RotateSecret {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** For how many hours the old secret signs in addition to the new one. Without it: `24`. */
  expireOldInHours?: number
}

export interface RotatedSecret {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The secret that signs every event. It is shown once: store it. */
  secret: string
  /** Until this time both secrets sign. */
  oldSecretExpiresAt: string
}

export interface SandboxTicket {
  /** One piece of paper of a print job. */
  ticketId: string
  /** Our id of the print job, `pj_...`; null if nothing is printed. */
  printJobId: string
  /** A printer of the merchant. */
  printerId: string
  /** The name of the printer in the kitchen. */
  printerName: string
  /** The kind of paper. */
  kind: 'order' | 'void' | 'fire' | 'reprint' | 'note' | 'receipt' | 'label'
  /** When the ticket was printed. */
  printedAt: string
  /** The paper as plain text, line by line. */
  text: string
}

export interface SetStock {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** How many are left; `null` stops counting. */
  quantity: number | null
  /** The quantity at which `sku.low_stock` is sent. */
  lowThreshold?: number
}

export interface SilenceSku {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Channel ids, and `direct`. */
  channels?: string[]
  /** When it ends. */
  until?: string
  /** In your own words. */
  reason?: string
}

export interface Sku {
  /** Universal Menu Schema id: one item on every platform. */
  umsId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** The name, for people. */
  name: string
  /** An item, or a modifier of items. */
  kind: 'item' | 'modifier'
  /** List price; null if there is none. */
  price: number | null
  /** Minutes to prepare; null: the merchant’s value is used. */
  prepMinutes: number | null
  /** A station of the kitchen, such as `grill`. */
  station: string | null
  /** A category of the menu, such as `Mains`; kitchens may route by it. Null if it has none. */
  category: string | null
  /** `silenced`: on one or more channels. */
  state: 'live' | 'silenced'
  /** Whether an order through this API may contain it now. */
  orderable: boolean
  /** The counted stock. */
  stock: {
    /** How many are left; null if stock is not counted. */
    quantity: number | null
    /** The quantity at which `sku.low_stock` is sent. */
    lowThreshold: number
  }
  /** The item on each platform, and on `direct`. */
  channels: SkuChannel[]
}

export interface SkuChannel {
  /** A delivery platform of the merchant, or `direct`: orders through this API. */
  channelId: string
  /** The platform’s own id of the item. */
  externalId: string | null
  /** The current state. */
  state: 'live' | 'silenced'
  /** Since when it is silenced there. */
  silencedAt: string | null
  /** When it is restored automatically. */
  silencedUntil: string | null
  /** What changed it: a call, the schedule, or stock. */
  cause: 'call' | 'out_of_stock' | null
  /** In your own words. */
  reason: string | null
  /** Whether the platform has confirmed the state; after `failed` more attempts follow. */
  sync: 'synced' | 'pending' | 'failed'
}

export interface SkuLowStockData {
  /** The item at the time of the event. */
  sku: Sku
  /** How many are left. */
  quantity: number
  /** The quantity at which `sku.low_stock` is sent. */
  lowThreshold: number
}

export interface SkuLowStockEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** Stock fell to its threshold; sent once until it rises above it */
  type: 'sku.low_stock'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: SkuLowStockData
}

export interface SkuRestoredData {
  /** The item at the time of the event. */
  sku: Sku
  /** Channel ids, and `direct`. */
  channels: string[]
  /** What changed it: a call, the schedule, or stock. */
  cause: 'call' | 'schedule' | 'in_stock'
}

export interface SkuRestoredEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** An item is live again on one or more channels */
  type: 'sku.restored'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: SkuRestoredData
}

export interface SkuSilencedData {
  /** The item at the time of the event. */
  sku: Sku
  /** Channel ids, and `direct`. */
  channels: string[]
  /** What changed it: a call, the schedule, or stock. */
  cause: 'call' | 'out_of_stock'
  /** When it ends. */
  until: string | null
  /** In your own words. */
  reason: string | null
}

export interface SkuSilencedEvent {
  /** The id of the event. Use it to detect duplicates: each event is delivered at least once. */
  id: string
  /** An item was silenced on one or more channels */
  type: 'sku.silenced'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** The version of the payload. */
  apiVersion: "v1"
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** Only on events that were fired by hand in the sandbox. */
  test?: true
  /** What the event is about, as it was then. */
  data: SkuSilencedData
}

export interface SubmitPrintJob {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The kind of paper, which also selects the printers. */
  type: 'kitchen' | 'receipt' | 'label'
  /** Large, at the top. Not with `serviceOrderId`. */
  title?: string
  /** Plain text; line breaks are kept. Not with `content` or `serviceOrderId`: exactly one of the three. */
  text?: string
  /** The paper, top to bottom. Not with `text` or `serviceOrderId`: exactly one of the three. */
  content?: ContentLine[]
  /** Reprints the tickets of this order; `type` is `kitchen` then. Not with `text` or `content`: exactly one of the three. */
  serviceOrderId?: string
  /** The station whose printer prints it. Not with `printerId`. */
  station?: string
  /** The printer that prints it. Not with `station`. */
  printerId?: string
  /** Number of copies of each ticket. Without it: `1`. */
  copies?: number
  /** A location of the merchant; without it that of `printerId`, or the default one. Not with `serviceOrderId`: the order has its own. */
  locationId?: string
  /** How the guest gets the order. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  orderType?: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside'
  /** The table, as staff call it. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  table?: string
  /** Who took the order. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  server?: string
  /** Allergies of the guests, in your own words, never blank. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  allergens?: string[]
}

export interface TestWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The type of the event. */
  type: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
}

export interface TestWebhookResult {
  /** The delivery of one event to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
}

export interface Usage {
  /** Calendar month in UTC, such as `2026-11`. */
  month: string
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** The plan of the account. */
  plan: 'sandbox' | 'starter' | 'growth' | 'enterprise'
  /** Calls a month that the plan includes; null: unlimited or by contract. */
  included: number | null
  /** Calls that are billed: all except those answered 429 or 5xx. */
  calls: number
  /** Calls beyond the included ones. */
  overageCalls: number
  /** Their price in dollars; null: by contract. */
  overageAmount: number | null
  /** Webhook events, counted by their first attempts. */
  webhookEvents: number
  /** The usage of each day. */
  days: {
    /** The day, in UTC. */
    day: string
    /** Calls that are billed: all except those answered 429 or 5xx. */
    calls: number
  }[]
  /** The invoice for live keys; null in the sandbox and for a month that is not billed. */
  invoice: (Invoice | null)
}

export interface VoidOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** In your own words. */
  reason?: string
}

export interface VoidResult {
  /** The current status. */
  status: "voided"
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** When it was voided. */
  voidedAt: string
}

export interface WebhookEndpoint {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** The URL to which events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent only to endpoints that name them, alone or in addition to `*`. */
  events: string[]
  /** Your own note. */
  description: string | null
  /** The current status. */
  status: 'enabled' | 'disabled'
  /** `owner`: by a call. `failing`: by us, after five days without one success. */
  disabledReason: 'owner' | 'failing' | null
  /** When it was created. */
  createdAt: string
  /** When it last accepted an event. */
  lastDeliveryAt: string | null
  /** Since when every attempt has failed. */
  failingSince: string | null
  /** Who receives the events. `url`: an address. `inspector`: a page of the dashboard. `listener`: a program with a stream. */
  kind: 'url' | 'inspector' | 'listener'
  /** The state of a listener; null for other kinds. */
  listener: {
    /** Whether a program has its stream open. */
    connected: boolean
    /** When it is deleted, unless a program connects; null while one is connected. */
    expiresAt: string | null
    /** The endpoint whose secret signs the deliveries. */
    like: string | null
  } | null
}

export type TicketrailEvent = (OrderAcceptedEvent | OrderPrintedEvent | OrderReadyEvent | OrderCompletedEvent | OrderVoidedEvent | OrderRefundedEvent | SkuSilencedEvent | SkuRestoredEvent | SkuLowStockEvent | AlertStartedEvent | AlertEndedEvent)

export interface MerchantQuery {
  /** Without it, the client's. */
  merchantId?: string
}

export interface ListOrdersQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces. It must be unique for each merchant, forever, and makes retries safe. */
  orderId?: string
  /** The current status. */
  status?: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** The name of your app; it is printed on the ticket. */
  source?: string
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface ListPrintersQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
}

export interface ListGatewaysQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
}

export interface ListSkusQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** A delivery platform of the merchant, or `direct`: orders through this API. */
  channelId?: string
  /** The current state. */
  state?: 'live' | 'silenced'
  /** Text to find in name and `umsId`, without regard to case. */
  q?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface ListDeliveriesQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The current state. */
  state?: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** The type. */
  type?: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface ListEventsQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The type. */
  type?: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
  /** A `serviceOrderId`, a `umsId` or an `alertId`. */
  subjectId?: string
  /** Returns the events after this one: `start`, `now`, the id of an event, or `nextCursor` of the previous page with the same filters. */
  after?: string
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface ListMerchantsQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface ListRequestsQuery {
  /** Whose calls: those made with `this` key, or with `all` keys of the account in its environment. Without it: `"this"`. */
  keys?: 'all' | 'this'
  /** The current status. */
  status?: string
  /** The method by which the printer confirmed; of a call, its HTTP method. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** How the path begins, such as `/v1/order`. */
  path?: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** The maximum number of entries. */
  limit?: number
  /** `nextCursor` of the previous answer, with the same filters. */
  cursor?: string
}

export interface GetUsageQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Calendar month in UTC, such as `2026-11`. */
  month?: string
}

export interface GetSandboxTicketQuery {
  /** One piece of paper of a print job. */
  ticketId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** `text`, `svg`, or `escpos`: the bytes. Without it: `"text"`. */
  format?: 'text' | 'svg' | 'escpos'
}

export interface OrdersResource {
  /**
   * Inject an order. Scope: `orders:write`.
   *
   * Answers as soon as the order is on disk. The ticket prints at once, or at `fireAt`. `total` must be the sum of `price` x `qty` to the cent: modifiers add nothing, the tip is not part of it.
   *
   * `ways` shows for each station of the order how it reaches the kitchen: `printer`, `backup`, `display`, or null if nothing serves the station now; held courses are not included. It is the state at this moment: a failed printer is detected after 3 to 5 s, a display after 12 to 20 s, a frozen gateway after up to 30 s. The proof is `order.printed`, or `cameBy` of the order. If no line that is due now can reach the kitchen, the order **is stored**, and the answer is 503 `printer.offline` with the result in `order`: it prints when the printer is back. Sending it again returns 200 with the same result, which has `printPending: true`.
   *
   * An order needs no `Idempotency-Key`. If you send one, it stands for this body for 24 hours: another order with it is 409 `request.idempotency_mismatch`.
   */
  inject(fields: InjectOrder, options?: CallOptions): Promise<PrintAnswer<OrderResult>>
  /**
   * Read an order. Scope: `orders:read`.
   *
   * Returns the order with its timeline, its refunds and the proof of print. `ways`: how each station could take it at the moment of injection. `cameBy`: how it actually reached the kitchen; printers are listed when the result of their whole print job is known, displays once it is ready.
   */
  get(serviceOrderId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<Order>>
  /**
   * List orders, newest first. Scope: `orders:read`.
   *
   * Filters are joined by "and". After a timeout, `orderId` finds the order by your own id.
   */
  list(fields?: ListOrdersQuery, options?: CallOptions): List<Order>
  /**
   * Void an order that is not fulfilled. Scope: `orders:write`.
   *
   * Possible until the order is completed. If its ticket is on paper, a VOID slip is printed; a ticket that waits for `fireAt` never prints. Counted stock is added again. Voiding twice returns the same answer.
   */
  void(serviceOrderId: string, fields?: VoidOrder, options?: CallOptions): Promise<Answer<VoidResult>>
  /**
   * Refund a completed order, in whole or in part. Scope: `orders:write`.
   *
   * Refunds a completed order, in full or in parts, up to `total` plus `tip`. The refund is recorded and sent to the point of sale; no money is moved. Send an `Idempotency-Key`, or a repeated call is a second refund.
   */
  refund(serviceOrderId: string, fields: RefundOrder, options?: CallOptions): Promise<Answer<RefundResult>>
  /**
   * Fire a course that the kitchen holds. Scope: `orders:write`.
   *
   * Lines of the lowest `course` of an order print at once; the later courses are held until they are fired, here or in the kitchen. Firing prints the lines of that course, marked FIRE, once: firing it again returns the same answer, or 409 `order.invalid_transition` if the order was voided meanwhile. `printJobId` is the job of these tickets: `GET /v1/print/job/{printJobId}` shows whether they are on paper; no event is sent for it. When the printer is known to be offline the course **is fired**, and the answer is 503 `printer.offline` with the result in `fired`.
   */
  fire(serviceOrderId: string, fields: FireCourse, options?: CallOptions): Promise<PrintAnswer<FireResult>>
}

export interface PrintJobsResource {
  /**
   * Print a kitchen note, a receipt, a label, or an order again. Scope: `printers:control`.
   *
   * Exactly one of `text`, `content` and `serviceOrderId` (a reprint of the tickets of that order, marked REPRINT). When no printer that could take it is online the job **is stored** and the answer is 503 `printer.offline` with the result in `printJob`. Send an `Idempotency-Key`, or a repeated call is a second job. One exception protects clients that retry a 503 by themselves: within ten minutes of a 503 `printer.offline` the same body without a key is the same job, as long as that job has no final state.
   */
  submit(fields: SubmitPrintJob, options?: CallOptions): Promise<PrintAnswer<PrintJobResult>>
  /**
   * Read what became of a print job. Scope: `printers:control`.
   *
   * Returns a print job, or the job of an order. `uncertain`: it may or may not be on paper.
   */
  get(printJobId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<PrintJob>>
  /**
   * Take a print job back. Scope: `printers:control`.
   *
   * Possible until the job has ended. `cancelled`: nothing was printed. `sent`: the relay has sent a cancel to the gateway; read the job again for its result. To cancel an order’s own tickets, void the order.
   */
  cancel(printJobId: string, fields?: MerchantBody, options?: CallOptions): Promise<Answer<PrintJob>>
}

export interface PrintersResource {
  /**
   * List the printers and how they are. Scope: `printers:control`.
   *
   * Lists printers with their last reported state and its time. `standIn`: the backup that prints its tickets now.
   */
  list(fields?: ListPrintersQuery, options?: CallOptions): List<Printer>
}

export interface GatewaysResource {
  /**
   * List the gateways and how they are. Scope: `printers:control`.
   *
   * Lists gateways with their last report: version, clock, queue, how each station can take an order (`stations`; the entry without a name is for all others) and the health of the box (`health`), and the result for printers that were added in the cloud.
   */
  list(fields?: ListGatewaysQuery, options?: CallOptions): List<Gateway>
  /**
   * Make a claim code, by which a box joins a location. Scope: `printers:control,orders:read`.
   *
   * Makes a code. Type it in within 15 minutes, on the page of a box or with `ticketrail-gateway pair <code>`: the box becomes a gateway of the location. A code works once. A gateway gets the orders of its location, so the key must belong to the account that owns the merchant, and have `orders:read` as well.
   */
  claimCode(fields?: MakeClaimCode, options?: CallOptions): Promise<Answer<ClaimCode>>
}

export interface SkusResource {
  /**
   * List items. Scope: `menu:read`.
   *
   * In the order of `umsId`.
   */
  list(fields?: ListSkusQuery, options?: CallOptions): List<Sku>
  /**
   * Read an item. Scope: `menu:read`.
   *
   * Returns one item with its stock and its state on each platform.
   */
  get(umsId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<Sku>>
  /**
   * Silence an item on its channels. Scope: `menu:write`.
   *
   * On the named channels, or on all and on `direct` (orders through this API). With `until` it is restored automatically. The change is sent to each platform until it confirms: `sync` of each channel shows the progress.
   */
  silence(umsId: string, fields?: SilenceSku, options?: CallOptions): Promise<Answer<Sku>>
  /**
   * Restore an item on its channels. Scope: `menu:write`.
   *
   * On the named channels, or on all, whatever silenced it.
   */
  restore(umsId: string, fields?: RestoreSku, options?: CallOptions): Promise<Answer<Sku>>
  /**
   * Set how many pieces of an item are left. Scope: `menu:write`.
   *
   * Orders count it down. At `lowThreshold` `sku.low_stock` is sent once; at 0 the item is silenced everywhere, and above 0 it is restored. `null` stops counting.
   */
  setStock(umsId: string, fields: SetStock, options?: CallOptions): Promise<Answer<Sku>>
}

export interface ChannelsResource {
  /**
   * List connected platforms. Scope: `menu:read`.
   *
   * Lists channels, each with the number of mapped items and how many of them are silenced.
   */
  list(fields?: MerchantQuery, options?: CallOptions): List<Channel>
}

export interface WebhooksResource {
  /**
   * Register an endpoint. Scope: `webhooks:manage`.
   *
   * Registers an endpoint. Its `secret`, with which events are signed, is shown only in this answer. Live endpoints need https and a public address. At most 20 for each merchant.
   */
  create(fields: CreateWebhook, options?: CallOptions): Promise<Answer<CreatedWebhookEndpoint>>
  /**
   * List endpoints. Scope: `webhooks:manage`.
   *
   * All of them, oldest first; never the secret.
   */
  list(fields?: MerchantQuery, options?: CallOptions): List<WebhookEndpoint>
  /**
   * Read an endpoint. Scope: `webhooks:manage`.
   *
   * Returns one endpoint with its recent results; never the secret.
   */
  get(webhookId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<WebhookEndpoint>>
  /**
   * Change, enable or disable an endpoint. Scope: `webhooks:manage`.
   *
   * Absent fields stay unchanged. `status: "enabled"` also enables an endpoint that we disabled after five days without a success; send what failed meanwhile again with recover.
   */
  update(webhookId: string, fields?: ChangeWebhook, options?: CallOptions): Promise<Answer<WebhookEndpoint>>
  /**
   * Remove an endpoint with its deliveries. Scope: `webhooks:manage`.
   *
   * Nothing more is sent to the endpoint, including deliveries that wait for a retry.
   */
  delete(webhookId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<object>>
  /**
   * Replace the signing secret; the old one signs beside it for a while. Scope: `webhooks:manage`.
   *
   * Events are signed with the new secret at once, and also with the old one for `expireOldInHours`, in `X-Service-Signature-Previous`.
   */
  rotateSecret(webhookId: string, fields?: RotateSecret, options?: CallOptions): Promise<Answer<RotatedSecret>>
  /**
   * Send an event of any type with made-up data. Scope: `webhooks:manage`. Sandbox keys only.
   *
   * Sends an event of this type with made-up data and `test: true`.
   */
  test(webhookId: string, fields: TestWebhook, options?: CallOptions): Promise<Answer<TestWebhookResult>>
  /**
   * Send again everything that failed in a span of time. Scope: `webhooks:manage`.
   *
   * Sends everything that failed in the time span again, in the background. `since` is at most 14 days ago.
   */
  recover(webhookId: string, fields: RecoverWebhook, options?: CallOptions): Promise<Answer<RecoverResult>>
}

export interface ListenersResource {
  /**
   * Make a listener: an endpoint without an address, for a program on your machine. Scope: `webhooks:manage`.
   *
   * Creates a listener: an endpoint without an address, for development. A program on your machine opens its stream, sends each delivery to your own server, and reports the answer with `result`; `ticketrail listen` does all of this. An account has at most 5 listeners, in addition to its endpoints. With `like`, deliveries are signed with the secret of that endpoint, which is not shown; without it, with the listen secret of the account, which is the same each time. For live events an owner must allow listening (403 `webhook.live_listening_off`).
   */
  create(fields?: CreateListener, options?: CallOptions): Promise<Answer<CreatedListener>>
  /**
   * Say what your server answered to a delivery of the stream. Scope: `webhooks:manage`.
   *
   * Records the `status` of your server, or the `error` if there was no answer. With 2xx the delivery is `delivered`, otherwise `failed` at once, without retries; redeliver and recover work as for every endpoint. Sending a result again changes nothing (`repeated`), so the call takes no `Idempotency-Key`. `response` may hold any characters. 409 `webhook.result_unexpected`: this `number` was not sent, or has ended. The call is not metered.
   */
  result(webhookId: string, fields: ListenerResult, options?: CallOptions): Promise<Answer<RecordedResult>>
}

export interface DeliveriesResource {
  /**
   * List deliveries to an endpoint, newest first. Scope: `webhooks:manage`.
   *
   * One delivery for each event. `failed`: no more attempts are made until you request one.
   */
  list(webhookId: string, fields?: ListDeliveriesQuery, options?: CallOptions): List<Delivery>
  /**
   * Read a delivery with its attempts and its event. Scope: `webhooks:manage`.
   *
   * Returns what was sent, and the answer to each attempt.
   */
  get(deliveryId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<DeliveryDetail>>
  /**
   * Make one more attempt; the schedule goes on as it was. Scope: `webhooks:manage`.
   *
   * Makes one more attempt now, also after a success. The schedule of retries does not change.
   */
  redeliver(deliveryId: string, fields?: MerchantBody, options?: CallOptions): Promise<Answer<Delivery>>
}

export interface EventsResource {
  /**
   * List events of 30 days, newest first, or follow them. Scope: `webhooks:manage`.
   *
   * Lists the events of the last 30 days, whether or not an endpoint subscribed to them; alerts only if one did. Without `after` they are newest first, as in every list.
   *
   * With `after` you follow them: oldest first, in the order of their commits, each once and without gaps, however many are written at the time. Begin with `after=start` (the oldest stored event), `after=now` (events from now on) or the id of an event, and send `nextCursor` as the next `after`. There is always one, also after an empty page: store it together with your data. After a full page there are more; after one that is not full wait a second or longer. You may filter by `type` and `subjectId`; `cursor`, `from` and `to` are for the other order. A cursor older than 30 days, or of events that the relay lost in a restore, is 410 `event.place_gone`: send `after=start`, and skip events you already have.
   */
  list(fields?: ListEventsQuery, options?: CallOptions): List<TicketrailEvent>
  /**
   * Read an event. Scope: `webhooks:manage`.
   *
   * Returns exactly the payload that was sent.
   */
  get(eventId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<TicketrailEvent>>
}

export interface MerchantsResource {
  /**
   * List the merchants this key may act on. Scope: ``.
   *
   * Lists the merchants that this key may act on, with their locations, printers and channels. `merchantId` is only checked against the key; the list stays the same.
   */
  list(fields?: ListMerchantsQuery, options?: CallOptions): List<Merchant>
}

export interface RequestsResource {
  /**
   * List calls of this key, or of all keys of the account. Scope: ``.
   *
   * Lists the calls that this relay answered in the last days (7, unless its operator sets another number), without their bodies. The relay keeps all refused calls, and up to 50 successful calls of an account a second. In `path`, query values other than ids and times are `***`.
   *
   * A key sees its own calls. With `keys=all` it sees those of every key of the account in its environment; this needs the scope `webhooks:manage`. `status` is a status such as `404`, or a class such as `4xx`. A page may have fewer than `limit` calls, or none, although there are more: follow `nextCursor` until it is null. Successful calls of this operation are not listed, and none is billed.
   */
  list(fields?: ListRequestsQuery, options?: CallOptions): List<ApiRequest>
}

export interface UsageResource {
  /**
   * Calls and cost of a month. Scope: ``.
   *
   * Returns the usage of one calendar month, UTC, in the environment of the key. The invoice is a draft until the month ends. `merchantId` is only checked against the key.
   */
  get(fields?: GetUsageQuery, options?: CallOptions): Promise<Answer<Usage>>
}

export interface KeysResource {
  /**
   * Read what the calling key is. Scope: ``.
   *
   * Returns the account, environment, scopes and expiry of the calling key. It needs no scope.
   */
  get(fields?: Record<string, never>, options?: CallOptions): Promise<Answer<OwnKey>>
  /**
   * End the calling key, or another one of the account by its full text. Scope: ``.
   *
   * Without a body it revokes the calling key, with `key` another key of the account, given by its full text. The key is refused from the next request on. `merchantId` is only checked against the key.
   */
  revoke(fields?: RevokeKey, options?: CallOptions): Promise<Answer<RevokedKey>>
}

export interface SandboxResource {
  /**
   * Move a sandbox order on by hand. Scope: `orders:write`. Sandbox keys only.
   *
   * Does what the kitchen and the counter would do.
   */
  advance(serviceOrderId: string, fields: AdvanceOrder, options?: CallOptions): Promise<Answer<Order>>
  /**
   * List what the simulated kitchen printed for a print job. Scope: `printers:control`. Sandbox keys only.
   *
   * Laid out by the same code as in a real kitchen, as plain text.
   */
  tickets(printJobId: string, fields?: MerchantQuery, options?: CallOptions): List<SandboxTicket>
  /**
   * Get one ticket of the simulated kitchen as text, picture or printer bytes. Scope: `printers:control`. Sandbox keys only.
   *
   * The paper as text, as a picture, or as the ESC/POS bytes that a printer would get.
   */
  ticket(printJobId: string, fields: GetSandboxTicketQuery, options?: CallOptions): Promise<Answer<FileAnswer>>
  /**
   * Make a claim code, to pair a box of your own with a sandbox location. Scope: `printers:control,orders:read`. Sandbox keys only.
   *
   * The same for sandbox keys, under another path: your own box replaces the simulated kitchen of that location.
   */
  claimCode(fields?: MakeClaimCode, options?: CallOptions): Promise<Answer<ClaimCode>>
}

export interface Resources {
  readonly orders: OrdersResource
  readonly printJobs: PrintJobsResource
  readonly printers: PrintersResource
  readonly gateways: GatewaysResource
  readonly skus: SkusResource
  readonly channels: ChannelsResource
  readonly webhooks: WebhooksResource
  readonly listeners: ListenersResource
  readonly deliveries: DeliveriesResource
  readonly events: EventsResource
  readonly merchants: MerchantsResource
  readonly requests: RequestsResource
  readonly usage: UsageResource
  readonly keys: KeysResource
  readonly sandbox: SandboxResource
}
