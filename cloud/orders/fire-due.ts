// Notes when a scheduled order's time has come. The gateway fires it by itself; this only writes firedAt and the print state.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'

const SWEEP_MS = 500

export class FireDue implements Service {
  readonly #deps: { db: RelayDatabase; orders: OrderStore; clock: Clock; log: Logger }
  readonly #rounds: Rounds

  constructor(deps: { db: RelayDatabase; orders: OrderStore; clock: Clock; log: Logger }) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: SWEEP_MS,
      pass: () => this.sweep(),
      failed: (error) => deps.log.error({ err: error }, 'scheduled orders could not be marked as fired'),
    })
  }

  start(): Promise<void> {
    return this.#rounds.start()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** One pass. */
  async sweep(): Promise<void> {
    const { db, orders, clock } = this.#deps
    const now = clock.now()
    if (await orders.hasDue(now)) await db.unit((tx) => orders.fireDue(tx, now))
  }
}
