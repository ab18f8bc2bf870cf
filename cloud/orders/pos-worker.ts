// Sends the outbox to outside points of sale: signed, with the retry schedule of webhooks, each order's messages in order, one at a time.
import { Lanes } from '#cloud/outbox/lanes.ts'
import { type AfterAttempt, Outbox } from '#cloud/outbox/outbox.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { OrderStore } from '#cloud/storage/order-store.ts'
import type { PosMessage, PosOutboxStore } from '#cloud/storage/pos-outbox-store.ts'
import { type PostOutcome, WebhookPoster } from '#cloud/webhooks/post-webhook.ts'
import type { SecretBox } from '#cloud/webhooks/secret-box.ts'
import { signedHeaders } from '#cloud/webhooks/signature.ts'
import type { TargetGuard } from '#cloud/webhooks/target-guard.ts'
import type { Clock } from '#shared/clock.ts'
import { asId, type MerchantKey } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import type { OrderResult } from '#shared/wire/api/orders.ts'
import type { FirstTries } from './first-try.ts'
import { posConfig, posOrderIdIn } from './pos-config.ts'

export interface PosWorkerDeps {
  db: RelayDatabase
  orders: OrderStore
  posOutbox: PosOutboxStore
  firstTries: FirstTries
  /** The operator's; what a client has chosen is posted under the clients'. */
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
/** A lane is a merchant: a dead point of sale must leave room for the others. */
const LANES = { total: 32, perLane: 4 }

type PosOutcome = Pick<PostOutcome, 'status' | 'response' | 'retryAfterMs'> & {
  error: string | null
  isFinal?: boolean
}

/** The merchant has no point of sale any more: the message cannot be delivered. */
const NOBODY = { error: 'no_point_of_sale', status: null, response: null, retryAfterMs: null, isFinal: true }

export class PosWorker implements Service {
  readonly #deps: PosWorkerDeps
  readonly #lanes = new Lanes<MerchantKey>(LANES)
  readonly #outbox: Outbox<PosMessage, PosOutcome>
  readonly #poster: WebhookPoster

  constructor(deps: PosWorkerDeps) {
    const { posOutbox, firstTries, retrySeconds } = deps
    this.#deps = deps
    this.#poster = new WebhookPoster({ ...deps, timeoutMs: TIMEOUT_MS })
    this.#outbox = new Outbox(deps, {
      what: 'point-of-sale messages',
      rows: posOutbox,
      changed: posOutbox.changed,
      sweepMs: 1_000,
      leaseMs: LEASE_MS,
      drainMs: 0,
      retrySeconds,
      pass: () => this.#pass(),
      numberOf: ({ attempt }) => attempt,
      send: (message, stopped) => this.#send(message, stopped),
      answered: (message, outcome) => {
        if (idIn(message, outcome) !== null) firstTries.take(message.orderId)
        else if (message.kind === 'order' && outcome.error !== null) firstTries.close(message.orderId, null)
      },
      settle: (message, outcome, follows) => this.#settle(message, outcome, follows),
      release: ({ id }) => posOutbox.release([id]),
      ended: ({ merchantKey, orderId }) => {
        this.#lanes.ended(merchantKey)
        firstTries.close(orderId, null)
      },
      idsOf: ({ id, orderId, kind, attempt }) => ({ posMessageId: id, serviceOrderId: orderId, kind, attempt }),
    })
  }

  start(): Promise<void> {
    return this.#outbox.start()
  }

  /** Ends attempts in flight; they are made again after the next start. */
  async stop(): Promise<void> {
    await this.#outbox.stop()
    await this.#poster.close()
  }

  async #pass(): Promise<void> {
    const { db, posOutbox } = this.#deps
    const nowMs = await this.#outbox.look()
    const limit = this.#lanes.free
    if (limit <= 0 || !(await posOutbox.hasDue(nowMs))) return
    const messages = await this.#outbox.claim((times) =>
      db.unit((tx) =>
        posOutbox.claim(tx, {
          ...{ nowMs: times.nowMs, leaseMs: LEASE_MS, limit, busy: this.#lanes.full },
          within: (found) => this.#lanes.within(found, ({ merchantKey }) => merchantKey),
        }),
      ),
    )
    for (const message of messages) {
      this.#lanes.begun(message.merchantKey)
      this.#outbox.begin(message)
    }
    // There may be more.
    if (messages.length > 0) this.#outbox.wake()
  }

  async #send(message: PosMessage, stopped: AbortSignal): Promise<PosOutcome> {
    const { id, kind, payload, attempt, environment } = message
    const config = posConfig(message.config)
    if (config === null) return NOBODY
    const headers = signedHeaders({
      body: payload,
      secrets: { current: this.#deps.secretBox.open(config.secretEnc), previous: null },
      // The message's own id: a receiver that gets it twice recognises it.
      eventId: asId(id),
      eventType: `pos.${kind}`,
      deliveryId: asId(id),
      attempt,
      nowMs: this.#deps.clock.now(),
    })
    const { url, chosenBy = 'operator' } = config
    return this.#poster.post({ url, environment, chosenBy, headers, body: payload }, stopped)
  }

  /** The answer to the order itself may bring its id: into the result as well, if that was not answered yet. */
  async #settle(message: PosMessage, outcome: PosOutcome, { next, nowMs }: AfterAttempt): Promise<void> {
    const { db, orders, posOutbox, firstTries, log } = this.#deps
    const { id, kind, orderId, attempt } = message
    const posOrderId = idIn(message, outcome)
    const result = await db.unit(async (tx: Tx): Promise<string | null> => {
      // Another relay may have answered a repetition without it.
      const belongs = firstTries.isTaken(orderId) && (await posOutbox.endHold(tx, id))
      await posOutbox.settle(tx, message, { error: outcome.error, next, nowMs })
      if (posOrderId === null) return null
      const { order } = await orders.load(tx, orderId)
      const whole = { ...(JSON.parse(order.result) as OrderResult), posOrderId } satisfies OrderResult
      const result = belongs ? JSON.stringify(whole) : null
      await orders.update(tx, orderId, { pos_order_id: posOrderId, ...(result === null ? {} : { result }) })
      return result
    })
    if (result !== null) firstTries.close(orderId, result)
    if (posOrderId !== null) orders.changed.notify(message.merchantKey)
    const facts = { posMessageId: id, serviceOrderId: orderId, kind, attempt, status: outcome.status }
    if (outcome.error === null) log.info(facts, 'the point of sale has taken it')
    else {
      const nextAtMs = next.state === 'retrying' ? next.nextAtMs : null
      log.warn({ ...facts, error: outcome.error, nextAtMs }, 'the point of sale has not taken it')
    }
  }
}

/** The posOrderId that the answer to the order itself brings. */
function idIn({ kind }: PosMessage, { error, response }: PosOutcome): string | null {
  return kind === 'order' && error === null ? posOrderIdIn(response) : null
}
