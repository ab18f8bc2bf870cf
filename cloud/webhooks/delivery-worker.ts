// Walk 10/10: comes from cloud/relay/gateway-reports.ts and cloud/orders/inject-order.ts, goes on to the client's endpoint. Sends each event, signed, until the client has taken it or the retries are used up.
import type { ClaimedDelivery, ClaimRequest, Quota } from '#cloud/storage/delivery-claim.ts'
import type { DeliveryStore, NextState } from '#cloud/storage/delivery-store.ts'
import type { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import { writeAgain } from '#cloud/storage/write-again.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type AccountId, isId, type WebhookId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import { DeliveryLanes } from './delivery-lanes.ts'
import { type PostOutcome, WebhookPoster } from './post-webhook.ts'
import { nextAttemptAt } from './retry-schedule.ts'
import { RetryTimes } from './retry-times.ts'
import type { SecretBox } from './secret-box.ts'
import { type SigningSecrets, signedHeaders } from './signature.ts'
import type { TargetGuard } from './target-guard.ts'

/**
 * One attempt of a claimed delivery: sign the raw body, POST, settle or schedule the next one. A crash before the settling leaves only
 * the lease, so the same bytes go out again: at least once.
 * @param call.answered tells whether the endpoint took it, as soon as that is known; not called when nothing was attempted.
 */
async function deliver(deps: AttemptDeps, delivery: ClaimedDelivery, call: Call): Promise<void> {
  const { clock, deliveries, endpoints } = deps
  const endpoint = await endpoints.byId(delivery.endpointId)
  if (endpoint === null) return
  // An attempt that was asked for by hand is made all the same: to see whether the receiver is well again.
  if (endpoint.status === 'disabled' && delivery.manualAt === null) {
    await deliveries.release([delivery.ordinal])
    await deliveries.failDisabled(endpoint.id, clock.now())
    return
  }
  const atMs = clock.now()
  const number = delivery.attempts + 1
  const outcome = await post(deps, endpoint, delivery, { number, atMs, stopped: call.stopped })
  if (outcome.error === 'stopped') {
    await deliveries.release([delivery.ordinal])
    return
  }
  call.answered(outcome.error === null)
  const next = nextState(deps, number - delivery.manualAttempts, outcome)
  const ours = outcome.error === 'secret_unreadable'
  const attempt = { ...outcome, number, atMs, ours }
  const disabled = await writeAgain(clock, () => deliveries.settle(delivery, attempt, next, clock.now()))
  logAttempt(deps.log, delivery, { ...outcome, number, state: delivery.manualAt === null ? next.state : 'by_hand' })
  if (!disabled) return
  deps.log.warn({ endpointId: endpoint.id }, 'a webhook endpoint failed for 5 days and is disabled now')
  deliveries.disabled.notify(endpoint.id)
}

interface Call {
  stopped: AbortSignal
  answered: (taken: boolean) => void
}

async function post(
  deps: AttemptDeps,
  endpoint: WebhookEndpointsTable,
  { payload: body, id: deliveryId, eventId, eventType }: ClaimedDelivery,
  attempt: { number: number; atMs: number; stopped: AbortSignal },
): Promise<AttemptOutcome> {
  const { number, atMs: nowMs, stopped } = attempt
  const secrets = secretsOf(deps, endpoint, nowMs)
  if (secrets === null)
    return { status: null, error: 'secret_unreadable', response: null, retryAfterMs: null, durationMs: 0 }
  const headers = signedHeaders({ body, secrets, eventId, eventType, deliveryId, attempt: number, nowMs })
  return deps.poster.post({ url: endpoint.url, environment: endpoint.environment, headers, body }, stopped)
}

type AttemptOutcome = Omit<PostOutcome, 'error'> & { error: PostOutcome['error'] | 'secret_unreadable' }

interface AttemptDeps {
  deliveries: DeliveryStore
  endpoints: EndpointStore
  secretBox: SecretBox
  poster: WebhookPoster
  retrySeconds: readonly number[]
  clock: Clock
  random: () => number
  log: Logger
}

/** Null when the master key does not open them: the delivery then fails and is retried, so that the key can be put right. */
function secretsOf(deps: AttemptDeps, endpoint: WebhookEndpointsTable, nowMs: number): SigningSecrets | null {
  const { secret_enc: current, old_secret_enc: previous, old_secret_until: untilMs } = endpoint
  try {
    const overlaps = previous !== null && untilMs !== null && nowMs < untilMs
    return { current: deps.secretBox.open(current), previous: overlaps ? deps.secretBox.open(previous) : null }
  } catch {
    deps.log.error(
      { endpointId: endpoint.id, hint: 'CLOUD_MASTER_KEY is not the one that sealed it' },
      'cannot open the signing secret of a webhook endpoint',
    )
    return null
  }
}

/** @param position 1 for the first attempt of the schedule: those by hand do not count */
function nextState(deps: AttemptDeps, position: number, outcome: AttemptOutcome): NextState {
  if (outcome.error === null) return { state: 'delivered' }
  const failed = { number: position, failedAtMs: deps.clock.now(), retryAfterMs: outcome.retryAfterMs }
  const nextAtMs = nextAttemptAt(failed, deps.retrySeconds, deps.random)
  return nextAtMs === null ? { state: 'failed' } : { state: 'retrying', nextAtMs }
}

function logAttempt(
  log: Logger,
  delivery: ClaimedDelivery,
  done: AttemptOutcome & { number: number; state: string },
): void {
  const words = done.error === null ? 'the client took the event' : 'the client did not take the event'
  logWalk(
    log,
    {
      walk: '10/10',
      serviceOrderId: isId('ord', delivery.subjectId) ? delivery.subjectId : undefined,
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      event: delivery.eventType,
      // The URL stays out: its path may be a secret of the client's.
      endpointId: delivery.endpointId,
      attempt: done.number,
      status: done.status,
      error: done.error,
      state: done.state,
      ms: done.durationMs,
    },
    words,
  )
}

/** Retries that fell due and leases that ran out are found this often. New events need no sweep. */
const SWEEP_MS = 500
const TIMEOUT_MS = 15_000
/** Longer than waiting for a place, an attempt and its settling can last together. */
const LEASE_MS = 30_000
/** How long `stop` lets attempts in flight end by themselves. */
const DRAIN_MS = 2_000
const LANES = { total: 64, perEndpoint: 4, ahead: 12, slowMs: 1_000, staleMs: 5_000 }

export interface DeliveryWorkerDeps {
  deliveries: DeliveryStore
  endpoints: EndpointStore
  secretBox: SecretBox
  guard: TargetGuard
  /** Delay after each failure, in seconds; one attempt more than there are delays. */
  retrySeconds: readonly number[]
  /** First attempts that an account may have in an hour, null for any number. What is over it waits for the next hour. */
  allowance: (accountId: AccountId, environment: 'sandbox' | 'live') => Promise<number | null>
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
}

/** Wakes on `DeliveryStore.changed`, so a first attempt follows its commit at once; a sweep finds what falls due. */
export class DeliveryWorker implements Service {
  readonly #deps: DeliveryWorkerDeps
  readonly #lanes = new DeliveryLanes(LANES)
  readonly #inFlight = new Map<number, Promise<void>>()
  /** Ordinals under our lease, begun or not, each with the attempts before this one. */
  readonly #held = new Map<number, number>()
  #attempts: AttemptDeps | null = null
  #stopping = new AbortController()
  #undo: Cancel[] = []
  /** Deliveries up to this ordinal are known to the lanes. */
  #seen = 0
  readonly #passes: Rounds
  readonly #times: RetryTimes

  constructor(deps: DeliveryWorkerDeps) {
    this.#deps = deps
    this.#times = new RetryTimes({
      ...deps,
      rows: deps.deliveries.waiting,
      moveRest: (step) => deps.endpoints.moveFailing(step),
      leaseMs: LEASE_MS,
      what: 'webhook deliveries',
    })
    this.#passes = new Rounds({
      clock: deps.clock,
      everyMs: null,
      pass: () => this.#pass(),
      // The writer refuses units while it is overloaded. What was not claimed now is found by the next sweep.
      failed: (error) =>
        deps.log.warn({ err: error }, 'could not claim webhook deliveries; the next sweep tries again'),
    })
  }

  async start(): Promise<void> {
    if (this.#attempts) return
    const { deliveries, endpoints, guard, clock } = this.#deps
    for (const id of await endpoints.failing()) this.#lanes.failing(id)
    // One relay process owns an SQLite file, so whoever held these leases is dead.
    await deliveries.releaseAll()
    await this.#times.start()
    this.#seen = await deliveries.newest()
    this.#stopping = new AbortController()
    this.#attempts = { ...this.#deps, poster: new WebhookPoster({ guard, clock, timeoutMs: TIMEOUT_MS }) }
    this.#undo = [
      deliveries.changed.subscribe(() => this.#passes.wake()),
      deliveries.askedFor.subscribe((endpointId) => {
        this.#lanes.ready(endpointId)
        this.#passes.wake()
      }),
      deliveries.disabled.subscribe((endpointId) => void this.#end(endpointId)),
      clock.every(SWEEP_MS, () => void this.#sweep()),
    ]
    await this.#passes.start()
    await this.#sweep()
  }

  /** Lets attempts in flight end for up to 2 s, then ends them and gives their leases back. */
  async stop(): Promise<void> {
    const attempts = this.#attempts
    if (!attempts) return
    this.#attempts = null
    for (const undo of this.#undo) undo()
    const cancel = this.#deps.clock.after(DRAIN_MS, () => this.#stopping.abort())
    await this.#passes.stop()
    await this.#giveBack(this.#lanes.abandon())
    await Promise.all(this.#inFlight.values())
    cancel()
    await attempts.poster.close()
  }

  async #sweep(): Promise<void> {
    try {
      await this.#times.look()
      for (const id of await this.#deps.deliveries.endpointsDue(this.#deps.clock.now())) this.#lanes.ready(id)
    } catch (error) {
      this.#deps.log.error({ err: error }, 'could not look for due webhook deliveries; the next sweep tries again')
    }
    this.#passes.wake()
  }

  async #pass(): Promise<void> {
    const attempts = this.#attempts
    if (!attempts) return
    const { deliveries, clock } = attempts
    for (let more = true; more; ) {
      const since = await deliveries.endpointsSince(this.#seen)
      for (const id of since.endpointIds) this.#lanes.ready(id)
      this.#seen = since.newest
      more = since.more
    }
    await this.#times.look()
    const requests = this.#lanes.requests(clock.monotonicMs())
    const quotas = await this.#quotas(requests)
    const times = { nowMs: clock.now(), leaseUntilMs: clock.now() + LEASE_MS }
    const claimed = requests.length > 0 ? await deliveries.claim(requests, quotas, times) : []
    // A wall clock that jumps ahead lets our own leases run out.
    const fresh = claimed.filter(({ ordinal }) => !this.#held.has(ordinal))
    // Settled on disk and wanted again, before its `#send` has come to its end.
    const early = claimed.filter(({ ordinal, attempts: n }) => n > (this.#held.get(ordinal) ?? n))
    for (const { ordinal, attempts: before } of fresh) this.#held.set(ordinal, before)
    this.#lanes.claimed(requests, fresh, clock.monotonicMs())
    await deliveries.release(early.map(({ ordinal }) => ordinal))
    for (const { endpointId } of early) this.#lanes.ready(endpointId)
    // Whoever gave all that was asked of it may have more; and one without anything to give must not keep others from being asked.
    if (claimed.length > 0 || (requests.length > 0 && this.#lanes.moreReady)) this.#passes.wake()
    await this.#begin(attempts)
  }

  /** Whose the endpoints are, and what their accounts may have now. */
  async #quotas(requests: readonly ClaimRequest[]): Promise<Map<WebhookId, Quota>> {
    const { endpoints, allowance } = this.#deps
    const quotas = new Map<WebhookId, Quota>()
    const known = new Map<string, number | null>()
    for (const { endpointId } of requests) {
      const owner = await endpoints.accountOf(endpointId)
      // Deleted meanwhile.
      if (owner === null) continue
      const { accountId, environment } = owner
      const key = `${accountId} ${environment}`
      const perHour = known.has(key) ? (known.get(key) ?? null) : await allowance(accountId, environment)
      known.set(key, perHour)
      quotas.set(endpointId, { accountId, environment, perHour })
    }
    return quotas
  }

  async #end(endpointId: WebhookId): Promise<void> {
    try {
      await this.#deps.deliveries.failDisabled(endpointId, this.#deps.clock.now())
    } catch (error) {
      this.#deps.log.warn(
        { err: error, endpointId },
        'deliveries of a disabled endpoint are still open; each is ended when it is due',
      )
    }
  }

  /** Sends what has a place now, and gives back what has waited too long for one. */
  async #begin(attempts: AttemptDeps): Promise<void> {
    const { begun, stale } = this.#lanes.next(this.#deps.clock.monotonicMs())
    for (const delivery of begun) this.#inFlight.set(delivery.ordinal, this.#send(attempts, delivery))
    await this.#giveBack(stale)
  }

  async #giveBack(unsent: readonly ClaimedDelivery[]): Promise<void> {
    for (const { ordinal } of unsent) this.#held.delete(ordinal)
    await this.#deps.deliveries.release(unsent.map(({ ordinal }) => ordinal))
  }

  async #send(attempts: AttemptDeps, delivery: ClaimedDelivery): Promise<void> {
    const { endpointId, ordinal } = delivery
    const answered = (taken: boolean): void => {
      this.#lanes.ended(endpointId, ordinal, taken)
      this.#passes.wake()
    }
    try {
      await deliver(attempts, delivery, { stopped: this.#stopping.signal, answered })
    } catch (error) {
      this.#deps.log.error({ err: error, deliveryId: delivery.id }, 'an attempt was not recorded; its lease runs out')
    }
    this.#inFlight.delete(ordinal)
    this.#held.delete(ordinal)
    // No effect when it was answered.
    this.#lanes.ended(endpointId, ordinal, false)
    // The next event of the same subject may go only now that this one is settled.
    this.#lanes.ready(endpointId)
    this.#passes.wake()
  }
}
