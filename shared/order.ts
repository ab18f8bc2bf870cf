// The order as the kitchen needs it: what the relay hands to a gateway and what a ticket is made from. Amounts for receipts only; no payment data.
import { z } from 'zod'
import { heldInstant } from './instant.ts'

export const ORDER_STATUSES = ['accepted', 'printed', 'ready', 'completed', 'voided', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const PRINT_STATES = ['none', 'scheduled', 'pending', 'printed', 'uncertain', 'failed', 'cancelled'] as const
export type PrintState = (typeof PRINT_STATES)[number]

export const ORDER_TYPES = ['dine-in', 'takeaway', 'delivery', 'drive-through', 'catering', 'curbside'] as const

/** What a modifier does to its item: `add` puts it in, `remove` leaves it out, `instead` replaces what belongs there, `side` serves it apart. */
export const MODIFIER_VERBS = ['add', 'remove', 'instead', 'side'] as const

const kitchenModifier = z.object({
  umsId: z.string(),
  name: z.string(),
  /** Times it is wanted for one piece of its item; absent: once. */
  qty: z.number().int().min(1).optional(),
  /** One of MODIFIER_VERBS. Any other word is from a newer relay and is printed unchanged. Absent: the name decides. */
  verb: z.string().optional(),
  /** What it chooses from: `Side`, `Cooking`. */
  group: z.string().optional(),
})

const kitchenLine = z.object({
  umsId: z.string(),
  /** Name from the merchant's catalog; attacker-controlled on paper. */
  name: z.string(),
  qty: z.number().int().min(1),
  note: z.string().optional(),
  modifiers: z.array(kitchenModifier).default([]),
  /** Seat at the table, from 1. */
  seat: z.number().int().min(1).optional(),
  /** From 1. Lines of the lowest course of an order, and lines without one, are made at once; the others wait until they are fired. */
  course: z.number().int().min(1).optional(),
  /** Allergies of this line's guest, in the client's words. */
  allergens: z.array(z.string()).optional(),
  /** Station of the catalog item; null goes to the default printer. */
  station: z.string().nullable().default(null),
  /** Category of the catalog item, for routing rules. */
  category: z.string().optional(),
  /** Price of one piece, cents: only receipts show it. */
  priceCents: z.number().int().optional(),
})
export type KitchenLine = z.infer<typeof kitchenLine>

export const kitchenOrder = z.object({
  serviceOrderId: z.string(),
  /** The client's own order id, shown on the ticket. */
  orderId: z.string(),
  merchantId: z.string(),
  locationId: z.string(),
  source: z.string(),
  posOrderId: z.string().nullable().default(null),
  /** Epoch milliseconds. */
  queuedAtMs: heldInstant,
  fireAtMs: heldInstant.nullable().default(null),
  readyByMs: heldInstant.nullable().default(null),
  /** IANA zone of the merchant: times on paper are local. */
  timeZone: z.string(),
  customer: z.object({ name: z.string().optional(), phone: z.string().optional() }).optional(),
  items: z.array(kitchenLine).min(1),
  /** One of ORDER_TYPES. Any other word is from a newer relay and is printed unchanged. */
  orderType: z.string().optional(),
  table: z.string().optional(),
  guests: z.number().int().min(1).optional(),
  /** Who took the order. */
  server: z.string().optional(),
  /** Of the whole order. */
  note: z.string().optional(),
  /** Allergies of the order's guests, in the client's words. Printed on the ticket of every station. */
  allergens: z.array(z.string()).optional(),
  /** Amounts of a receipt other than the lines, integer cents. Absent: no receipt can be printed for this order. */
  receipt: z
    .object({
      merchantName: z.string().optional(),
      currency: z.string(),
      /** Without the tip. */
      totalCents: z.number().int(),
      tipCents: z.number().int(),
    })
    .optional(),
  /** The number of the earlier order that this one adds to: its tickets are marked ADD-ON. */
  addOnTo: z.string().optional(),
})
export type KitchenOrder = z.infer<typeof kitchenOrder>
