// What a kitchen may be told beside what is ordered: how the guest gets it, where, and what somebody must not eat.
import { z } from 'zod'
import { ORDER_TYPES } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { note, text } from './fields.ts'

export const orderTypeField = z.enum(ORDER_TYPES)
/** A sign that leaves something on paper: no blank, and none without a width. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u
/** What somebody must not eat, in the client's words: never nothing, which paper would leave out. */
export const allergensField = z
  .array(text(TEXT_LENGTHS.allergen).refine((s) => VISIBLE.test(s), { error: 'must not be blank' }))
  .max(TEXT_LENGTHS.mostAllergens)

/** What the kitchen is told of an order beside its lines; all of it may be absent. */
export const kitchenFields = {
  orderType: orderTypeField.optional(),
  table: text(TEXT_LENGTHS.table).optional(),
  guests: z.number().int().min(1).max(999).optional(),
  server: text(TEXT_LENGTHS.server).optional(),
  note: note(TEXT_LENGTHS.note).optional(),
  allergens: allergensField.optional(),
}
