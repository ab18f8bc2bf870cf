// Who may send how much at the same time, so that a dead endpoint never delays a healthy one. Only numbers: it sends nothing.
import type { ClaimRequest } from '#cloud/storage/delivery-store.ts'

export interface LaneLimits {
  /** Attempts in flight in all. */
  total: number
  /** Attempts in flight per endpoint. */
  perEndpoint: number
  /** An endpoint whose oldest attempt has been in flight for longer counts as slow. */
  slowMs: number
}

interface Lane {
  /** Start of each attempt in flight, by ordinal. */
  inFlight: Map<number, { startedMs: number; retry: boolean }>
  /** The last attempt that ended was answered 2xx. */
  proven: boolean
  /** The kind that goes first next time. */
  retriesFirst: boolean
}

/**
 * An endpoint is healthy while its last attempt was answered 2xx and none hangs. Healthy ones have `perEndpoint` places, and one each
 * once half of all places are taken. The others, new ones among them until their first answer, have one place each and at most half of
 * all places together. Retries hold at most half of an endpoint's places.
 */
export class DeliveryLanes {
  readonly #limits: LaneLimits
  readonly #lanes = new Map<string, Lane>()
  /** Endpoints that may have something to send; the one that waited longest stands first. */
  readonly #ready = new Set<string>()
  #inFlight = 0

  constructor(limits: LaneLimits) {
    this.#limits = limits
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** The endpoint may have something to send. */
  ready(endpointId: string): void {
    this.#ready.add(endpointId)
  }

  /** The endpoint has nothing more to send until it is `ready` again. */
  drained(endpointId: string): void {
    this.#ready.delete(endpointId)
    const lane = this.#lanes.get(endpointId)
    if (lane && !lane.proven && lane.inFlight.size === 0) this.#lanes.delete(endpointId)
  }

  /** What may be claimed now. */
  requests(nowMs: number): ClaimRequest[] {
    const half = Math.floor(this.#limits.total / 2)
    let free = this.#limits.total - this.#inFlight
    let freeForSick = half - this.#sickInFlight(nowMs)
    const requests: ClaimRequest[] = []
    for (const endpointId of [...this.#ready]) {
      if (free <= 0) break
      const lane = this.#lane(endpointId)
      const healthy = this.#isHealthy(lane, nowMs)
      const places = healthy && this.#limits.total - free < half ? this.#limits.perEndpoint : 1
      const limit = Math.min(places - lane.inFlight.size, free, healthy ? free : freeForSick)
      if (limit <= 0) continue
      free -= limit
      if (!healthy) freeForSick -= limit
      requests.push({ endpointId, limit, ...this.#retryShare(lane, places) })
      this.#ready.delete(endpointId)
      this.#ready.add(endpointId)
    }
    return requests
  }

  begun(endpointId: string, ordinal: number, attempt: { startedMs: number; retry: boolean }): void {
    const lane = this.#lane(endpointId)
    lane.inFlight.set(ordinal, attempt)
    this.#inFlight += 1
  }

  /** The place is free again; of an attempt that has ended before, nothing. @param taken the receiver answered 2xx. */
  ended(endpointId: string, ordinal: number, taken: boolean): void {
    const lane = this.#lane(endpointId)
    if (!lane.inFlight.delete(ordinal)) return
    this.#inFlight -= 1
    lane.proven = taken
    this.#ready.add(endpointId)
  }

  #retryShare(lane: Lane, places: number): Pick<ClaimRequest, 'retries' | 'retriesFirst'> {
    let retrying = 0
    for (const attempt of lane.inFlight.values()) if (attempt.retry) retrying += 1
    const retriesFirst = lane.retriesFirst
    lane.retriesFirst = !retriesFirst
    return { retries: Math.max(0, Math.ceil(places / 2) - retrying), retriesFirst }
  }

  #isHealthy(lane: Lane, nowMs: number): boolean {
    if (!lane.proven) return false
    for (const { startedMs } of lane.inFlight.values()) if (nowMs - startedMs > this.#limits.slowMs) return false
    return true
  }

  #sickInFlight(nowMs: number): number {
    let count = 0
    for (const lane of this.#lanes.values()) if (!this.#isHealthy(lane, nowMs)) count += lane.inFlight.size
    return count
  }

  #lane(endpointId: string): Lane {
    let lane = this.#lanes.get(endpointId)
    if (!lane) {
      lane = { inFlight: new Map(), proven: false, retriesFirst: false }
      this.#lanes.set(endpointId, lane)
    }
    return lane
  }
}
