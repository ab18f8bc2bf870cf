// Keeps the places of the grid up to date: after each change, and when a quiet time ends.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { ActKind, BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { type BoardState, EMPTY_BOARD, isJustMoved, settle, wakeAtMs } from './board-model.ts'

export interface GridKeeperLinks {
  clock: Clock
  /** In the order in which the screen shows them. */
  open: () => readonly BoardOrder[]
  /** Acts of this screen that the board does not know yet. */
  taps: () => readonly KitchenAct[]
  changed: (state: BoardState) => void
}

/** Acts by which an order leaves the grid of the screen that does them, or comes back. */
const LEAVING: ReadonlySet<ActKind> = new Set(['ready', 'pick-up', 'void-seen', 'start-now', 'recall', 'unstrike'])

export class GridKeeper {
  readonly #links: GridKeeperLinks
  #state: BoardState = EMPTY_BOARD
  #cancelWake: Cancel = () => undefined

  constructor(links: GridKeeperLinks) {
    this.#links = links
  }

  get state(): BoardState {
    return this.#state
  }

  /** Nobody has chosen what is selected, and a moment ago it was another order or none. */
  get isJustMoved(): boolean {
    return isJustMoved(this.#state, this.#links.clock.monotonicMs())
  }

  /** @param change of the state, before the board is settled; without: the orders have changed */
  move(change: (state: BoardState, nowMs: number) => BoardState = (state) => state): void {
    const { clock, open, taps, changed } = this.#links
    const nowMs = clock.monotonicMs()
    const acts = taps()
    this.#state = settle(change(this.#state, nowMs), {
      open: open(),
      own: idsOf(acts),
      left: idsOf(acts.filter(({ kind }) => LEAVING.has(kind))),
      nowMs,
    })
    this.#cancelWake()
    const wakeMs = wakeAtMs(this.#state, nowMs)
    this.#cancelWake = wakeMs === null ? () => undefined : clock.after(Math.ceil(wakeMs - nowMs), () => this.move())
    changed(this.#state)
  }
}

function idsOf(acts: readonly KitchenAct[]): Set<string> {
  return new Set(acts.map(({ orderId }) => orderId))
}
