// Voids an order that is not fulfilled: nothing more of it prints, what is on paper gets a VOID slip, counted stock comes back.
import { giveBackStock, holdStock } from '#cloud/catalog/take-stock.ts'
import { boardJobId } from '#cloud/storage/board-job.ts'
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { VoidOrder, VoidResult } from '#shared/wire/api/orders.ts'
import { moveOrder, type OfMerchant, ownOrder } from './own-order.ts'
import type { PosAdapters } from './pos-adapter.ts'

export interface VoidDeps {
  orders: OrderStore
  dispatches: DispatchStore
  catalog: CatalogStore
  channels: ChannelStore
  deliveries: DeliveryStore
  pos: PosAdapters
  clock: Clock
}

/**
 * Voiding a voided order changes nothing and answers the same.
 * @throws ServiceError order.not_found (404); order.not_voidable (409) with `orderStatus`: it is completed or refunded
 */
export async function voidOrder(
  tx: Tx,
  deps: VoidDeps,
  { merchant, serviceOrderId, reason }: OfMerchant & Pick<VoidOrder, 'reason'>,
): Promise<Effect<VoidResult>> {
  const before = await ownOrder(tx, deps, { merchant, serviceOrderId })
  const nowMs = deps.clock.now()
  const stockTaken = before.stock_taken === null ? {} : (JSON.parse(before.stock_taken) as Record<string, number>)
  await holdStock(tx, deps, { merchant, taken: stockTaken })
  const taken = before.status === 'voided' ? 'unknown' : await takeBackJobs(tx, deps, { order: before, nowMs })
  const { order, endpointIds, moved } = await moveOrder(tx, deps, {
    merchant,
    order: before,
    refusal: 'order.not_voidable',
    fact: 'voided',
    atMs: nowMs,
    change: { void_reason: reason ?? null, ...printStateAfter(before, taken) },
  })
  const answer: VoidResult = {
    status: 'voided',
    serviceOrderId: order.id,
    orderId: order.client_order_id,
    merchantId: merchant.publicId,
    voidedAt: toIso(order.voided_at ?? nowMs),
  }
  if (!moved) return { answer }
  const pos = deps.pos[merchant.pos]
  await pos.voided(tx, merchant, order)
  const stock = await giveBackStock(tx, deps, { merchant, taken: stockTaken, atMs: nowMs })
  const wake = (): void => {
    deps.dispatches.changed.notify(order.location_id)
    deps.deliveries.announce([...endpointIds, ...stock.endpointIds])
    if (stock.channelsChanged) deps.channels.changed.notify()
    deps.orders.changed.notify(merchant.key)
    pos.wake()
  }
  return { answer, wake }
}

/** Its tickets, reprints of them, and courses that were fired: those that wait never print, those on paper get a VOID slip. @returns what became of the order's own job */
async function takeBackJobs(
  tx: Tx,
  { dispatches }: VoidDeps,
  { order, nowMs }: { order: OrdersTable; nowMs: number },
): Promise<TakenBack> {
  for (const job of await dispatches.furtherJobs(tx, order.id)) await dispatches.requestCancel(tx, job, nowMs)
  if (order.print_job_id !== null) return dispatches.requestCancel(tx, order.print_job_id, nowMs)
  await dispatches.requestCancel(tx, boardJobId(order.id), nowMs)
  // Whatever became of that: an order without paper has no print state.
  return 'unknown'
}

type TakenBack = Awaited<ReturnType<DispatchStore['requestCancel']>>

/** The print state of an order whose job is not at the kitchen, which would report its result. */
function printStateAfter({ print_state }: OrdersTable, taken: TakenBack): Partial<OrdersTable> {
  const isOpen = print_state === 'pending' || print_state === 'scheduled'
  if (!isOpen || taken === 'requested') return {}
  return { print_state: taken === 'uncertain' ? 'uncertain' : 'cancelled' }
}
