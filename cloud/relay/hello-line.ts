// The queue of hellos: few are processed at once, in order of arrival. Of each gateway only the newest waits, none of an ended
// connection is processed, and a gateway that would wait too long is told when to come back
// (docs/decisions/0071-admission-of-reconnect-storms.md).
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import { CAP_WAIT, type MessageOf, type UpMessage } from '#shared/wire/gateway-link.ts'
import { HelloBookings } from './hello-bookings.ts'

export interface ArrivedHello {
  gatewayId: GatewayId
  hello: MessageOf<UpMessage, 'hello'>
  /** Relay's wall clock when it arrived. */
  receivedMs: number
}

/** A hello that is worked on. */
export interface Turn extends ArrivedHello {
  /** Its connection has ended meanwhile: send no welcome. */
  readonly isOver: boolean
}

export interface HelloLineDeps {
  /** Answers one hello. Never rejects. */
  work(turn: Turn): Promise<void>
  /** Sends the gateway `wait`: hello again after `forMs`. */
  tell(arrival: ArrivedHello, forMs: number): void
  clock: Clock
}

/** Each is a unit of the database or a few reads: more at once would only make orders wait behind them. They share a COMMIT. */
export const AT_ONCE = 16
/** Older gateways do not support `wait` and disconnect after 5 s: process more at once, so that other messages do not delay them. */
export const AT_ONCE_OLDER = 256
/** A gateway whose turn is further away gets `wait` at once. */
const PROMPT_MS = 2_000
/** A gateway still unanswered after this gets `wait` then. */
const LATE_MS = 4_000
const LOOK_EVERY_MS = 500
/** A gateway that sends hello too early gets `wait` at most this often. */
const TELL_AT_MOST_EVERY_MS = 500

/** The queue of gateways with the capability `wait`, or of those without. */
interface Lane {
  readonly waiting: Map<GatewayId, Entry>
  working: number
  readonly atOnce: number
}

interface Entry extends Turn {
  readonly lane: Lane
  atMs: number
  isOver: boolean
  settled: Promise<void>
  settle(): void
}

export class HelloLine {
  readonly #deps: HelloLineDeps
  readonly #bookings = new HelloBookings()
  readonly #lane: Lane = { waiting: new Map(), working: 0, atOnce: AT_ONCE }
  readonly #older: Lane = { waiting: new Map(), working: 0, atOnce: AT_ONCE_OLDER }
  readonly #working = new Map<GatewayId, Entry>()
  /** The last `wait` of each gateway, and its connection. */
  readonly #told = new Map<GatewayId, { epoch: number; atMs: number }>()
  #cancelLooking: Cancel | null = null

  constructor(deps: HelloLineDeps) {
    this.#deps = deps
  }

  /** The current state of the queue, for logs and tests. */
  get figures(): { waiting: number; working: number; told: number; eachMs: number } {
    const { told, eachMs } = this.#bookings
    return { waiting: this.#waiting, working: this.#working.size, told, eachMs }
  }

  get #waiting(): number {
    return this.#lane.waiting.size + this.#older.waiting.size
  }

  /** Resolves when it was worked on, or will not be. */
  take(arrival: ArrivedHello): Promise<void> {
    const { gatewayId } = arrival
    const before = this.#waitingOf(gatewayId)
    const now = this.#deps.clock.monotonicMs()
    if (!before && this.#sendAwayIfFar(arrival, now)) return Promise.resolve()
    const lane = canBeTold(arrival) ? this.#lane : this.#older
    const entry = entryOf(arrival, { lane, atMs: before?.atMs ?? now })
    if (before && before.lane !== lane) before.lane.waiting.delete(gatewayId)
    // In the place of the one before it, which is no longer answered.
    lane.waiting.set(gatewayId, entry)
    before?.settle()
    this.#bookings.forget(gatewayId)
    this.#next()
    this.#cancelLooking ??= this.#deps.clock.every(LOOK_EVERY_MS, () => this.#sendAwayLate())
    return entry.settled
  }

  /** The connection ended. @param epoch its own; null: whichever the gateway had */
  left(gatewayId: GatewayId, epoch: number | null): void {
    const isOf = (entry: Entry | undefined): entry is Entry =>
      entry !== undefined && (epoch === null || entry.hello.e === epoch)
    const working = this.#working.get(gatewayId)
    if (isOf(working)) working.isOver = true
    const waiting = this.#waitingOf(gatewayId)
    if (isOf(waiting)) this.#leaves(waiting)
    if (epoch !== null) return
    this.#bookings.forget(gatewayId)
    this.#told.delete(gatewayId)
  }

  /** Another relay is to answer these gateways. Resolves when none of their hellos is worked on any more. */
  async letGo(isGone: (gatewayId: GatewayId) => boolean): Promise<void> {
    const ofTheirs = ({ gatewayId }: Entry): boolean => isGone(gatewayId)
    for (const { waiting } of [this.#lane, this.#older])
      for (const entry of [...waiting.values()].filter(ofTheirs)) this.#leaves(entry)
    const working = [...this.#working.values()].filter(ofTheirs)
    for (const entry of working) entry.isOver = true
    await Promise.all(working.map(({ settled }) => settled))
  }

  /** Nothing that waits is worked on any more. */
  stop(): void {
    for (const { waiting } of [this.#lane, this.#older]) for (const entry of [...waiting.values()]) this.#leaves(entry)
    for (const entry of this.#working.values()) entry.isOver = true
    this.#cancelLooking?.()
    this.#cancelLooking = null
  }

  #waitingOf(gatewayId: GatewayId): Entry | undefined {
    return this.#lane.waiting.get(gatewayId) ?? this.#older.waiting.get(gatewayId)
  }

  /** Whether its turn is too far away. If so, `wait` was sent. */
  #sendAwayIfFar(arrival: ArrivedHello, now: number): boolean {
    const { gatewayId } = arrival
    if (!canBeTold(arrival)) return false
    const due = this.#bookings.dueMs(gatewayId)
    const ahead = this.#waiting
    const isTooEarly = due !== null && due - now > PROMPT_MS
    const startsMs = due === null ? this.#bookings.bookedMs(ahead, now) - now : this.#bookings.expectedMs(ahead, now)
    // A gateway that returns on time is sent away again only if it would time out.
    if (!isTooEarly && startsMs <= (due === null ? PROMPT_MS : LATE_MS)) return false
    if (!isTooEarly) this.#bookings.book(gatewayId, ahead, now)
    this.#tell(arrival, now)
    return true
  }

  #tell(arrival: ArrivedHello, now: number): void {
    const { gatewayId, hello } = arrival
    const before = this.#told.get(gatewayId)
    if (before && before.epoch === hello.e && now - before.atMs < TELL_AT_MOST_EVERY_MS) return
    this.#told.set(gatewayId, { epoch: hello.e, atMs: now })
    this.#deps.tell(arrival, this.#bookings.waitMs(gatewayId, now))
  }

  #next(): void {
    for (const lane of [this.#lane, this.#older])
      for (const entry of lane.waiting.values()) {
        if (lane.working >= lane.atOnce) break
        // The one before it is still being worked on.
        if (this.#working.has(entry.gatewayId)) continue
        lane.waiting.delete(entry.gatewayId)
        lane.working++
        this.#working.set(entry.gatewayId, entry)
        this.#told.delete(entry.gatewayId)
        this.#bookings.began(this.#deps.clock.monotonicMs())
        void this.#deps.work(entry).finally(() => this.#done(entry))
      }
  }

  #done(entry: Entry): void {
    this.#working.delete(entry.gatewayId)
    entry.lane.working--
    // It may have got `wait` meanwhile: it was answered all the same.
    if (!entry.isOver) this.#bookings.forget(entry.gatewayId)
    entry.settle()
    const left = { waiting: this.#waiting, working: this.#working.size }
    this.#bookings.done(this.#deps.clock.monotonicMs(), left)
    this.#next()
  }

  #leaves(entry: Entry): void {
    entry.lane.waiting.delete(entry.gatewayId)
    entry.isOver = true
    entry.settle()
  }

  /** The database has become slower than was thought: a gateway that would time out before its turn gets `wait` now. */
  #sendAwayLate(): void {
    if (this.#waiting + this.#working.size === 0) {
      this.#cancelLooking?.()
      this.#cancelLooking = null
      return
    }
    const now = this.#deps.clock.monotonicMs()
    this.#bookings.prune(now)
    const isLate = (entry: Entry, inMs: number): boolean => canBeTold(entry) && now - entry.atMs + inMs > LATE_MS
    let ahead = this.#older.waiting.size
    for (const entry of [...this.#lane.waiting.values()]) {
      if (!isLate(entry, this.#bookings.expectedMs(ahead, now))) {
        ahead++
        continue
      }
      this.#leaves(entry)
      this.#bookings.book(entry.gatewayId, ahead, now)
      this.#tell(entry, now)
    }
    // One that is worked on for so long: its welcome may still come before it asks again.
    for (const entry of this.#working.values()) {
      if (entry.isOver || !isLate(entry, 0) || this.#bookings.dueMs(entry.gatewayId) !== null) continue
      this.#bookings.book(entry.gatewayId, this.#waiting, now)
      this.#tell(entry, now)
    }
  }
}

function canBeTold({ hello }: ArrivedHello): boolean {
  return hello.caps.includes(CAP_WAIT)
}

function entryOf(arrival: ArrivedHello, { lane, atMs }: { lane: Lane; atMs: number }): Entry {
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>()
  return { ...arrival, lane, atMs, isOver: false, settled, settle }
}
