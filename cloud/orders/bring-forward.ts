// Brings the waiting orders of a sandbox merchant forward, as if time had passed: their own times move, and no clock.
import type { Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import { jobText } from '#cloud/storage/job-text.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import { sandboxClockStore, type WaitingOrder } from '#cloud/storage/sandbox-clock-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { Clock } from '#shared/clock.ts'
import type { LocationId } from '#shared/ids.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { HAND_OVER_AHEAD_MS, originOf } from './inject-order.ts'
import { sealOrigin } from './order-origin.ts'

export interface BringForwardDeps {
  orders: OrderStore
  dispatches: DispatchStore
  secretBox: SecretBox
  clock: Clock
}

export interface BroughtForward {
  moved: number
  firing: number
  /** A paired gateway has them, and its clock is its own. */
  held: number
  nextFireMs: number | null
}

/** Orders that become due by it fire at once. @param byMs how far to move them forward */
export async function bringForward(
  tx: Tx,
  deps: BringForwardDeps,
  { merchant, byMs }: { merchant: MerchantRecord; byMs: number },
): Promise<Effect<BroughtForward>> {
  const nowMs = deps.clock.now()
  const waiting = await sandboxClockStore.waiting(tx, merchant, nowMs)
  const movable = waiting.filter(({ job }) => job?.isAtGateway !== true)
  const locations = new Set<LocationId>()
  let firing = 0
  for (const { order, job } of movable) {
    const fireAtMs = Math.max(nowMs, (order.fire_at ?? nowMs) - byMs)
    if (fireAtMs === nowMs) firing += 1
    await moveOne(tx, deps, { waiting: { order, job }, fireAtMs })
    locations.add(order.location_id)
  }
  return {
    answer: {
      moved: movable.length,
      firing,
      held: waiting.length - movable.length,
      nextFireMs: await sandboxClockStore.nextFireMs(tx, merchant, nowMs),
    },
    wake: () => {
      for (const locationId of locations) deps.dispatches.changed.notify(locationId)
    },
  }
}

async function moveOne(
  tx: Tx,
  deps: BringForwardDeps,
  { waiting: { order, job }, fireAtMs }: { waiting: WaitingOrder; fireAtMs: number },
): Promise<void> {
  const byMs = (order.fire_at ?? fireAtMs) - fireAtMs
  const moved: OrdersTable = { ...order, fire_at: fireAtMs, estimated_ready_at: order.estimated_ready_at - byMs }
  await deps.orders.update(tx, order.id, { fire_at: moved.fire_at, estimated_ready_at: moved.estimated_ready_at })
  const before = job === null ? null : (JSON.parse(job.doc) as JobDoc)
  if (job === null || before === null || (before.kind !== 'order' && before.kind !== 'board')) return
  const kitchenOrder = { ...before.order, fireAtMs, readyByMs: moved.estimated_ready_at }
  const of = { jobId: job.id, merchantKey: order.merchant_id, kind: before.kind, order: kitchenOrder }
  const doc: JobDoc = { ...before, order: kitchenOrder, origin: sealOrigin(deps.secretBox, of, originOf(order)) }
  await sandboxClockStore.moveJob(tx, job.id, {
    ...jobText(doc),
    not_before: fireAtMs,
    available_at: fireAtMs - HAND_OVER_AHEAD_MS,
  })
}
