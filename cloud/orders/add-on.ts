// An order that adds to an earlier one: which, and what people call that one on paper.
import type { Db, Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { ServiceError } from '#shared/errors.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'

/**
 * The number on the tickets of the earlier order, without the #; null when the order adds to none.
 * @throws ServiceError request.invalid (422) when the acting account has no such order at this merchant
 */
export async function addOnNumber(
  orders: OrderStore,
  merchant: MerchantRecord,
  { addOnTo, on }: { addOnTo: string | undefined; on?: Db | Tx },
): Promise<string | null> {
  if (addOnTo === undefined) return null
  const earlier = await orders.first(merchant, addOnTo, on)
  if (earlier !== null) {
    // A register of its own numbers the order with its acceptance; another one after its ticket may be on paper.
    const posOrderId = merchant.pos === 'register' ? earlier.pos_order_id : null
    return orderNumber({ posOrderId, orderId: addOnTo })
  }
  throw new ServiceError('request.invalid', {
    errors: [
      {
        field: 'addOnTo',
        message: 'must be the orderId of an earlier order of yours at this merchant; leave it out when there is none',
      },
    ],
  })
}
