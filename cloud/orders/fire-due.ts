// Notes when a scheduled order's time has come. The gateway fires it by itself; this only writes firedAt and the print state.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

const SWEEP_MS = 500

export class FireDue implements Service {
  readonly #deps: { db: RelayDatabase; orders: OrderStore; clock: Clock; log: Logger }
  #cancel: Cancel | null = null
  #sweeping: Promise<void> | null = null

  constructor(deps: { db: RelayDatabase; orders: OrderStore; clock: Clock; log: Logger }) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#cancel ??= this.#deps.clock.every(SWEEP_MS, () => this.#tick())
  }

  async stop(): Promise<void> {
    this.#cancel?.()
    this.#cancel = null
    await this.#sweeping
  }

  /** One pass. */
  async sweep(): Promise<void> {
    const { db, orders, clock } = this.#deps
    const now = clock.now()
    if (await orders.hasDue(now)) await db.unit((tx) => orders.fireDue(tx, now))
  }

  #tick(): void {
    // A pass that still waits for the disk is enough.
    if (this.#sweeping !== null) return
    this.#sweeping = this.sweep()
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'scheduled orders could not be marked as fired'))
      .finally(() => {
        this.#sweeping = null
      })
  }
}
