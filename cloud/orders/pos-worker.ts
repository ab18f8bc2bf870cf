// Sends the outbox to outside points of sale: signed, with the retry schedule of webhooks, each order's messages in order, one at a time.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { PosMessage, PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import { writeAgain } from '#cloud/storage/write-again.ts'
import { type PostOutcome, WebhookPoster } from '#cloud/webhooks/post-webhook.ts'
import { nextAttemptAt } from '#cloud/webhooks/retry-schedule.ts'
import { RetryTimes } from '#cloud/webhooks/retry-times.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { signedHeaders } from '#cloud/webhooks/signature.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { asId, type MerchantKey } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { OrderResult } from '#shared/wire/api/orders.ts'
import type { FirstTries } from './first-try.ts'
import { posConfig, posOrderIdIn } from './pos-config.ts'

export interface PosWorkerDeps {
  db: RelayDatabase
  orders: OrderStore
  posOutbox: PosOutboxStore
  firstTries: FirstTries
  guard: TargetGuard
  secretBox: SecretBox
  /** Delays between attempts, in seconds. */
  retrySeconds: readonly number[]
  clock: Clock
  random: () => number
  log: Logger
}

/** A point of sale is slow when it is busy; an order must not be entered twice because we did not wait. */
const TIMEOUT_MS = 10_000
const LEASE_MS = 30_000
const SWEEP_MS = 1_000
const IN_FLIGHT = 32
/** Of one merchant: a dead point of sale must leave room for the others. */
const IN_FLIGHT_PER_MERCHANT = 4

export class PosWorker implements Service {
  readonly #deps: PosWorkerDeps
  readonly #passes: Rounds
  readonly #times: RetryTimes
  readonly #inFlight = new Map<Promise<void>, MerchantKey>()
  #poster: WebhookPoster | null = null
  #unsubscribe: Cancel | null = null
  #stopped = new AbortController()

  constructor(deps: PosWorkerDeps) {
    this.#deps = deps
    const rows = deps.posOutbox.waiting
    this.#times = new RetryTimes({ ...deps, rows, leaseMs: LEASE_MS, what: 'point-of-sale messages' })
    this.#passes = new Rounds({
      clock: deps.clock,
      everyMs: SWEEP_MS,
      pass: () => this.#pass(),
      // The writer refuses units while it is overloaded. What was not claimed now is found by the next sweep.
      failed: (error) =>
        deps.log.warn({ err: error }, 'could not claim point-of-sale messages; the next sweep tries again'),
    })
  }

  async start(): Promise<void> {
    if (this.#poster) return
    const { db, posOutbox, guard, clock } = this.#deps
    this.#poster = new WebhookPoster({ guard, clock, timeoutMs: TIMEOUT_MS })
    // One relay process owns an SQLite file, so whoever held these leases is dead.
    await db.unit((tx) => posOutbox.releaseAll(tx))
    await this.#times.start()
    this.#stopped = new AbortController()
    this.#unsubscribe = posOutbox.changed.subscribe(() => this.#passes.wake())
    await this.#passes.start()
    this.#passes.wake()
  }

  /** Ends attempts in flight; they are made again after the next start. */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    this.#unsubscribe = null
    this.#stopped.abort()
    await this.#passes.stop()
    await Promise.allSettled([...this.#inFlight.keys()])
    await this.#poster?.close()
    this.#poster = null
  }

  async #pass(): Promise<void> {
    const { db, posOutbox, clock } = this.#deps
    await this.#times.look()
    const limit = IN_FLIGHT - this.#inFlight.size
    const nowMs = clock.now()
    if (!this.#poster || limit <= 0 || !(await posOutbox.hasDue(nowMs))) return
    const messages = await db.unit(async (tx) => {
      const claimed = await posOutbox.claim(tx, { nowMs, leaseMs: LEASE_MS, limit, busy: this.#busy() })
      const { kept, over } = this.#withinShare(claimed)
      for (const { id } of over) await posOutbox.release(tx, id)
      return kept
    })
    for (const message of messages) this.#begin(this.#poster, message)
    // There may be more.
    if (messages.length > 0) this.#passes.wake()
  }

  #begin(poster: WebhookPoster, message: PosMessage): void {
    const work = this.#send(poster, message)
      .catch((error: unknown) =>
        // The lease ends by itself, and it is sent again.
        this.#deps.log.error({ posMessageId: message.id, err: error }, 'point-of-sale message could not be settled'),
      )
      .finally(() => {
        this.#inFlight.delete(work)
        this.#passes.wake()
      })
    this.#inFlight.set(work, message.merchantKey)
  }

  async #send(poster: WebhookPoster, message: PosMessage): Promise<void> {
    const { db, posOutbox, firstTries, secretBox, clock, log } = this.#deps
    const { id, kind, orderId, attempt } = message
    const config = posConfig(message.config)
    const outcome: Pick<PostOutcome, 'error' | 'status' | 'response' | 'retryAfterMs'> =
      config === null
        ? { error: 'refused', status: null, response: null, retryAfterMs: null }
        : await this.#post(poster, message, { url: config.url, secret: secretBox.open(config.secretEnc) })
    if (outcome.error === 'stopped') return db.unit((tx) => posOutbox.release(tx, id))
    const facts = { posMessageId: id, serviceOrderId: orderId, kind, attempt, status: outcome.status }
    if (outcome.error === null) {
      await this.#taken(message, kind === 'order' ? posOrderIdIn(outcome.response) : null)
      log.info(facts, 'the point of sale has taken it')
      return
    }
    if (kind === 'order') firstTries.giveUp(orderId)
    const failedAtMs = clock.now()
    const failed = { number: attempt, failedAtMs, retryAfterMs: outcome.retryAfterMs }
    const nextAtMs = nextAttemptAt(failed, this.#deps.retrySeconds, this.#deps.random)
    const error = config === null ? 'no_point_of_sale' : outcome.error
    log.warn({ ...facts, error, nextAtMs }, 'the point of sale has not taken it')
    const settle = (tx: Tx) =>
      nextAtMs === null || config === null
        ? posOutbox.settle(tx, { id, state: 'failed', attempts: attempt, error, atMs: failedAtMs })
        : posOutbox.postpone(tx, { id, attempts: attempt, error, nextAtMs })
    await writeAgain(clock, () => db.unit(settle))
  }

  #post(
    poster: WebhookPoster,
    { id, kind, payload, attempt, environment }: PosMessage,
    { url, secret }: { url: string; secret: string },
  ): Promise<PostOutcome> {
    const headers = signedHeaders({
      body: payload,
      secrets: { current: secret, previous: null },
      // The message's own id: whoever gets it twice sees that it is the same.
      eventId: asId(id),
      eventType: `pos.${kind}`,
      deliveryId: asId(id),
      attempt,
      nowMs: this.#deps.clock.now(),
    })
    return poster.post({ url, environment, headers, body: payload }, this.#stopped.signal)
  }

  /** The answer to the order itself may bring its id: into the result as well, if that was not answered yet. */
  async #taken({ id, orderId, attempt }: PosMessage, posOrderId: string | null): Promise<void> {
    const { db, orders, posOutbox, firstTries, clock } = this.#deps
    const report = posOrderId === null ? null : firstTries.take(orderId)
    let result: string | null = null
    const store = async (tx: Tx): Promise<void> => {
      await posOutbox.settle(tx, { id, state: 'done', attempts: attempt, error: null, atMs: clock.now() })
      if (posOrderId === null) return
      const { order } = await orders.load(tx, orderId)
      if (report !== null)
        result = JSON.stringify({ ...(JSON.parse(order.result) as OrderResult), posOrderId } satisfies OrderResult)
      await orders.update(tx, orderId, { pos_order_id: posOrderId, ...(result === null ? {} : { result }) })
    }
    try {
      await writeAgain(clock, () => db.unit(store))
    } catch (error) {
      result = null
      throw error
    } finally {
      report?.(result)
      firstTries.giveUp(orderId)
    }
  }

  #busy(): MerchantKey[] {
    return [...Map.groupBy(this.#inFlight.values(), (merchantKey) => merchantKey)]
      .filter(([, flights]) => flights.length >= IN_FLIGHT_PER_MERCHANT)
      .map(([merchantKey]) => merchantKey)
  }

  #withinShare(claimed: readonly PosMessage[]): { kept: PosMessage[]; over: PosMessage[] } {
    const counts = new Map<MerchantKey, number>()
    for (const merchantKey of this.#inFlight.values()) counts.set(merchantKey, (counts.get(merchantKey) ?? 0) + 1)
    const kept: PosMessage[] = []
    const over: PosMessage[] = []
    for (const message of claimed) {
      const count = counts.get(message.merchantKey) ?? 0
      counts.set(message.merchantKey, count + 1)
      if (count < IN_FLIGHT_PER_MERCHANT) kept.push(message)
      else over.push(message)
    }
    return { kept, over }
  }
}
