// Routes one line of an order for one kind of paper: rules first, then stations, then the default printer; with the reasons. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import { defaultOf, fold, kitchenRoutes, PAPER_STATION, prints, type Route, serves } from './route.ts'
import type { RoutingRule } from './routing-rules.ts'

/** A line on its way to one printer. */
export interface Send {
  /** Null while no printer is set up. */
  route: Route | null
  copies: number
  isPerItem: boolean
  /** The station name that the rule prints on the ticket. */
  label: string | null
  why: string
}

/** The fields of a line that decide where it goes. */
export type RoutedLine = Pick<KitchenLine, 'umsId' | 'station' | 'category' | 'course'>
export type RoutedOrder = Pick<KitchenOrder, 'locationId' | 'source' | 'orderType'>

/** A rule with those of its printers that exist. */
interface ReadyRule {
  rule: RoutingRule
  routes: readonly Route[]
  gone: readonly string[]
}

/** Maximum number of rules that are listed as not applied: the trace is stored with the ticket. */
const MOST_MISSES_TOLD = 5

export class ItemRouter<O extends RoutedOrder = KitchenOrder> {
  readonly order: O
  readonly #routes: readonly Route[]
  readonly #rules: Record<PaperType, readonly ReadyRule[]>

  /** @param routes the default printer first */
  constructor(order: O, routes: readonly Route[], rules: readonly RoutingRule[]) {
    const ready = rules
      .filter(({ when }) => when.paper === undefined || when.paper === 'kitchen')
      .map((rule) => readyRule(rule, routes))
    const of = (paper: PaperType) => ready.filter(({ rule }) => rule.print.paper === paper)
    this.order = order
    this.#routes = routes
    this.#rules = { kitchen: of('kitchen'), label: of('label'), receipt: of('receipt') }
  }

  /** Where the line goes. Never empty for `kitchen`. If a printer occurs twice, the first entry counts. */
  sends(item: RoutedLine, paper: PaperType): Send[] {
    const walk = new Walk()
    for (const ready of this.#rules[paper]) {
      const isLast = walk.ask(ready, mismatch(ready.rule, item, this.order))
      if (isLast) return walk.sends
    }
    if (paper === 'kitchen') this.#toStation(item, walk)
    else this.#toPapers(item, paper, walk)
    return walk.sends
  }

  #toStation({ station }: RoutedLine, walk: Walk): void {
    const routes = kitchenRoutes(this.#routes)
    const server = routes.find((route) => serves(route, station))
    const route = server ?? defaultOf(routes)
    if (route === null) walk.send(null, 'no printer is set up: waits for the first')
    else if (server) walk.send(route, `station ${station} is served by ${route.name}`)
    else walk.send(route, `${station ? `no printer serves station ${station}` : 'no station'}: ${leftTo(route)}`)
  }

  #toPapers({ station }: RoutedLine, paper: PaperType, walk: Walk): void {
    for (const route of this.#routes) {
      if (!prints(route, paper)) continue
      if (paper === 'receipt') walk.send(route, `${route.name} prints receipts`)
      else if (isForAll(route)) walk.send(route, `${route.name} prints labels of every item`)
      else if (serves(route, station)) walk.send(route, `${route.name} prints labels of station ${station}`)
    }
  }
}

/** Collects where a line goes, with the reasons in words. */
class Walk {
  readonly sends: Send[] = []
  readonly #said: string[] = []
  #untold = 0

  /** @returns true if no later rule may apply */
  ask({ rule, routes, gone }: ReadyRule, miss: string | null): boolean {
    if (miss !== null || routes.length === 0) {
      if (this.#said.length >= MOST_MISSES_TOLD) this.#untold++
      else
        this.#said.push(
          miss === null ? `rule '${rule.name}' passed over: ${areGone(gone)}` : `rule '${rule.name}' no (${miss})`,
        )
      return false
    }
    const also = gone.length === 0 ? '' : ` (${areGone(gone)})`
    for (const route of routes) this.send(route, `rule '${rule.name}' yes -> ${route.name}${also}`, rule)
    return rule.stop
  }

  send(route: Route | null, decision: string, rule?: RoutingRule): void {
    const untold = this.#untold === 0 ? [] : [`${this.#untold} more rules no`]
    const { settings } = route ?? {}
    this.sends.push({
      route,
      copies: rule?.print.copies ?? settings?.copies ?? 1,
      isPerItem: (rule?.print.split ?? settings?.split) === 'per-item',
      label: rule?.print.station ?? null,
      why: [...this.#said, ...untold, decision].join('; '),
    })
  }
}

function readyRule(rule: RoutingRule, routes: readonly Route[]): ReadyRule {
  const { printerIds } = rule.print
  return {
    rule,
    routes: routes.filter((route) => printerIds.includes(route.printerId)),
    gone: printerIds.filter((id) => !routes.some((route) => route.printerId === id)),
  }
}

/** Null if the rule applies. Otherwise the first condition that does not hold, in words. */
function mismatch({ when }: RoutingRule, item: RoutedLine, order: RoutedOrder): string | null {
  if (when.locationId !== undefined && when.locationId !== order.locationId) return `location ${order.locationId}`
  if (differs(when.source, order.source)) return `source ${order.source}`
  if (differs(when.orderType, order.orderType)) return order.orderType ? `type ${order.orderType}` : 'no order type'
  if (when.course !== undefined && when.course !== item.course)
    return item.course ? `course ${item.course}` : 'no course'
  if (differs(when.station, item.station)) return item.station ? `station ${item.station}` : 'no station'
  if (differs(when.category, item.category)) return item.category ? `category ${item.category}` : 'no category'
  if (when.umsId !== undefined && when.umsId !== item.umsId) return `item ${item.umsId}`
  return null
}

function differs(wanted: string | undefined, found: string | null | undefined): boolean {
  return wanted !== undefined && fold(wanted) !== fold(found ?? '')
}

/** A label printer without food stations prints a label for everything. */
function isForAll({ stations }: Route): boolean {
  const words: readonly string[] = Object.values(PAPER_STATION)
  return stations.every((station) => words.includes(fold(station)))
}

function leftTo(route: Route): string {
  return route.isDefault ? `default printer ${route.name}` : `first printer ${route.name}`
}

function areGone(printerIds: readonly string[]): string {
  return printerIds.length === 1 ? `printer ${printerIds[0]} is gone` : `printers ${printerIds.join(', ')} are gone`
}
