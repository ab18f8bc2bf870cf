// Walk 10/10: comes from cloud/relay/gateway-reports.ts and cloud/orders/inject-order.ts, goes on to the client's endpoint. Sends each event, signed, until the client accepts it or the retries are used up.
import { type AfterAttempt, Outbox } from '#cloud/outbox/outbox.ts'
import type { ClaimedDelivery, ClaimRequest, Quota } from '#cloud/storage/delivery-claim.ts'
import { OVERDUE_MS } from '#cloud/storage/delivery-due.ts'
import type { AttemptRecord, DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { type AccountId, isId, timeOfId, type WebhookId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { DeliveryLanes, isRetry } from './delivery-lanes.ts'
import { answeredByInspector, answerOf } from './inspector.ts'
import { WebhookPoster } from './post-webhook.ts'
import type { SecretBox } from './secret-box.ts'
import { secretsAt } from './sent-headers.ts'
import { type SigningSecrets, signedHeaders } from './signature.ts'
import type { TargetGuard } from './target-guard.ts'

/**
 * One attempt of a claimed delivery: signs the raw body and POSTs it. A crash before the attempt is recorded leaves only the lease, so the
 * same bytes are sent again: at least once.
 * @returns null if nothing was sent
 */
async function deliver(deps: AttemptDeps, delivery: ClaimedDelivery, stopped: AbortSignal): Promise<Attempt | null> {
  const { clock, deliveries, endpoints } = deps
  const endpoint = await endpoints.byId(delivery.endpointId)
  if (endpoint === null) return null
  // A manual attempt is made all the same, to check whether the receiver works again.
  if (endpoint.status === 'disabled' && delivery.manualAt === null) {
    await deliveries.release([delivery.ordinal])
    await deliveries.failDisabled(endpoint.id, clock.now())
    return null
  }
  const atMs = clock.now()
  if (delivery.audience === 'merchant' && !(await endpoints.hearsMerchant(endpoint.id))) {
    await deliveries.failNotGranted(delivery.ordinal, atMs)
    return null
  }
  const number = delivery.attempts + 1
  const secrets = secretsOf(deps, endpoint, atMs)
  if (secrets === null) return { ...UNREADABLE, number, atMs }
  const { payload: body, id: deliveryId, eventId, eventType, subjectId } = delivery
  const { url, environment } = endpoint
  const signed = signedHeaders({ body, secrets, eventId, eventType, deliveryId, attempt: number, nowMs: atMs })
  const traceparent = (await deps.traces?.of(subjectId)) ?? null
  const headers = traceparent === null ? signed : { ...signed, traceparent }
  // No connection: a page of the dashboard is the receiver.
  if (endpoint.kind === 'inspector') {
    const answered = await answeredByInspector(deps, { answer: answerOf(endpoint), timeoutMs: TIMEOUT_MS }, stopped)
    return { ...answered, sent: JSON.stringify(headers), number, atMs, ours: false }
  }
  return { ...(await deps.poster.post({ url, environment, headers, body }, stopped)), number, atMs, ours: false }
}

type Attempt = AttemptRecord & { retryAfterMs: number | null }

const UNREADABLE = {
  ...{ status: null, error: 'secret_unreadable', response: null, retryAfterMs: null, durationMs: 0 },
  ours: true,
}

type AttemptDeps = Omit<DeliveryWorkerDeps, 'guard'> & { poster: WebhookPoster }

/** Null if the master key does not open them: then the delivery fails and is retried, so that the key can be corrected. */
function secretsOf(deps: AttemptDeps, endpoint: WebhookEndpointsTable, nowMs: number): SigningSecrets | null {
  try {
    return secretsAt(endpoint, deps.secretBox, nowMs)
  } catch {
    deps.log.error(
      { endpointId: endpoint.id, hint: 'CLOUD_MASTER_KEY is not the one that sealed it' },
      'cannot open the signing secret of a webhook endpoint',
    )
    return null
  }
}

function logAttempt(
  log: Logger,
  delivery: ClaimedDelivery,
  { attempt, state }: { attempt: Attempt; state: string },
): void {
  const { number, atMs, status, error, durationMs: ms } = attempt
  // The id was created in the transaction of the event, so it contains its time.
  const waitedMs = number === 1 && delivery.manualAt === null ? Math.max(0, atMs - timeOfId(delivery.id)) : undefined
  const words = error === null ? 'the client took the event' : 'the client did not take the event'
  logWalk(
    log,
    {
      walk: '10/10',
      serviceOrderId: isId('ord', delivery.subjectId) ? delivery.subjectId : undefined,
      deliveryId: delivery.id,
      eventId: delivery.eventId,
      event: delivery.eventType,
      // The URL is not logged: its path may contain a secret of the client.
      endpointId: delivery.endpointId,
      ...{ attempt: number, waitedMs, status, error, state, ms },
    },
    words,
  )
}

const TIMEOUT_MS = 15_000
const LANES = { total: 64, perEndpoint: 4, ahead: 12, slowMs: 1_000, staleMs: 5_000 }

/** Looks up the trace of an event's subject. */
interface Traces {
  of(subjectId: string): Promise<string | null>
}

export interface DeliveryWorkerDeps {
  /** Sent in the header `traceparent`. Absent: no tracing. */
  traces?: Traces | undefined
  deliveries: DeliveryStore
  endpoints: EndpointStore
  secretBox: SecretBox
  guard: TargetGuard
  /** Delay after each failure, in seconds. There is one attempt more than delays. */
  retrySeconds: readonly number[]
  /** First attempts per account and hour; null: unlimited. Events beyond it wait for the next hour. */
  allowance: (accountId: AccountId, environment: 'sandbox' | 'live') => Promise<number | null>
  /** True if this one of several relays sends to the endpoint, so that its health and its places are tracked in one process. */
  isOurs: (endpointId: WebhookId) => boolean
  clock: Clock
  /** Uniform in [0, 1). */
  random: () => number
  log: Logger
}

/**
 * Wakes on `DeliveryStore.changed`, so a first attempt follows its commit at once. A sweep finds deliveries that become due. Unlike other
 * outboxes it has lanes that track healthy endpoints and hold claimed deliveries for them, the account's allowance, and manual attempts.
 */
export class DeliveryWorker implements Service {
  readonly #deps: DeliveryWorkerDeps
  readonly #poster: WebhookPoster
  readonly #outbox: Outbox<ClaimedDelivery, Attempt>
  readonly #lanes = new DeliveryLanes(LANES)
  readonly #held = new HeldDeliveries()
  #undo: Cancel[] = []
  /**
   * Endpoints of other relays that are being claimed or gave nothing, such as those whose account has used its hourly allowance, with the
   * monotonic time in ms. They are skipped for 5 s.
   */
  readonly #skipped = new Map<WebhookId, number>()
  /** A notification without an endpoint arrived: check all. */
  #mustLook = false

  constructor(deps: DeliveryWorkerDeps) {
    const { deliveries, endpoints } = deps
    this.#deps = deps
    this.#poster = new WebhookPoster({ ...deps, timeoutMs: TIMEOUT_MS })
    const attempts = { ...deps, poster: this.#poster }
    this.#outbox = new Outbox(deps, {
      what: 'webhook deliveries',
      rows: deliveries,
      moveRest: (step) => endpoints.moveFailing(step, deps.isOurs),
      changed: deliveries.changed,
      sweepMs: 500,
      leaseMs: 30_000,
      drainMs: 2_000,
      retrySeconds: deps.retrySeconds,
      sweep: () => this.#sweep(),
      pass: () => this.#pass(),
      abandon: () => this.#giveBack(this.#lanes.abandon()),
      // Manual attempts do not count for the schedule.
      numberOf: ({ attempts, manualAttempts }) => attempts + 1 - manualAttempts,
      send: (delivery, stopped) => deliver(attempts, delivery, stopped),
      answered: ({ endpointId, ordinal }, { error }) => {
        this.#lanes.ended(endpointId, ordinal, error === null)
        this.#outbox.wake()
      },
      settle: (delivery, attempt, follows) => this.#settle(delivery, attempt, follows),
      release: ({ ordinal }) => deliveries.release([ordinal]),
      ended: (delivery) => this.#ended(delivery),
      idsOf: ({ id }) => ({ deliveryId: id }),
    })
  }

  async start(): Promise<void> {
    if (this.#undo.length > 0) return
    const { deliveries, endpoints } = this.#deps
    this.#undo = [
      // Before the outbox, which starts a pass.
      deliveries.changed.subscribe((endpointId) => {
        if (endpointId === null) this.#mustLook = true
        else this.#ready([endpointId])
      }),
      deliveries.disabled.subscribe((endpointId) => void this.#end(endpointId)),
    ]
    for (const id of await endpoints.failing()) this.#lanes.failing(id)
    await this.#outbox.start()
  }

  /** Lets attempts in flight continue for up to 2 s, then aborts them and gives their leases back. */
  async stop(): Promise<void> {
    for (const undo of this.#undo.splice(0)) undo()
    await this.#outbox.stop()
    await this.#poster.close()
  }

  async #sweep(): Promise<void> {
    const { deliveries, isOurs, clock } = this.#deps
    for (const [id, sinceMs] of this.#skipped) if (clock.monotonicMs() - sinceMs >= OVERDUE_MS) this.#skipped.delete(id)
    const falls = (id: WebhookId) => (isOurs(id) ? 'ours' : this.#skipped.has(id) ? 'skip' : 'others')
    const whose = (id: WebhookId) => (this.#lanes.excludes(id) ? 'skip' : falls(id))
    for (const id of await deliveries.endpointsDue(await this.#outbox.look(), whose)) this.#lanes.ready(id)
  }

  #ready(endpointIds: Iterable<WebhookId>): void {
    for (const id of endpointIds) if (this.#deps.isOurs(id)) this.#lanes.ready(id)
  }

  async #pass(): Promise<void> {
    const { deliveries, clock, isOurs } = this.#deps
    if (this.#mustLook) {
      this.#mustLook = false
      await this.#sweep()
    }
    await this.#outbox.look()
    const requests = this.#lanes.requests(clock.monotonicMs())
    this.#held.claiming(requests)
    for (const { endpointId } of requests) if (!isOurs(endpointId)) this.#skipped.set(endpointId, clock.monotonicMs())
    const claimed = await this.#claim(requests)
    // If the wall clock jumps ahead, our own leases expire.
    const fresh = claimed.filter(({ ordinal }) => !this.#held.has(ordinal))
    // Settled on disk and claimed again, before the previous attempt has returned.
    const early = claimed.filter(({ ordinal, attempts: n }) => n > this.#held.attemptsOf(ordinal, n))
    for (const delivery of fresh) this.#held.add(delivery)
    // One claim for another relay's endpoint; after that it belongs to that relay again.
    const ours = requests.filter(({ endpointId }) => isOurs(endpointId))
    this.#lanes.claimed(ours, fresh, clock.monotonicMs())
    await deliveries.release(early.map(({ ordinal }) => ordinal))
    this.#ready(early.map(({ endpointId }) => endpointId))
    // An endpoint that filled its request may have more, and one without any must not keep others waiting.
    if (claimed.length > 0 || (requests.length > 0 && this.#lanes.moreReady)) this.#outbox.wake()
    const { begun, stale } = this.#lanes.next(clock.monotonicMs())
    for (const delivery of begun) this.#outbox.begin(delivery)
    // They have waited too long for a place.
    await this.#giveBack(stale)
  }

  async #claim(requests: readonly ClaimRequest[]): Promise<ClaimedDelivery[]> {
    if (requests.length === 0) return []
    let claimed: ClaimedDelivery[] | null = null
    try {
      const quotas = await this.#quotas(requests)
      if (quotas.size === 0) return []
      claimed = await this.#outbox.claim((times) => this.#deps.deliveries.claim(requests, quotas, times))
      return claimed
    } finally {
      // After an error the next sweep tries all of them again.
      for (const { endpointId } of claimed ?? requests) this.#skipped.delete(endpointId)
    }
  }

  /** The accounts of the endpoints, and how much each may send now. */
  async #quotas(requests: readonly ClaimRequest[]): Promise<Map<WebhookId, Quota>> {
    const { endpoints, allowance } = this.#deps
    const quotas = new Map<WebhookId, Quota>()
    const known = new Map<string, number | null>()
    for (const { endpointId } of requests) {
      const owner = await endpoints.accountOf(endpointId)
      // Deleted meanwhile.
      if (owner === null) continue
      const { accountId, environment, kind } = owner
      if (kind === 'listener') {
        this.#lanes.exclude(endpointId)
        continue
      }
      const key = `${accountId} ${environment}`
      const perHour = known.has(key) ? (known.get(key) ?? null) : await allowance(accountId, environment)
      known.set(key, perHour)
      quotas.set(endpointId, { accountId, environment, perHour })
    }
    return quotas
  }

  async #end(endpointId: WebhookId): Promise<void> {
    if (!this.#deps.isOurs(endpointId)) return
    try {
      await this.#deps.deliveries.failDisabled(endpointId, this.#deps.clock.now())
    } catch (error) {
      this.#deps.log.warn(
        { err: error, endpointId },
        'deliveries of a disabled endpoint are still open; each is ended when it is due',
      )
    }
  }

  async #giveBack(unsent: readonly ClaimedDelivery[]): Promise<void> {
    for (const delivery of unsent) this.#held.delete(delivery)
    await this.#deps.deliveries.release(unsent.map(({ ordinal }) => ordinal))
  }

  async #settle(delivery: ClaimedDelivery, attempt: Attempt, { next, nowMs }: AfterAttempt): Promise<void> {
    const { deliveries, log } = this.#deps
    this.#held.settling(delivery)
    const { disabled, freesMore } = await deliveries.settle(delivery, attempt, { next, nowMs })
    this.#held.settled(delivery, freesMore)
    logAttempt(log, delivery, { attempt, state: delivery.manualAt === null ? next.state : 'by_hand' })
    if (!disabled) return
    log.warn({ endpointId: delivery.endpointId }, 'a webhook endpoint failed for 5 days and is disabled now')
    deliveries.disabled.notify(delivery.endpointId)
  }

  #ended(delivery: ClaimedDelivery): void {
    const { endpointId, ordinal } = delivery
    const keptOthers = this.#held.delete(delivery)
    // No effect if it was answered.
    this.#lanes.ended(endpointId, ordinal, false)
    if (keptOthers) this.#ready([endpointId])
  }
}

/**
 * Deliveries under our lease, begun or not. When one ends, its endpoint is claimed for again only if another delivery may have waited for
 * it: an empty claim costs as much as a full one.
 */
class HeldDeliveries {
  readonly #held = new Map<number, HeldDelivery>()
  /** For each endpoint: the number of held deliveries, and the number of claims made for it meanwhile. */
  readonly #endpoints = new Map<WebhookId, { held: number; claims: number }>()

  has(ordinal: number): boolean {
    return this.#held.has(ordinal)
  }

  attemptsOf(ordinal: number, otherwise: number): number {
    return this.#held.get(ordinal)?.attempts ?? otherwise
  }

  add({ ordinal, endpointId, attempts }: ClaimedDelivery): void {
    const endpoint = this.#endpoints.get(endpointId) ?? { held: 0, claims: 0 }
    this.#endpoints.set(endpointId, endpoint)
    endpoint.held += 1
    this.#held.set(ordinal, { attempts, claimsBefore: null, freesMore: true })
  }

  /** Call before each claim. */
  claiming(requests: readonly ClaimRequest[]): void {
    for (const { endpointId } of requests) {
      const endpoint = this.#endpoints.get(endpointId)
      if (endpoint) endpoint.claims += 1
    }
  }

  /** Call before the result is written: a concurrent claim may skip deliveries that wait for this one. */
  settling({ ordinal, endpointId }: ClaimedDelivery): void {
    const held = this.#held.get(ordinal)
    if (held) held.claimsBefore = this.#endpoints.get(endpointId)?.claims ?? null
  }

  /** @param freesMore as returned by `DeliveryStore.settle` */
  settled({ ordinal }: ClaimedDelivery, freesMore: boolean): void {
    const held = this.#held.get(ordinal)
    if (held) held.freesMore = freesMore
  }

  /** It has ended. @returns whether another delivery of its endpoint may have waited for it */
  delete(delivery: ClaimedDelivery): boolean {
    const { ordinal, endpointId } = delivery
    const held = this.#held.get(ordinal)
    const endpoint = this.#endpoints.get(endpointId)
    if (!held || !endpoint) return true
    this.#held.delete(ordinal)
    endpoint.held -= 1
    if (endpoint.held === 0) this.#endpoints.delete(endpointId)
    // A retry used one of the places for retries.
    return held.freesMore || isRetry(delivery) || endpoint.claims !== held.claimsBefore
  }
}

interface HeldDelivery {
  /** Number of attempts before this one. */
  attempts: number
  /** Number of claims for its endpoint when its settling began. Null: not begun. */
  claimsBefore: number | null
  freesMore: boolean
}
