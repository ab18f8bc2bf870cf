// Sends platforms the state of items, until they have confirmed it.
import { createHash } from 'node:crypto'
import { Lanes } from '#cloud/outbox/lanes.ts'
import { type AfterAttempt, Outbox, type Outcome } from '#cloud/outbox/outbox.ts'
import type { ChannelKey, ChannelOutbox, ClaimedItem } from '#cloud/storage/channel-outbox.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import { type Clock, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { ChannelConnectors, ChannelMessage } from './channel-connector.ts'

/** Attempts at a time. A failing platform gets one at a time, and platforms that hang never use all places, however many they are. */
const LANES = { total: 32, perLane: 4, failing: { perLane: 1, total: 16 } }

export interface ChannelWorkerDeps {
  channels: ChannelStore
  outbox: ChannelOutbox
  connectors: ChannelConnectors
  /** Those of webhooks; the last one is repeated until the platform confirms: it must not sell silenced items. */
  retrySeconds: readonly number[]
  clock: Clock
  random: () => number
  log: Logger
}

export class ChannelWorker implements Service {
  readonly #deps: ChannelWorkerDeps
  readonly #lanes = new Lanes(LANES)
  readonly #outbox: Outbox<ClaimedItem, Outcome>

  constructor(deps: ChannelWorkerDeps) {
    const { channels, outbox, retrySeconds } = deps
    this.#deps = deps
    this.#outbox = new Outbox(deps, {
      what: 'messages to channels',
      rows: outbox,
      changed: channels.changed,
      sweepMs: 500,
      leaseMs: 60_000,
      drainMs: 2_000,
      retrySeconds,
      neverGivesUp: true,
      pass: () => this.#pass(),
      numberOf: ({ attempts }) => attempts + 1,
      send: (item, stopped) => this.#tell(item, stopped),
      answered: (item, { error }) => this.#lanes.answered(laneOf(item.merchant_id, item.channel_id), error === null),
      settle: (item, outcome, follows) => this.#settle(item, outcome, follows),
      release: (item) => outbox.release([item]),
      ended: (item) => this.#lanes.ended(laneOf(item.merchant_id, item.channel_id)),
      idsOf,
    })
  }

  start(): Promise<void> {
    return this.#outbox.start()
  }

  async stop(): Promise<void> {
    await this.#outbox.stop()
    await this.#deps.connectors.http.close?.()
  }

  async #pass(): Promise<void> {
    const { outbox } = this.#deps
    const due = await outbox.channelsDue(await this.#outbox.look())
    const laneOfKey = ({ merchantKey, channelId }: ChannelKey): string => laneOf(merchantKey, channelId)
    for (const channel of this.#lanes.inTurn(due, laneOfKey)) {
      const lane = laneOfKey(channel)
      const limit = this.#lanes.room(lane)
      if (limit <= 0) continue
      const claimed = await this.#outbox.claim((times) => outbox.claim(channel, { limit, ...times }))
      this.#lanes.took(lane)
      for (const item of claimed) {
        this.#lanes.begun(lane)
        this.#outbox.begin(item)
      }
    }
  }

  #tell(item: ClaimedItem, stopped: AbortSignal): Promise<Outcome> {
    const { config, environment, attempts } = item
    const context = { config, environment, messageId: messageIdOf(item), attempt: attempts + 1 }
    return this.#deps.connectors[item.connector].tell(messageOf(item), context, stopped)
  }

  async #settle(item: ClaimedItem, { error }: Outcome, { next, nowMs }: AfterAttempt): Promise<void> {
    const { outbox, log } = this.#deps
    const failed = error === null || next.state !== 'retrying' ? null : { error, nextAtMs: next.nextAtMs }
    await outbox.settle(item, failed, nowMs)
    const words = failed === null ? 'a channel was told' : 'a channel was not told'
    log.info({ ...idsOf(item), attempt: item.attempts + 1, error }, words)
  }
}

function idsOf({ public_id, channel_id, ums_id, revision }: ClaimedItem) {
  return { merchantId: public_id, channelId: channel_id, umsId: ums_id, revision }
}

function messageOf(item: ClaimedItem): ChannelMessage {
  return {
    merchantId: item.public_id,
    channelId: item.channel_id,
    externalId: item.external_id,
    umsId: item.ums_id,
    state: item.silenced_at === null ? 'live' : 'silenced',
    until: item.silenced_until === null ? null : toIso(item.silenced_until),
    revision: item.revision,
  }
}

/** One per revision. Hashed, because ids of items may hold characters that no header may. */
function messageIdOf({ merchant_id, channel_id, ums_id, revision }: ClaimedItem): string {
  const text = JSON.stringify([merchant_id, channel_id, ums_id, revision])
  return `chm_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
}

function laneOf(merchantKey: string, channelId: string): string {
  return `${merchantKey}/${channelId}`
}
