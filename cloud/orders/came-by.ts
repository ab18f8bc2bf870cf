// By what the kitchen got an order: the printers of its proof, and the screens that its cooks worked from. Pure.
import type { OrdersTable } from '#cloud/storage/schema.ts'
import { toIso } from '#shared/clock.ts'
import type { OrderResource } from '#shared/wire/api/orders.ts'
import type { ShownOn } from '#shared/wire/gateway-standing.ts'
import type { PrintFacts } from '#shared/wire/print-facts.ts'

type Came = OrderResource['cameBy'][number]

/** Oldest first. Each printer and each screen once: when its first ticket was confirmed, when it had drawn the order. */
export function cameBy({ print_facts, shown_on }: Pick<OrdersTable, 'print_facts' | 'shown_on'>): Came[] {
  const facts = print_facts === null ? null : (JSON.parse(print_facts) as PrintFacts)
  const screens = shown_on === null ? [] : (JSON.parse(shown_on) as ShownOn)
  const all: Came[] = [
    ...(facts?.printers ?? []).map(
      ({ name, movedFrom, printedAt: at }): Came => ({
        way: movedFrom === undefined ? 'printer' : 'backup',
        ...{ name, at },
      }),
    ),
    ...screens.map(({ name, atMs }): Came => ({ way: 'display', name, at: toIso(atMs) })),
  ]
  // ISO times in UTC are in order as texts.
  all.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
  return all.filter(
    ({ way, name }, index) => all.findIndex((first) => first.way === way && first.name === name) === index,
  )
}
