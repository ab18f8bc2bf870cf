// The one door through which an order's status moves, with its event, in the caller's unit.
//
// The graph (status only moves forward; a fact that comes late keeps its time and its event, and leaves the status alone):
//   accepted -> printed | ready | completed | voided
//   printed  -> ready | completed | voided
//   ready    -> completed | voided          printed late: stays ready
//   completed -> refunded                   printed late: stays completed
//   refunded -> refunded (more refunds)     printed late: stays refunded
//   voided   (end)                          printed late: stays voided

import type { Tx } from '#cloud/storage/database.ts'
import type { OrderStore, OrderWithMerchant } from '#cloud/storage/order-store.ts'
import { refundsOf } from '#cloud/storage/refund-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { recordEvent } from '#cloud/webhooks/record-event.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { WebhookId } from '#shared/ids.ts'
import type { OrderStatus } from '#shared/order.ts'
import { orderResource } from './order-resource.ts'

/** What can happen to an order after it was accepted. */
export type OrderFact = Exclude<OrderStatus, 'accepted'>

const GRAPH: Record<OrderStatus, Partial<Record<OrderFact, OrderStatus>>> = {
  accepted: { printed: 'printed', ready: 'ready', completed: 'completed', voided: 'voided' },
  printed: { ready: 'ready', completed: 'completed', voided: 'voided' },
  ready: { printed: 'ready', completed: 'completed', voided: 'voided' },
  completed: { printed: 'completed', refunded: 'refunded' },
  refunded: { printed: 'refunded', refunded: 'refunded' },
  voided: { printed: 'voided' },
}

const TIME_OF = {
  printed: 'printed_at',
  ready: 'ready_at',
  completed: 'completed_at',
  voided: 'voided_at',
} as const satisfies Partial<Record<OrderFact, keyof OrdersTable>>

/** The status after the fact, or null when the graph does not allow it. */
export function statusAfter(status: OrderStatus, fact: OrderFact): OrderStatus | null {
  return GRAPH[status][fact] ?? null
}

/**
 * Tells the customer of an order that is ready, in the unit that made it so. This room knows neither mail nor text messages: the composition
 * brings it. What it writes leaves within seconds after the commit.
 */
export type TellCustomer = (
  tx: Tx,
  ready: { order: OrdersTable; environment: 'sandbox' | 'live'; by: 'sms' | 'mail' | 'both'; atMs: EpochMs },
) => Promise<void>

export interface AdvanceDeps {
  orders: OrderStore
  clock: Clock
  /** Absent: no customer is told anything. */
  tellCustomer?: TellCustomer | undefined
}

export interface OrderMove {
  fact: OrderFact
  /** When it happened; also the event's timestamp. */
  atMs: EpochMs
  /** Distinguishes it from another event of its kind: see NewEvent. */
  act?: string
  /** Further columns that change with it. */
  change?: Partial<OrdersTable>
  /** Further fields of the event's data in addition to `order`. */
  data?: (order: OrdersTable) => Readonly<Record<string, unknown>>
}

/**
 * Moves the order and records the event `order.<fact>` with the next sequence number. A fact that is already known changes nothing.
 * @returns the order as it is now and the endpoints with a new delivery: call `DeliveryStore.announce` after the commit
 * @throws ServiceError order.invalid_transition (409) with `orderStatus`
 */
export async function advanceOrder(
  tx: Tx,
  deps: AdvanceDeps,
  {
    target: { order: before, merchantId, environment, notifyReady },
    move,
  }: { target: OrderWithMerchant; move: OrderMove },
): Promise<{ order: OrdersTable; endpointIds: WebhookId[]; moved: boolean }> {
  const timeColumn = move.fact === 'refunded' ? null : TIME_OF[move.fact]
  if (timeColumn !== null && before[timeColumn] !== null) return { order: before, endpointIds: [], moved: false }
  const status = statusAfter(before.status, move.fact)
  if (status === null) throw new ServiceError('order.invalid_transition', { extra: { orderStatus: before.status } })

  const change: Partial<OrdersTable> = {
    ...move.change,
    status,
    sequence: before.sequence + 1,
    ...(timeColumn === null ? {} : { [timeColumn]: move.atMs }),
  }
  await deps.orders.update(tx, before.id, change)
  const order: OrdersTable = { ...before, ...change }
  const refunds = order.refunded_cents > 0 ? (await refundsOf(tx, [order.id])).get(order.id) : undefined
  const { endpointIds } = await recordEvent(tx, deps, {
    type: `order.${move.fact}`,
    accountId: order.account_id,
    merchantKey: order.merchant_id,
    merchantId,
    environment,
    subjectId: order.id,
    sequence: order.sequence,
    ...(move.act === undefined ? {} : { act: move.act }),
    atMs: move.atMs,
    data: { order: orderResource(order, merchantId, { refunds: refunds ?? [] }), ...move.data?.(order) },
  })
  if (move.fact === 'ready' && notifyReady !== 'off')
    await deps.tellCustomer?.(tx, { order, environment, by: notifyReady, atMs: move.atMs })
  return { order, endpointIds, moved: true }
}
