// What /v1 takes and answers, and the methods of the client. Made by `npm run sdk:types`: not to be edited.
import type { Answer, CallOptions, FileAnswer, PrintAnswer } from './call.ts'
import type { List } from './pages.ts'

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
  | 'webhook.not_found'
  | 'webhook.delivery_not_found'
  | 'webhook.invalid_url'
  | 'webhook.limit_reached'
  | 'event.place_gone'
  | 'key.not_found'
  | 'gateway.claim_refused'
  | 'gateway.too_many'
  | 'gateway.too_many_codes'
  | 'service.unavailable'

/** What some codes say beside their message. */
export interface ErrorDetails {
  /** Our id of the order, `ord_...`. */
  serviceOrderId?: string
  /** What the items sum up to. */
  expected?: number
  /** What was sent. */
  received?: number
  /** The order that is stored all the same: the result of the inject. */
  order?: OrderResult
  /** The print job that is stored all the same. */
  printJob?: PrintJobResult
  /** The course that is fired all the same. */
  fired?: FireResult
  /** Where the order stands instead. */
  orderStatus?: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** What can still be refunded. */
  refundable?: number
  /** Where the print job stands instead. */
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
  /** What is wrong. More kinds may be added. */
  kind: 'box-silent' | 'printer-away' | 'ticket-late' | 'ticket-uncertain' | 'endpoint-failing' | 'endpoint-failing-long' | 'endpoint-disabled' | 'clock-off' | 'usage-high' | 'usage-full'
  /** `critical`: orders are held up, or something has stopped. */
  severity: 'critical' | 'warning'
  /** In one line, in English. */
  title: string
  /** What to do, in English. */
  act: string
  /** The box that it is about, or whose printer; null for other kinds. */
  gatewayId: string | null
  /** The printer that it is about; null for other kinds. */
  printerId: string | null
  /** The location whose tickets it is about; null for other kinds. */
  locationId: string | null
  /** The endpoint that it is about; null for other kinds. */
  webhookId: string | null
  /** What stands in the sentences, by kind. */
  values: Record<string, string | number>
  /** Since when it is known to be so. */
  since: string
  /** When it had lasted long enough to be an alert. */
  startedAt: string
  /** When it was found to be over; null while it lasts. */
  endedAt: string | null
}

export interface AlertEndedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** What was wrong is over; sent where it is named, not for `*` */
  type: 'alert.ended'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** What is wrong, or was until now. */
  alert: Alert
}

export interface AlertStartedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** Something is wrong and has lasted; sent where it is named, not for `*` */
  type: 'alert.started'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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

export interface ChangeWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Where events are sent. */
  url?: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent where they are named, alone or beside `*`. */
  events?: ('*' | 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended')[]
  /** `null` removes it. */
  description?: string | null
  /** How it stands. */
  status?: 'enabled' | 'disabled'
}

export interface Channel {
  /** A delivery platform of the merchant, or `direct`: orders through this API. */
  channelId: string
  /** The delivery platform. */
  platform: string
  /** For people. */
  name: string
  /** Whether the platform takes what we tell it. */
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
  /** Until then it can be typed in. */
  expiresAt: string
}

export type ContentLine = {
  /** What this element of the paper is. */
  type: "text"
  /** One line or more: what is wider than the paper is wrapped. Empty makes a blank line. */
  text: string
  /** `normal` when left out. */
  size?: 'normal' | 'large'
  /** Heavier letters. */
  bold?: boolean
  /** `left` when left out. */
  align?: 'left' | 'center' | 'right'
} | {
  /** What this element of the paper is. */
  type: "rule"
} | {
  /** What this element of the paper is. */
  type: "qr"
  /** What the code says; a barcode is CODE 128. */
  data: string
} | {
  /** What this element of the paper is. */
  type: "barcode"
  /** What the code says; a barcode is CODE 128. */
  data: string
}

export interface CreateWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Where events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent where they are named, alone or beside `*`. Without it: `["*"]`. */
  events?: ('*' | 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended')[]
  /** For yourself. */
  description?: string
}

export interface CreatedWebhookEndpoint {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Where events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent where they are named, alone or beside `*`. */
  events: string[]
  /** For yourself. */
  description: string | null
  /** How it stands. */
  status: 'enabled' | 'disabled'
  /** `owner`: by a call. `failing`: by us, after five days without one success. */
  disabledReason: 'owner' | 'failing' | null
  /** When it was made. */
  createdAt: string
  /** When it last took an event. */
  lastDeliveryAt: string | null
  /** Since when nothing was taken. */
  failingSince: string | null
  /** Signs every event. Shown once: keep it. */
  secret: string
}

export interface Customer {
  /** Stands on the ticket. */
  name?: string
  /** For notifications. */
  phone?: string
  /** For notifications. */
  email?: string
}

export interface Delivery {
  /** One event on its way to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
  /** What kind it is. */
  type: string
  /** How it stands. */
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** How often it was sent. */
  attempts: number
  /** When it was made. */
  createdAt: string
  /** When it is tried again; null when nothing more is planned. */
  nextAttemptAt: string | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** What went wrong the last time. */
  lastError: string | null
}

export interface DeliveryAttempt {
  /** Counts on through attempts by hand. */
  number: number
  /** The plan of retries, or a call. */
  trigger: 'schedule' | 'manual'
  /** When it began. */
  at: string
  /** How long it took. */
  ms: number
  /** HTTP status of the answer; null when there was none. */
  status: number | null
  /** Why there was no answer. */
  error: string | null
  /** The first KiB of the answer. */
  response: string | null
}

export interface DeliveryDetail {
  /** One event on its way to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The endpoint, `we_...`. */
  webhookId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
  /** What kind it is. */
  type: string
  /** How it stands. */
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** Each attempt, oldest first. */
  attempts: DeliveryAttempt[]
  /** When it was made. */
  createdAt: string
  /** When it is tried again; null when nothing more is planned. */
  nextAttemptAt: string | null
  /** HTTP status of the last answer; null when there was none. */
  lastStatus: number | null
  /** What went wrong the last time. */
  lastError: string | null
  /** As it is sent. */
  event: TicketrailEvent
}

export interface ErrorBody {
  /** What to branch on. */
  code: string
  /** For people; may change. */
  message: string
  /** The HTTP status. */
  status: number
  /** The same as in `X-Request-Id`. */
  requestId: string
  /** What to do about it. */
  docUrl: string
  /** Each broken rule, at most 20. */
  errors?: {
    /** Such as `items[0].qty`. */
    field: string
    /** For people; may change. */
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
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
  course: number
  /** When the course was fired the first time. */
  firedAt: string
  /** The print job of the FIRE tickets. Null when we made none: the order is without paper, or the kitchen fired the course itself. */
  printJobId: string | null
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface Gateway {
  /** The box, `gw_...`. */
  gatewayId: string
  /** For people. */
  name: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** Whether it is connected. */
  state: 'online' | 'offline' | 'unknown'
  /** Its program, as it said at its last hello. */
  version: string | null
  /** True for the kitchen that the sandbox simulates. */
  simulated: boolean
  /** How far its own clock is ahead of ours; it prints by ours all the same. Null before it has said so. */
  clockSkewMs: number | null
  /** What waits in it, as it last said. Null before. */
  queue: {
    /** Tickets that wait for their printer. */
    waiting: number
    /** Tickets that wait for their time. */
    held: number
    /** Outcomes that it has not told yet. */
    unreported: number
  } | null
  /** By what each of its stations can take an order, as it last said. Null before, and of a gateway that does not say it. */
  stations: ({
    /** The station; null for lines without one and for every station that is not listed. */
    station: string | null
    /** `printer`: the printer of the station. `backup`: another one in its stead. `display`: a live kitchen display. Null: nothing serves it now. */
    way: 'printer' | 'backup' | 'display' | null
    /** Of the printer or the display; null where there is none. */
    name: string | null
  })[] | null
  /** What is wrong with it, as it last said. Null before, and of a gateway that does not say it. */
  health: {
    /** How many findings keep orders from the kitchen. */
    critical: number
    /** How many soon may. */
    warning: number
    /** How many would make it safer. */
    advice: number
    /** The worst of them, in a stable word such as `printer-down`; null when there is none. */
    worst: string | null
    /** Since when the worst lasts, by the clock of the box; null when that is not known. */
    since: string | null
  } | null
  /** When it was last heard. */
  lastSeenAt: string | null
  /** When it joined. */
  pairedAt: string
  /** Printers that were added in the cloud. Null when there are none. */
  configuration: {
    /** Counts the changes. */
    version: number
    /** The version that the gateway has answered last. */
    answeredVersion: number | null
    /** Each with what became of it. */
    printers: ({
      /** For people. */
      name: string
      /** The printer at the gateway. Null when it has none for it. */
      printerId: string | null
      /** What the gateway did with it. */
      state: 'waiting' | 'applied' | 'refused' | 'removed'
      /** Why it did not do all of it, in a stable word. */
      reason: string | null
      /** Fields that were changed on the box and in the cloud. */
      conflicts: ({
        /** Which. */
        field: string
        /** Whose change was the later one. */
        stands: 'gateway' | 'cloud'
        /** What stands. */
        value: string
        /** Who wrote it. */
        by: string
        /** When. */
        at: string
      })[]
    })[]
  } | null
}

export interface InjectOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
  orderId: string
  /** Your app, in your own words; it stands on the ticket. */
  source: string
  /** What is ordered, line by line. */
  items: LineItem[]
  /** Sum of `price` x `qty`, without the tip. */
  total: number
  /** Whom the order is for. Other names than these are ignored. */
  customer?: Customer
  /** Beside the total. */
  tip?: number
  /** Whether a kitchen ticket is printed. Without it: `true`. */
  print?: boolean
  /** When the ticket is due: up to 30 days ahead; up to 5 minutes in the past means now. */
  fireAt?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
  /** The `orderId` of an earlier order of yours at this merchant that this one adds to: its tickets say ADD-ON TO #... It is an order of its own, whatever became of that one. */
  addOnTo?: string
  /** How the guest gets it; it stands in the head of the ticket. */
  orderType?: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside'
  /** As people call it. */
  table?: string
  /** How many. */
  guests?: number
  /** Who took the order. */
  server?: string
  /** For the kitchen; line breaks are kept, as `\n`. */
  note?: string
  /** What somebody must not eat, in your words, never blank; it stands at the top of the ticket of every station. */
  allergens?: string[]
}

export interface Invoice {
  /** How it stands. */
  status: 'draft' | 'issued'
  /** What is billed. */
  lines: InvoiceLine[]
  /** Dollars; null when a line is by contract. */
  total: number | null
  /** When it became final; null for a draft. */
  issuedAt: string | null
}

export interface InvoiceLine {
  /** What it is for. */
  description: string
  /** How many. */
  quantity: number
  /** Dollars; null where the price is by contract. */
  unitPrice: number | null
  /** Dollars; null where the price is by contract. */
  amount: number | null
}

export interface LineItem {
  /** Universal Menu Schema id: one item on every platform. */
  umsId: string
  /** How many. */
  qty: number
  /** Unit price of the line as sold, in the currency of the merchant. */
  price: number
  /** For the kitchen; line breaks are kept, as `\n`. */
  note?: string
  /** UMS ids of the modifiers, or objects that say more of them; they add nothing to the total. */
  modifiers?: ((string | Modifier))[]
  /** Seat at the table, from 1. */
  seat?: number
  /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
  course?: number
  /** What somebody must not eat, in your words, never blank; it stands at the top of the ticket of every station. */
  allergens?: string[]
}

export interface MakeClaimCode {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** A location of the merchant; without it the default one. */
  locationId?: string
  /** What the gateway is called from then on. Without it: `"Kitchen"`. */
  name?: string
}

export interface Merchant {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** For people. */
  name: string
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** IANA zone of the tickets and the business day. */
  timezone: string
  /** Of all its amounts, ISO 4217. */
  currency: string
  /** The first is the default one. */
  locations: {
    /** A location of the merchant; without it the default one. */
    locationId: string
    /** For people. */
    name: string
    /** Whether its kitchen is connected now. */
    gatewayOnline: boolean
    /** How many there are, and how many of them can print. */
    printers: {
      /** That can print now. */
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
    /** For people. */
    name: string
    /** How it stands. */
    status: 'connected' | 'disconnected' | 'failing'
  })[]
  /** Minutes to prepare, for items that say none. */
  prepMinutes: number
  /** What is switched on. */
  features: {
    /** Whether an item is silenced when its stock reaches 0. */
    autoSilence: boolean
    /** Who numbers the orders: the built-in register, or an outside point of sale. */
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
  /** How many for one piece of the item; 1 without it. */
  qty?: number
  /** What the modifier does: `add`, `remove`, `instead` of what belongs there, or on the `side`. Without it the name says it. */
  verb?: 'add' | 'remove' | 'instead' | 'side'
  /** What it was chosen from, such as `Sauces`. */
  group?: string
}

export interface Order {
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** Your app, in your own words; it stands on the ticket. */
  source: string
  /** Moves only forward: accepted, printed, ready, completed, refunded; or voided. */
  status: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** Counts the events of one order or SKU from 1. */
  sequence: number
  /** What is ordered, line by line. */
  items: ({
    /** Universal Menu Schema id: one item on every platform. */
    umsId: string
    /** From the catalog. */
    name: string
    /** How many. */
    qty: number
    /** Unit price of the line as sold, in the currency of the merchant. */
    price: number
    /** For the kitchen; line breaks are kept, as `\n`. */
    note?: string
    /** UMS ids. */
    modifiers: string[]
    /** The modifiers with all that was sent; present when one was sent as an object. */
    modifierDetails?: ({
      /** Universal Menu Schema id: one item on every platform. */
      umsId: string
      /** How many. */
      qty?: number
      /** What the modifier does: `add`, `remove`, `instead` of what belongs there, or on the `side`. Without it the name says it. */
      verb?: 'add' | 'remove' | 'instead' | 'side'
      /** What it was chosen from, such as `Sauces`. */
      group?: string
    })[]
    /** Seat at the table, from 1. */
    seat?: number
    /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
    course?: number
    /** What somebody must not eat, in your words, never blank; it stands at the top of the ticket of every station. */
    allergens?: string[]
  })[]
  /** Sum of `price` x `qty`, without the tip. */
  total: number
  /** Beside the total. */
  tip: number
  /** Whom the order is for. Other names than these are ignored. */
  customer: (Customer | null)
  /** How the guest gets it; it stands in the head of the ticket. */
  orderType: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside' | null
  /** As people call it. */
  table: string | null
  /** How many. */
  guests: number | null
  /** Who took the order. */
  server: string | null
  /** For the kitchen; line breaks are kept, as `\n`. */
  note: string | null
  /** What somebody must not eat, in your words, never blank; it stands at the top of the ticket of every station. */
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
  /** The time on paper. */
  printedAt: string | null
  /** When the kitchen said ready. */
  readyAt: string | null
  /** When it was handed over. */
  completedAt: string | null
  /** When it was voided. */
  voidedAt: string | null
  /** As told at the void. */
  voidReason: string | null
  /** Its courses, lowest first; empty without any. */
  courses: ({
    /** Which course, from 1. Lines without a course and the lowest course of an order are printed at once; the higher ones wait until they are fired. */
    course: number
    /** `held` until it is fired, here or in the kitchen. */
    state: 'held' | 'fired'
    /** When it was; null while it is held. */
    firedAt: string | null
    /** The print job of its tickets: of the lowest course, that of the order. Null while it is held, and when we made no job: the order is without paper, or the kitchen fired the course itself. */
    printJobId: string | null
  })[]
  /** The `orderId` of an earlier order of yours at this merchant that this one adds to: its tickets say ADD-ON TO #... It is an order of its own, whatever became of that one. */
  addOnTo: string | null
  /** The number in the point of sale; null until it has answered. */
  posOrderId: string | null
  /** Our id of the print job, `pj_...`; null when nothing is printed. */
  printJobId: string | null
  /** Where the ticket is, apart from the state of the order. */
  printState: 'none' | 'scheduled' | 'pending' | 'printed' | 'uncertain' | 'failed' | 'cancelled'
  /** What we know about the paper; null until something stands on it. */
  printProof: (PrintFacts | null)
  /** For each station of the lines that were due by what it could be taken at that moment; where rules part the lines of a station, once for each way. No promise. None while nothing is known, and where nothing was to be printed then. */
  ways: OrderWay[]
  /** By what the kitchen got it, oldest first: printers once the outcome of all tickets of the order, or of a course that was fired, is known; the displays that had shown it once it is ready. */
  cameBy: ({
    /** By its own printer, by one in its stead, or by a display. */
    way: 'printer' | 'backup' | 'display'
    /** Of the printer or the display. */
    name: string
    /** When it was on that paper, or drawn on that display. */
    at: string
  })[]
  /** Refunded so far. */
  refundedTotal: number
  /** What can still be refunded. */
  refundable: number
  /** Each refund, oldest first. */
  refunds: Refund[]
  /** Each step with its time. */
  timeline: {
    /** What happened. */
    type: string
    /** When. */
    at: string
  }[]
}

export interface OrderAcceptedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** The order is queued in the kitchen */
  type: 'order.accepted'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** The order was picked up or delivered */
  type: 'order.completed'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** The order as it was then. */
  order: Order
}

export interface OrderPrintedData {
  /** The order as it was then. */
  order: Order
  /** Whether a kitchen ticket is printed. */
  print: PrintFacts
}

export interface OrderPrintedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** The ticket stands on paper; says how sure that is */
  type: 'order.printed'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** The kitchen marked the order ready for pickup or delivery */
  type: 'order.ready'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** The order as it was then. */
  order: Order
  /** The refund that was made. */
  refund: Refund
}

export interface OrderRefundedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** A refund was made */
  type: 'order.refunded'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** The number in the point of sale; null until it has answered. */
  posOrderId: string | null
  /** When it was stored. */
  queuedAt: string
  /** When the kitchen should be done. */
  estimatedReadyAt: string
  /** Our id of the print job, `pj_...`; null when nothing is printed. */
  printJobId: string | null
  /** For each station of the lines that were due by what it could be taken at that moment; where rules part the lines of a station, once for each way. No promise. None while nothing is known, and where nothing was to be printed then. */
  ways?: OrderWay[]
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface OrderVoidedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** The order was voided before fulfilment */
  type: 'order.voided'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** `printer`: the printer of the station. `backup`: another one in its stead. `display`: a live kitchen display. Null: nothing serves it now. */
  way: 'printer' | 'backup' | 'display' | null
  /** Of the printer or the display; null where there is none. */
  name: string | null
}

export interface PrintFacts {
  /** `confirmed` by the printer itself, or `assumed` where it cannot answer. */
  confirmation: 'confirmed' | 'assumed'
  /** How the printer answered. */
  method: 'gs-paren-h' | 'star-etb' | 'gs-i' | 'gs-r' | 'dle-eot' | 'person' | 'none'
  /** The time on paper. */
  printedAt: string
  /** How often it was tried. */
  attempts: number
  /** True when this may be on paper twice; it says so on the paper. */
  possibleDuplicate: boolean
  /** Characters that could not be printed as they are: their code points, such as [U+0378], or ? stand in their places. 0: the paper says everything. Absent: not known, from an older gateway. */
  unprintable?: number
  /** Where it goes. */
  printers: ({
    /** A printer of the merchant. */
    printerId: string
    /** For people. */
    name: string
    /** The `printerId` of the printer that it was meant for; absent when that is this one. */
    movedFrom?: string
    /** `confirmed` by the printer itself, or `assumed` where it cannot answer. */
    confirmation: 'confirmed' | 'assumed'
    /** How the printer answered. */
    method: 'gs-paren-h' | 'star-etb' | 'gs-i' | 'gs-r' | 'dle-eot' | 'person' | 'none'
    /** When the printer got the first byte. */
    firstByteAt: string | null
    /** The time on paper. */
    printedAt: string
    /** How often it was tried. */
    attempts: number
    /** True when this may be on paper twice; it says so on the paper. */
    possibleDuplicate: boolean
    /** Characters that could not be printed as they are: their code points, such as [U+0378], or ? stand in their places. 0: the paper says everything. Absent: not known, from an older gateway. */
    unprintable?: number
  })[]
}

export interface PrintJob {
  /** Our id of the print job, `pj_...`; null when nothing is printed. */
  printJobId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** `order`: the tickets of an injected order. */
  type: 'order' | 'kitchen' | 'receipt' | 'label' | 'reprint' | 'fire'
  /** How it stands. */
  state: 'queued' | 'sent' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
  /** When it was stored. */
  queuedAt: string
  /** The time on paper. */
  printedAt: string | null
  /** How often it was tried. */
  attempts: number
  /** Where it goes. */
  printers: ({
    /** A printer of the merchant. */
    printerId: string
    /** For people. */
    name: string
    /** How it stands. */
    state: 'queued' | 'sent' | 'printed' | 'failed' | 'uncertain' | 'cancelled' | 'expired'
    /** The time on paper. */
    printedAt: string | null
    /** How often it was tried. */
    attempts: number
    /** `confirmed` by the printer itself, or `assumed` where it cannot answer. */
    confirmation: 'confirmed' | 'assumed' | null
    /** True when this may be on paper twice; it says so on the paper. */
    possibleDuplicate: boolean
    /** Characters that could not be printed as they are: their code points, such as [U+0378], or ? stand in their places. 0: the paper says everything. Absent: not known, from an older gateway. */
    unprintable?: number
    /** Why it failed; null when it did not. */
    reason: string | null
  })[]
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string | null
}

export interface PrintJobResult {
  /** How it stands. */
  status: "queued"
  /** Our id of the print job, `pj_...`; null when nothing is printed. */
  printJobId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** When it was stored. */
  queuedAt: string
  /** Where it goes. */
  printers: PrinterOfJob[]
  /** Always `true`: nothing could print when this was taken, and the first answer was 503 `printer.offline`. It prints when the printer is back. A repetition says it too, whatever became of it since; absent when a printer could take it. */
  printPending?: true
}

export interface Printer {
  /** A printer of the merchant. */
  printerId: string
  /** For people. */
  name: string
  /** A location of the merchant; without it the default one. */
  locationId: string
  /** Which stations it prints for. */
  stations: string[]
  /** Takes what no other printer serves. */
  isDefault: boolean
  /** As the printer last said, or `unknown`. */
  state: 'online' | 'offline' | 'unknown'
  /** Why, in the words of the Internet Printing Protocol. */
  detail: ('none' | 'connecting-to-device' | 'timed-out' | 'shutdown' | 'busy' | 'media-empty' | 'media-low' | 'cover-open' | 'cutter-error' | 'recoverable-error' | 'unrecoverable-error' | 'offline' | 'not-responding' | 'another-printer')[]
  /** The `printerId` of the backup by which its tickets come out now; null when there is none. */
  standIn: string | null
  /** When it last answered. */
  lastSeenAt: string | null
}

export interface PrinterOfJob {
  /** A printer of the merchant. */
  printerId: string
  /** For people. */
  name: string
}

export interface RecoverResult {
  /** How many are sent again. */
  queued: number
}

export interface RecoverWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** From when. */
  since: string
  /** The end of it. */
  until?: string
}

export interface Refund {
  /** Our id of the refund, `rfd_...`. */
  refundId: string
  /** In the currency of the merchant. */
  amount: number
  /** In your own words. */
  reason: string | null
  /** When it was made. */
  createdAt: string
}

export interface RefundOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** In the currency of the merchant. */
  amount: number
  /** In your own words. */
  reason?: string
}

export interface RefundResult {
  /** How it stands. */
  status: "refunded"
  /** Our id of the refund, `rfd_...`. */
  refundId: string
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
  orderId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** In the currency of the merchant. */
  amount: number
  /** Refunded so far. */
  refundedTotal: number
  /** What can still be refunded. */
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
  /** The full text of the key to revoke. */
  key?: string
}

export interface RevokedKey {
  /** Names the key without giving it away. */
  keyId: string
  /** From then on the key is refused. */
  revokedAt: string
}

export interface RotateSecret {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** How long the old secret signs beside the new one. Without it: `24`. */
  expireOldInHours?: number
}

export interface RotatedSecret {
  /** The endpoint, `we_...`. */
  webhookId: string
  /** Signs every event. Shown once: keep it. */
  secret: string
  /** Until then both secrets sign. */
  oldSecretExpiresAt: string
}

export interface SandboxTicket {
  /** One piece of paper of a print job. */
  ticketId: string
  /** Our id of the print job, `pj_...`; null when nothing is printed. */
  printJobId: string
  /** A printer of the merchant. */
  printerId: string
  /** As the kitchen calls it. */
  printerName: string
  /** What kind of paper it is. */
  kind: 'order' | 'void' | 'fire' | 'reprint' | 'note' | 'receipt' | 'label'
  /** The time on paper. */
  printedAt: string
  /** The paper as plain text, line by line. */
  text: string
}

export interface SetStock {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** How many are left; `null` stops counting. */
  quantity: number | null
  /** At how many `sku.low_stock` is sent. */
  lowThreshold?: number
}

export interface SilenceSku {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Channel ids, and `direct`. */
  channels?: string[]
  /** The end of it. */
  until?: string
  /** In your own words. */
  reason?: string
}

export interface Sku {
  /** Universal Menu Schema id: one item on every platform. */
  umsId: string
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId: string
  /** For people. */
  name: string
  /** An item, or a modifier of items. */
  kind: 'item' | 'modifier'
  /** List price; null where there is none. */
  price: number | null
  /** Minutes to prepare; null takes the merchant’s. */
  prepMinutes: number | null
  /** A station of the kitchen, such as `grill`. */
  station: string | null
  /** A group of the menu, such as `Mains`: a kitchen may route by it. Null when it has none. */
  category: string | null
  /** `silenced`: on one or more channels. */
  state: 'live' | 'silenced'
  /** Whether an order through this API may hold it now. */
  orderable: boolean
  /** What is counted. */
  stock: {
    /** How many are left; null is not counted. */
    quantity: number | null
    /** At how many `sku.low_stock` is sent. */
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
  /** How it stands. */
  state: 'live' | 'silenced'
  /** Since when it is silenced there. */
  silencedAt: string | null
  /** When it comes back by itself. */
  silencedUntil: string | null
  /** A call, the schedule, or stock. */
  cause: 'call' | 'out_of_stock' | null
  /** In your own words. */
  reason: string | null
  /** Whether the platform has taken it; `failed` is still tried again. */
  sync: 'synced' | 'pending' | 'failed'
}

export interface SkuLowStockData {
  /** The item as it was then. */
  sku: Sku
  /** How many are left. */
  quantity: number
  /** At how many `sku.low_stock` is sent. */
  lowThreshold: number
}

export interface SkuLowStockEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** Counted stock fell to its threshold; said once until it rises above it */
  type: 'sku.low_stock'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** The item as it was then. */
  sku: Sku
  /** Channel ids, and `direct`. */
  channels: string[]
  /** A call, the schedule, or stock. */
  cause: 'call' | 'schedule' | 'in_stock'
}

export interface SkuRestoredEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** An item is live again on one or more channels */
  type: 'sku.restored'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** The item as it was then. */
  sku: Sku
  /** Channel ids, and `direct`. */
  channels: string[]
  /** A call, the schedule, or stock. */
  cause: 'call' | 'out_of_stock'
  /** The end of it. */
  until: string | null
  /** In your own words. */
  reason: string | null
}

export interface SkuSilencedEvent {
  /** Use it to see doubles: each event comes at least once. */
  id: string
  /** An item was silenced on one or more channels */
  type: 'sku.silenced'
  /** When it happened, not when it was sent. */
  timestamp: string
  /** Of the payload. */
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
  /** Which kind of paper, and so which printers. */
  type: 'kitchen' | 'receipt' | 'label'
  /** Large, at the top. Not with `serviceOrderId`. */
  title?: string
  /** Plain text; line breaks are kept. Not with `content` or `serviceOrderId`: exactly one of the three. */
  text?: string
  /** The paper, top to bottom. Not with `text` or `serviceOrderId`: exactly one of the three. */
  content?: ContentLine[]
  /** Reprints the tickets of this order; `type` is `kitchen` then. Not with `text` or `content`: exactly one of the three. */
  serviceOrderId?: string
  /** Whose printers print it. Not with `printerId`. */
  station?: string
  /** The printer that prints it. Not with `station`. */
  printerId?: string
  /** How many of each. Without it: `1`. */
  copies?: number
  /** A location of the merchant; without it that of `printerId`, or the default one. Not with `serviceOrderId`: the order has its own. */
  locationId?: string
  /** How the guest gets it. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  orderType?: 'dine-in' | 'takeaway' | 'delivery' | 'drive-through' | 'catering' | 'curbside'
  /** As people call it. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  table?: string
  /** Who took the order. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  server?: string
  /** What somebody must not eat, in your words, never blank. Only with `type` `kitchen`, and not with `serviceOrderId`. */
  allergens?: string[]
}

export interface TestWebhook {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Which type. */
  type: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
}

export interface TestWebhookResult {
  /** One event on its way to one endpoint, `dlv_...`. */
  deliveryId: string
  /** The event, `evt_...`; the same at every attempt and every endpoint. */
  eventId: string
}

export interface Usage {
  /** Calendar month in UTC, such as `2026-11`. */
  month: string
  /** `sandbox` or `live`. */
  environment: 'sandbox' | 'live'
  /** Of the account. */
  plan: 'sandbox' | 'starter' | 'growth' | 'enterprise'
  /** Calls a month within the plan; null is unlimited or by contract. */
  included: number | null
  /** Calls that count: answered other than 429 or 5xx. */
  calls: number
  /** Calls over those included. */
  overageCalls: number
  /** Dollars for them; null is by contract. */
  overageAmount: number | null
  /** First attempts of events. */
  webhookEvents: number
  /** Day by day. */
  days: {
    /** UTC. */
    day: string
    /** Calls that count: answered other than 429 or 5xx. */
    calls: number
  }[]
  /** Of live keys; null in the sandbox and for a month that is not billed. */
  invoice: (Invoice | null)
}

export interface VoidOrder {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** In your own words. */
  reason?: string
}

export interface VoidResult {
  /** How it stands. */
  status: "voided"
  /** Our id of the order, `ord_...`. */
  serviceOrderId: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
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
  /** Where events are sent. */
  url: string
  /** Event types. `*` stands for these nine, and for none that is added later: `order.accepted`, `order.printed`, `order.ready`, `order.completed`, `order.voided`, `order.refunded`, `sku.silenced`, `sku.restored`, `sku.low_stock`. `alert.started` and `alert.ended` are sent where they are named, alone or beside `*`. */
  events: string[]
  /** For yourself. */
  description: string | null
  /** How it stands. */
  status: 'enabled' | 'disabled'
  /** `owner`: by a call. `failing`: by us, after five days without one success. */
  disabledReason: 'owner' | 'failing' | null
  /** When it was made. */
  createdAt: string
  /** When it last took an event. */
  lastDeliveryAt: string | null
  /** Since when nothing was taken. */
  failingSince: string | null
}

export type TicketrailEvent = (OrderAcceptedEvent | OrderPrintedEvent | OrderReadyEvent | OrderCompletedEvent | OrderVoidedEvent | OrderRefundedEvent | SkuSilencedEvent | SkuRestoredEvent | SkuLowStockEvent | AlertStartedEvent | AlertEndedEvent)

export interface MerchantQuery {
  /** Without it, the client's. */
  merchantId?: string
}

export interface ListOrdersQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** Your own id of the order, 1 to 128 printable ASCII characters without spaces: unique for each merchant, for ever. What makes sending again safe. */
  orderId?: string
  /** How it stands. */
  status?: 'accepted' | 'printed' | 'ready' | 'completed' | 'voided' | 'refunded'
  /** Your app, in your own words; it stands on the ticket. */
  source?: string
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** How many at once. */
  limit?: number
  /** `nextCursor` of the answer before, with the same filters. */
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
  /** How it stands. */
  state?: 'live' | 'silenced'
  /** Looked for in name and `umsId`, whatever the case. */
  q?: string
  /** How many at once. */
  limit?: number
  /** `nextCursor` of the answer before, with the same filters. */
  cursor?: string
}

export interface ListDeliveriesQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** How it stands. */
  state?: 'pending' | 'retrying' | 'delivered' | 'failed'
  /** What kind it is. */
  type?: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** How many at once. */
  limit?: number
  /** `nextCursor` of the answer before, with the same filters. */
  cursor?: string
}

export interface ListEventsQuery {
  /** The merchant: `M-TEST-...` in the sandbox, `M-PROD-...` live. */
  merchantId?: string
  /** What kind it is. */
  type?: 'order.accepted' | 'order.printed' | 'order.ready' | 'order.completed' | 'order.voided' | 'order.refunded' | 'sku.silenced' | 'sku.restored' | 'sku.low_stock' | 'alert.started' | 'alert.ended'
  /** A `serviceOrderId`, a `umsId` or an `alertId`. */
  subjectId?: string
  /** Follows the events from here: `start`, `now`, the id of an event, or `nextCursor` of the page before with the same filters. */
  after?: string
  /** From this time on, inclusive. */
  from?: string
  /** Up to this time, exclusive. */
  to?: string
  /** How many at once. */
  limit?: number
  /** `nextCursor` of the answer before, with the same filters. */
  cursor?: string
}

export interface ListMerchantsQuery {
  /** How many at once. */
  limit?: number
  /** `nextCursor` of the answer before, with the same filters. */
  cursor?: string
}

export interface GetUsageQuery {
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
   * Answers as soon as the order is on disk; the ticket goes out at once, or at `fireAt`. `total` must be the sum of `price` x `qty` to the cent: modifiers add nothing, the tip is not part of it.
   *
   * `ways` says for each station of the order by what it comes into the kitchen: `printer`, `backup`, `display`, or null for a station that nothing serves now; held courses are left out. It is of this moment: a printer that fails is known after 3 to 5 s, a display after 12 to 20 s, a box that freezes after up to 30 s. Proof is `order.printed`, or `cameBy` of the order. Where nothing can take any line that is due now the order **is stored**, and the answer is 503 `printer.offline` with the result in `order`: it prints when the printer is back. Sending it again is 200 with the same result.
   */
  inject(fields: InjectOrder, options?: CallOptions): Promise<PrintAnswer<OrderResult>>
  /**
   * Read an order. Scope: `orders:read`.
   *
   * With its timeline, its refunds and the proof of print. `ways`: by what each station could take it at the moment when it was injected. `cameBy`: by what the kitchen got it in the end; printers are named when the outcome of their whole print job is known, displays once it is ready.
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
   * Before the order is completed. A ticket that is already out is followed by a VOID slip; one that waits for `fireAt` never prints. Counted stock is given back. Voiding twice gives the same answer.
   */
  void(serviceOrderId: string, fields?: VoidOrder, options?: CallOptions): Promise<Answer<VoidResult>>
  /**
   * Refund a completed order, in whole or in part. Scope: `orders:write`.
   *
   * Of a completed order, in parts if you like, up to `total` plus `tip`. It is recorded and told to the point of sale; no money moves here. Send an `Idempotency-Key`, or a repeated call is a second refund.
   */
  refund(serviceOrderId: string, fields: RefundOrder, options?: CallOptions): Promise<Answer<RefundResult>>
  /**
   * Fire a course that the kitchen holds. Scope: `orders:write`.
   *
   * Lines of the lowest `course` of an order print at once; the later courses are held until they are fired, here or in the kitchen. Firing prints the lines of that course under a FIRE mark, once: firing it again gives the same answer, but 409 `order.invalid_transition` when the order was voided meanwhile. `printJobId` is the job of these tickets: `GET /v1/print/job/{printJobId}` tells whether they are on paper; no event is sent for it. When the printer is known to be offline the course **is fired**, and the answer is 503 `printer.offline` with the result in `fired`.
   */
  fire(serviceOrderId: string, fields: FireCourse, options?: CallOptions): Promise<PrintAnswer<FireResult>>
}

export interface PrintJobsResource {
  /**
   * Print a kitchen note, a receipt, a label, or an order again. Scope: `printers:control`.
   *
   * Exactly one of `text`, `content` and `serviceOrderId` (a reprint of the tickets of that order, marked REPRINT). When no printer that could take it is online the job **is stored** and the answer is 503 `printer.offline` with the result in `printJob`. Send an `Idempotency-Key`, or a repeated call is a second job.
   */
  submit(fields: SubmitPrintJob, options?: CallOptions): Promise<PrintAnswer<PrintJobResult>>
  /**
   * Read what became of a print job. Scope: `printers:control`.
   *
   * Of a job of its own or of an order. `uncertain`: it may or may not be on paper.
   */
  get(printJobId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<PrintJob>>
  /**
   * Take a print job back. Scope: `printers:control`.
   *
   * While it has no outcome. `cancelled`: nothing was printed. `sent`: it is asked back from its gateway, read it again for what became of it. An order’s own tickets are taken back with void.
   */
  cancel(printJobId: string, fields?: MerchantBody, options?: CallOptions): Promise<Answer<PrintJob>>
}

export interface PrintersResource {
  /**
   * List the printers and how they are. Scope: `printers:control`.
   *
   * With what each said last, and when. `standIn`: the backup by which its tickets come out now.
   */
  list(fields?: ListPrintersQuery, options?: CallOptions): List<Printer>
}

export interface GatewaysResource {
  /**
   * List the gateways and how they are. Scope: `printers:control`.
   *
   * With the version, the clock, the queue, by what each station can take an order (`stations`; the one without a name is all others) and how the box is (`health`), as each said last, and what became of the printers that were added in the cloud.
   */
  list(fields?: ListGatewaysQuery, options?: CallOptions): List<Gateway>
  /**
   * Make a claim code, by which a box joins a location. Scope: `printers:control,orders:read`.
   *
   * Typed into a box within 15 minutes, on its page or by `ticketrail-gateway pair <code>`, it makes that box a gateway of the location. It works once. A box gets the orders of its location: the key must be of the account that owns the merchant, and have `orders:read` as well.
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
   * With its stock and how it stands on each platform.
   */
  get(umsId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<Sku>>
  /**
   * Silence an item on its channels. Scope: `menu:write`.
   *
   * On the named channels, or on all and on `direct` (orders through this API). With `until` it comes back by itself. Each platform is told until it has taken it: `sync` of each channel says how far that is.
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
   * With how many items are mapped to each and how many of them are silenced.
   */
  list(fields?: MerchantQuery, options?: CallOptions): List<Channel>
}

export interface WebhooksResource {
  /**
   * Register an endpoint. Scope: `webhooks:manage`.
   *
   * The `secret` in the answer is shown this once: signatures are made with it. Live endpoints need https and a public address. At most 20 a merchant.
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
   * With what became of it lately; never the secret.
   */
  get(webhookId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<WebhookEndpoint>>
  /**
   * Change, enable or disable an endpoint. Scope: `webhooks:manage`.
   *
   * What is absent stays. `status: "enabled"` also revives an endpoint that we disabled after five days without one success; what failed meanwhile is got back with recover.
   */
  update(webhookId: string, fields?: ChangeWebhook, options?: CallOptions): Promise<Answer<WebhookEndpoint>>
  /**
   * Remove an endpoint with its deliveries. Scope: `webhooks:manage`.
   *
   * Nothing more is sent to it, also not what waits for a retry.
   */
  delete(webhookId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<object>>
  /**
   * Replace the signing secret; the old one signs beside it for a while. Scope: `webhooks:manage`.
   *
   * The new secret signs at once; the old one signs beside it for `expireOldInHours`, in `X-Service-Signature-Previous`.
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
   * Everything that failed in the span is sent again, in the background. `since` is at most 14 days ago.
   */
  recover(webhookId: string, fields: RecoverWebhook, options?: CallOptions): Promise<Answer<RecoverResult>>
}

export interface DeliveriesResource {
  /**
   * List deliveries to an endpoint, newest first. Scope: `webhooks:manage`.
   *
   * One for each event. `failed`: nothing more is tried until you ask for it.
   */
  list(webhookId: string, fields?: ListDeliveriesQuery, options?: CallOptions): List<Delivery>
  /**
   * Read a delivery with its attempts and its event. Scope: `webhooks:manage`.
   *
   * What was sent, and what came back each time.
   */
  get(deliveryId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<DeliveryDetail>>
  /**
   * Make one more attempt; the schedule goes on as it was. Scope: `webhooks:manage`.
   *
   * One more attempt now, also after a success. The plan of retries stays as it is.
   */
  redeliver(deliveryId: string, fields?: MerchantBody, options?: CallOptions): Promise<Answer<Delivery>>
}

export interface EventsResource {
  /**
   * List events of 30 days, newest first, or follow them. Scope: `webhooks:manage`.
   *
   * Of the last 30 days, whether or not an endpoint wanted them; alerts only where one named them. Without `after` they come newest first, as in every list.
   *
   * With `after` they are followed: oldest first, in the order in which they were committed, each once and none left out, however many are written at the time. Begin with `after=start` (the oldest that is kept), `after=now` (what comes from now on) or the id of an event, and send `nextCursor` as the next `after`. There is always one, also after an empty page: keep it with what you have stored. A full page has more behind it; after one that is not full wait a second or longer. `type` and `subjectId` narrow it; `cursor`, `from` and `to` are for the other order. A place older than 30 days, or of a past that the relay lost in a restore, is 410 `event.place_gone`: send `after=start`, and skip events you already have.
   */
  list(fields?: ListEventsQuery, options?: CallOptions): List<TicketrailEvent>
  /**
   * Read an event. Scope: `webhooks:manage`.
   *
   * The very payload that was sent.
   */
  get(eventId: string, fields?: MerchantQuery, options?: CallOptions): Promise<Answer<TicketrailEvent>>
}

export interface MerchantsResource {
  /**
   * List the merchants this key may act on. Scope: ``.
   *
   * Those that this key may act on, with their locations, printers and channels.
   */
  list(fields?: ListMerchantsQuery, options?: CallOptions): List<Merchant>
}

export interface UsageResource {
  /**
   * Calls and cost of a month. Scope: ``.
   *
   * Of one calendar month, UTC, in the environment of the key. The invoice is a draft until the month ends.
   */
  get(fields?: GetUsageQuery, options?: CallOptions): Promise<Answer<Usage>>
}

export interface KeysResource {
  /**
   * End the calling key, or another one of the account by its full text. Scope: ``.
   *
   * Without a body: the key that calls. With `key`: another one of the account, proven by its full text. It ends with the next request.
   */
  revoke(fields?: RevokeKey, options?: CallOptions): Promise<Answer<RevokedKey>>
}

export interface SandboxResource {
  /**
   * Move a sandbox order on by hand. Scope: `orders:write`. Sandbox keys only.
   *
   * What the kitchen and the counter would do.
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
   * The same under another path, for sandbox keys only: your own box takes the place of the simulated kitchen of that location.
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
  readonly deliveries: DeliveriesResource
  readonly events: EventsResource
  readonly merchants: MerchantsResource
  readonly usage: UsageResource
  readonly keys: KeysResource
  readonly sandbox: SandboxResource
}
