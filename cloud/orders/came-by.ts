// By what the kitchen got an order: the printers of its proof and of its fired courses, and the screens that its cooks worked from.
import type { Tx } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { ServiceOrderId } from '#shared/ids.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'
import type { ShownOn } from '#shared/wire/gateway-standing.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'

type Came = OrderResource['cameBy'][number]
type Known = Pick<OrdersTable, 'print_facts' | 'shown_on' | 'came_by'>

/** Oldest first. Each printer and each screen once: when its first ticket was confirmed, when it had drawn the order. */
export function cameBy({ print_facts, shown_on, came_by }: Known): Came[] {
  const facts = print_facts === null ? null : (JSON.parse(print_facts) as PrintFacts)
  const screens = shown_on === null ? [] : (JSON.parse(shown_on) as ShownOn)
  return eachOnce([
    ...(facts?.printers ?? []).map(
      ({ name, movedFrom, printedAt: at }): Came => ({ way: wayOf(movedFrom), ...{ name, at } }),
    ),
    ...(came_by === null ? [] : (JSON.parse(came_by) as Came[])),
    ...screens.map(({ name, atMs }): Came => ({ way: 'display', name, at: toIso(atMs) })),
  ])
}

/**
 * Notes the printers of a job that is no part of the order's proof: of a course that was fired, or of an order of which another ticket is
 * not proven. In the caller's unit.
 */
export async function noteCameBy(
  { orders, clock }: { orders: OrderStore; clock: Clock },
  tx: Tx,
  { orderId, tickets }: { orderId: ServiceOrderId; tickets: readonly TicketEvidence[] },
): Promise<void> {
  const printed = tickets.filter(({ state }) => state === 'printed')
  if (printed.length === 0) return
  const { order } = await orders.load(tx, orderId)
  const nowMs = clock.now()
  const came = printed.map(({ printerName: name, movedFrom, printedAtMs }): Came => {
    // The gateway's instants are held between the order and now.
    const atMs = Math.min(Math.max(printedAtMs ?? nowMs, order.queued_at), nowMs)
    return { way: wayOf(movedFrom), name, at: toIso(atMs) }
  })
  const known = order.came_by === null ? [] : (JSON.parse(order.came_by) as Came[])
  await orders.update(tx, orderId, { came_by: JSON.stringify(eachOnce([...known, ...came])) })
}

function wayOf(movedFrom: string | undefined): Came['way'] {
  return movedFrom === undefined ? 'printer' : 'backup'
}

function eachOnce(all: readonly Came[]): Came[] {
  // ISO times in UTC are in order as texts.
  const sorted = [...all].sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
  return sorted.filter(
    ({ way, name }, index) => sorted.findIndex((first) => first.way === way && first.name === name) === index,
  )
}
