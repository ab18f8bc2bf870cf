// The number by which people call an order: on tickets, on slips that list orders, and in "add-on to".
import type { KitchenOrder } from '#shared/order.ts'

/** The counter in the till's order id (`20261121-042` -> `42`), otherwise the client's id, its end if it is long. Not sanitized. */
export function orderNumber({ posOrderId, orderId }: Pick<KitchenOrder, 'posOrderId' | 'orderId'>): string {
  const counter = posOrderId?.split('-').at(-1)?.trim()
  if (counter !== undefined && counter !== '') return counter.replace(/^0+(?=\d)/, '')
  const characters = Array.from(orderId)
  return characters.length <= 12 ? orderId : characters.slice(-6).join('')
}
