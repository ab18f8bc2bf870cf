// Details of an order for the kitchen besides its items: how and where the guest gets it, and allergies.
import { z } from 'zod'
import { ORDER_TYPES } from '#shared/order.ts'
import { TEXT_LENGTHS } from '#shared/text-lengths.ts'
import { note, visibleText } from './fields.ts'

export const orderTypeField = z.enum(ORDER_TYPES)
/** What somebody must not eat, in the client's words. */
export const allergensField = z.array(visibleText(TEXT_LENGTHS.allergen)).max(TEXT_LENGTHS.mostAllergens)

/** Details of an order besides its lines; all of it may be absent. */
export const kitchenFields = {
  orderType: orderTypeField.optional(),
  table: visibleText(TEXT_LENGTHS.table).optional(),
  guests: z.number().int().min(1).max(999).optional(),
  server: visibleText(TEXT_LENGTHS.server).optional(),
  note: note(TEXT_LENGTHS.note).optional(),
  allergens: allergensField.optional(),
}
