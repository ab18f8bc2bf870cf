// What people call an order: on its tickets, on slips that list orders, and in "add-on to".
import type { KitchenOrder } from '#shared/order.ts'

/** The counter of the register's id (`20261121-042` -> `42`), else the client's id, its end when it is long. Not sanitised. */
export function orderNumber({ posOrderId, orderId }: Pick<KitchenOrder, 'posOrderId' | 'orderId'>): string {
  const counter = posOrderId?.split('-').at(-1)?.trim()
  if (counter !== undefined && counter !== '') return counter.replace(/^0+(?=\d)/, '')
  const characters = Array.from(orderId)
  return characters.length <= 12 ? orderId : characters.slice(-6).join('')
}
