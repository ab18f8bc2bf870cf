// The budget of one gateway in messages and bytes a second. Messages that make progress are refunded, so that a gateway which comes back with
// thousands of results is read at full speed, and one that repeats the same messages is not.
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import type { Rates } from '#cloud/limits/token-bucket.ts'
import type { Clock } from '#shared/clock.ts'
import type { GatewayId } from '#shared/ids.ts'
import type { SampledLog } from '#shared/sampled-log.ts'

/** 100 a second on average, 600 at once: ten times the window of results. */
const MESSAGES: Rates = { steadyPerMinute: 6_000, burstPerMinute: 6_600 }
/** 256 kB a second on average, 4 MB at once: its whole window sixteen times. */
const BYTES: Rates = { steadyPerMinute: 15_728_640, burstPerMinute: 19_922_944 }
/** As many gateways as may connect, twice. */
const MOST_GATEWAYS = 50_000
/** A hello is a commit and everything that was handed out; a pause in its budget of so long ends a time of floods. */
const HELLO_COSTS = 20
const QUIET_MS = 10_000
/** After this long over budget the connection is closed; queued messages would delay its results. */
const FLOOD_MS = 60_000
/** A debt that would take so long to pay is the same. */
const DEBT_MS = 20_000
const HOLD_OFF_MS = 60_000

export interface Spent {
  messages: number
  bytes: number
}

/** When the gateway is read again; `closed`: not on this connection. */
export type Verdict = { waitMs: number } | 'closed'

interface Flood {
  sinceMs: number
  /** When its debt will be paid. */
  untilMs: number
}

export class GatewayBudget {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #lines: SampledLog
  readonly #messages: KeyedBuckets
  readonly #bytes: KeyedBuckets
  readonly #floods = new Map<GatewayId, Flood>()
  readonly #heldOff = new Map<GatewayId, number>()

  constructor({ clock, lines }: { clock: Pick<Clock, 'monotonicMs'>; lines: SampledLog }) {
    this.#clock = clock
    this.#lines = lines
    this.#messages = new KeyedBuckets({ clock, rates: MESSAGES, most: MOST_GATEWAYS })
    this.#bytes = new KeyedBuckets({ clock, rates: BYTES, most: MOST_GATEWAYS })
  }

  /** One packet has come, whatever it is. */
  spend(gatewayId: GatewayId, { messages, bytes }: Spent): void {
    this.#messages.charge(gatewayId, messages)
    this.#bytes.charge(gatewayId, bytes)
  }

  /** Refunds messages that made progress: a result that was recorded, an acknowledgement of more, an order that came back. The relay itself bounds how much there is of it. */
  giveBack(gatewayId: GatewayId, { messages, bytes }: Spent): void {
    this.spend(gatewayId, { messages: -messages, bytes: -bytes })
  }

  /** Counted in addition to the packet. */
  spendHello(gatewayId: GatewayId): void {
    this.spend(gatewayId, { messages: HELLO_COSTS - 1, bytes: 0 })
  }

  /** Milliseconds until it may send more; 0: now. */
  waitMs(gatewayId: GatewayId): number {
    return Math.max(this.#messages.charge(gatewayId, 0), this.#bytes.charge(gatewayId, 0))
  }

  /**
   * Ask before reading on. After `closed` the caller must close the connection and ask no more for it: the next call is about the gateway's
   * next connection.
   */
  mayRead(gatewayId: GatewayId): Verdict {
    const waitMs = this.waitMs(gatewayId)
    if (waitMs === 0) return { waitMs }
    const now = this.#clock.monotonicMs()
    const known = this.#floods.get(gatewayId)
    const flood = known && now - known.untilMs < QUIET_MS ? known : { sinceMs: now, untilMs: now }
    flood.untilMs = now + waitMs
    if (waitMs <= DEBT_MS && now - flood.sinceMs <= FLOOD_MS) {
      this.#floods.set(gatewayId, flood)
      this.#lines.warn(gatewayId, { gatewayId, waitMs }, 'gateway sends more than its budget: it is read more slowly')
      return { waitMs }
    }
    this.holdOff(gatewayId)
    return 'closed'
  }

  /** It may not sign in for a while. The caller must close its connection. */
  holdOff(gatewayId: GatewayId): void {
    this.#floods.delete(gatewayId)
    this.#heldOff.set(gatewayId, this.#clock.monotonicMs() + HOLD_OFF_MS)
    const detail = { gatewayId, holdOffMs: HOLD_OFF_MS }
    this.#lines.error(gatewayId, detail, 'gateway sends more than its budget without end: its connection is closed')
  }

  /** True while it may not sign in again. */
  isHeldOff(gatewayId: GatewayId): boolean {
    const untilMs = this.#heldOff.get(gatewayId)
    if (untilMs === undefined) return false
    if (this.#clock.monotonicMs() < untilMs) return true
    this.#heldOff.delete(gatewayId)
    return false
  }
}
