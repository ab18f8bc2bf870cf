// Decides how many concurrent attempts each endpoint may have, so that an unresponsive one never delays a healthy one. It sends nothing.
import type { ClaimedDelivery, ClaimRequest } from '#cloud/storage/delivery-claim.ts'
import type { WebhookId } from '#shared/ids.ts'

export interface LaneLimits {
  /** Maximum attempts in flight. */
  total: number
  /** Maximum attempts in flight per endpoint. */
  perEndpoint: number
  /** Deliveries that are claimed ahead for a healthy endpoint, so that one commit of a claim serves many. */
  ahead: number
  /** An endpoint whose oldest attempt has been in flight for longer counts as slow. */
  slowMs: number
  /** A claimed delivery that has waited for longer is given back. This plus the longest attempt must be shorter than the lease. */
  staleMs: number
}

/** Number of healthy and of failing endpoints that are remembered, the most recent ones. Others count as new. */
const REMEMBERED = 10_000

interface Lane {
  /** Claimed and not begun, in sending order. */
  waiting: { delivery: ClaimedDelivery; sinceMs: number }[]
  /** By ordinal. */
  inFlight: Map<number, { sinceMs: number; retry: boolean }>
}

/**
 * Three kinds of endpoint. Proven: its last attempt was answered with 2xx. It has `perEndpoint` places, or one while half of all places are
 * taken. New: not tried yet. It has one place. Failing: its last attempt failed, or one hangs now. It has one place, and all failing ones
 * together have half of all places. Retries use at most half of an endpoint's places. Times are monotonic milliseconds.
 */
export class DeliveryLanes {
  readonly #limits: LaneLimits
  /** Endpoints with claimed deliveries. */
  readonly #lanes = new Map<WebhookId, Lane>()
  /** Endpoints whose last attempt was answered with 2xx. */
  readonly #proven = new Set<WebhookId>()
  /** Endpoints whose last attempt failed. */
  readonly #failing = new Set<WebhookId>()
  /** Endpoints that claim retries first next time. */
  readonly #retriesFirst = new Set<WebhookId>()
  /** Endpoints that may have something to claim, the longest waiting first. */
  readonly #ready = new Set<WebhookId>()
  /** Endpoints whose deliveries are claimed elsewhere. */
  readonly #excluded = new Set<WebhookId>()
  #inFlight = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  /** The last attempt to the endpoint failed, possibly in an earlier process. */
  failing(endpointId: WebhookId): void {
    this.#remember(this.#failing, endpointId)
  }

  /** The endpoint may have something to claim. */
  ready(endpointId: WebhookId): void {
    if (!this.#excluded.has(endpointId)) this.#ready.add(endpointId)
  }

  /** It is a listener, whose deliveries the listener desk claims. The kind never changes, so it is checked once. */
  exclude(endpointId: WebhookId): void {
    this.#remember(this.#excluded, endpointId)
    this.#ready.delete(endpointId)
  }

  excludes(endpointId: WebhookId): boolean {
    return this.#excluded.has(endpointId)
  }

  /** What should be claimed now. Pass the result to `claimed`. */
  requests(nowMs: number): ClaimRequest[] {
    const room = this.#room(nowMs)
    const requests: ClaimRequest[] = []
    for (const endpointId of [...this.#ready]) {
      const lane = this.#lanes.get(endpointId)
      const inFlight = lane?.inFlight.size ?? 0
      const waiting = lane?.waiting.length ?? 0
      const { places, healthy } = this.#places(endpointId, nowMs, room.free)
      const now = Math.max(0, Math.min(places - inFlight - waiting, room.free, healthy ? room.free : room.sick))
      const ahead =
        healthy && this.#proven.has(endpointId) && inFlight + now > 0 ? Math.max(0, this.#limits.ahead - waiting) : 0
      if (now + ahead === 0) continue
      room.free -= now
      if (!healthy) room.sick -= now
      requests.push({ endpointId, limit: now + ahead, ...this.#retryShare(endpointId, places) })
      // Before the claim, so that an endpoint that becomes ready meanwhile is added again and not lost.
      this.#ready.delete(endpointId)
    }
    return requests
  }

  /** True while an endpoint waits for its turn. */
  get moreReady(): boolean {
    return this.#ready.size > 0
  }

  /** These were claimed for the requests and wait for a place. An endpoint that filled its request may have more. */
  claimed(requests: readonly ClaimRequest[], deliveries: readonly ClaimedDelivery[], nowMs: number): void {
    const counts = new Map<WebhookId, number>()
    for (const delivery of deliveries) {
      const { endpointId } = delivery
      counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1)
      const lane: Lane = this.#lanes.get(endpointId) ?? { waiting: [], inFlight: new Map() }
      this.#lanes.set(endpointId, lane)
      lane.waiting.push({ delivery, sinceMs: nowMs })
    }
    for (const { endpointId, limit } of requests)
      if ((counts.get(endpointId) ?? 0) >= limit) this.#ready.add(endpointId)
  }

  /** Removes the waiting deliveries that may be sent now, and those that waited too long and must be given back. */
  next(nowMs: number): { begun: ClaimedDelivery[]; stale: ClaimedDelivery[] } {
    const room = this.#room(nowMs)
    const begun: ClaimedDelivery[] = []
    const stale: ClaimedDelivery[] = []
    for (const [endpointId, lane] of [...this.#lanes]) {
      while (lane.waiting[0] && nowMs - lane.waiting[0].sinceMs > this.#limits.staleMs)
        stale.push(...lane.waiting.splice(0, 1).map(({ delivery }) => delivery))
      const { places, healthy } = this.#places(endpointId, nowMs, room.free)
      const count = Math.min(places - lane.inFlight.size, room.free, healthy ? room.free : room.sick)
      for (const { delivery } of lane.waiting.splice(0, Math.max(0, count))) {
        room.free -= 1
        if (!healthy) room.sick -= 1
        lane.inFlight.set(delivery.ordinal, { sinceMs: nowMs, retry: isRetry(delivery) })
        this.#inFlight += 1
        begun.push(delivery)
        // Moves the endpoint to the end: the next free place is for another one.
        this.#lanes.delete(endpointId)
        this.#lanes.set(endpointId, lane)
      }
      this.#forgetIdle(endpointId, lane)
    }
    return { begun, stale }
  }

  /** The attempt has ended and its place is free. No effect if it ended before. @param taken true if the receiver answered with 2xx */
  ended(endpointId: WebhookId, ordinal: number, taken: boolean): void {
    const lane = this.#lanes.get(endpointId)
    if (!lane?.inFlight.delete(ordinal)) return
    this.#inFlight -= 1
    const [is, isNot] = taken ? [this.#proven, this.#failing] : [this.#failing, this.#proven]
    this.#remember(is, endpointId)
    isNot.delete(endpointId)
    this.#forgetIdle(endpointId, lane)
  }

  /** Drops everything that waits. @returns what was claimed and not begun */
  abandon(): ClaimedDelivery[] {
    return [...this.#lanes.values()].flatMap((lane) => lane.waiting.splice(0).map(({ delivery }) => delivery))
  }

  /** Free places: of all, and for failing endpoints. */
  #room(nowMs: number): { free: number; sick: number } {
    let sick = Math.floor(this.#limits.total / 2)
    for (const [endpointId, lane] of this.#lanes) if (!this.#isHealthy(endpointId, nowMs)) sick -= lane.inFlight.size
    return { free: this.#limits.total - this.#inFlight, sick }
  }

  #places(endpointId: WebhookId, nowMs: number, free: number): { places: number; healthy: boolean } {
    const healthy = this.#isHealthy(endpointId, nowMs)
    const crowded = free <= this.#limits.total / 2
    return { places: this.#proven.has(endpointId) && healthy && !crowded ? this.#limits.perEndpoint : 1, healthy }
  }

  #isHealthy(endpointId: WebhookId, nowMs: number): boolean {
    if (this.#failing.has(endpointId)) return false
    for (const { sinceMs } of this.#lanes.get(endpointId)?.inFlight.values() ?? [])
      if (nowMs - sinceMs > this.#limits.slowMs) return false
    return true
  }

  #retryShare(endpointId: WebhookId, places: number): Pick<ClaimRequest, 'retries' | 'retriesFirst'> {
    const lane = this.#lanes.get(endpointId)
    let retrying = 0
    for (const attempt of lane?.inFlight.values() ?? []) if (attempt.retry) retrying += 1
    for (const { delivery } of lane?.waiting ?? []) if (isRetry(delivery)) retrying += 1
    const retriesFirst = this.#retriesFirst.delete(endpointId)
    if (!retriesFirst) this.#remember(this.#retriesFirst, endpointId)
    return { retries: Math.max(0, Math.ceil(places / 2) - retrying), retriesFirst }
  }

  /** Endpoints are created and deleted at run time: the one used longest ago is dropped. */
  #remember(set: Set<WebhookId>, endpointId: WebhookId): void {
    set.delete(endpointId)
    set.add(endpointId)
    const [oldest] = set
    if (set.size > REMEMBERED && oldest !== undefined) set.delete(oldest)
  }

  #forgetIdle(endpointId: WebhookId, lane: Lane): void {
    if (lane.inFlight.size === 0 && lane.waiting.length === 0) this.#lanes.delete(endpointId)
  }
}

/** True for everything except the first scheduled attempt of an event. */
export function isRetry({ attempts, manualAt }: ClaimedDelivery): boolean {
  return attempts > 0 || manualAt !== null
}
