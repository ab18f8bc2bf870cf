// What the grid of a screen shows and which order is selected: places that stay, pages, the selection as an order's id. Pure; instants are milliseconds of the page's monotonic clock.
import type { BoardOrder } from '#shared/wire/kitchen.ts'

export const BOARD_TIMES = {
  /** A freed place stays for this long, and from each touch or key on again. */
  quietMs: 700,
  /** A new order waits this long for the quiet time to end, to get its sorted place; after that it is placed behind all others. */
  longestWaitMs: 3_000,
  /** After another screen took the selected order, nothing is selected for this long. */
  lostMs: 700,
  /** After an action, a tap at its place and Enter on an order that no person selected are ignored for this long. */
  sameSpotMs: 500,
  /** Within this time a second tap is the other half of a double tap. */
  doubleTapMs: 800,
  /** Within this time a second press fires the course. */
  fireAgainMs: 3_000,
  /** The button offers undo for this long, and Recall for `undoKeptMs`. */
  undoButtonMs: 15_000,
  undoKeptMs: 30 * 60_000,
  /** The key that takes back opens Recall only when it was not pressed for this long: presses in a row are one wish. */
  undoRunMs: 1_000,
  /** A touch without an end event counts as ended after this. */
  longestTouchMs: 5_000,
} as const

/** A ticket in its place. A hole keeps the place of one that has just left. */
export interface ShownOrder {
  readonly order: BoardOrder
  readonly isHole: boolean
}

/** Ids by page, as drawn by the view; a ticket that is split over pages is on several. */
export type DrawnPages = readonly (readonly string[])[]

export interface BoardState {
  readonly shown: readonly ShownOrder[]
  readonly pages: DrawnPages
  readonly page: number
  readonly selected: string | null
  /** When the selection moved to an order by itself, which the person may not have seen yet; null: a person selected it. */
  readonly movedAtMs: number | null
  /** Until when nothing is selected because another screen took the selected order; null: none did. */
  readonly lostUntilMs: number | null
  /** Since when a finger or a key is down; null: none is. */
  readonly downSinceMs: number | null
  /** Until when freed places stay. */
  readonly quietUntilMs: number
  /** Since when places or orders wait for the finger to lift or for the quiet time to end; null: none does. */
  readonly behindSinceMs: number | null
}

export const EMPTY_BOARD: BoardState = {
  shown: [],
  pages: [],
  page: 0,
  selected: null,
  movedAtMs: null,
  lostUntilMs: null,
  downSinceMs: null,
  quietUntilMs: 0,
  behindSinceMs: null,
}

export interface OpenOrders {
  /** In the order in which the screen shows them. */
  open: readonly BoardOrder[]
  /** Orders with unanswered actions of this screen: their effect is shown at once. */
  own: ReadonlySet<string>
  /** Of these, orders that leave the board, or come back, by those actions. */
  left: ReadonlySet<string>
  nowMs: number
}

/** Brings the places up to date, as far as nothing moves under a finger, and then the selection. */
export function settle(before: BoardState, { open, own, left, nowMs }: OpenOrders): BoardState {
  const ids = new Set(open.map(({ orderId }) => orderId))
  const isDown = isHeldDown(before, nowMs)
  const leaves = before.shown.some(
    ({ order, isHole }) => !isHole && !ids.has(order.orderId) && !(isDown && !own.has(order.orderId)),
  )
  const quietUntilMs = leaves ? Math.max(before.quietUntilMs, nowMs + BOARD_TIMES.quietMs) : before.quietUntilMs
  const isKept = isDown || nowMs < quietUntilMs
  const isWaitOver = nowMs - (before.behindSinceMs ?? nowMs) >= BOARD_TIMES.longestWaitMs
  const next = isKept ? keptPlaces(before.shown, { open, own, isDown, isWaitOver }) : open.map(ticketOf)
  const shown = sameOrNew(before.shown, next)
  const behindSinceMs = isKept && !isAsOpen(shown, open) ? (before.behindSinceMs ?? nowMs) : null
  return selectionOf({ ...before, shown, quietUntilMs, behindSinceMs }, { left, nowMs })
}

/** A finger or key goes down: nothing moves until it is lifted and the quiet time after it is over. */
export function touchBegan(before: BoardState, nowMs: number): BoardState {
  return { ...before, downSinceMs: nowMs, quietUntilMs: nowMs + BOARD_TIMES.quietMs }
}

export function touchEnded(before: BoardState, nowMs: number): BoardState {
  return { ...before, downSinceMs: null, quietUntilMs: nowMs + BOARD_TIMES.quietMs }
}

/** What the view has drawn. The page stays as far as there is one of its number. */
export function drawn(before: BoardState, pages: DrawnPages): BoardState {
  return { ...before, pages, page: clamped(before.page, pages.length) }
}

/** @returns the same when the order is not on the board */
export function select(before: BoardState, orderId: string): BoardState {
  return standing(before, orderId) ? { ...before, selected: orderId, movedAtMs: null, lostUntilMs: null } : before
}

/** Turns to the page of the order and selects it. */
export function goTo(before: BoardState, orderId: string): BoardState {
  const chosen = select(before, orderId)
  if (chosen === before || (before.pages[before.page] ?? []).includes(orderId)) return chosen
  const page = before.pages.findIndex((ids) => ids.includes(orderId))
  return page < 0 ? chosen : { ...chosen, page }
}

/** Selects the first ticket of the page that it turns to: what Enter bumps is in sight. */
export function turnPage(before: BoardState, by: number): BoardState {
  const page = clamped(before.page + by, before.pages.length)
  if (page === before.page) return before
  const turned = { ...before, page, movedAtMs: null, lostUntilMs: null }
  return { ...turned, selected: firstOnPage(turned) }
}

/** The n-th ticket of the page as it is drawn, from 1. @returns null when there is none, or it has left */
export function nthOnPage({ pages, page, shown }: BoardState, n: number): string | null {
  const ids = pages[page] ?? shown.map(({ order }) => order.orderId)
  return standing({ shown }, ids[n - 1] ?? '')?.orderId ?? null
}

/** Moves the selection by so many tickets, to their page, past places that are free. */
export function moveSelection(before: BoardState, by: 1 | -1): BoardState {
  const tickets = before.shown.filter(({ isHole, order }) => !isHole || order.orderId === before.selected)
  const at = tickets.findIndex(({ order }) => order.orderId === before.selected)
  const next = at < 0 ? firstOnPage(before) : tickets[clamped(at + by, tickets.length)]?.order.orderId
  return next === undefined || next === null ? before : goTo(before, next)
}

/** The order on the visible page that Enter would bump; null: none is selected, or it is not in sight. */
export function selectedInSight(state: BoardState): BoardOrder | null {
  const { selected, pages, page } = state
  if (selected === null) return null
  const ids = pages[page]
  return ids !== undefined && !ids.includes(selected) ? null : standing(state, selected)
}

/** The selection was not made by a person, and a moment ago it was another order or none. */
export function isJustMoved({ movedAtMs }: BoardState, nowMs: number): boolean {
  return movedAtMs !== null && nowMs - movedAtMs < BOARD_TIMES.sameSpotMs
}

/** When the board must be settled again though nothing has come; null: not by time. */
export function wakeAtMs(
  { lostUntilMs, downSinceMs, quietUntilMs, behindSinceMs }: BoardState,
  nowMs: number,
): number | null {
  const times = [
    lostUntilMs,
    downSinceMs === null ? null : downSinceMs + BOARD_TIMES.longestTouchMs,
    behindSinceMs === null ? null : quietUntilMs,
  ].filter((ms): ms is number => ms !== null && ms > nowMs)
  return times.length === 0 ? null : Math.min(...times)
}

function isHeldDown({ downSinceMs }: BoardState, nowMs: number): boolean {
  return downSinceMs !== null && nowMs - downSinceMs < BOARD_TIMES.longestTouchMs
}

/** The order on the board; null: it is not on the board, or only its empty place is. */
export function standing({ shown }: Pick<BoardState, 'shown'>, orderId: string): BoardOrder | null {
  return shown.find(({ order, isHole }) => !isHole && order.orderId === orderId)?.order ?? null
}

/** Every ticket keeps its place; a new one is placed behind all of them, if it belongs there or has waited too long. */
function keptPlaces(
  shown: readonly ShownOrder[],
  { open, own, isDown, isWaitOver }: Pick<OpenOrders, 'open' | 'own'> & { isDown: boolean; isWaitOver: boolean },
): ShownOrder[] {
  const orders = new Map(open.map((order) => [order.orderId, order]))
  const kept = shown.map((ticket) => {
    const { orderId } = ticket.order
    // A touched ticket does not change: another line would move what is below it.
    if (isDown && !own.has(orderId)) return ticket
    const order = orders.get(orderId)
    return order ? ticketOf(order) : holeOf(ticket)
  })
  if (isDown) return kept
  const known = new Set(shown.map(({ order }) => order.orderId))
  const isNew = ({ orderId }: BoardOrder): boolean => !known.has(orderId)
  let first = open.length
  while (first > 0 && open.slice(first - 1, first).every(isNew)) first--
  return [...kept, ...open.filter((order, index) => isNew(order) && (isWaitOver || index >= first)).map(ticketOf)]
}

function selectionOf(state: BoardState, { left, nowMs }: Pick<OpenOrders, 'left' | 'nowMs'>): BoardState {
  const { selected, shown, lostUntilMs } = state
  if (selected !== null) {
    if (standing(state, selected)) return state
    // Bumped here: the next one is selected. By another screen: none, so that the next Enter does not act on another order.
    if (left.has(selected))
      return { ...state, selected: neighbour(shown, selected) ?? firstOnPage(state), movedAtMs: nowMs }
    return { ...state, selected: null, lostUntilMs: nowMs + BOARD_TIMES.lostMs }
  }
  if (lostUntilMs !== null && nowMs < lostUntilMs) return state
  const first = firstOnPage(state)
  if (first === null && lostUntilMs === null) return state
  return { ...state, selected: first, movedAtMs: nowMs, lostUntilMs: null }
}

/** The ticket behind a place, or else the one before it. */
function neighbour(shown: readonly ShownOrder[], orderId: string): string | null {
  const at = shown.findIndex(({ order }) => order.orderId === orderId)
  if (at < 0) return null
  const isTicket = ({ isHole }: ShownOrder): boolean => !isHole
  return (shown.slice(at + 1).find(isTicket) ?? shown.slice(0, at).reverse().find(isTicket))?.order.orderId ?? null
}

function firstOnPage({ pages, page, shown }: BoardState): string | null {
  const tickets = new Set(shown.flatMap(({ order, isHole }) => (isHole ? [] : [order.orderId])))
  const [first = null] = tickets
  return pages[page]?.find((id) => tickets.has(id)) ?? first
}

// Caches of values that never change. Not state: nothing can be observed but that the same order is the same object.
const TICKETS = new WeakMap<BoardOrder, ShownOrder>()
const HOLES = new WeakMap<BoardOrder, ShownOrder>()

/** The same object for the same order, so that a view draws only what changed. */
function ticketOf(order: BoardOrder): ShownOrder {
  const known = TICKETS.get(order) ?? { order, isHole: false }
  TICKETS.set(order, known)
  return known
}

function holeOf({ order }: ShownOrder): ShownOrder {
  const known = HOLES.get(order) ?? { order, isHole: true }
  HOLES.set(order, known)
  return known
}

/** @returns `before` when it holds the same things in the same order, so that what is drawn of it stays */
export function sameOrNew<L extends readonly unknown[]>(before: L, next: L): L {
  return before.length === next.length && before.every((one, index) => one === next[index]) ? before : next
}

function isAsOpen(shown: readonly ShownOrder[], open: readonly BoardOrder[]): boolean {
  return shown.length === open.length && shown.every(({ order, isHole }, index) => !isHole && order === open[index])
}

function clamped(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}
