// Orders of the /v1 API: inject, read, list, fire, void, refund, advance.
import { z } from 'zod'
import { MODIFIER_VERBS, ORDER_STATUSES, PRINT_STATES } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { WAY_KINDS } from '#shared/wire/gateway-standing.ts'
import { printFacts } from '#shared/wire/print-facts.ts'
import {
  isoTime,
  merchantIdField,
  moneyField,
  note,
  pageFields,
  pageOf,
  printPending,
  rangeFields,
  reasonField,
  text,
  timeInput,
  umsIdField,
} from './fields.ts'
import { allergensField, kitchenFields, orderTypeField } from './kitchen-fields.ts'

export const orderIdField = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, { error: 'must be 1 to 128 printable ASCII characters without spaces' })

export const courseField = z.number().int().min(1).max(20)

export const modifierObject = z
  .strictObject({
    umsId: umsIdField,
    qty: z.number().int().min(1).max(99).optional(),
    verb: z.enum(MODIFIER_VERBS).optional(),
    group: text(TEXT_LENGTHS.group).optional(),
  })
  .meta({ id: 'Modifier' })
export type ModifierObject = z.infer<typeof modifierObject>

export const lineItem = z
  .strictObject({
    umsId: umsIdField,
    qty: z.number().int().min(1).max(999),
    price: moneyField,
    note: note(TEXT_LENGTHS.note).optional(),
    modifiers: z
      .array(z.union([umsIdField, modifierObject]))
      .max(50)
      .optional(),
    seat: z.number().int().min(1).max(999).optional(),
    course: courseField.optional(),
    allergens: allergensField.optional(),
  })
  .meta({ id: 'LineItem' })

/** Names inside were never published, so unknown ones are dropped, not refused. */
export const customer = z
  .object({
    name: text(TEXT_LENGTHS.guest).optional(),
    phone: text(32).optional(),
    email: z.email().max(254).optional(),
  })
  .meta({ id: 'Customer' })

export const injectOrder = z
  .strictObject({
    merchantId: merchantIdField,
    orderId: orderIdField,
    source: text(TEXT_LENGTHS.source),
    items: z.array(lineItem).min(1).max(200),
    total: moneyField,
    customer: customer.optional(),
    tip: moneyField.optional(),
    print: z.boolean().default(true),
    fireAt: timeInput.optional(),
    locationId: text(64).optional(),
    addOnTo: orderIdField.optional(),
    ...kitchenFields,
  })
  .meta({ id: 'InjectOrder' })
export type InjectOrder = z.infer<typeof injectOrder>

/** How the lines of a station reach the kitchen, as reported by its gateway; `way` and `name` null: by nothing now. */
export const orderWay = z
  .object({
    /** Null: lines without a station. */
    station: z.string().nullable(),
    way: z.enum(WAY_KINDS).nullable(),
    /** Of the printer or the display. */
    name: z.string().nullable(),
  })
  .meta({ id: 'OrderWay' })
export type OrderWay = z.infer<typeof orderWay>

export const orderResult = z
  .object({
    status: z.literal('accepted'),
    serviceOrderId: z.string(),
    posOrderId: z.string().nullable(),
    queuedAt: isoTime,
    estimatedReadyAt: isoTime,
    printJobId: z.string().nullable(),
    /** One for each station of the order. Absent: nothing is known, or nothing is printed now. */
    ways: z.array(orderWay).optional(),
    printPending,
  })
  .meta({ id: 'OrderResult' })
export type OrderResult = z.infer<typeof orderResult>

const checkedItem = { umsId: z.string(), name: z.string(), menuPrice: z.number().nullable() }
/** What `inject` would answer to the same body now. */
export const orderCheck = z
  .object({
    /** Null: the orderId is free. Otherwise this very order was taken before, and `inject` would repeat its answer. */
    serviceOrderId: z.string().nullable(),
    total: z.number(),
    tip: z.number(),
    /** Null: it would go to the kitchen at once. */
    fireAt: isoTime.nullable(),
    estimatedReadyAt: isoTime,
    locationId: z.string(),
    items: z.array(
      z.object({
        ...checkedItem,
        qty: z.number().int(),
        price: z.number(),
        modifiers: z.array(z.object(checkedItem)),
      }),
    ),
    ways: z.array(orderWay),
    printPending,
  })
  .meta({ id: 'OrderCheck' })
export type OrderCheck = z.infer<typeof orderCheck>

/** One refund of an order. */
export const refund = z
  .object({ refundId: z.string(), amount: z.number(), reason: z.string().nullable(), createdAt: isoTime })
  .meta({ id: 'Refund' })
export type Refund = z.infer<typeof refund>

export const orderResource = z
  .object({
    serviceOrderId: z.string(),
    orderId: z.string(),
    merchantId: z.string(),
    locationId: z.string(),
    source: z.string(),
    status: z.enum(ORDER_STATUSES),
    sequence: z.number().int(),
    items: z.array(
      z.object({
        umsId: z.string(),
        name: z.string(),
        qty: z.number().int(),
        price: z.number(),
        note: z.string().optional(),
        modifiers: z.array(z.string()),
        /** Each modifier as it was sent; present when one was sent as an object. */
        modifierDetails: z
          .array(
            z.object({
              umsId: z.string(),
              qty: z.number().int().optional(),
              verb: z.enum(MODIFIER_VERBS).optional(),
              group: z.string().optional(),
            }),
          )
          .optional(),
        seat: z.number().int().optional(),
        course: z.number().int().optional(),
        allergens: z.array(z.string()).optional(),
      }),
    ),
    total: z.number(),
    tip: z.number(),
    customer: customer.nullable(),
    orderType: orderTypeField.nullable(),
    table: z.string().nullable(),
    guests: z.number().int().nullable(),
    server: z.string().nullable(),
    note: z.string().nullable(),
    allergens: z.array(z.string()),
    print: z.boolean(),
    fireAt: isoTime.nullable(),
    firedAt: isoTime.nullable(),
    queuedAt: isoTime,
    estimatedReadyAt: isoTime,
    printedAt: isoTime.nullable(),
    readyAt: isoTime.nullable(),
    completedAt: isoTime.nullable(),
    voidedAt: isoTime.nullable(),
    voidReason: z.string().nullable(),
    /** Its courses, lowest first; empty without any. A later one is held until it is fired. */
    courses: z.array(
      z.object({
        course: z.number().int(),
        state: z.enum(['held', 'fired']),
        firedAt: isoTime.nullable(),
        printJobId: z.string().nullable(),
      }),
    ),
    /** The orderId of the earlier order that it adds to. */
    addOnTo: z.string().nullable(),
    posOrderId: z.string().nullable(),
    printJobId: z.string().nullable(),
    printState: z.enum(PRINT_STATES),
    /** Proof of print; null until something is on paper. */
    printProof: printFacts.nullable(),
    /** By what each station could take it when it was injected; empty: nothing was known, or nothing was printed then. */
    ways: z.array(orderWay),
    /** By what the kitchen got it, oldest first: printers once all its tickets are on paper, displays that had shown it once it is ready. */
    cameBy: z.array(z.object({ way: z.enum(WAY_KINDS), name: z.string(), at: isoTime })),
    refundedTotal: z.number(),
    refundable: z.number(),
    refunds: z.array(refund),
    timeline: z.array(z.object({ type: z.string(), at: isoTime })),
  })
  .meta({ id: 'Order' })
export type OrderResource = z.infer<typeof orderResource>

export const orderParams = z.object({ serviceOrderId: z.string() }).meta({ id: 'OrderParams' })

/** Filters are joined by "and". `from` and `to` are about queuedAt. */
export const ordersQuery = z
  .strictObject({
    merchantId: merchantIdField,
    orderId: orderIdField.optional(),
    status: z.enum(ORDER_STATUSES).optional(),
    source: text(64).optional(),
    ...rangeFields,
    ...pageFields,
  })
  .meta({ id: 'OrdersQuery' })
export type OrdersQuery = z.output<typeof ordersQuery>
export const ordersPage = pageOf('OrdersPage', orderResource)

export const voidOrder = z
  .strictObject({ merchantId: merchantIdField, reason: reasonField.optional() })
  .meta({ id: 'VoidOrder' })
export type VoidOrder = z.infer<typeof voidOrder>
export const voidResult = z
  .object({
    status: z.literal('voided'),
    serviceOrderId: z.string(),
    orderId: z.string(),
    merchantId: z.string(),
    voidedAt: isoTime,
  })
  .meta({ id: 'VoidResult' })
export type VoidResult = z.infer<typeof voidResult>

/** Fires a course that the kitchen holds. */
export const fireCourse = z
  .strictObject({ merchantId: merchantIdField, course: courseField })
  .meta({ id: 'FireCourse' })
export type FireCourse = z.infer<typeof fireCourse>
export const fireResult = z
  .object({
    status: z.literal('fired'),
    serviceOrderId: z.string(),
    orderId: z.string(),
    merchantId: z.string(),
    course: z.number().int(),
    firedAt: isoTime,
    printJobId: z.string().nullable(),
    printPending,
  })
  .meta({ id: 'FireResult' })
export type FireResult = z.infer<typeof fireResult>

export const refundOrder = z
  .strictObject({
    merchantId: merchantIdField,
    amount: moneyField.refine((n) => n > 0, { error: 'must be more than 0' }).meta({ exclusiveMinimum: 0 }),
    reason: reasonField.optional(),
  })
  .meta({ id: 'RefundOrder' })
export type RefundOrder = z.infer<typeof refundOrder>
export const refundResult = z
  .object({
    status: z.literal('refunded'),
    refundId: z.string(),
    serviceOrderId: z.string(),
    orderId: z.string(),
    merchantId: z.string(),
    amount: z.number(),
    refundedTotal: z.number(),
    refundable: z.number(),
    refundedAt: isoTime,
  })
  .meta({ id: 'RefundResult' })
export type RefundResult = z.infer<typeof refundResult>

/** Sandbox only: acts for the kitchen and for the person at the pass. */
export const advanceOrder = z
  .strictObject({ merchantId: merchantIdField, to: z.enum(['printed', 'ready', 'completed']) })
  .meta({ id: 'AdvanceOrder' })
export type AdvanceOrder = z.infer<typeof advanceOrder>
