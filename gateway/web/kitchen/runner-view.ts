// What a runner's display shows: ready orders by table, the longest waiting first. A taken order keeps its place for a while, so that nothing moves under a finger. Pure.
import type { BoardLine, BoardOrder } from '#shared/wire/kitchen.ts'
import { heldCourses } from '#shared/wire/kitchen-acts.ts'
import { type AgeLevel, lastReadyMs } from './board-view.ts'

export interface ReadyOrder {
  order: BoardOrder
  /** Since when it is ready; epoch ms. */
  readyAtMs: number
  /** Lines to carry now: without held courses, and without lines that were carried before a fire. */
  lines: BoardLine[]
  /** Held courses: the order is not picked up as a whole yet. */
  held: number[]
  /** Somebody has just taken it. */
  isTaken: boolean
}

/** All ready orders of one table; without a table, one order. */
export interface Run {
  key: string
  table: string | null
  orders: ReadyOrder[]
}

/** Food at the pass gets cold, so it is late sooner than an order that is being made. */
const SOON_AFTER_MS = 2 * 60_000
const LATE_AFTER_MS = 4 * 60_000
/** How long a taken order keeps its place, and one tap brings it back. */
export const TAKEN_SHOWN_MS = 6_000
/** A second tap within this time is ignored. */
export const DEAF_MS = 500

/**
 * By id: what was taken here and when, on the page's own clock, since the gateway's may be set. For an order with held courses also which
 * lines were taken.
 */
export type Taken = ReadonlyMap<string, { order: BoardOrder; atMs: number }>

/**
 * Groups the ready orders.
 * @param open orders that are not picked up
 * @param taken what was taken here, confirmed by the gateway or not
 * @param carried keys of what was carried of orders with held courses: `carriedKey`
 * @param nowMs on the page's own clock, as in `taken`
 */
export function runsOf(
  open: readonly BoardOrder[],
  { taken, carried, nowMs }: { taken: Taken; carried: ReadonlySet<string>; nowMs: number },
): Run[] {
  const justTaken = stillShown(taken, nowMs)
  const waiting = open.filter((order) => !justTaken.has(order.orderId) && !carried.has(carriedKey(order)))
  const ready = [
    ...waiting.map((order) => readyOrder(order, false)),
    ...[...justTaken.values()].map(({ order }) => readyOrder(order, true)),
  ].sort((a, b) => a.readyAtMs - b.readyAtMs || (a.order.orderId < b.order.orderId ? -1 : 1))
  const runs = new Map<string, Run>()
  for (const one of ready) {
    const { table, orderId } = one.order
    const key = table === null ? orderId : `table ${table}`
    const run = runs.get(key) ?? { key, table, orders: [] }
    run.orders.push(one)
    runs.set(key, run)
  }
  return [...runs.values()]
}

/** The taken orders that still keep their place. */
export function stillShown(taken: Taken, nowMs: number): Taken {
  return new Map([...taken].filter(([, { atMs }]) => nowMs - atMs < TAKEN_SHOWN_MS))
}

/** Changes with each course that is fired, since there is something new to carry then. */
export function carriedKey({ orderId, courses }: Pick<BoardOrder, 'orderId' | 'courses'>): string {
  return `${orderId} ${heldCourses({ courses }).length}`
}

/** True if it can only be carried in part: the rest is not made before it is fired. */
export function hasMoreToCome(order: Pick<BoardOrder, 'courses'>): boolean {
  return heldCourses(order).length > 0
}

export function passLevel(waitsMs: number): AgeLevel {
  if (waitsMs >= LATE_AFTER_MS) return 'late'
  return waitsMs >= SOON_AFTER_MS ? 'soon' : 'fresh'
}

/** `4:05`, `12:40`; hours as minutes. Never negative. */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function readyOrder(order: BoardOrder, isTaken: boolean): ReadyOrder {
  const held = heldCourses(order).map(({ course }) => course)
  const lines = order.lines.filter(({ course }) => course === null || !held.includes(course))
  return { order, readyAtMs: order.readyAtMs ?? Math.max(order.dueAtMs, lastReadyMs(order)), lines, held, isTaken }
}
