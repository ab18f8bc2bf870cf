// Forgets webhook attempts and events after 30 days. An event that is still to be sent is kept until it is.
import type { Piece, WebhookHistory } from '#cloud/storage/webhook-history.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'

const HOUR_MS = 3_600_000
const KEEP_MS = 30 * 24 * HOUR_MS

export interface ForgetWebhooksDeps {
  webhookHistory: WebhookHistory
  clock: Clock
  log: Logger
}

export class ForgetWebhooks implements Service {
  readonly #deps: ForgetWebhooksDeps
  #cancel: Cancel | null = null
  #stopping = false
  #sweeping: Promise<void> | null = null

  constructor(deps: ForgetWebhooksDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    this.#stopping = false
    this.#cancel ??= this.#deps.clock.every(HOUR_MS, () => this.#tick())
    this.#tick()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#cancel?.()
    this.#cancel = null
    await this.#sweeping
  }

  /** One pass over everything that is too old. */
  async sweep(): Promise<{ attempts: number; events: number }> {
    const { webhookHistory, clock } = this.#deps
    const beforeMs = clock.now() - KEEP_MS
    return {
      attempts: await this.#inPieces((after) => webhookHistory.deleteAttempts(after, beforeMs)),
      events: await this.#inPieces((after) => webhookHistory.deleteEvents(after, beforeMs)),
    }
  }

  async #inPieces(next: (after: string) => Promise<Piece>): Promise<number> {
    let count = 0
    let after: string | null = ''
    while (after !== null && !this.#stopping) {
      const piece: Piece = await next(after)
      count += piece.deleted
      after = piece.reached
    }
    return count
  }

  #tick(): void {
    this.#sweeping ??= this.sweep()
      .then((forgotten) => {
        if (forgotten.attempts + forgotten.events > 0)
          this.#deps.log.info(forgotten, 'old webhook attempts and events were deleted')
      })
      .catch((error: unknown) => this.#deps.log.error({ err: error }, 'old webhook events could not be deleted'))
      .finally(() => {
        this.#sweeping = null
      })
  }
}
