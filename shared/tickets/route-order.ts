// Routes an order to tickets: its lines are grouped by printer, then split and copied as the printer or the rule requires. Pure.
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import { isDueAtOnce, laterCourses } from './courses.ts'
import { fold, NO_PRINTER, type Route, type TicketPart } from './route.ts'
import { ItemRouter, type Send } from './route-item.ts'
import type { RouteStep, RoutingRule } from './routing-rules.ts'

/** Maximum number of tickets that decide a job's result: their proofs fit one message of the link. */
export const MOST_DECIDING_TICKETS = 32
/** Maximum number of labels of one order at one printer. */
export const MOST_LABELS = 100

/** The lines for one printer on one kind of paper. */
interface Pile {
  printerId: string
  name: string
  paper: PaperType
  /** The station name that a rule prints on it. */
  label: string | null
  copies: number
  isPerItem: boolean
  items: { index: number; why: string }[]
}

/** The part of an order to route: indices of the lines to print now, and of the lines to list as held. */
interface Choice {
  now: ReadonlySet<number>
  later: ReadonlySet<number>
}

/**
 * The tickets of an order when it arrives: kitchen tickets in the order of their first items, then labels, then receipts. Every item that
 * is due is on at least one kitchen ticket, and on at most one of each printer (not counting copies). Lines of later courses are routed by
 * `routeCourse` when they are fired. Receipts have the whole order.
 * @param routes the default printer first
 */
export function routeOrder(order: KitchenOrder, routes: readonly Route[], rules: readonly RoutingRule[]): TicketPart[] {
  const router = new ItemRouter(order, routes, rules)
  const chosen = dueWith(order, [])
  const receipts = order.receipt === undefined ? [] : pilesOf(router, 'receipt')
  return [
    ...withLater(kitchenTickets(order, pilesOf(router, 'kitchen', chosen.now)), router, chosen),
    ...pilesOf(router, 'label', chosen.now).flatMap((pile) => labelsOf(order, pile)),
    ...receiptsOf(order, receipts),
  ]
}

/** The kitchen tickets and labels of one fired course. */
export function routeCourse(
  { order, course }: { order: KitchenOrder; course: number },
  routes: readonly Route[],
  rules: readonly RoutingRule[],
): TicketPart[] {
  const router = new ItemRouter(order, routes, rules)
  const now = new Set(order.items.flatMap((item, index) => (item.course === course ? [index] : [])))
  return [
    ...kitchenTickets(order, pilesOf(router, 'kitchen', now)),
    ...pilesOf(router, 'label', now).flatMap((pile) => labelsOf(order, pile)),
  ].map((part) => ({ ...part, course }))
}

/** The kitchen tickets without copies, as a reprint repeats them. `fired`: courses that are no longer held. */
export function kitchenTicketsOnce(
  { order, fired }: { order: KitchenOrder; fired: readonly number[] },
  routes: readonly Route[],
  rules: readonly RoutingRule[],
): TicketPart[] {
  const router = new ItemRouter(order, routes, rules)
  const chosen = dueWith(order, fired)
  const piles = pilesOf(router, 'kitchen', chosen.now)
  const once = piles.map((pile) => ({ ...pile, copies: 1 }))
  return withLater(kitchenTickets(order, once), router, chosen)
}

/** The lines that are due, and those that are held. */
export function dueWith({ items }: KitchenOrder, fired: readonly number[]): Choice {
  const held = laterCourses(items).filter((course) => !fired.includes(course))
  const places = items.map((item, index) => ({ index, isNow: isDueAtOnce(held, item) }))
  const of = (isNow: boolean) => new Set(places.filter((place) => place.isNow === isNow).map(({ index }) => index))
  return { now: of(true), later: of(false) }
}

/** The first ticket of each printer lists the lines that the printer gets later. */
function withLater(parts: TicketPart[], router: ItemRouter, { later }: Choice): TicketPart[] {
  if (later.size === 0) return parts
  const piles = mergedByPrinter(pilesOf(router, 'kitchen', later))
  return parts.map((part) => {
    const isOfPrinter = ({ printerId }: { printerId: string }) => printerId === part.printerId
    const waiting = piles.find(isOfPrinter)?.items.map(indexOf)
    // Copies of one ticket share their lines.
    const isFirst = parts.find(isOfPrinter)?.items === part.items
    return waiting === undefined || !isFirst ? part : { ...part, later: waiting }
  })
}

/** The ticket as `copies` tickets, side by side. */
export function copied(part: TicketPart, copies: number): TicketPart[] {
  if (copies === 1) return [part]
  return Array.from({ length: copies }, (_, index) => ({ ...part, copy: { n: index + 1, of: copies } }))
}

/** The station of all these items. Null if they have several or none. */
export function commonStation(order: KitchenOrder, items: readonly number[]): string | null {
  const stations = new Set(items.map((index) => order.items[index]?.station ?? null))
  return stations.size === 1 ? ([...stations][0] ?? null) : null
}

/** A trace in words, with the names of items. Escape it where it is shown. */
export function traceWords(
  items: readonly Pick<KitchenLine, 'name' | 'umsId'>[],
  trace: readonly RouteStep[],
): string[] {
  return trace.map((step) => {
    const names = step.items.map((index) => items[index]?.name || items[index]?.umsId || '?')
    return names.length === 0 ? step.why : `${names.join(', ')}: ${step.why}`
  })
}

/** @param chosen indices of the lines to route; absent: all */
function pilesOf(router: ItemRouter, paper: PaperType, chosen?: ReadonlySet<number>): Pile[] {
  const piles = new Map<string, Pile>()
  router.order.items.forEach((item, index) => {
    if (chosen?.has(index) === false) return
    const printers = new Set<string>()
    for (const send of router.sends(item, paper)) {
      const printerId = send.route?.printerId ?? NO_PRINTER
      if (printers.has(printerId)) continue
      printers.add(printerId)
      addTo(piles, paper, { send, index })
    }
  })
  return [...piles.values()]
}

function addTo(piles: Map<string, Pile>, paper: PaperType, { send, index }: { send: Send; index: number }): void {
  const printerId = send.route?.printerId ?? NO_PRINTER
  const { label } = send
  const key = JSON.stringify([printerId, label === null ? null : fold(label)])
  const name = send.route?.name ?? ''
  const pile = piles.get(key) ?? { printerId, name, paper, label, copies: 1, isPerItem: false, items: [] }
  piles.set(key, pile)
  pile.copies = Math.max(pile.copies, send.copies)
  pile.isPerItem ||= send.isPerItem
  pile.items.push({ index, why: send.why })
}

/** Splits and copies are dropped if there would be more tickets than one message to the relay can report. No item is left out. */
function kitchenTickets(order: KitchenOrder, piles: readonly Pile[]): TicketPart[] {
  const wishes: readonly ((pile: Pile) => Pile)[] = [
    (pile) => pile,
    (pile) => ({ ...pile, isPerItem: false }),
    (pile) => ({ ...pile, isPerItem: false, copies: 1 }),
  ]
  for (const wish of wishes) {
    const wanted = piles.map(wish)
    const tickets = wanted.reduce(
      (sum, { isPerItem, items, copies }) => sum + (isPerItem ? items.length : 1) * copies,
      0,
    )
    if (tickets <= MOST_DECIDING_TICKETS) return ticketsOf(order, wanted)
  }
  return ticketsOf(order, mergedByPrinter(piles))
}

/** Merges the piles of a printer to one ticket, whatever station names rules gave to parts of it. */
function mergedByPrinter(piles: readonly Pile[]): Pile[] {
  const merged = new Map<string, Pile>()
  for (const pile of piles) {
    const items = [...(merged.get(pile.printerId)?.items ?? []), ...pile.items]
    items.sort((one, other) => one.index - other.index)
    merged.set(pile.printerId, { ...pile, label: null, isPerItem: false, copies: 1, items })
  }
  return [...merged.values()]
}

function ticketsOf(order: KitchenOrder, piles: readonly Pile[]): TicketPart[] {
  const names = piles.map((pile) => pile.label ?? commonStation(order, pile.items.map(indexOf)))
  return piles.flatMap((pile, own) => {
    const others = piles.flatMap((other, index) => {
      if (index === own) return []
      const name = names[index] ?? null
      // Two printers of one station are distinguished by their own names.
      return [name === null || fold(name) === fold(names[own] ?? '') ? other.name : name]
    })
    const whole = { ...partOf(order, pile), alsoAt: [...new Set(others)] }
    if (!pile.isPerItem) return copied(whole, pile.copies)
    const of = pile.items.length
    return pile.items.flatMap((item, index) => {
      const part: TicketPart = { ...whole, ...lineOf(order, pile, item), split: 'per-item' }
      return copied(of === 1 ? part : { ...part, piece: { n: index + 1, of } }, pile.copies)
    })
  })
}

/** One label for each piece; one for each line if the order has too many pieces. */
function labelsOf(order: KitchenOrder, pile: Pile): TicketPart[] {
  const quantity = ({ index }: { index: number }) => order.items[index]?.qty ?? 1
  const pieces = pile.items.reduce((sum, item) => sum + quantity(item), 0)
  const isTooMany = pieces * pile.copies > MOST_LABELS
  return pile.items.flatMap((item) => {
    const part = { ...partOf(order, pile), ...lineOf(order, pile, item) }
    if (isTooMany) return [part]
    const of = quantity(item)
    return Array.from({ length: of }, (_, n) => copied({ ...part, piece: { n: n + 1, of } }, pile.copies)).flat()
  })
}

/** A receipt is for the whole order, also if a rule matched only one item. A printer prints one. */
function receiptsOf(order: KitchenOrder, piles: readonly Pile[]): TicketPart[] {
  const items = order.items.map((_, index) => index)
  return mergedByPrinter(piles).flatMap((pile) => {
    const copies = Math.max(...piles.filter((it) => it.printerId === pile.printerId).map((it) => it.copies))
    const why = pile.items[0]?.why ?? ''
    const part = partOf(order, pile)
    return copied({ ...part, items, station: null, trace: [{ items: [], why }] }, copies)
  })
}

function partOf(order: KitchenOrder, pile: Pile): TicketPart {
  const items = pile.items.map(indexOf)
  return {
    printerId: pile.printerId,
    station: pile.label ?? commonStation(order, items),
    items,
    alsoAt: [],
    ...(pile.paper === 'kitchen' ? {} : { paper: pile.paper }),
    trace: traceOf(pile.items),
  }
}

function lineOf(order: KitchenOrder, pile: Pile, item: Pile['items'][number]) {
  const items = [item.index]
  return { items, station: pile.label ?? commonStation(order, items), trace: traceOf([item]) }
}

/** Items with the same route and reason share a step. */
function traceOf(items: Pile['items']): RouteStep[] {
  const steps = new Map<string, number[]>()
  for (const { index, why } of items) steps.set(why, [...(steps.get(why) ?? []), index])
  return [...steps].map(([why, indices]) => ({ items: indices, why }))
}

function indexOf({ index }: { index: number }): number {
  return index
}
