// The last acts of this screen that can be taken back: ten at most, for half an hour, also through a reload of the page.
import { BOARD_TIMES } from './board-model.ts'
import { UNDO_KINDS, type Undo } from './snapshot-parts.ts'
import { storedList } from './stored-list.ts'

/** With what is needed to take it back. */
export interface UndoableAct extends Undo {
  stations: readonly string[] | null
  /** Only with `strike` and `unstrike`. */
  line?: number | undefined
}

const MOST = 10
const KEY = 'ticketrail.undos'
/** Less is the way of a message, not a clock that was set. */
const CLOCK_SET_MS = 2_000
/** So many beats in a row behind what was known: that is no late message any more. */
const CLOCK_SET_BEATS = 3

export interface UndoStorage {
  remember: (key: string, value: string) => void
  remembered: (key: string) => string | null
}

export class UndoList {
  readonly #storage: UndoStorage
  /** Newest first. */
  #acts: readonly UndoableAct[]
  /** The most that the gateway's clock was ahead of this page's: a message that comes late says less. */
  #aheadMs: number | null = null
  /** What the last beats said, when they all said less. */
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

  /** @returns the act, which is no longer in the list; null: it is not there */
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
   * A beat has said what the gateway's clock says. Where it was set back, the acts stay as old as they are: else the button would offer one
   * for hours. Not where it is ahead: a tablet that has slept sees the same.
   * @param aheadMs of this page's own clock, which nobody sets
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

  /** What the button offers; null: nothing. */
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
