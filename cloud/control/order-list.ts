// Operations on orders: their inputs and what they answer.
import { z } from 'zod'
import type { DeliveryId, EventId, PrintJobId, ServiceOrderId, WebhookId } from '#shared/ids.ts'
import { ORDER_STATUSES, type OrderStatus } from '#shared/order.ts'
import type { ConfirmMethod } from '#shared/print-job.ts'
import { CURSOR, merchantIdField, reasonField, text, timeInput } from '#shared/wire/api/fields.ts'
import {
  injectOrder,
  type OrderCheck,
  type OrderResource,
  type RefundResult,
  refundOrder,
  type VoidResult,
} from '#shared/wire/api/orders.ts'
import type { PrintJobResource } from '#shared/wire/api/printing.ts'
import { idField } from './input-fields.ts'
import { changes, reads } from './operation.ts'
import type { ToldAnswer } from './text-list.ts'

/** `open`: taken and not yet handed over. */
const states = z.enum(['open', ...ORDER_STATUSES])
export const orderRef = { merchantId: merchantIdField, serviceOrderId: idField('ord', 'an order') }
const oneOrder = z.strictObject(orderRef)

export const ORDER_OPERATIONS = {
  'orders.list': reads(
    "A merchant's orders, newest first: 50 a page, with the proof of print of each",
    z.strictObject({
      merchantId: merchantIdField,
      state: states.optional(),
      source: text(64).optional(),
      /**
       * A serviceOrderId, the client's orderId, or the number on the ticket; among the newest 500 also the beginning of the
       * client's orderId, and among the newest 300, for people who see customers, a part of the guest's name, from three letters on.
       */
      text: text(128).optional(),
      /** Of the time when it was taken: from inclusive, to exclusive. */
      from: timeInput.optional(),
      to: timeInput.optional(),
      cursor: z.string().regex(CURSOR).optional(),
    }),
    { right: 'serve', scope: 'orders:read' },
  ),
  'orders.get': reads('One order with its print jobs', oneOrder, { right: 'serve', scope: 'orders:read' }),
  'orders.trace': reads('What happened to an order, step by step, with the milliseconds between', oneOrder, {
    right: 'serve',
    scope: 'orders:read',
  }),
  'orders.drawing': reads('The tickets of an order, drawn from the bytes for the printer', oneOrder, {
    right: 'serve',
    scope: 'orders:read',
  }),
  'orders.find': reads(
    'Where the thing with this id is shown',
    z.strictObject({ merchantId: merchantIdField, text: text(128) }),
    { right: 'serve', scope: 'orders:read' },
  ),
  'orders.check': reads('What an order would come to, without taking it', injectOrder, {
    right: 'serve',
    scope: 'orders:read',
  }),
  'orders.inject': changes('Take an order in the sandbox, as the API does', injectOrder, {
    right: 'serve',
    scope: 'orders:write',
  }),
  'orders.ready': changes('Say that an order is ready', oneOrder, { right: 'serve', scope: 'orders:write' }),
  'orders.completed': changes('Say that an order was handed over', oneOrder, { right: 'serve', scope: 'orders:write' }),
  'orders.void': changes('Void an order that is not fulfilled', oneOrder.extend({ reason: reasonField.optional() }), {
    right: 'money',
    scope: 'orders:write',
  }),
  'orders.refund': changes(
    'Write a refund of a completed order down; the money moves elsewhere',
    oneOrder.extend({ amount: refundOrder.shape.amount, reason: reasonField.optional() }),
    { right: 'money', scope: 'orders:write' },
  ),
}

/**
 * What is known about an order's paper. `confirmed` and `assumed`: it is printed. `uncertain`: it may or may not be. `none`: the order
 * was injected without print.
 */
export type Proof = 'confirmed' | 'assumed' | 'uncertain' | 'waiting' | 'scheduled' | 'failed' | 'cancelled' | 'none'

/** An order in a list. Amounts as in the API. */
export interface OrderRowAnswer {
  serviceOrderId: ServiceOrderId
  /** The client's. */
  orderId: string
  /** The number as people use it: it is on the ticket. */
  number: string
  source: string
  status: OrderStatus
  proof: Proof
  /** `2 x Smash Burger` and so on: at most four lines, and how many there are. */
  items: { name: string; qty: number }[]
  lines: number
  pieces: number
  total: number
  tip: number
  refundable: number
  orderType: string | null
  table: string | null
  customerName: string | null
  queuedAt: string
  fireAt: string | null
  estimatedReadyAt: string
  readyAt: string | null
  endedAt: string | null
}

/** A kitchen that cannot be reached, with the caller's own tickets that wait for it. */
export interface WaitingKitchenAnswer {
  locationId: string
  name: string
  /** At most 1,000. */
  tickets: number
  /** So many jobs wait there that not all were counted. */
  more: boolean
  /** The oldest of them. */
  since: string
}

/** One step of what happened. */
export interface TraceStepAnswer {
  step:
    | 'taken'
    | 'fired'
    | 'handed'
    | 'received'
    | 'first-byte'
    | 'proof'
    | 'unproven'
    | 'not-printed'
    | 'shown'
    | 'ready'
    | 'completed'
    | 'voided'
    | 'refunded'
    | 'webhook'
  at: string
  /** Since the step before; null for the first. */
  afterMs: number | null
  /** Since the order was taken. */
  sinceMs: number
  /** Which kitchen, printer, display or endpoint; null: none. */
  where: string | null
  /** The kind of print job that it belongs to, such as `reprint`; null: the order's own tickets, or none. */
  job: string | null
  /** Of `proof`, `unproven`, `not-printed`: by what the printer showed it, or the reason. Of `voided`: the reason given. */
  by: string | null
  method: ConfirmMethod | null
  webhook: {
    deliveryId: DeliveryId
    eventId: EventId
    type: string
    attempt: number
    trigger: 'schedule' | 'manual'
    status: number | null
    error: string | null
    /** How long the receiver took. */
    ms: number
  } | null
}

export interface TraceDeliveryAnswer {
  deliveryId: DeliveryId
  webhookId: WebhookId
  /** Scheme and host of the endpoint; null: the inspector. */
  site: string | null
  eventId: EventId
  type: string
  state: 'pending' | 'retrying' | 'delivered' | 'failed'
  attempts: number
  lastStatus: number | null
  lastError: string | null
  nextAttemptAt: string | null
}

export interface TraceAnswer {
  steps: TraceStepAnswer[]
  deliveries: TraceDeliveryAnswer[]
  /** From the order taken to the last proof of its own tickets; null: there is none yet. */
  paperMs: number | null
  /** What the customer was told when it was ready. */
  told: ToldAnswer[]
}

export interface DrawnTicketAnswer {
  ticketId: string
  printJobId: PrintJobId
  printerName: string
  kind: string
  printedAt: string | null
  /** The printer's profile that it is drawn for. */
  profileId: string
  svg: string
  text: string
  operations: { offset: number; length: number; name: string; detail: string }[]
  /** English sentences. */
  warnings: string[]
}

export interface DrawingAnswer {
  /**
   * `printed`: the exact bytes that the simulated kitchen printed. `composed`: a real kitchen prints this order, whose bytes stay there; the
   * relay lays the same document out with the same code, for a common printer.
   */
  source: 'printed' | 'composed'
  isMasked: boolean
  tickets: DrawnTicketAnswer[]
}

export interface OrderAnswer {
  order: OrderResource
  number: string
  proof: Proof
  /** The customer's name and number are hidden from this role. */
  isMasked: boolean
  currency: string
  timeZone: string
  locationName: string
  /** The kitchen that the job went to is the sandbox's own. */
  isSimulated: boolean
  jobs: PrintJobResource[]
  /** Of its items and modifiers when it was taken, by umsId. */
  names: Readonly<Record<string, string>>
}

/** Where to go; `orderId` of a thing that belongs to an order. */
export interface FoundAnswer {
  kind: 'order' | 'event' | 'job' | 'delivery'
  id: string
  merchantId: string
  serviceOrderId: ServiceOrderId | null
  webhookId: WebhookId | null
}

export type CheckAnswer =
  | ({ isAccepted: true } & OrderCheck)
  | {
      isAccepted: false
      code: string
      message: string
      errors: { field: string; message: string }[]
      /** What the API would add, such as `expected` of a total. */
      facts: Readonly<Record<string, unknown>>
    }

export interface InjectAnswer {
  outcome: 'accepted' | 'replayed' | 'printer-offline'
  serviceOrderId: ServiceOrderId
  printJobId: PrintJobId | null
}

export interface OrderAnswers {
  'orders.list': {
    rows: OrderRowAnswer[]
    nextCursor: string | null
    waiting: WaitingKitchenAnswer[]
    currency: string
  }
  'orders.get': OrderAnswer
  'orders.trace': TraceAnswer
  'orders.drawing': DrawingAnswer
  'orders.find': FoundAnswer | null
  'orders.check': CheckAnswer
  'orders.inject': InjectAnswer
  'orders.ready': OrderRowAnswer
  'orders.completed': OrderRowAnswer
  'orders.void': VoidResult
  'orders.refund': RefundResult
}
