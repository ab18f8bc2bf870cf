// Replaces an order that cannot be read by one with its number and its possible actions, so that one bad order never removes the others from the display. Pure.
import type { BoardLine, BoardOrder, StationState } from '#shared/wire/kitchen.ts'

/** Its lines have no text, only their indices and stations. */
interface StandIn extends BoardOrder {
  isUnreadable: true
}

export function isUnreadable(order: BoardOrder): boolean {
  return 'isUnreadable' in order
}

/** @param event of the feed @returns the event with a stand-in for each unreadable order; orders without an id are left out */
export function withReadable<T extends { orders: readonly BoardOrder[] }>(event: T): T {
  const orders = listOf<BoardOrder>(event.orders)
    .filter((order) => isText(order?.orderId))
    .map((order) => (isSound(order) ? order : standInOf(order)))
  return { ...event, orders }
}

/** Uses every valid field of the order. Never throws. */
export function standInOf(order: BoardOrder): StandIn {
  const sent = listOf<StationState>(order.stations).filter((one) => isText(one?.key))
  const stations = (sent.length > 0 ? sent : [{ key: '' } as StationState]).map(
    ({ key, name, startedAtMs, readyAtMs }): StationState => ({
      key,
      name: isText(name) ? name : key,
      startedAtMs: timeOf(startedAtMs),
      readyAtMs: timeOf(readyAtMs),
    }),
  )
  const lines = listOf<BoardLine>(order.lines)
  const isPlaced = lines.length > 0 && lines.every((line) => isText(line?.station))
  return {
    isUnreadable: true,
    orderId: order.orderId,
    // Without knowing the lines it cannot report them as seen.
    ...(isPlaced && typeof order.rev === 'number' ? { rev: order.rev } : {}),
    number: isText(order.number) ? order.number : order.orderId,
    clientOrderId: '',
    source: '',
    customer: null,
    orderType: null,
    table: null,
    guests: null,
    server: null,
    note: null,
    allergens: [],
    addOnTo: null,
    isTest: order.isTest === true,
    dueAtMs: timeOf(order.dueAtMs) ?? 0,
    readyByMs: null,
    isScheduled: order.isScheduled === true,
    voidedAtMs: timeOf(order.voidedAtMs),
    voidSeenBy: listOf(order.voidSeenBy),
    changeSeenBy: [],
    paper: 'none',
    lines: (isPlaced ? lines : stations.map(({ key }) => ({ station: key }))).map(({ station }) => nameless(station)),
    stations,
    courses: [],
    readyAtMs: timeOf(order.readyAtMs),
    pickedUpAtMs: timeOf(order.pickedUpAtMs),
    recalledAtMs: timeOf(order.recalledAtMs),
    struckLines: listOf(order.struckLines),
  }
}

function nameless(station: string): BoardLine {
  return { name: '', qty: 1, note: null, modifiers: [], station, isAllergy: false, seat: null, course: null }
}

/** True if counting, sorting and finding orders works with it. Rendering errors are found when it is rendered. */
function isSound(order: BoardOrder): boolean {
  const { number, table, dueAtMs, lines, stations, courses, struckLines, voidSeenBy, changeSeenBy, allergens } = order
  const lists = [lines, stations, courses, struckLines, voidSeenBy, changeSeenBy, allergens]
  return (
    isText(number) &&
    (isText(table) || (table ?? null) === null) &&
    timeOf(dueAtMs) !== null &&
    lists.every(Array.isArray) &&
    lines.every((line) => isText(line?.name) && isText(line.station) && listOf(line.modifiers).every(isText)) &&
    lines.every(({ modifiers }) => Array.isArray(modifiers)) &&
    stations.every((station) => isText(station?.key)) &&
    courses.every((later) => Array.isArray(later?.stations))
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function timeOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function listOf<T>(value: unknown): T[] {
  return Array.isArray(value) ? value : []
}
