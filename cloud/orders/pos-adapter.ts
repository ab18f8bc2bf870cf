// The interface of a merchant's point of sale, which gets orders, voids and refunds in their own transaction. One implementation is the built-in register; others are external.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrdersTable, RefundsTable } from '#cloud/storage/schema.ts'

export interface PosAdapter {
  /**
   * A new order, in the unit that stores it.
   * @returns the posOrderId, or null when it comes later: then it is written into the order, and never into a result that was answered
   */
  accepted(tx: Tx, merchant: MerchantRecord, order: OrdersTable): Promise<string | null>
  /** The order was voided, in that unit. */
  voided(tx: Tx, merchant: MerchantRecord, order: OrdersTable): Promise<void>
  /** A part or all of the order was refunded, in that unit. The money is moved elsewhere. */
  refunded(tx: Tx, merchant: MerchantRecord, options: { order: OrdersTable; refund: RefundsTable }): Promise<void>
  /** Called after the commit of any of these. */
  wake(): void
}

/** By `merchants.pos`. */
export type PosAdapters = Readonly<Record<MerchantRecord['pos'], PosAdapter>>
