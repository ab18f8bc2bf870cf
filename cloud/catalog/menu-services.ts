// What runs for the catalog while the relay runs: items come back at their time, and platforms are told.
import type { ChannelOutbox } from '#cloud/storage/channel-outbox.ts'
import { WebhookPoster } from '#cloud/webhooks/post-webhook.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Service } from '#shared/service.ts'
import { ChannelWorker } from './channel-worker.ts'
import { HttpConnector } from './http-connector.ts'
import { RestoreDue, type RestoreDueDeps } from './restore-due.ts'
import { SimulatedConnector } from './simulated-connector.ts'

/** Shorter than the worker's lease. */
const TIMEOUT_MS = 15_000

export interface MenuServicesDeps extends RestoreDueDeps {
  channelOutbox: ChannelOutbox
  guard: TargetGuard
  secretBox: SecretBox
  /** Delays between the attempts to tell a platform: those of the webhooks. */
  retrySeconds: readonly number[]
  random: () => number
}

export class MenuServices implements Service {
  readonly #deps: MenuServicesDeps
  #stop: (() => Promise<void>) | null = null

  constructor(deps: MenuServicesDeps) {
    this.#deps = deps
  }

  async start(): Promise<void> {
    if (this.#stop) return
    const { guard, secretBox, clock, channelOutbox } = this.#deps
    const poster = new WebhookPoster({ guard, clock, timeoutMs: TIMEOUT_MS })
    const connectors = {
      http: new HttpConnector({ poster, secretBox, clock }),
      simulated: new SimulatedConnector(),
    }
    const worker = new ChannelWorker({ ...this.#deps, outbox: channelOutbox, connectors })
    const restoreDue = new RestoreDue(this.#deps)
    this.#stop = async () => {
      await Promise.all([restoreDue.stop(), worker.stop()])
      await poster.close()
    }
    await worker.start()
    await restoreDue.start()
  }

  async stop(): Promise<void> {
    const stop = this.#stop
    this.#stop = null
    await stop?.()
  }
}
