// When gateways that the relay cannot answer in time are to come back: one after the other, as fast as hellos have been worked off so far.
import type { GatewayId } from '#shared/ids.ts'
import { LINK_LIMITS } from '#shared/wire/gateway-link.ts'

/** What a hello is taken to cost before any was measured. */
const FIRST_EACH_MS = 2
/** Weight of the newest measurement. */
const NEWEST = 1 / 16
/** No gateway is sent away for less. */
const LEAST_MS = 250
/** A gateway this late has lost its connection without notice. */
const LOST_AFTER_MS = 15_000

/** All instants are monotonic. */
export class HelloBookings {
  /** Measured while others waited: how much later each hello was done than the one before it. */
  #eachMs = FIRST_EACH_MS
  /** When the last one was done, or the first of a new storm was begun; null: nothing is worked on. */
  #sinceMs: number | null = null
  /** Until then the time is given away. */
  #bookedMs = 0
  /** When each gateway that was sent away is due. */
  readonly #due = new Map<GatewayId, number>()

  get eachMs(): number {
    return this.#eachMs
  }

  /** Number of gateways that got `wait` and have not come back. */
  get told(): number {
    return this.#due.size
  }

  /** Work on a hello begins. */
  began(nowMs: number): void {
    this.#sinceMs ??= nowMs
  }

  /** One hello was worked off. @param left what waits and what is worked on now */
  done(nowMs: number, left: { waiting: number; working: number }): void {
    // For one that no other waited behind, the time is how long it took, not how many could have been processed.
    if (left.waiting > 0 && this.#sinceMs !== null) this.#eachMs += (nowMs - this.#sinceMs - this.#eachMs) * NEWEST
    this.#sinceMs = left.working + left.waiting > 0 ? nowMs : null
  }

  /** Milliseconds until a hello with `ahead` others before it will be done. A stalled queue is expected to stall for as long again. */
  expectedMs(ahead: number, nowMs: number): number {
    return (ahead + 1) * this.#eachMs + (this.#sinceMs === null ? 0 : nowMs - this.#sinceMs)
  }

  /** Until when all time is assigned to those that wait and those that will come back. */
  bookedMs(waiting: number, nowMs: number): number {
    // Some of those with an appointment have disconnected since.
    const needed = nowMs + this.expectedMs(waiting + this.#due.size, nowMs)
    return this.#due.size === 0 ? needed : Math.min(Math.max(this.#bookedMs, nowMs), needed)
  }

  /** When a gateway that got `wait` is due to come back; null: it has no appointment. */
  dueMs(gatewayId: GatewayId): number | null {
    return this.#due.get(gatewayId) ?? null
  }

  /** Assigns it a time after those that wait and those with an appointment. @returns milliseconds until then */
  book(gatewayId: GatewayId, waiting: number, nowMs: number): number {
    this.#bookedMs = this.bookedMs(waiting, nowMs) + this.#eachMs
    this.#due.set(gatewayId, this.#bookedMs)
    return this.waitMs(gatewayId, nowMs)
  }

  /** Milliseconds that a gateway with an appointment must still wait, as `wait` can carry them. */
  waitMs(gatewayId: GatewayId, nowMs: number): number {
    const inMs = (this.#due.get(gatewayId) ?? nowMs) - nowMs
    const most = LINK_LIMITS.waitMostMs
    // `wait` carries at most 60 s; a gateway due later gets 30-60 s and asks again.
    return Math.round(inMs <= most ? Math.max(LEAST_MS, inMs) : most / 2 + (inMs % (most / 2)))
  }

  /** It is in the line, or has left. */
  forget(gatewayId: GatewayId): void {
    this.#due.delete(gatewayId)
  }

  /** Forgets those that will not come back. */
  prune(nowMs: number): void {
    for (const [gatewayId, dueMs] of this.#due) if (nowMs - dueMs > LOST_AFTER_MS) this.#due.delete(gatewayId)
  }
}
