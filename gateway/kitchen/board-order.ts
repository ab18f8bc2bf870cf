// An order as the board shows it: its document, its tickets, what the kitchen has done. Pure.
import type { BoardDoc, BoardProgress } from '#gateway/storage/board-rows.ts'
import type { Seen } from '#gateway/storage/kitchen-store.ts'
import type { KitchenLine, KitchenOrder } from '#shared/order.ts'
import { lineAllergies, orderAllergies } from '#shared/tickets/allergies.ts'
import { laterCourses } from '#shared/tickets/courses.ts'
import { maskedGuest } from '#shared/tickets/guest-name.ts'
import { inReadingOrder, modifierWords } from '#shared/tickets/modifier-words.ts'
import { orderNumber } from '#shared/tickets/order-number.ts'
import { fold } from '#shared/tickets/route.ts'
import type { BoardAllergy, BoardLine, BoardOrder, KitchenState } from '#shared/wire/kitchen.ts'
import type { WorkedOrder } from '#shared/wire/kitchen-acts.ts'

/** An order stays on the board for a shift at most; after that no guest waits for it. */
const BOARD_KEEPS_MS = 12 * 3_600_000
/** A picked-up or voided order can be shown and recalled for this long. */
const RECALL_KEEPS_MS = 2 * 3_600_000
/** A test order that is not bumped must not stay among real orders for long. */
const TEST_KEEPS_MS = 30 * 60_000

/** What never changes of an order on the board: made once. */
export interface BoardTicket {
  doc: BoardDoc
  /** Its stations in the order of its lines, untouched. */
  blank: WorkedOrder
  fixed: Pick<
    BoardOrder,
    | 'orderId'
    | 'number'
    | 'clientOrderId'
    | 'source'
    | 'customer'
    | 'orderType'
    | 'table'
    | 'guests'
    | 'server'
    | 'note'
    | 'allergens'
    | 'addOnTo'
    | 'readyByMs'
    | 'isTest'
    | 'lines'
  >
}

export function boardTicket(doc: BoardDoc): BoardTicket {
  const { order, isTest } = doc
  const lines = order.items.map(boardLine)
  return {
    doc,
    blank: { ...blankState(order), lines },
    fixed: {
      orderId: order.serviceOrderId,
      number: orderNumber(order),
      clientOrderId: order.orderId,
      source: order.source,
      customer: maskedGuest(order.customer?.name ?? '') || null,
      orderType: order.orderType ?? null,
      table: order.table ?? null,
      guests: order.guests ?? null,
      server: order.server ?? null,
      note: order.note ?? null,
      allergens: shownAllergies(order),
      addOnTo: order.addOnTo ?? null,
      readyByMs: order.readyByMs,
      isTest,
      lines,
    },
  }
}

/** With its dish: on most cards it is another station's. */
function shownAllergies(order: KitchenOrder): BoardAllergy[] {
  return orderAllergies(order).map(({ words, seat, item }) => ({ words, seat: seat ?? null, item: item ?? null }))
}

function blankState(order: KitchenOrder): KitchenState {
  const names = new Map<string, string>()
  for (const { station } of order.items) {
    const key = stationKey(station)
    if (!names.has(key)) names.set(key, station ?? '')
  }
  const stations = [...names].map(([key, name]) => ({ key, name, startedAtMs: null, readyAtMs: null }))
  const courses = laterCourses(order.items).map((course) => ({
    course,
    stations: [
      ...new Set(order.items.filter((item) => item.course === course).map(({ station }) => stationKey(station))),
    ],
    firedAtMs: null,
  }))
  return { stations, courses, readyAtMs: null, pickedUpAtMs: null, recalledAtMs: null, struckLines: [] }
}

export function stationKey(station: string | null): string {
  return station === null ? '' : fold(station)
}

export function boardOrder(
  { doc: { order }, fixed }: BoardTicket,
  progress: BoardProgress,
  { state, seen }: { state: KitchenState; seen: readonly Seen[] },
): BoardOrder {
  const { cancelledAtMs, cancelReason, isHeld, notBeforeMs } = progress
  return {
    ...state,
    ...fixed,
    dueAtMs: Math.max(order.queuedAtMs, notBeforeMs ?? order.fireAtMs ?? 0),
    isScheduled: isHeld,
    // The order's time is from the relay's clock, this one is the box's estimate of it: no order is voided before it was ordered.
    voidedAtMs: cancelledAtMs === null ? null : Math.max(cancelledAtMs, order.queuedAtMs),
    voidReason: cancelledAtMs === null ? null : cancelReason?.trim() || null,
    voidSeenBy: seen.flatMap(({ displayId, voidSeenAtMs }) => (voidSeenAtMs === null ? [] : [displayId])),
    changeSeenBy: seen.flatMap(({ displayId, changeSeenAtMs }) => (changeSeenAtMs === null ? [] : [displayId])),
    paper: paperOf(progress),
  }
}

/** When the kitchen last got work of it: a course that was fired is as new as an order. */
export function lastDueMs({ dueAtMs, courses }: Pick<BoardOrder, 'dueAtMs' | 'courses'>): number {
  return Math.max(dueAtMs, ...courses.map(({ firedAtMs }) => firedAtMs ?? 0))
}

/** Whether it still belongs on the board. One that was called off before the kitchen had it never did. */
export function isOnBoard(order: BoardOrder, nowMs: number): boolean {
  const { pickedUpAtMs, voidedAtMs, isScheduled, dueAtMs, isTest } = order
  if (isTest && nowMs - lastDueMs(order) >= TEST_KEEPS_MS) return false
  if (voidedAtMs !== null) return nowMs - voidedAtMs < RECALL_KEEPS_MS && dueAtMs <= voidedAtMs
  if (pickedUpAtMs !== null) return nowMs - pickedUpAtMs < RECALL_KEEPS_MS
  return isScheduled || nowMs - lastDueMs(order) < BOARD_KEEPS_MS
}

function boardLine(line: KitchenLine): BoardLine {
  const { name, qty, note, modifiers, station, seat, course } = line
  const allergies = lineAllergies(line)
  return {
    name,
    qty,
    note: note ?? null,
    modifiers: inReadingOrder(modifiers.map((modifier) => modifierWords(modifier, (text) => text.trim())))
      .filter(({ words }) => words !== '')
      .map(({ sign, words }) => `${sign} ${words}`.trim()),
    station: stationKey(station),
    isAllergy: allergies.length > 0,
    allergens: allergies.filter(({ from }) => from === 'list').map(({ words }) => words),
    seat: seat ?? null,
    course: course ?? null,
  }
}

function paperOf({ tickets }: BoardProgress): BoardOrder['paper'] {
  if (tickets.length === 0) return 'none'
  if (tickets.some((state) => state === 'failed' || state === 'uncertain' || state === 'parked')) return 'failed'
  return tickets.every((state) => state === 'printed' || state === 'cancelled') ? 'printed' : 'waits'
}
