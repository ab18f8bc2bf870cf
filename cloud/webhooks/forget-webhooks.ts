// Deletes webhook attempts and events after 30 days. An event that is still to be sent is kept until it is.
import { EVENTS_KEPT_MS, type Piece, type WebhookHistory } from '#cloud/storage/webhook-history.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Sweeps } from '#shared/rounds.ts'

const HOUR_MS = 3_600_000

export interface ForgetWebhooksDeps {
  webhookHistory: WebhookHistory
  clock: Clock
  log: Logger
}

export class ForgetWebhooks extends Sweeps<ForgetWebhooksDeps> {
  constructor(deps: ForgetWebhooksDeps) {
    super(deps, { everyMs: HOUR_MS, failed: 'old webhook events could not be deleted' })
  }

  /** One pass over everything that is too old. */
  override async sweep(): Promise<{ attempts: number; events: number }> {
    const { webhookHistory, clock, log } = this.deps
    const nowMs = clock.now()
    const beforeMs = nowMs - EVENTS_KEPT_MS
    const attempts = await this.#inPieces('', (after) => webhookHistory.deleteAttempts(after, beforeMs))
    const events = await this.#inPieces(0, (after) => webhookHistory.deleteEvents(after, { beforeMs, nowMs }))
    if (attempts + events > 0) log.info({ attempts, events }, 'old webhook attempts and events were deleted')
    return { attempts, events }
  }

  async #inPieces<P>(begin: P, next: (after: P) => Promise<Piece<P>>): Promise<number> {
    let count = 0
    let after: P | null = begin
    while (after !== null && !this.stopping) {
      const piece: Piece<P> = await next(after)
      count += piece.deleted
      after = piece.reached
    }
    return count
  }
}
