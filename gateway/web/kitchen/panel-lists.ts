// The counts in the drawers: everything still to be made, by station with late ones first; and equal lines of the next tickets, to be cooked together. Pure; computed from the open orders each time, so they cannot drift.
import type { BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'
import { isHeldLine, isLineDone, ownPlaces, ownStations, type Viewer } from './board-view.ts'

export interface ItemCount {
  name: string
  qty: number
  /** How many of them are of late orders. */
  late: number
}

export interface StationCounts {
  key: string
  /** The name in the catalog; '' for lines without a station. */
  name: string
  items: ItemCount[]
}

/** Equal lines: the same dish, made in the same way, at the same station. */
export interface Batch {
  key: string
  name: string
  modifiers: readonly string[]
  note: string | null
  allergens: readonly string[]
  isAllergy: boolean
  qty: number
  /** Their tickets, in the order of the board. */
  tickets: { orderId: string; number: string; qty: number }[]
}

/** @param isLate of an order, by the thresholds of this display */
export function countsByStation(
  open: readonly BoardOrder[],
  viewer: Viewer,
  isLate: (order: BoardOrder) => boolean,
): StationCounts[] {
  const stations = new Map<string, { name: string; items: Map<string, ItemCount> }>()
  for (const order of open.filter(isToMake)) {
    const isOfLate = isLate(order)
    const names = new Map(ownStations(order, viewer).map(({ key, name }) => [key, name]))
    for (const { name, qty, station } of toMake(order, viewer)) {
      const at = stations.get(station) ?? { name: names.get(station) ?? station, items: new Map() }
      stations.set(station, at)
      const item = at.items.get(name) ?? { name, qty: 0, late: 0 }
      at.items.set(name, { name, qty: item.qty + qty, late: item.late + (isOfLate ? qty : 0) })
    }
  }
  return [...stations]
    .map(([key, { name, items }]) => ({ key, name, items: [...items.values()].sort(lateThenMost) }))
    .sort((a, b) => lateOf(b) - lateOf(a) || compare(a.name, b.name))
}

/**
 * Groups equal lines of the next tickets.
 * @param open in the order of the board
 * @param next number of tickets with something to make
 * @returns batches on several tickets first, the largest first
 */
export function batchesOf(open: readonly BoardOrder[], viewer: Viewer, next: number): Batch[] {
  const batches = new Map<string, Batch>()
  const tickets = open
    .filter(isToMake)
    .map((order) => ({ order, lines: toMake(order, viewer) }))
    .filter(({ lines }) => lines.length > 0)
    .slice(0, next)
  for (const { order, lines } of tickets) for (const line of lines) addTo(batches, order, line)
  return [...batches.values()].sort(
    (a, b) =>
      Number(b.tickets.length > 1) - Number(a.tickets.length > 1) ||
      b.qty - a.qty ||
      compare(a.name, b.name) ||
      compare(a.key, b.key),
  )
}

function addTo(batches: Map<string, Batch>, { orderId, number }: BoardOrder, line: BoardLine): void {
  const { name, modifiers, note, isAllergy, qty } = line
  const allergens = [...(line.allergens ?? [])].sort(compare)
  const key = JSON.stringify([line.station, name, modifiers, note, allergens, isAllergy])
  const batch = batches.get(key) ?? { key, name, modifiers, note, allergens, isAllergy, qty: 0, tickets: [] }
  const before = batch.tickets.find((ticket) => ticket.orderId === orderId)
  if (before) before.qty += qty
  else batch.tickets.push({ orderId, number, qty })
  batch.qty += qty
  batches.set(key, batch)
}

/** The lines that this display has to make now. */
function toMake(order: BoardOrder, viewer: Viewer): BoardLine[] {
  return ownPlaces(order, viewer)
    .filter(({ line, place }) => !isLineDone(line, place, order) && !isHeldLine(line, order))
    .map(({ line }) => line)
}

function isToMake({ voidedAtMs, isTest }: BoardOrder): boolean {
  return voidedAtMs === null && !isTest
}

function lateThenMost(a: ItemCount, b: ItemCount): number {
  return b.late - a.late || b.qty - a.qty || compare(a.name, b.name)
}

function lateOf({ items }: StationCounts): number {
  return items.reduce((sum, { late }) => sum + late, 0)
}

/** Compares by code units: the same order on every display, in any language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
