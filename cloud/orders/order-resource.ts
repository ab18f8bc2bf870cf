// Order row -> the Order of the API and of the events.
import type { OrdersTable, RefundsTable } from '#cloud/storage/schema.ts'
import { isoOrNull, toIso } from '#shared/clock.ts'
import { fromCents } from '#shared/money.ts'
import { coursesOf } from '#shared/tickets/courses.ts'
import type { InjectOrder, OrderResource, OrderResult, Refund } from '#shared/wire/api/orders.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'
import { cameBy } from './came-by.ts'
import { firedCourses } from './fired-courses.ts'
import { modifiersOf } from './modifiers.ts'

export interface OrderResourceParts {
  /** The validated request if the caller has it at hand; else it is read from the row. */
  body?: InjectOrder
  /** Oldest first; every order with `refunded_cents` above 0 has some. */
  refunds?: readonly RefundsTable[]
}

export function orderResource(row: OrdersTable, merchantId: string, parts: OrderResourceParts = {}): OrderResource {
  const { body, refunds = [] } = parts
  const request = body ?? (JSON.parse(row.body) as InjectOrder)
  const names = JSON.parse(row.item_names) as Record<string, string>
  return {
    serviceOrderId: row.id,
    orderId: row.client_order_id,
    merchantId,
    locationId: row.location_id,
    source: request.source,
    status: row.status,
    sequence: row.sequence,
    items: request.items.map((item) => ({
      umsId: item.umsId,
      name: names[item.umsId] ?? item.umsId,
      qty: item.qty,
      price: item.price,
      ...(item.note === undefined ? {} : { note: item.note }),
      modifiers: modifiersOf(item).map(({ umsId }) => umsId),
      ...(item.modifiers?.some((modifier) => typeof modifier !== 'string') && { modifierDetails: modifiersOf(item) }),
      ...(item.seat === undefined ? {} : { seat: item.seat }),
      ...(item.course === undefined ? {} : { course: item.course }),
      ...(item.allergens === undefined ? {} : { allergens: item.allergens }),
    })),
    total: fromCents(row.total_cents),
    tip: fromCents(row.tip_cents),
    customer: request.customer ?? null,
    orderType: request.orderType ?? null,
    table: request.table ?? null,
    guests: request.guests ?? null,
    server: request.server ?? null,
    note: request.note ?? null,
    allergens: request.allergens ?? [],
    print: row.print === 1,
    fireAt: isoOrNull(row.fire_at),
    firedAt: isoOrNull(firedAt(row)),
    queuedAt: toIso(row.queued_at),
    estimatedReadyAt: toIso(row.estimated_ready_at),
    printedAt: isoOrNull(row.printed_at),
    readyAt: isoOrNull(row.ready_at),
    completedAt: isoOrNull(row.completed_at),
    voidedAt: isoOrNull(row.voided_at),
    voidReason: row.void_reason,
    courses: courseStates(row, request),
    addOnTo: request.addOnTo ?? null,
    posOrderId: row.pos_order_id,
    printJobId: row.print_job_id,
    printState: row.print_state,
    printProof: row.print_facts === null ? null : (JSON.parse(row.print_facts) as PrintFacts),
    ways: (JSON.parse(row.result) as Partial<OrderResult>).ways ?? [],
    cameBy: cameBy(row),
    refundedTotal: fromCents(row.refunded_cents),
    refundable: fromCents(refundableCents(row)),
    refunds: refunds.map(refundResource),
    timeline: timelineOf(row, refunds),
  }
}

export function refundResource(row: RefundsTable): Refund {
  return { refundId: row.id, amount: fromCents(row.amount_cents), reason: row.reason, createdAt: toIso(row.created_at) }
}

/** What may be refunded now: total and tip of a completed order, less what was refunded. */
export function refundableCents(row: OrdersTable): number {
  if (row.status !== 'completed' && row.status !== 'refunded') return 0
  return row.total_cents + row.tip_cents - row.refunded_cents
}

/** The order's history, oldest first. Only orders with a fireAt have `fired`. */
function timelineOf(row: OrdersTable, refunds: readonly RefundsTable[]): OrderResource['timeline'] {
  const happened: [string, number | null][] = [
    ['accepted', row.queued_at],
    ['fired', row.fire_at === null ? null : firedAt(row)],
    ['printed', row.printed_at],
    ['ready', row.ready_at],
    ['completed', row.completed_at],
    ['voided', row.voided_at],
    ...refunds.map((refund): [string, number] => ['refunded', refund.created_at]),
  ]
  return happened
    .flatMap(([type, at]) => (at === null ? [] : [{ type, at }]))
    .sort((a, b) => a.at - b.at)
    .map(({ type, at }) => ({ type, at: toIso(at) }))
}

/** The first course is fired with its order, and printed by its job. */
function courseStates(row: OrdersTable, { items }: InjectOrder): OrderResource['courses'] {
  const courses = coursesOf(items)
  const fired = firedCourses(row)
  return courses.map((course, index) => {
    const at = index === 0 ? firedAt(row) : (fired.get(course)?.atMs ?? null)
    const job = index === 0 ? row.print_job_id : (fired.get(course)?.printJobId ?? null)
    const isHeld = at === null
    return { course, state: isHeld ? 'held' : 'fired', firedAt: isoOrNull(at), printJobId: isHeld ? null : job }
  })
}

/** A void before fireAt keeps the order from firing, whenever the sweep notes its time. */
function firedAt({ fired_at, voided_at }: OrdersTable): number | null {
  return fired_at !== null && voided_at !== null && voided_at < fired_at ? null : fired_at
}
