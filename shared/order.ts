// The order as the kitchen needs it: what the relay hands to a gateway and what a ticket is made from. Amounts for receipts only; no payment data.
import { z } from 'zod'

export const ORDER_STATUSES = ['accepted', 'printed', 'ready', 'completed', 'voided', 'refunded'] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const PRINT_STATES = ['none', 'scheduled', 'pending', 'printed', 'uncertain', 'failed', 'cancelled'] as const
export type PrintState = (typeof PRINT_STATES)[number]

const kitchenLine = z.object({
  umsId: z.string(),
  /** Name from the merchant's catalog; attacker-controlled on paper. */
  name: z.string(),
  qty: z.number().int().min(1),
  note: z.string().optional(),
  modifiers: z.array(z.object({ umsId: z.string(), name: z.string() })).default([]),
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
  queuedAtMs: z.number(),
  fireAtMs: z.number().nullable().default(null),
  readyByMs: z.number().nullable().default(null),
  /** IANA zone of the merchant: times on paper are local. */
  timeZone: z.string(),
  customer: z.object({ name: z.string().optional(), phone: z.string().optional() }).optional(),
  items: z.array(kitchenLine).min(1),
  /** What a receipt says beside the lines, integer cents. Absent: no receipt can be printed of this order. */
  receipt: z
    .object({
      merchantName: z.string().optional(),
      currency: z.string(),
      /** Without the tip. */
      totalCents: z.number().int(),
      tipCents: z.number().int(),
    })
    .optional(),
  /** The earlier order that this one adds to, as people call it: its tickets say ADD-ON. */
  addOnTo: z.string().optional(),
})
export type KitchenOrder = z.infer<typeof kitchenOrder>
