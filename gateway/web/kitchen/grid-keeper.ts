// Updates the state of the grid after each change, and when a quiet time ends.
import type { Cancel, Clock } from '#shared/clock.ts'
import type { ActKind, BoardOrder, KitchenAct } from '#shared/wire/kitchen.ts'
import { type BoardState, EMPTY_BOARD, isJustMoved, settle, wakeAtMs } from './board-model.ts'

export interface GridKeeperLinks {
  clock: Clock
  /** In the order in which the display shows them. */
  open: () => readonly BoardOrder[]
  /** Actions of this display that are not on the board yet. */
  taps: () => readonly KitchenAct[]
  changed: (state: BoardState) => void
}

/** Actions by which an order leaves, or returns to, the grid of the display that sends them. */
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

  /** True if the selection moved automatically a moment ago. */
  get isJustMoved(): boolean {
    return isJustMoved(this.#state, this.#links.clock.monotonicMs())
  }

  /** @param change of the state, before the board is settled; default: only the orders have changed */
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
