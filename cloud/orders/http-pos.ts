// An external point of sale over HTTP: its messages go into the outbox together with the order; cloud/orders/pos-worker.ts sends them.
import type { Tx } from '#cloud/storage/database.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import { refundsOf } from '#cloud/storage/refund-store.ts'
import type { OrdersTable, RefundsTable } from '#cloud/storage/schema.ts'
import type { Clock } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import type { Refund } from '#shared/wire/api/orders.ts'
import type { PosMessageBody } from '#shared/wire/pos-message.ts'
import { orderResource, refundResource } from './order-resource.ts'
import type { PosAdapter } from './pos-adapter.ts'

export class HttpPos implements PosAdapter {
  readonly #outbox: PosOutboxStore
  readonly #clock: Clock

  constructor(outbox: PosOutboxStore, clock: Clock) {
    this.#outbox = outbox
    this.#clock = clock
  }

  async accepted(tx: Tx, merchant: MerchantRecord, order: OrdersTable): Promise<null> {
    await this.#tell(tx, merchant, { kind: 'order', order })
    return null
  }

  async voided(tx: Tx, merchant: MerchantRecord, order: OrdersTable): Promise<void> {
    await this.#tell(tx, merchant, { kind: 'void', order })
  }

  async refunded(
    tx: Tx,
    merchant: MerchantRecord,
    { order, refund }: { order: OrdersTable; refund: RefundsTable },
  ): Promise<void> {
    await this.#tell(tx, merchant, { kind: 'refund', order, refund: refundResource(refund) })
  }

  wake(): void {
    this.#outbox.changed.notify()
  }

  /** The bytes are fixed here: every attempt sends the same. */
  async #tell(
    tx: Tx,
    merchant: MerchantRecord,
    about: { order: OrdersTable } & ({ kind: 'order' | 'void' } | { kind: 'refund'; refund: Refund }),
  ): Promise<void> {
    const { kind, order } = about
    const nowMs = this.#clock.now()
    const id = newId('pos', nowMs)
    const refunds = order.refunded_cents > 0 ? (await refundsOf(tx, [order.id])).get(order.id) : undefined
    const shown = {
      id,
      merchantId: merchant.publicId,
      order: orderResource(order, merchant.publicId, { refunds: refunds ?? [] }),
    }
    const body: PosMessageBody =
      about.kind === 'refund' ? { ...shown, type: 'refund', refund: about.refund } : { ...shown, type: about.kind }
    await this.#outbox.insert(tx, {
      id,
      merchant_id: merchant.key,
      order_id: order.id,
      kind,
      payload: JSON.stringify(body),
      state: 'pending',
      attempts: 0,
      next_at: nowMs,
      created_at: nowMs,
    })
  }
}
