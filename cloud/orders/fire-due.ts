// Notes when a scheduled order's time has come. The gateway fires it by itself; this only writes firedAt and the print state.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'

const SWEEP_MS = 500

interface FireDueDeps {
  db: RelayDatabase
  orders: OrderStore
  clock: Clock
  log: Logger
}

export class FireDue extends Sweeps<FireDueDeps> {
  constructor(deps: FireDueDeps) {
    super(deps, { everyMs: SWEEP_MS, failed: 'scheduled orders could not be marked as fired' })
  }

  /** One pass. */
  override async sweep(): Promise<void> {
    const { db, orders, clock } = this.deps
    const now = clock.now()
    if (await orders.hasDue(now)) await db.unit((tx) => orders.fireDue(tx, now))
  }
}
