// Carries out requested recoveries: puts failed deliveries back on the schedule in pieces, so that no order waits for it.
import type { DeliveryLog } from '#cloud/storage/delivery-log.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'

/** Deliveries per commit. */
const PIECE = 500
/** A recovery whose transaction failed continues after this time. */
const AGAIN_MS = 60_000

export interface RecoveriesDeps {
  deliveryLog: DeliveryLog
  deliveries: DeliveryStore
  clock: Clock
  log: Logger
}

export class Recoveries implements Service {
  readonly #deps: RecoveriesDeps
  readonly #rounds: Rounds
  #unsubscribe: Cancel | null = null

  constructor(deps: RecoveriesDeps) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: AGAIN_MS,
      pass: () => this.#drain(),
      failed: (error) =>
        deps.log.warn({ err: error }, 'a webhook recovery stopped in the middle; it goes on in a minute'),
    })
  }

  async start(): Promise<void> {
    if (this.#unsubscribe) return
    this.#unsubscribe = this.#deps.deliveryLog.recoveryWanted.subscribe(() => this.#rounds.wake())
    await this.#rounds.start()
    this.#rounds.wake()
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    await this.#rounds.stop()
  }

  async #drain(): Promise<void> {
    const { deliveryLog, deliveries, clock, log } = this.#deps
    for (;;) {
      const recovery = this.#rounds.stopping ? null : await deliveryLog.nextRecovery()
      if (recovery === null) return
      const count = await deliveryLog.recoverPiece(recovery, PIECE, clock.now())
      log.info({ endpointId: recovery.endpoint_id, deliveries: count }, 'failed webhook deliveries are sent again')
      if (count > 0) deliveries.announce([recovery.endpoint_id])
    }
  }
}
