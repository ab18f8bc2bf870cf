// Forgets webhook attempts and events after 30 days. An event that is still to be sent is kept until it is.
import { EVENTS_KEPT_MS, type Piece, type WebhookHistory } from '#cloud/storage/webhook-history.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'

const HOUR_MS = 3_600_000

export interface ForgetWebhooksDeps {
  webhookHistory: WebhookHistory
  clock: Clock
  log: Logger
}

export class ForgetWebhooks implements Service {
  readonly #deps: ForgetWebhooksDeps
  readonly #rounds: Rounds

  constructor(deps: ForgetWebhooksDeps) {
    this.#deps = deps
    this.#rounds = new Rounds({
      clock: deps.clock,
      everyMs: HOUR_MS,
      pass: () => this.sweep(),
      failed: (error) => deps.log.error({ err: error }, 'old webhook events could not be deleted'),
    })
  }

  async start(): Promise<void> {
    await this.#rounds.start()
    this.#rounds.wake()
  }

  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** One pass over everything that is too old. */
  async sweep(): Promise<{ attempts: number; events: number }> {
    const { webhookHistory, clock, log } = this.#deps
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
    while (after !== null && !this.#rounds.stopping) {
      const piece: Piece<P> = await next(after)
      count += piece.deleted
      after = piece.reached
    }
    return count
  }
}
