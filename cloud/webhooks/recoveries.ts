// Works off the recoveries that were asked for: failed deliveries go back on the schedule piece by piece, and no order waits for it.
import type { DeliveryLog } from '#cloud/storage/delivery-log.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

/** Deliveries put back in one commit. */
const PIECE = 500
/** A recovery whose unit was refused is taken up again after this. */
const AGAIN_MS = 60_000

export interface RecoveriesDeps {
  deliveryLog: DeliveryLog
  deliveries: DeliveryStore
  clock: Clock
  log: Logger
}

export class Recoveries implements Service {
  readonly #deps: RecoveriesDeps
  #undo: Cancel[] = []
  #stopping = true
  #wanted = false
  #working: Promise<void> | null = null

  constructor(deps: RecoveriesDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (!this.#stopping) return
    const { deliveryLog, clock } = this.#deps
    this.#stopping = false
    this.#undo = [deliveryLog.recoveryWanted.subscribe(() => this.#wake()), clock.every(AGAIN_MS, () => this.#wake())]
    this.#wake()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    for (const undo of this.#undo.splice(0)) undo()
    await this.#working
  }

  #wake(): void {
    this.#wanted = true
    this.#working ??= this.#work()
  }

  async #work(): Promise<void> {
    while (this.#wanted && !this.#stopping) {
      this.#wanted = false
      try {
        await this.#drain()
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'a webhook recovery stopped in the middle; it goes on in a minute')
      }
    }
    // Here, not in a later microtask: a wake in between would go unheard.
    this.#working = null
  }

  async #drain(): Promise<void> {
    const { deliveryLog, deliveries, clock, log } = this.#deps
    for (;;) {
      const recovery = this.#stopping ? null : await deliveryLog.nextRecovery()
      if (recovery === null) return
      const count = await deliveryLog.recoverPiece(recovery, PIECE, clock.now())
      log.info({ endpointId: recovery.endpoint_id, deliveries: count }, 'failed webhook deliveries are sent again')
      if (count > 0) deliveries.askedFor.notify(recovery.endpoint_id)
    }
  }
}
