// The request that would make the same order once more. Pure.
import type { OperationBody } from '#cloud/control/operations.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'

/** With an id of its own, for now: it does not wait for a time that is over, and adds to no other order. */
export function againBody(order: OrderResource, orderId: string): OperationBody<'orders.inject'> {
  const { merchantId, locationId, source, total, tip, print, customer, orderType, table, guests, server, note } = order
  return {
    ...{ merchantId, locationId, orderId, source, total, print },
    items: order.items.map(({ name: _name, modifiers, modifierDetails, ...item }) => ({
      ...item,
      ...(modifiers.length === 0 ? {} : { modifiers: modifierDetails ?? modifiers }),
    })),
    ...(tip > 0 && { tip }),
    ...(customer !== null && { customer }),
    ...(orderType !== null && { orderType }),
    ...(table !== null && { table }),
    ...(guests !== null && { guests }),
    ...(server !== null && { server }),
    ...(note !== null && { note }),
    ...(order.allergens.length > 0 && { allergens: order.allergens }),
  }
}
