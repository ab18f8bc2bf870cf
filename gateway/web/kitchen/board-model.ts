// The state of the grid of a display: places that stay, pages, the selection by order id. Pure; times are milliseconds of the page's monotonic clock.
import type { BoardOrder } from '#shared/wire/kitchen.ts'

export const BOARD_TIMES = {
  /** A free place stays for this long, counted from the last touch or key. */
  quietMs: 700,
  /** A new order waits at most this long for its sorted place; then it is placed behind all others. */
  longestWaitMs: 3_000,
  /** After another display took the selected order, nothing is selected for this long. */
  lostMs: 700,
  /** For this long after an action, a tap at the same place is ignored, and so is Enter on an order that no person selected. */
  sameSpotMs: 500,
  /** Within this time a second tap completes a double tap. */
  doubleTapMs: 800,
  /** Within this time a second press fires the course. */
  fireAgainMs: 3_000,
  /** How long the button offers undo. Recall offers it for `undoKeptMs`. */
  undoButtonMs: 15_000,
  undoKeptMs: 30 * 60_000,
  /** The undo key opens Recall only if it was not pressed for this long: presses in a row only undo. */
  undoRunMs: 1_000,
  /** A touch without an end event counts as ended after this time. */
  longestTouchMs: 5_000,
} as const

/** A ticket in its place. A hole keeps the place of a ticket that has just left. */
export interface ShownOrder {
  readonly order: BoardOrder
  readonly isHole: boolean
}

/** Ids by page, as rendered by the view. A split ticket may be on several pages. */
export type DrawnPages = readonly (readonly string[])[]

export interface BoardState {
  readonly shown: readonly ShownOrder[]
  readonly pages: DrawnPages
  readonly page: number
  readonly selected: string | null
  /** When the selection moved automatically, to an order that the person may not have seen yet. Null: a person selected it. */
  readonly movedAtMs: number | null
  /** Until when nothing is selected because another display took the selected order. Null: none did. */
  readonly lostUntilMs: number | null
  /** Since when a finger or a key is down. Null: none is. */
  readonly downSinceMs: number | null
  /** Until when free places stay. */
  readonly quietUntilMs: number
  /** Since when changes wait for the end of a touch or of the quiet time. Null: none do. */
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
  /** In the order in which the display shows them. */
  open: readonly BoardOrder[]
  /** Orders with unconfirmed actions of this display, which are shown at once. */
  own: ReadonlySet<string>
  /** Those of them that leave the board, or come back, by these actions. */
  left: ReadonlySet<string>
  nowMs: number
}

/** Updates the places as far as nothing moves under a finger, and then the selection. */
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

/** A finger or key goes down: nothing moves until it is lifted and the quiet time is over. */
export function touchBegan(before: BoardState, nowMs: number): BoardState {
  return { ...before, downSinceMs: nowMs, quietUntilMs: nowMs + BOARD_TIMES.quietMs }
}

export function touchEnded(before: BoardState, nowMs: number): BoardState {
  return { ...before, downSinceMs: null, quietUntilMs: nowMs + BOARD_TIMES.quietMs }
}

/** The view has rendered these pages. The current page stays if its number still exists. */
export function drawn(before: BoardState, pages: DrawnPages): BoardState {
  return { ...before, pages, page: clamped(before.page, pages.length) }
}

/** @returns the same state if the order is not on the board */
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

/** Turns by `by` pages and selects the first ticket, so that Enter acts on a visible order. */
export function turnPage(before: BoardState, by: number): BoardState {
  const page = clamped(before.page + by, before.pages.length)
  if (page === before.page) return before
  const turned = { ...before, page, movedAtMs: null, lostUntilMs: null }
  return { ...turned, selected: firstOnPage(turned) }
}

/** The n-th ticket of the page as shown, from 1. @returns null if there is none, or it has left */
export function nthOnPage({ pages, page, shown }: BoardState, n: number): string | null {
  const ids = pages[page] ?? shown.map(({ order }) => order.orderId)
  return standing({ shown }, ids[n - 1] ?? '')?.orderId ?? null
}

/** Moves the selection by `by` tickets, and to their page. Skips free places. */
export function moveSelection(before: BoardState, by: 1 | -1): BoardState {
  const tickets = before.shown.filter(({ isHole, order }) => !isHole || order.orderId === before.selected)
  const at = tickets.findIndex(({ order }) => order.orderId === before.selected)
  const next = at < 0 ? firstOnPage(before) : tickets[clamped(at + by, tickets.length)]?.order.orderId
  return next === undefined || next === null ? before : goTo(before, next)
}

/** The order on the visible page that Enter would bump. Null: none is selected, or it is not visible. */
export function selectedInSight(state: BoardState): BoardOrder | null {
  const { selected, pages, page } = state
  if (selected === null) return null
  const ids = pages[page]
  return ids !== undefined && !ids.includes(selected) ? null : standing(state, selected)
}

/** True if the selection moved automatically a moment ago. */
export function isJustMoved({ movedAtMs }: BoardState, nowMs: number): boolean {
  return movedAtMs !== null && nowMs - movedAtMs < BOARD_TIMES.sameSpotMs
}

/** When the board must be settled without another event. Null: not by time. */
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

/** The order on the board. Null: it is not on the board, or only its empty place is. */
export function standing({ shown }: Pick<BoardState, 'shown'>, orderId: string): BoardOrder | null {
  return shown.find(({ order, isHole }) => !isHole && order.orderId === orderId)?.order ?? null
}

/** Keeps every ticket's place. A new ticket is added at the end, if it belongs there or has waited too long. */
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
    // Bumped here: the next order is selected. By another display: none, so that the next Enter does not act on another order.
    if (left.has(selected))
      return { ...state, selected: neighbour(shown, selected) ?? firstOnPage(state), movedAtMs: nowMs }
    return { ...state, selected: null, lostUntilMs: nowMs + BOARD_TIMES.lostMs }
  }
  if (lostUntilMs !== null && nowMs < lostUntilMs) return state
  const first = firstOnPage(state)
  if (first === null && lostUntilMs === null) return state
  return { ...state, selected: first, movedAtMs: nowMs, lostUntilMs: null }
}

/** The ticket after a place, otherwise the one before it. */
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

// A cache of tickets by order.
const TICKETS = new WeakMap<BoardOrder, ShownOrder>()
const HOLES = new WeakMap<BoardOrder, ShownOrder>()

/** The same object for the same order, so that a view renders only changes. */
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

/** @returns `before` if it has the same elements in the same order, so that views do not render again */
export function sameOrNew<L extends readonly unknown[]>(before: L, next: L): L {
  return before.length === next.length && before.every((one, index) => one === next[index]) ? before : next
}

function isAsOpen(shown: readonly ShownOrder[], open: readonly BoardOrder[]): boolean {
  return shown.length === open.length && shown.every(({ order, isHole }, index) => !isHole && order === open[index])
}

function clamped(place: number, count: number): number {
  return Math.max(0, Math.min(place, count - 1))
}
