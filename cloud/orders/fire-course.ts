// Fires a course of an order that its kitchen holds: its FIRE tickets print once, however often and by whichever client it is fired.
import { hasDisplays } from '#cloud/storage/board-job.ts'
import type { CatalogStore } from '#cloud/storage/catalog-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Effect } from '#cloud/storage/effect.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { Kitchen, PrintJobStore } from '#cloud/storage/print-job-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import { newId } from '#shared/ids.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import type { FireCourse, FireResult, InjectOrder } from '#shared/wire/api/orders.ts'
import { CAP_ORDER_DETAILS, type JobDoc } from '#shared/wire/gateway-link.ts'
import { dispatchNow } from './dispatch-now.ts'
import { type FiredCourse, firedCourses, withFired } from './fired-courses.ts'
import { type OfMerchant, ownOrder } from './own-order.ts'
import { orderAgain } from './print-document.ts'
import { isOffline, kitchenAt, orderRoute } from './print-route.ts'

type FireDoc = Extract<JobDoc, { kind: 'fire' }>

export interface FireDeps {
  orders: OrderStore
  catalog: CatalogStore
  printJobs: PrintJobStore
  dispatches: DispatchStore
  clock: Clock
}

/**
 * Firing a course that was fired before, here or in the kitchen, changes nothing and answers when that was and which job prints it.
 * When the kitchen is known to be offline it is taken all the same: the effect carries the refusal printer.offline (503) with `fired`.
 * @throws ServiceError order.not_found (404); request.invalid: course (422): it is not held; order.invalid_transition (409) with
 * `orderStatus`: the order is over (of a voided one also for a course that was fired before), or its own time has not come; printer.no_route (422): the location's gateway prints all courses at once
 */
export async function fireCourse(
  tx: Tx,
  deps: FireDeps,
  { merchant, serviceOrderId, course }: OfMerchant & Pick<FireCourse, 'course'>,
): Promise<Effect<FireResult>> {
  const order = await ownOrder(tx, deps, { merchant, serviceOrderId })
  requireLater(order, course)
  const known = firedCourses(order).get(course)
  // A course that a void has cancelled is not reported as fired once more.
  if (known === undefined || order.status === 'voided') requireOpen(order)
  if (known !== undefined) return { answer: fireResult(merchant, order, { course, ...known }) }
  const nowMs = deps.clock.now()
  const jobId = newId('pj', nowMs)
  const fired: FiredCourse = { atMs: nowMs, printJobId: order.print === 1 ? jobId : null }
  const kitchens = await deps.printJobs.kitchens(merchant.key, tx)
  if (!isInKitchen(order, kitchens)) {
    await deps.orders.update(tx, order.id, { fired_courses: withFired(order, course, fired) })
    const answer = fireResult(merchant, order, { course, ...fired })
    return { answer, wake: () => deps.orders.changed.notify(merchant.key) }
  }
  const kitchen = requireCourses(kitchenAt(kitchens, order.location_id))
  const isWithoutPaper = order.print === 0 ? { isWithoutPaper: true as const } : {}
  const again = await orderAgain(tx, deps, { merchant, order })
  const traceparent = order.traceparent ?? undefined
  const doc: FireDoc = { kind: 'fire', order: again, course, firedAtMs: nowMs, ...isWithoutPaper, traceparent }
  const isPending = isHeldUp(kitchen, order, doc)
  if (isPending) fired.printPending = true
  await deps.orders.update(tx, order.id, { fired_courses: withFired(order, course, fired) })
  const dispatched = await dispatchNow(tx, deps, {
    id: jobId,
    merchant,
    orderId: order.id,
    locationId: order.location_id,
    doc,
    nowMs,
  })
  const wake = (): void => {
    dispatched()
    deps.orders.changed.notify(merchant.key)
  }
  const answer = fireResult(merchant, order, { course, ...fired })
  return isPending ? { answer, wake, refusal: offline(answer) } : { answer, wake }
}

/** Without paper it comes with the gateway. */
function isHeldUp(kitchen: Kitchen, { print }: OrdersTable, { order, course }: FireDoc): boolean {
  if (print === 0) return isOffline(kitchen, [])
  const due = order.items.filter((item) => item.course === course)
  return orderRoute([kitchen], { ...order, due }).isHeldUp
}

function fireResult(
  merchant: MerchantRecord,
  order: OrdersTable,
  { course, atMs, printJobId, printPending }: FiredCourse & Pick<FireCourse, 'course'>,
): FireResult {
  return {
    status: 'fired',
    serviceOrderId: order.id,
    orderId: order.client_order_id,
    merchantId: merchant.publicId,
    course,
    firedAt: toIso(atMs),
    printJobId,
    ...(printPending === undefined ? {} : { printPending }),
  }
}

/** An order without paper is only where there are displays. */
function isInKitchen({ print, location_id }: OrdersTable, kitchens: readonly Kitchen[]): boolean {
  return print === 1 || hasDisplays(kitchens.filter(({ locationId }) => locationId === location_id))
}

function requireLater(order: OrdersTable, course: number): void {
  const later = laterCourses((JSON.parse(order.body) as InjectOrder).items)
  if (later.includes(course)) return
  const held = later.length === 0 ? 'the order has no later course' : `its later courses are ${later.join(', ')}`
  throw new ServiceError('request.invalid', {
    message: `Course ${course} is not held: ${held}.`,
    errors: [{ field: 'course', message: `is not held: ${held}` }],
  })
}

function requireOpen({ status, fired_at }: OrdersTable): void {
  const isOver = status === 'completed' || status === 'refunded' || status === 'voided'
  if (!isOver && fired_at !== null) return
  throw new ServiceError('order.invalid_transition', {
    message: isOver ? 'The order is over: nothing of it is fired any more.' : 'The order waits for its fireAt.',
    extra: { orderStatus: status },
  })
}

function requireCourses(kitchen: Kitchen | null): Kitchen {
  if (kitchen?.caps.includes(CAP_ORDER_DETAILS)) return kitchen
  throw new ServiceError('printer.no_route', {
    message:
      kitchen === null
        ? 'The location has no gateway.'
        : "The location's gateway prints all courses of an order at once: update it.",
  })
}

function offline(fired: FireResult): ServiceError {
  return new ServiceError('printer.offline', {
    message: 'The printer is not reachable. The course is fired and its tickets print when it reconnects.',
    extra: { fired },
  })
}
