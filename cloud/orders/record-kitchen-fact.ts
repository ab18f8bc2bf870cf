// Records a fact of a kitchen display about an order: its step and its event in one commit, once, however often it arrives.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import type { EpochMs } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { asId, isId, type LocationId, type MerchantKey, type WebhookId } from '#shared/ids.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import type { InjectOrder } from '#shared/wire/api/orders.ts'
import type { ShownOn } from '#shared/wire/gateway-standing.ts'
import { type AdvanceDeps, advanceOrder } from './advance-order.ts'
import { firedCourses, withFired } from './fired-courses.ts'

export interface KitchenFact {
  orderId: string
  fact: 'ready' | 'completed' | 'fired'
  /** With `fired`: which. */
  course?: number | undefined
  /** Relay's clock, as the gateway keeps it. */
  atMs: EpochMs
  /** Screens that have shown the order. */
  shownOn?: ShownOn | undefined
  /** Of the gateway that sent it. */
  locationId: LocationId
}

export interface RecordKitchenFactDeps extends AdvanceDeps {
  db: RelayDatabase
  deliveries: DeliveryStore
}

/**
 * `recorded`: on disk with its event. `already`: known before, nothing changed. `refused`: the order cannot do that any more, such as a
 * voided one. `unknown`: no order of this kitchen.
 */
export async function recordKitchenFact(
  deps: RecordKitchenFactDeps,
  fact: KitchenFact,
): Promise<'recorded' | 'already' | 'refused' | 'unknown'> {
  if (!isId('ord', fact.orderId)) return 'unknown'
  const { outcome, endpointIds, merchantKey } = await deps.db.unit((tx) => record(deps, tx, fact), { name: 'kitchen' })
  deps.deliveries.announce(endpointIds)
  if (outcome === 'recorded' && merchantKey !== null) deps.orders.changed.notify(merchantKey)
  return outcome
}

interface Recorded {
  outcome: 'recorded' | 'already' | 'refused' | 'unknown'
  endpointIds: WebhookId[]
  /** The order's merchant. */
  merchantKey: MerchantKey | null
}

async function record(
  deps: RecordKitchenFactDeps,
  tx: Tx,
  { orderId, fact, course, atMs, shownOn, locationId }: KitchenFact,
): Promise<Recorded> {
  const found = await deps.orders.lookUp(tx, asId(orderId))
  if (found?.order.location_id !== locationId) return { outcome: 'unknown', endpointIds: [], merchantKey: null }
  const merchantKey = found.order.merchant_id
  // A box with a wrong clock can neither report the future nor go back before the order.
  const within = (ms: EpochMs) => Math.min(deps.clock.now(), Math.max(Math.round(ms), found.order.queued_at))
  const at = within(atMs)
  if (fact === 'fired')
    return { outcome: await recordFired(deps, tx, { order: found.order, course, at }), endpointIds: [], merchantKey }
  try {
    const shown = shownOn?.map((screen) => ({ ...screen, atMs: within(screen.atMs) })) ?? []
    const change = shown.length === 0 ? {} : { shown_on: JSON.stringify(shown) }
    const { endpointIds, moved } = await advanceOrder(tx, deps, { target: found, move: { fact, atMs: at, change } })
    return { outcome: moved ? 'recorded' : 'already', endpointIds, merchantKey }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'order.invalid_transition') throw error
    return { outcome: 'refused', endpointIds: [], merchantKey }
  }
}

/** The kitchen fired a course itself. A voided order keeps what is true of its paper. */
async function recordFired(
  { orders }: RecordKitchenFactDeps,
  tx: Tx,
  { order, course, at }: { order: OrdersTable; course: number | undefined; at: EpochMs },
): Promise<'recorded' | 'already' | 'refused'> {
  const later = laterCourses((JSON.parse(order.body) as InjectOrder).items)
  if (course === undefined || !later.includes(course)) return 'refused'
  if (firedCourses(order).has(course)) return 'already'
  await orders.update(tx, order.id, { fired_courses: withFired(order, course, { atMs: at, printJobId: null }) })
  return 'recorded'
}
