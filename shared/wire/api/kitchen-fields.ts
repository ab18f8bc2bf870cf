// What a kitchen may be told beside what is ordered: how the guest gets it, where, and what somebody must not eat.
import { z } from 'zod'
import { ORDER_TYPES } from '#shared/order.ts'
import { note, text } from './fields.ts'

export const orderTypeField = z.enum(ORDER_TYPES)
/** What somebody must not eat, in the client's words. */
export const allergensField = z.array(text(60)).max(20)

/** What the kitchen is told of an order beside its lines; all of it may be absent. */
export const kitchenFields = {
  orderType: orderTypeField.optional(),
  table: text(32).optional(),
  guests: z.number().int().min(1).max(999).optional(),
  server: text(64).optional(),
  note: note(500).optional(),
  allergens: allergensField.optional(),
}
