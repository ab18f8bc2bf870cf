// Which screens are alive, what each has drawn, and what somebody noticed there. In memory: a restart asks every page anew, within five seconds.
import type { Clock } from '#shared/clock.ts'
import { KITCHEN_TIMES } from '#shared/wire/kitchen-acts.ts'

interface Screen {
  heardAtMs: number
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

  /** Of which moment the board is that stands drawn there, as the page says; epoch ms. Null: it has not said so since the start. */
  boardAtMs(displayId: string): number | null {
    return this.#boards.get(displayId) ?? null
  }

  drewBoard(displayId: string, atMs: number): void {
    this.#boards.set(displayId, atMs)
  }

  /** How long ago it said its last word; null: it has said nothing since the start. */
  heardAgoMs(displayId: string): number | null {
    const screen = this.#screens.get(displayId)
    return screen === undefined || screen.heardAtMs === 0 ? null : this.#clock.monotonicMs() - screen.heardAtMs
  }

  isAlive(displayId: string): boolean {
    return this.#screens.has(displayId) && !this.isSilent(displayId)
  }

  /** It has said nothing for longer than a screen may; a start of the program counts as a word. */
  isSilent(displayId: string): boolean {
    const heardAtMs = Math.max(this.#beganAtMs, this.#screens.get(displayId)?.heardAtMs ?? 0)
    return this.#clock.monotonicMs() - heardAtMs >= KITCHEN_TIMES.silentAfterMs
  }

  isOnShift(displayId: string): boolean {
    return this.#screens.get(displayId)?.onShift ?? false
  }

  #screen(displayId: string): Screen {
    const known = this.#screens.get(displayId)
    if (known) return known
    const screen = { heardAtMs: 0, onShift: false, drawn: new Set<string>(), noticed: new Set<string>() }
    this.#screens.set(displayId, screen)
    return screen
  }
}

function remember(known: Set<string>, orderIds: readonly string[]): void {
  for (const orderId of orderIds) known.add(orderId)
  for (const oldest of known) {
    if (known.size <= MOST_ORDERS) break
    known.delete(oldest)
  }
}
