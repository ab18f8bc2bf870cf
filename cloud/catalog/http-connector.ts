// Sends an item's state by signed POST: for platforms and middleware that accept a webhook.
import type { Outcome } from '#cloud/outbox/outbox.ts'
import { WebhookPoster } from '#cloud/webhooks/post-webhook.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { signedHeaders } from '#cloud/webhooks/signature.ts'
import type { ChosenBy, TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import type { ChannelConnector, ChannelContext, ChannelMessage } from './channel-connector.ts'

/** `config` of an `http` channel. */
export interface HttpChannelConfig {
  url: string
  /** Signing secret, sealed. */
  secretEnc: string
  /** Who chose the address. Absent: it was saved before people at the dashboard could. */
  chosenBy?: ChosenBy
}

/** Shorter than the worker's lease. */
const TIMEOUT_MS = 15_000

export interface HttpConnectorDeps {
  /** The operator's; what a client has chosen is posted under the clients'. */
  guard: TargetGuard
  secretBox: SecretBox
  clock: Clock
}

export class HttpConnector implements ChannelConnector {
  readonly #deps: HttpConnectorDeps
  readonly #poster: WebhookPoster

  constructor(deps: HttpConnectorDeps) {
    this.#deps = deps
    this.#poster = new WebhookPoster({ ...deps, timeoutMs: TIMEOUT_MS })
  }

  /** The body is the message as JSON, signed like a webhook (docs/channels.md). Any 2xx confirms it. */
  async tell(message: ChannelMessage, context: ChannelContext, stopped: AbortSignal): Promise<Outcome> {
    const { url, secretEnc, chosenBy = 'operator' } = JSON.parse(context.config) as HttpChannelConfig
    const secret = this.#opened(secretEnc)
    if (secret === null) return { error: 'secret_unreadable', retryAfterMs: null }
    const body = JSON.stringify(message)
    const headers = signedHeaders({
      body,
      secrets: { current: secret, previous: null },
      eventId: context.messageId,
      eventType: 'channel.item',
      deliveryId: context.messageId,
      attempt: context.attempt,
      nowMs: this.#deps.clock.now(),
    })
    return this.#poster.post({ url, environment: context.environment, chosenBy, headers, body }, stopped)
  }

  close(): Promise<void> {
    return this.#poster.close()
  }

  /** Null when the master key does not decrypt it: sent again later, so that the key can be corrected. */
  #opened(sealed: string): string | null {
    try {
      return this.#deps.secretBox.open(sealed)
    } catch {
      return null
    }
  }
}
