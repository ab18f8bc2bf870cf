// Which screens are connected, what each has drawn, and what somebody reacted to there. In memory: after a restart every page reports again within five seconds.
import type { Clock } from '#shared/clock.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'

interface Screen {
  /** Null: no report from its page yet. */
  heardAtMs: number | null
  /** Live feeds that are open to it, and since when there is none. */
  feeds: number
  withoutFeedSinceMs: number
  /** Since when it has drawn nothing of what it was sent; null: it draws. */
  stuckSinceMs: number | null
  onShift: boolean
  drawn: Set<string>
  noticed: Set<string>
}

/** Orders remembered for a screen: more than a board holds. */
const MOST_ORDERS = 2_000

export class Presence {
  readonly #clock: Clock
  readonly #screens = new Map<string, Screen>()
  readonly #boards = new Map<string, number>()
  #beganAtMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** From now on silence counts. */
  begin(): void {
    this.#beganAtMs = this.#clock.monotonicMs()
  }

  heard(displayId: string, onShift: boolean): void {
    const screen = this.#screen(displayId)
    screen.heardAtMs = this.#clock.monotonicMs()
    screen.onShift = onShift
  }

  hasDrawn(displayId: string, orderId: string): boolean {
    return this.#screens.get(displayId)?.drawn.has(orderId) ?? false
  }

  drawn(displayId: string, orderIds: readonly string[]): void {
    remember(this.#screen(displayId).drawn, orderIds)
  }

  hasNoticed(displayId: string, orderId: string): boolean {
    return this.#screens.get(displayId)?.noticed.has(orderId) ?? false
  }

  /** Somebody touched the screen while it showed these. */
  noticed(displayId: string, orderIds: readonly string[]): void {
    remember(this.#screen(displayId).noticed, orderIds)
  }

  /** The time of the board that it shows, by the page's report; epoch ms. Null: not reported since the start. */
  boardAtMs(displayId: string): number | null {
    return this.#boards.get(displayId) ?? null
  }

  drewBoard(displayId: string, atMs: number): void {
    this.#boards.set(displayId, atMs)
  }

  /** How long ago its last report came, or it stopped showing anything new; null: no report since the start. */
  heardAgoMs(displayId: string): number | null {
    const screen = this.#screens.get(displayId)
    if (screen === undefined || screen.heardAtMs === null) return null
    const lastMs = this.isStuck(displayId) ? (stuckSinceMs(screen) ?? screen.heardAtMs) : screen.heardAtMs
    return this.#clock.monotonicMs() - lastMs
  }

  isAlive(displayId: string): boolean {
    const isHeard = (this.#screens.get(displayId)?.heardAtMs ?? null) !== null
    return isHeard && !this.isSilent(displayId)
  }

  /** A page has the live feed of this display open, until the returned function is called. */
  attach(displayId: string): () => void {
    const screen = this.#screen(displayId)
    screen.feeds++
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      screen.feeds--
      screen.withoutFeedSinceMs = this.#clock.monotonicMs()
    }
  }

  /** Its page gets what comes. */
  isFed(displayId: string): boolean {
    return (this.#screens.get(displayId)?.feeds ?? 0) > 0
  }

  /** @param sinceMs since when it has drawn nothing of what it was sent, monotonic; null: it draws */
  drawsNothing(displayId: string, sinceMs: number | null): void {
    const screen = this.#screens.get(displayId)
    if (screen) screen.stuckSinceMs = sinceMs
  }

  /** It shows nothing new: it sends no reports, or reports that it gets or draws nothing new. */
  isSilent(displayId: string): boolean {
    return this.#isMute(displayId) || this.isStuck(displayId)
  }

  /** It sends reports, but it has had no live feed, or has drawn nothing of what it was sent, for longer than allowed. */
  isStuck(displayId: string): boolean {
    const screen = this.#screens.get(displayId)
    if (!screen || screen.heardAtMs === null || this.#isMute(displayId)) return false
    const sinceMs = stuckSinceMs(screen)
    return sinceMs !== null && this.#clock.monotonicMs() - sinceMs >= KITCHEN_TIMES.silentAfterMs
  }

  /** No report for longer than allowed; a start of the program counts as a report. */
  #isMute(displayId: string): boolean {
    const heardAtMs = Math.max(this.#beganAtMs, this.#screens.get(displayId)?.heardAtMs ?? 0)
    return this.#clock.monotonicMs() - heardAtMs >= KITCHEN_TIMES.silentAfterMs
  }

  isOnShift(displayId: string): boolean {
    return this.#screens.get(displayId)?.onShift ?? false
  }

  #screen(displayId: string): Screen {
    const known = this.#screens.get(displayId)
    if (known) return known
    const screen = {
      ...{ heardAtMs: null, feeds: 0, withoutFeedSinceMs: this.#clock.monotonicMs(), stuckSinceMs: null },
      ...{ onShift: false, drawn: new Set<string>(), noticed: new Set<string>() },
    }
    this.#screens.set(displayId, screen)
    return screen
  }
}

function stuckSinceMs(screen: Screen): number | null {
  return screen.feeds === 0 ? screen.withoutFeedSinceMs : screen.stuckSinceMs
}

function remember(known: Set<string>, orderIds: readonly string[]): void {
  for (const orderId of orderIds) known.add(orderId)
  for (const oldest of known) {
    if (known.size <= MOST_ORDERS) break
    known.delete(oldest)
  }
}
