// Tells platforms what items are now, until they have confirmed it.
import { createHash } from 'node:crypto'
import type { ChannelKey, ChannelOutbox, ClaimedItem, Settlement } from '#cloud/storage/channel-outbox.ts'
import type { ChannelStore } from '#cloud/storage/channel-store.ts'
import type { ChannelsTable } from '#cloud/storage/schema-catalog.ts'
import { writeAgain } from '#cloud/storage/write-again.ts'
import { nextAttemptAt } from '#cloud/webhooks/retry-schedule.ts'
import { RetryTimes } from '#cloud/webhooks/retry-times.ts'
import { type Cancel, type Clock, toIso } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { ChannelConnector, ChannelMessage } from './channel-connector.ts'

/** Retries that fell due and leases that ran out are found this often. Changes need no sweep. */
const SWEEP_MS = 500
/** Longer than an attempt and its settling can last together. */
const LEASE_MS = 60_000
/** How long `stop` lets attempts in flight end by themselves. */
const DRAIN_MS = 2_000
/** Attempts at a time: in all, of one channel, of one whose last attempt failed, and of all of those together. */
const PLACES = { total: 32, channel: 4, failing: 1, allFailing: 16 }

export interface ChannelWorkerDeps {
  channels: ChannelStore
  outbox: ChannelOutbox
  connectors: Record<ChannelsTable['connector'], ChannelConnector>
  /** Delay after each failure, in seconds; the last one is repeated until the platform knows. */
  retrySeconds: readonly number[]
  clock: Clock
  random: () => number
  log: Logger
}

/** What is in flight to a channel. Kept as long as the worker: there are few channels. */
interface Lane {
  inFlight: number
  failing: boolean
  /** When it had its last turn, counted in turns. */
  turn: number
}

export class ChannelWorker implements Service {
  readonly #deps: ChannelWorkerDeps
  readonly #lanes = new Map<string, Lane>()
  readonly #attempts = new Set<Promise<void>>()
  readonly #passes: Rounds
  readonly #times: RetryTimes
  #turns = 0
  #stopping = new AbortController()
  #unsubscribe: Cancel | null = null

  constructor(deps: ChannelWorkerDeps) {
    this.#deps = deps
    const rows = deps.outbox.waiting
    this.#times = new RetryTimes({ ...deps, rows, leaseMs: LEASE_MS, what: 'messages to channels' })
    this.#passes = new Rounds({
      clock: deps.clock,
      everyMs: SWEEP_MS,
      pass: () => this.#pass(),
      // The writer refuses units while it is overloaded. What was not claimed now is found by the next sweep.
      failed: (error) =>
        deps.log.warn({ err: error }, 'could not claim messages to channels; the next sweep tries again'),
    })
  }

  async start(): Promise<void> {
    if (this.#unsubscribe) return
    const { channels, outbox } = this.#deps
    // One relay process owns an SQLite file, so whoever held these leases is dead.
    await outbox.releaseAll()
    await this.#times.start()
    this.#stopping = new AbortController()
    this.#unsubscribe = channels.changed.subscribe(() => this.#passes.wake())
    await this.#passes.start()
    this.#passes.wake()
  }

  /** Lets attempts in flight end for up to 2 s, then ends them and gives their leases back. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    const cancel = this.#deps.clock.after(DRAIN_MS, () => this.#stopping.abort())
    await this.#passes.stop()
    await Promise.all(this.#attempts)
    cancel()
  }

  async #pass(): Promise<void> {
    const { outbox, clock } = this.#deps
    await this.#times.look()
    const due = (await outbox.channelsDue(clock.now())).map((channel) => ({ channel, lane: this.#lane(channel) }))
    // Whoever waited longest comes first, and platforms that hang never hold all places, however many they are.
    for (const { channel, lane } of due.sort((a, b) => a.lane.turn - b.lane.turn)) {
      const places = lane.failing ? PLACES.failing : PLACES.channel
      const room = lane.failing ? PLACES.allFailing - this.#failingInFlight() : PLACES.total
      const limit = Math.min(places - lane.inFlight, room, PLACES.total - this.#attempts.size)
      if (limit <= 0) continue
      const nowMs = clock.now()
      const claimed = await outbox.claim(channel, { limit, nowMs, leaseUntilMs: nowMs + LEASE_MS })
      lane.turn = ++this.#turns
      for (const item of claimed) this.#begin(lane, item)
    }
  }

  #failingInFlight(): number {
    let count = 0
    for (const lane of this.#lanes.values()) if (lane.failing) count += lane.inFlight
    return count
  }

  #begin(lane: Lane, item: ClaimedItem): void {
    lane.inFlight += 1
    const attempt = this.#tell(lane, item).finally(() => {
      lane.inFlight -= 1
      this.#attempts.delete(attempt)
      this.#passes.wake()
    })
    this.#attempts.add(attempt)
  }

  /** One attempt. A crash before the settling leaves only the lease, so the same revision is told again: at least once. */
  async #tell(lane: Lane, item: ClaimedItem): Promise<void> {
    const { connectors, outbox, clock, log } = this.#deps
    const attempt = item.attempts + 1
    const context = { config: item.config, environment: item.environment, messageId: messageIdOf(item), attempt }
    const ids = { merchantId: item.public_id, channelId: item.channel_id, umsId: item.ums_id, revision: item.revision }
    try {
      const outcome = await connectors[item.connector].tell(messageOf(item), context, this.#stopping.signal)
      if (outcome.error === 'stopped') return await outbox.release(item)
      lane.failing = outcome.error !== null
      const settlement = this.#settlement(attempt, outcome)
      await writeAgain(clock, () => outbox.settle(item, settlement, clock.now()))
      log.info(
        { ...ids, attempt, error: outcome.error },
        lane.failing ? 'a channel was not told' : 'a channel was told',
      )
    } catch (error) {
      log.error({ ...ids, err: error }, 'an attempt to tell a channel was not recorded; its lease runs out')
    }
  }

  /** After the last delay of the schedule it is told at that delay for ever: a platform must not sell what is silenced. */
  #settlement(attempt: number, outcome: { error: string | null; retryAfterMs: number | null }): Settlement {
    const { retrySeconds, clock, random } = this.#deps
    if (outcome.error === null) return { told: true }
    const failed = {
      number: Math.min(attempt, retrySeconds.length),
      failedAtMs: clock.now(),
      retryAfterMs: outcome.retryAfterMs,
    }
    const nextAtMs = nextAttemptAt(failed, retrySeconds, random) ?? clock.now() + SWEEP_MS
    return { told: false, error: outcome.error, attempts: attempt, nextAtMs }
  }

  #lane(channel: ChannelKey): Lane {
    const known = this.#lanes.get(keyOf(channel))
    if (known) return known
    const lane = { inFlight: 0, failing: false, turn: 0 }
    this.#lanes.set(keyOf(channel), lane)
    return lane
  }
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

function keyOf({ merchantKey, channelId }: ChannelKey): string {
  return `${merchantKey}/${channelId}`
}
