// Advance orders of the sandbox that wait for their time, with their kitchen jobs: what moves when the sandbox's clock is put forward.
import type { ServiceOrderId } from '#shared/ids.ts'
import type { Db, Tx } from './database.ts'
import type { MerchantRecord } from './merchant-store.ts'
import type { DispatchesTable, OrdersTable } from './schema.ts'

/** In one turn: orders that wait longest are moved first. */
const MOST_ORDERS = 200

export interface WaitingOrder {
  order: OrdersTable
  /** Null: it has none, or no kitchen wants it. */
  job: (Pick<DispatchesTable, 'id' | 'doc' | 'location_id'> & { isAtGateway: boolean }) | null
}

export const sandboxClockStore = {
  /** The account's orders at this merchant whose time has not come, soonest first. */
  async waiting(tx: Tx, merchant: Pick<MerchantRecord, 'accountId' | 'key'>, nowMs: number): Promise<WaitingOrder[]> {
    const orders = await tx
      .selectFrom('orders')
      .selectAll()
      .where('account_id', '=', merchant.accountId)
      .where('merchant_id', '=', merchant.key)
      .where('status', '=', 'accepted')
      .where('fire_at', '>', nowMs)
      .where('fired_at', 'is', null)
      .orderBy('fire_at')
      .limit(MOST_ORDERS)
      .execute()
    if (orders.length === 0) return []
    const jobs = await openJobs(
      tx,
      orders.map(({ id }) => id),
    )
    return orders.map((order) => ({ order, job: jobs.get(order.id) ?? null }))
  },

  /** When the next of them fires; null: none waits. */
  async nextFireMs(
    db: Db | Tx,
    merchant: Pick<MerchantRecord, 'accountId' | 'key'>,
    nowMs: number,
  ): Promise<number | null> {
    const row = await db
      .selectFrom('orders')
      .select((e) => e.fn.min<number | null>('fire_at').as('next'))
      .where('account_id', '=', merchant.accountId)
      .where('merchant_id', '=', merchant.key)
      .where('status', '=', 'accepted')
      .where('fire_at', '>', nowMs)
      .where('fired_at', 'is', null)
      .executeTakeFirst()
    return row?.next ?? null
  },

  /** A job that the simulated kitchen holds goes back to the outbox, and is taken again under its new time. */
  async moveJob(
    tx: Tx,
    id: DispatchesTable['id'],
    change: Pick<DispatchesTable, 'doc' | 'bytes' | 'not_before' | 'available_at'>,
  ): Promise<void> {
    await tx
      .updateTable('dispatches')
      .set({
        ...change,
        state: 'queued',
        gateway_id: null,
        stream: null,
        seq: null,
        claimed_at: null,
        accepted_at: null,
      })
      .where('id', '=', id)
      .where('state', 'in', ['queued', 'sent', 'accepted'])
      .execute()
  },
}

async function openJobs(tx: Tx, orderIds: readonly ServiceOrderId[]) {
  const rows = await tx
    .selectFrom('dispatches as d')
    .leftJoin('gateways as g', 'g.id', 'd.gateway_id')
    .select(['d.id', 'd.order_id', 'd.doc', 'd.location_id', 'd.gateway_id', 'g.simulated'])
    .where('d.order_id', 'in', orderIds)
    .where('d.kind', 'in', ['order', 'board'])
    .where('d.state', 'in', ['queued', 'sent', 'accepted'])
    .execute()
  return new Map(
    rows.map(({ order_id, gateway_id, simulated, ...job }) => [
      order_id,
      { ...job, isAtGateway: gateway_id !== null && simulated !== 1 },
    ]),
  )
}
