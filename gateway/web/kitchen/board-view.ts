// What a display shows of the board: its orders with unconfirmed taps, and counts. Pure; counts are computed from the open orders each time, so they cannot drift.

import { type AgeThresholds, thresholdOf, USUAL_THRESHOLDS } from '#shared/kitchen-times.ts'
import type {
  BoardAllergy,
  BoardDisplay,
  BoardLine,
  BoardOrder,
  KitchenAct,
  StationState,
} from '#shared/wire/kitchen.ts'
import { applyAct, firedMs, heldCourses, showsStation } from '#shared/wire/kitchen-acts.ts'
import type { Asking, StripItem } from './snapshot-parts.ts'

export interface Viewer extends Pick<BoardDisplay, 'displayId' | 'stations'> {
  served: readonly string[]
  /**
   * True if lines of stations that no display serves are shown here. Undefined: from an older gateway, which shows them on every display.
   */
  adopts?: boolean | undefined
}

export interface Views {
  /** To be made, or at expo to be handed out; oldest first. */
  open: BoardOrder[]
  scheduled: BoardOrder[]
  /** Ready or picked up here, newest first. */
  done: BoardOrder[]
}

const MOST_DONE = 30

export type AgeLevel = 'fresh' | 'soon' | 'late'
const MIN_MS = 60_000

/** The order as it will be when the unconfirmed taps have arrived. */
export function withTaps(order: BoardOrder, taps: readonly KitchenAct[], viewer: Viewer): BoardOrder {
  let shown = order
  for (const tap of taps) {
    if (tap.orderId !== order.orderId) continue
    if (tap.kind === 'start-now') shown = { ...shown, isScheduled: false, dueAtMs: tap.atMs }
    else if (tap.kind === 'void-seen') shown = { ...shown, voidSeenBy: [...shown.voidSeenBy, viewer.displayId] }
    else if (tap.kind === 'change-seen') shown = { ...shown, changeSeenBy: [...shown.changeSeenBy, viewer.displayId] }
    else if (tap.kind === 'void-unseen') shown = { ...shown, voidSeenBy: without(shown.voidSeenBy, viewer) }
    else if (tap.kind === 'change-unseen') shown = { ...shown, changeSeenBy: without(shown.changeSeenBy, viewer) }
    else shown = { ...shown, ...(applyAct(shown, tap, tap.atMs)?.state ?? {}) }
  }
  return shown
}

function without(displays: readonly string[], { displayId }: Viewer): string[] {
  return displays.filter((one) => one !== displayId)
}

export function ownStations({ stations }: Pick<BoardOrder, 'stations'>, viewer: Viewer): StationState[] {
  return stations.filter(({ key }) => showsStation(viewer, viewer.served, key))
}

export function ownLines({ lines }: Pick<BoardOrder, 'lines'>, viewer: Viewer): BoardLine[] {
  return lines.filter(({ station }) => showsStation(viewer, viewer.served, station))
}

/** With the index of each line in the order, which is needed to strike it off. */
export function ownPlaces({ lines }: Pick<BoardOrder, 'lines'>, viewer: Viewer): { line: BoardLine; place: number }[] {
  return lines
    .map((line, place) => ({ line, place }))
    .filter(({ line }) => showsStation(viewer, viewer.served, line.station))
}

/** A note about several dishes is shown once, with all of them. A note about the whole order has no dishes and stays separate. */
export function allergyBanners(allergens: BoardOrder['allergens']): { words: string; dishes: BoardAllergy[] }[] {
  const banners = new Map<string, { words: string; dishes: BoardAllergy[] }>()
  for (const allergy of allergens) {
    const isOfDish = (allergy.item ?? allergy.seat) !== null
    const key = `${isOfDish} ${allergy.words}`
    const banner = banners.get(key) ?? { words: allergy.words, dishes: [] }
    banners.set(key, banner)
    if (isOfDish) banner.dishes.push(allergy)
  }
  return [...banners.values()]
}

/** True if it changes an earlier order and the change was not acknowledged at this display. */
export function isChangeUnseen(
  { addOnTo, changeSeenBy, voidedAtMs, pickedUpAtMs }: BoardOrder,
  { displayId }: Viewer,
): boolean {
  return addOnTo !== null && voidedAtMs === null && pickedUpAtMs === null && !changeSeenBy.includes(displayId)
}

/** For each order number, the numbers of the open orders that add to it. */
export function addOnsOf(open: readonly BoardOrder[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { addOnTo, number, voidedAtMs } of open) {
    if (addOnTo === null || voidedAtMs !== null) continue
    const others = found.get(addOnTo)
    found.set(addOnTo, others === undefined ? number : `${others}, ${number}`)
  }
  return found
}

export function isLineDone({ station }: BoardLine, place: number, { stations, struckLines }: BoardOrder): boolean {
  return struckLines.includes(place) || stations.some(({ key, readyAtMs }) => key === station && readyAtMs !== null)
}

/** True if the line waits until its course is fired. */
export function isHeldLine({ course }: BoardLine, order: Pick<BoardOrder, 'courses'>): boolean {
  return course !== null && heldCourses(order).some((held) => held.course === course)
}

/** Stations of this display that have something to make now. */
export function workingStations(order: BoardOrder, viewer: Viewer): StationState[] {
  return ownStations(order, viewer).filter(({ key }) =>
    order.lines.some((line) => line.station === key && !isHeldLine(line, order)),
  )
}

/** The action of the card's big button. Null: none, because everything that may be made is made. */
export function nextStep(
  order: BoardOrder,
  viewer: Viewer,
): { kind: 'ready' | 'pick-up'; stations: string[] | null } | null {
  const isMade = workingStations(order, viewer).every(({ readyAtMs }) => readyAtMs !== null)
  if (!isExpo(viewer))
    return isMade ? null : { kind: 'ready', stations: workingStations(order, viewer).map(({ key }) => key) }
  if (isMade && heldCourses(order).length > 0) return null
  return { kind: order.readyAtMs === null ? 'ready' : 'pick-up', stations: null }
}

export function isExpo({ stations }: Pick<Viewer, 'stations'>): boolean {
  return stations.length === 0
}

export function viewsOf(orders: readonly BoardOrder[], viewer: Viewer): Views {
  const views: Views = { open: [], scheduled: [], done: [] }
  for (const order of orders) {
    const { place } = factsOf(order, viewer)
    if (place) views[place].push(order)
  }
  views.open.sort((a, b) => {
    const [of, other] = [factsOf(a, viewer), factsOf(b, viewer)]
    return of.rank - other.rank || of.dueMs - other.dueMs || (a.orderId < b.orderId ? -1 : 1)
  })
  views.scheduled.sort((a, b) => a.dueAtMs - b.dueAtMs)
  views.done = views.done.sort((a, b) => doneAtMs(b) - doneAtMs(a)).slice(0, MOST_DONE)
  return views
}

interface OrderFacts {
  /** Null: it is not on this display. */
  place: keyof Views | null
  /** Tickets that must be acknowledged come first. */
  rank: number
  dueMs: number
}

// A cache by viewer and order, which are immutable.
const FACTS = new WeakMap<Viewer, WeakMap<BoardOrder, OrderFacts>>()

/** Computes only changed orders, so that the cost of a patch does not depend on the number of open orders. */
function factsOf(order: BoardOrder, viewer: Viewer): OrderFacts {
  const ofViewer = FACTS.get(viewer) ?? new WeakMap<BoardOrder, OrderFacts>()
  FACTS.set(viewer, ofViewer)
  const known = ofViewer.get(order)
  if (known) return known
  const place = ownLines(order, viewer).length > 0 ? placeOf(order, viewer) : null
  const facts = { place, rank: mustBeSeen(order, viewer) ? 0 : 1, dueMs: dueHereMs(order, viewer) }
  ofViewer.set(order, facts)
  return facts
}

/**
 * Since when this display should have made its open lines: a course counts from its fire, and a fire without lines for this display changes
 * nothing. Once everything is made: since the last of it was due.
 */
function dueHereMs(order: BoardOrder, viewer: Viewer): number {
  const due: number[] = []
  const toMake: number[] = []
  for (const { line, place } of ownPlaces(order, viewer)) {
    const fired = firedMs(line, order.courses)
    if (fired === null) continue
    const dueMs = Math.max(order.dueAtMs, fired)
    due.push(dueMs)
    if (!isLineDone(line, place, order)) toMake.push(dueMs)
  }
  return toMake.length > 0 ? Math.min(...toMake) : Math.max(order.dueAtMs, ...due)
}

/** Never negative: if a clock is ahead, the order counts as new. */
export function ageMs(order: BoardOrder, viewer: Viewer, nowMs: number): number {
  return Math.max(0, nowMs - factsOf(order, viewer).dueMs)
}

/** @param thresholds of this display, by the order's type */
export function ageLevel(
  { orderType, readyByMs }: Pick<BoardOrder, 'orderType' | 'readyByMs'>,
  { ageMs, nowMs }: { ageMs: number; nowMs: number },
  thresholds: AgeThresholds = USUAL_THRESHOLDS,
): AgeLevel {
  const { soonMin, lateMin } = thresholdOf(orderType, thresholds)
  const isSoon = ageMs >= soonMin * MIN_MS
  if (ageMs >= lateMin * MIN_MS || (readyByMs !== null && nowMs > readyByMs && isSoon)) return 'late'
  return isSoon ? 'soon' : 'fresh'
}

/** True for a line of a station that no display serves, on the display that adopted it. */
export function isNobodys({ station }: Pick<BoardLine, 'station'>, { adopts, served, stations }: Viewer): boolean {
  // If no display has stations of its own, an item without a station belongs to every station.
  return (
    adopts === true && served.length > 0 && station !== '' && !served.includes(station) && !stations.includes(station)
  )
}

/** Stations with a display of their own that have open lines, for the confirmation of Ready at expo. */
export function openStations(order: BoardOrder, viewer: Viewer): Asking['open'] {
  const isOpen = ({ key, readyAtMs }: StationState): boolean => readyAtMs === null && viewer.served.includes(key)
  return order.stations
    .filter(isOpen)
    .map(({ key, name }) => ({
      name: name || key,
      lines: order.lines.filter(
        (line, place) => line.station === key && !isHeldLine(line, order) && !order.struckLines.includes(place),
      ).length,
    }))
    .filter(({ lines }) => lines > 0)
}

/** The voids and changes that were not acknowledged at this display. */
export function stripOf(open: readonly BoardOrder[], viewer: Viewer): StripItem[] {
  return open
    .filter((order) => mustBeSeen(order, viewer))
    .map((order) => ({ order, sinceMs: order.voidedAtMs ?? order.dueAtMs }))
    .sort((a, b) => a.sinceMs - b.sinceMs)
    .map(({ order: { orderId, number, voidedAtMs, voidReason = null } }) =>
      voidedAtMs === null ? { kind: 'change', orderId, number } : { kind: 'void', orderId, number, reason: voidReason },
    )
}

function mustBeSeen(order: BoardOrder, viewer: Viewer): boolean {
  return order.voidedAtMs !== null || isChangeUnseen(order, viewer)
}

/** Indices of the lines that an action is about, as this display shows them. */
export function seenPlaces(
  order: BoardOrder,
  act: Pick<KitchenAct, 'kind' | 'stations' | 'line' | 'course'>,
  viewer: Viewer,
): number[] {
  if (act.line !== undefined) return [act.line]
  return ownPlaces(order, viewer)
    .filter(({ line }) => act.stations === null || act.stations.includes(line.station))
    .filter(({ line }) => (act.kind === 'fire' ? line.course === act.course : !isHeldLine(line, order)))
    .map(({ place }) => place)
}

function placeOf(order: BoardOrder, viewer: Viewer): keyof Views | null {
  if (order.voidedAtMs !== null) return order.voidSeenBy.includes(viewer.displayId) ? null : 'open'
  if (order.isScheduled) return 'scheduled'
  if (order.pickedUpAtMs !== null) return 'done'
  const isReadyHere = ownStations(order, viewer).every(({ readyAtMs }) => readyAtMs !== null)
  // Held lines stay visible, because a person fires them.
  const isHolding = ownLines(order, viewer).some((line) => isHeldLine(line, order))
  return isReadyHere && !isHolding && !isExpo(viewer) ? 'done' : 'open'
}

function doneAtMs(order: BoardOrder): number {
  return order.pickedUpAtMs ?? lastReadyMs(order)
}

/** When the last of its stations was ready; 0: none is. */
export function lastReadyMs({ stations }: Pick<BoardOrder, 'stations'>): number {
  return Math.max(...stations.map(({ readyAtMs }) => readyAtMs ?? 0))
}
