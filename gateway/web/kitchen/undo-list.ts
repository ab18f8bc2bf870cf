// The last actions of this display that can be undone: at most ten, for half an hour, also after a reload of the page.
import { BOARD_TIMES } from './board-model.ts'
import { UNDO_KINDS, type Undo } from './snapshot-parts.ts'
import { storedList } from './stored-list.ts'

/** With what is needed to undo it. */
export interface UndoableAct extends Undo {
  stations: readonly string[] | null
  /** Only with `strike` and `unstrike`. */
  line?: number | undefined
}

const MOST = 10
const KEY = 'ticketrail.undos'
/** A smaller difference is network delay, not a change of the clock. */
const CLOCK_SET_MS = 2_000
/** Number of heartbeats in a row that must be behind before it counts as a change of the clock. */
const CLOCK_SET_BEATS = 3

export interface UndoStorage {
  remember: (key: string, value: string) => void
  remembered: (key: string) => string | null
}

export class UndoList {
  readonly #storage: UndoStorage
  /** Newest first. */
  #acts: readonly UndoableAct[]
  /** The maximum lead of the gateway's clock over this page's. A delayed message shows less. */
  #aheadMs: number | null = null
  /** The leads in the last heartbeats, while all of them were less. */
  #less: number[] = []

  constructor(storage: UndoStorage) {
    this.#storage = storage
    this.#acts = storedList(storage.remembered(KEY), isAct).slice(0, MOST)
  }

  get acts(): readonly UndoableAct[] {
    return this.#acts
  }

  add(act: UndoableAct): void {
    this.#keep([act, ...this.#acts].slice(0, MOST))
  }

  /** @returns the action, removed from the list; null: it is not in the list */
  take(id: string): UndoableAct | null {
    const act = this.#acts.find((one) => one.id === id) ?? null
    if (act) this.drop(({ id: other }) => other === id)
    return act
  }

  drop(isOver: (act: UndoableAct) => boolean): void {
    const acts = this.#acts.filter((act) => !isOver(act))
    if (acts.length < this.#acts.length) this.#keep(acts)
  }

  /** @param nowMs by the gateway's clock */
  dropOld(nowMs: number): void {
    this.drop(({ atMs }) => nowMs - atMs >= BOARD_TIMES.undoKeptMs)
  }

  /**
   * Handles a heartbeat with the gateway's time. If the gateway's clock was set back, the actions keep their age: otherwise the button
   * would offer one for hours. Not if it is ahead: a tablet that has slept sees the same.
   * @param aheadMs lead over this page's monotonic clock
   */
  heardBeat(aheadMs: number): void {
    const known = this.#aheadMs ?? aheadMs
    if (known - aheadMs < CLOCK_SET_MS) {
      this.#aheadMs = Math.max(known, aheadMs)
      this.#less = []
      return
    }
    this.#less.push(aheadMs)
    if (this.#less.length < CLOCK_SET_BEATS) return
    const held = Math.max(...this.#less)
    this.#aheadMs = held
    this.#less = []
    this.#keep(this.#acts.map((act) => ({ ...act, atMs: Math.round(act.atMs + held - known) })))
  }

  /** The action that the button offers. Null: none. */
  newest(nowMs: number): UndoableAct | null {
    const [first] = this.#acts
    return first && nowMs - first.atMs < BOARD_TIMES.undoButtonMs ? first : null
  }

  #keep(acts: readonly UndoableAct[]): void {
    this.#acts = acts
    this.#storage.remember(KEY, JSON.stringify(acts))
  }
}

function isAct(value: unknown): value is UndoableAct {
  if (typeof value !== 'object' || value === null) return false
  const { id, orderId, number, kind, atMs, stations } = value as Record<string, unknown>
  const isNamed = [id, orderId, number].every((text) => typeof text === 'string')
  const isOfStations = stations === null || Array.isArray(stations)
  return isNamed && isOfStations && typeof atMs === 'number' && UNDO_KINDS.some((known) => known === kind)
}
