// Facts of a gateway's kitchen about orders: recorded in order, one message after the other, and acknowledged once they are on disk.
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { downText } from './down-messages.ts'

export type KitchenMessage = MessageOf<UpMessage, 'kitchen'>
type Fact = KitchenMessage['facts'][number]

/** cloud/orders/record-kitchen-fact.ts: the order's step and its event in one unit, once. */
export type RecordKitchenFact = (
  fact: Fact & { locationId: LocationId },
) => Promise<'recorded' | 'already' | 'refused' | 'unknown'>

export interface KitchenFactsDeps {
  gateways: GatewayStore
  recordKitchenFact: RecordKitchenFact
  publish(topic: string, payload: string): void
  clock: Clock
  log: Logger
}

/** Messages of one gateway that wait here; more are left to its resending. */
const MOST_WAITING = 16

export class KitchenFacts {
  readonly #deps: KitchenFactsDeps
  readonly #lines: SampledLog
  readonly #turns = new Map<GatewayId, { waiting: number; last: Promise<number> }>()

  constructor(deps: KitchenFactsDeps) {
    this.#deps = deps
    this.#lines = new SampledLog(deps.log, deps.clock)
  }

  /**
   * Facts are taken from any connection, however old: recording one twice changes nothing.
   * @returns how many were news, when they are on disk. Never rejects
   */
  take(gatewayId: GatewayId, message: KitchenMessage): Promise<number> {
    const turn = this.#turns.get(gatewayId) ?? { waiting: 0, last: Promise.resolve(0) }
    if (turn.waiting >= MOST_WAITING) return Promise.resolve(0)
    turn.waiting++
    this.#turns.set(gatewayId, turn)
    turn.last = turn.last
      .then(() => this.#record(gatewayId, message))
      .catch((error: unknown) => {
        this.#lines.error(gatewayId, { gatewayId, err: error }, 'kitchen facts could not be recorded')
        return 0
      })
      .finally(() => {
        turn.waiting--
        if (turn.waiting === 0) this.#turns.delete(gatewayId)
      })
    return turn.last
  }

  /** Resolves when everything that had arrived is recorded and acknowledged. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#turns.values()].map(({ last }) => last))
  }

  async #record(gatewayId: GatewayId, { facts, e: epoch }: KitchenMessage): Promise<number> {
    const { gateways, recordKitchenFact, publish, clock, log } = this.#deps
    const locationId = (await gateways.byId(gatewayId))?.locationId
    if (!locationId) return 0
    let news = 0
    const stored: Omit<Fact, 'atMs' | 'shownOn'>[] = []
    for (const { atMs, shownOn, ...said } of facts) {
      const { orderId, fact } = said
      const outcome = await recordKitchenFact({ ...said, atMs, shownOn, locationId })
      if (outcome === 'recorded') news++
      const detail = { gatewayId, serviceOrderId: orderId, fact, outcome }
      // Refused and unknown are final: saying them again would not change them.
      if (outcome === 'refused' || outcome === 'unknown')
        this.#lines.warn(gatewayId, detail, 'the kitchen reported a step that this order cannot take')
      else if (outcome === 'already') this.#lines.info(gatewayId, detail, 'kitchen fact was recorded before')
      else log.info(detail, 'kitchen fact recorded')
      stored.push(said)
    }
    publish(topicsOf(gatewayId).down, downText({ t: 'kack', facts: stored }, { epoch, nowMs: clock.now() }))
    return news
  }
}
