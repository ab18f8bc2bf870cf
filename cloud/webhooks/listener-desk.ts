// Walk 10/10, beside delivery-worker.ts: sends deliveries of listeners through the streams that programs have opened at this relay, under
// the same leases. Each result arrives in a separate call, at any relay (listeners.ts).
import { randomUUID } from 'node:crypto'
import type { ClaimedDelivery } from '#cloud/storage/delivery-claim.ts'
import type { DeliveryStore } from '#cloud/storage/delivery-store.ts'
import type { EndpointStore } from '#cloud/storage/endpoint-store.ts'
import type { Listener, ListenerStore } from '#cloud/storage/listener-store.ts'
import type { WebhookEndpointsTable } from '#cloud/storage/schema-webhooks.ts'
import { type Cancel, type Clock, toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { WebhookId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { StreamMessages } from '#shared/wire/api/listeners.ts'
import type { SecretBox } from './secret-box.ts'
import { secretsAt } from './sent-headers.ts'
import { type SigningSecrets, signedHeaders } from './signature.ts'

/** Maximum number of unanswered deliveries of one listener. */
const WINDOW = 16
/** Without a result after this time, the delivery is sent again as the same attempt. */
const ANSWER_WITHIN_MS = 30_000
/** Longer than a delivery can wait for its place in the stream and for its result: the stream gives it back before. */
export const LEASE_MS = 60_000
/** A program that does not read for this long is disconnected. */
const UNREAD_MS = 20_000
/** Interval of polls for what no notification reported, while any stream is open. */
const SWEEP_MS = 500
const BEAT_MS = 10_000
/** The owner's right to listen is checked with every n-th heartbeat. */
const CHECK_BEATS = 3
const EXPIRE_MS = 60_000
/** How long deliveries wait for a program that reconnects. */
export const KEPT_MS = 15 * 60_000
/** Maximum of dashboard feeds and streams together, of the 4,096 connections of the server. */
const MOST = 1_000
/** Anyone can sign up for the sandbox, so its streams leave at least half of the places to live ones. */
const SANDBOX_PART = 0.5
const AGAIN_SECONDS = 5

/** A stream, as the desk needs it. */
export interface Pipe {
  send<E extends keyof StreamMessages>(event: E, data: StreamMessages[E]): void
  /** Resolves when most of the sent bytes have left the relay, or the pipe is closed. */
  drained(): Promise<void>
  /** Ends it after what was sent. */
  close(): void
  /** Ends it at once, whether it is read or not. */
  cut(): void
}

export interface ListenerDeskDeps {
  listeners: ListenerStore
  deliveries: Pick<DeliveryStore, 'changed' | 'release' | 'settle' | 'failDisabled' | 'failNotGranted'>
  endpoints: Pick<EndpointStore, 'byId' | 'hearsMerchant' | 'delete'>
  secretBox: SecretBox
  /** The trace of an event's subject, sent in the header `traceparent`. */
  traces?: { of(subjectId: string): Promise<string | null> } | undefined
  /** Number of open live feeds of the dashboard, which share the places with streams. */
  otherFeeds?: () => number
  /** False: nothing is sent (CLOUD_OUTGOING). */
  sends?: boolean
  /** False if other relays may have the stream of a listener whose result arrived here. */
  isAlone: boolean
  clock: Clock
  log: Logger
}

interface Stream {
  readonly id: string
  readonly listener: Listener
  readonly pipe: Pipe
  /** Returns whether its owner may still listen. */
  readonly mayListen: () => Promise<boolean>
  readonly pump: Rounds
  /** Unanswered deliveries by ordinal, with the monotonic time of sending. */
  readonly sent: Map<number, { delivery: ClaimedDelivery; sentMs: number }>
  isOpen: boolean
}

export class ListenerDesk implements Service {
  readonly #deps: ListenerDeskDeps
  readonly #streams = new Set<Stream>()
  readonly #ending = new Set<Promise<void>>()
  readonly #looks: Rounds
  readonly #checks: Rounds
  readonly #expiry: Rounds
  #stops: Cancel[] = []
  #beats = 0
  #isLeaving = false

  constructor(deps: ListenerDeskDeps) {
    this.#deps = deps
    const { clock, log } = deps
    const round = (everyMs: number | null, pass: () => Promise<void>, what: string): Rounds =>
      new Rounds({ clock, everyMs, pass, failed: (err) => log.warn({ err }, `${what}; the next look tries again`) })
    this.#looks = round(null, () => this.#look(), 'could not look for deliveries of listeners')
    this.#checks = round(null, () => this.#check(), 'could not ask whether programs may still listen')
    this.#expiry = round(EXPIRE_MS, () => this.#expire(), 'could not remove listeners that nobody came back to')
  }

  /** Number of open streams. */
  get size(): number {
    return this.#streams.size
  }

  async start(): Promise<void> {
    if (this.#stops.length > 0) return
    const { listeners, deliveries, clock } = this.#deps
    this.#isLeaving = false
    await listeners.endDead(clock.now() + KEPT_MS)
    for (const rounds of [this.#looks, this.#checks, this.#expiry]) await rounds.start()
    this.#stops = [
      deliveries.changed.subscribe((endpointId) => this.#wake(endpointId)),
      listeners.changed.subscribe((endpointId) => {
        if (this.#of(endpointId).length > 0) this.#looks.wake()
      }),
      clock.every(SWEEP_MS, () => this.#sweep()),
      clock.every(BEAT_MS, () => this.#beat()),
    ]
  }

  /** Ends every stream; the programs reconnect to another relay. Call before the server is closed, which waits for open requests. */
  async leave(): Promise<void> {
    this.#isLeaving = true
    for (const stream of [...this.#streams]) this.#bye(stream, 'draining')
    await Promise.all(this.#ending)
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    await this.leave()
    for (const rounds of [this.#looks, this.#checks, this.#expiry]) await rounds.stop()
  }

  /** Call before a stream is opened. @throws ServiceError service.unavailable (503), rate_limit.exceeded (429) */
  admit({ environment }: Pick<Listener, 'environment'>): void {
    const { sends = true, otherFeeds = () => 0 } = this.#deps
    const message = 'This relay sends no events now (CLOUD_OUTGOING is off): they wait.'
    if (!sends) throw new ServiceError('service.unavailable', { message, retryAfterSeconds: 60 })
    if (this.#isLeaving || this.#stops.length === 0)
      throw new ServiceError('service.unavailable', { retryAfterSeconds: 1 })
    const ofSandbox = [...this.#streams].filter(({ listener }) => listener.environment === 'sandbox').length
    const isFull = this.#streams.size + otherFeeds() >= MOST
    if (!isFull && (environment === 'live' || ofSandbox < MOST * SANDBOX_PART)) return
    throw new ServiceError('rate_limit.exceeded', {
      message: 'Too many programs listen at this relay. Wait for Retry-After seconds, then connect again.',
      retryAfterSeconds: AGAIN_SECONDS,
    })
  }

  /**
   * Takes over the stream of the listener, wherever it was, and sends what waits.
   * @param openPipe starts the response; called once the listener is found
   * @param mayListen returns whether the key, the merchant and the account's settings still allow it
   * @throws ServiceError webhook.not_found (404)
   */
  async open(
    listener: Listener,
    openPipe: (closed: () => void) => Pipe,
    mayListen: Stream['mayListen'],
  ): Promise<void> {
    const { listeners, clock, log } = this.#deps
    const { endpointId } = listener
    const id = randomUUID()
    if (!(await listeners.openStream(endpointId, id, clock.now()))) throw new ServiceError('webhook.not_found')
    const failed = (err: unknown): void =>
      log.warn({ err, endpointId }, 'could not claim deliveries of a listener; the next look tries again')
    const pump = new Rounds({ clock, everyMs: null, pass: () => this.#pump(stream), failed })
    const pipe = openPipe(() => this.#left(stream))
    const stream: Stream = { id, listener, pipe, mayListen, pump, sent: new Map(), isOpen: true }
    this.#streams.add(stream)
    try {
      await this.#begin(stream)
    } catch (err) {
      // The response has begun, so there is no status any more. The program reconnects.
      log.warn({ err, endpointId }, 'a stream of a listener could not begin; it was cut')
      pipe.cut()
      this.#left(stream)
    }
  }

  async #begin(stream: Stream): Promise<void> {
    const { listeners } = this.#deps
    const { endpointId } = stream.listener
    listeners.changed.notify(endpointId)
    stream.pipe.send('ready', { webhookId: endpointId, waiting: await listeners.waiting(endpointId) })
    // The listener or the relay may have ended meanwhile.
    if (this.#isLeaving) return this.#bye(stream, 'draining')
    if (!stream.isOpen) return
    await stream.pump.start()
    stream.pump.wake()
    this.#looks.wake()
  }

  /** A result of this attempt was recorded. @returns false: its stream is at another relay, if at any */
  answered(endpointId: WebhookId, { ordinal, number }: { ordinal: number; number: number }): boolean {
    const found = this.#of(endpointId).filter(({ sent }) => forget(sent, ordinal, number))
    for (const { pump } of found) pump.wake()
    return found.length > 0
  }

  #of(endpointId: WebhookId): Stream[] {
    return [...this.#streams].filter(({ listener }) => listener.endpointId === endpointId)
  }

  /** Runs after each commit of a delivery, so without listeners it only checks a set. */
  #wake(endpointId: WebhookId | null): void {
    for (const { listener, pump } of this.#streams)
      if (endpointId === null || listener.endpointId === endpointId) pump.wake()
  }

  #bye(stream: Stream, reason: StreamMessages['bye']['reason']): void {
    if (!stream.isOpen) return
    stream.pipe.send('bye', { reason })
    stream.pipe.close()
    this.#left(stream)
  }

  #left(stream: Stream): void {
    if (!this.#streams.delete(stream)) return
    stream.isOpen = false
    const { listeners, clock, log } = this.#deps
    const { endpointId } = stream.listener
    const ending = stream.pump
      .stop()
      .then(() => listeners.endStream(endpointId, stream.id, clock.now() + KEPT_MS))
      .catch((err: unknown) =>
        log.warn({ err, endpointId }, 'the end of a stream was not written down; its leases run out'),
      )
      .finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }

  /** Sends as many deliveries as the window allows. */
  async #pump(stream: Stream): Promise<void> {
    const { listeners, endpoints, clock } = this.#deps
    const { endpointId } = stream.listener
    const limit = WINDOW - stream.sent.size
    if (limit <= 0 || !stream.isOpen) return
    const endpoint = await endpoints.byId(endpointId)
    if (endpoint === null) return this.#looks.wake()
    const nowMs = clock.now()
    const leaseUntilMs = nowMs + LEASE_MS
    const claimed = await listeners.claim({ endpointId, streamId: stream.id, limit }, { nowMs, leaseUntilMs })
    if (claimed === null) return this.#looks.wake()
    // A wall clock that jumps ahead lets our own leases run out. The next attempt may be claimed before `answered` says that the last one is over.
    const fresh = claimed.filter(({ ordinal, attempts }) => stream.sent.get(ordinal)?.delivery.attempts !== attempts)
    for (const delivery of fresh) stream.sent.set(delivery.ordinal, { delivery, sentMs: clock.monotonicMs() })
    for (const delivery of fresh) await this.#send(stream, delivery, { endpoint, nowMs })
    // A listener that filled its request may have more.
    if (claimed.length > 0) stream.pump.wake()
  }

  async #send(
    { listener, pipe, sent, ...stream }: Stream,
    delivery: ClaimedDelivery,
    { endpoint, nowMs }: { endpoint: WebhookEndpointsTable; nowMs: number },
  ): Promise<void> {
    const { deliveries, endpoints, clock, traces } = this.#deps
    const { ordinal, payload: body, id: deliveryId, eventId, eventType: type, attempts } = delivery
    if (endpoint.status === 'disabled' && delivery.manualAt === null) {
      sent.delete(ordinal)
      await deliveries.release([ordinal])
      return deliveries.failDisabled(endpoint.id, nowMs)
    }
    if (delivery.audience === 'merchant' && !(await endpoints.hearsMerchant(endpoint.id))) {
      sent.delete(ordinal)
      return deliveries.failNotGranted(ordinal, nowMs)
    }
    const number = attempts + 1
    const secrets = await this.#secretsOf(listener, endpoint, nowMs)
    if (secrets === null) {
      const nothing = { status: null, error: 'secret_unreadable', response: null, durationMs: 0, ours: true }
      sent.delete(ordinal)
      await deliveries.settle(delivery, { ...nothing, number, atMs: nowMs }, { next: { state: 'failed' }, nowMs })
      return
    }
    const signed = signedHeaders({ body, secrets, eventId, eventType: type, deliveryId, attempt: number, nowMs })
    const traceparent = (await traces?.of(delivery.subjectId)) ?? null
    const cancel = clock.after(UNREAD_MS, () => pipe.cut())
    await pipe.drained()
    cancel()
    // What was not sent is free again with the end of the stream.
    if (sent.get(ordinal)?.delivery !== delivery) return
    sent.set(ordinal, { delivery, sentMs: clock.monotonicMs() })
    const headers = traceparent === null ? signed : { ...signed, traceparent }
    pipe.send('delivery', { deliveryId, number, eventId, type, headers, body })
    this.#deps.log.debug(
      { deliveryId, eventId, endpointId: endpoint.id, attempt: number, stream: stream.id },
      'sent to a listener',
    )
  }

  /** Null if the master key does not open them. */
  async #secretsOf({ likeId }: Listener, own: WebhookEndpointsTable, nowMs: number): Promise<SigningSecrets | null> {
    const { endpoints, secretBox, log } = this.#deps
    // If its `like` endpoint was deleted, its own secret signs.
    const like = likeId === null ? null : await endpoints.byId(likeId)
    try {
      return secretsAt(like ?? own, secretBox, nowMs)
    } catch {
      const hint = 'CLOUD_MASTER_KEY is not the one that sealed it'
      log.error({ endpointId: own.id, hint }, 'cannot open the signing secret of a listener')
      return null
    }
  }

  #sweep(): void {
    if (this.#streams.size === 0) return
    const { clock, log, deliveries } = this.#deps
    for (const { sent, pump, listener } of this.#streams) {
      const late = [...sent].filter(([, { sentMs }]) => clock.monotonicMs() - sentMs >= ANSWER_WITHIN_MS)
      if (late.length === 0) continue
      for (const [ordinal] of late) sent.delete(ordinal)
      const { endpointId } = listener
      deliveries
        .release(late.map(([ordinal]) => ordinal))
        .then(() => pump.wake())
        .catch((err: unknown) =>
          log.warn({ err, endpointId }, 'deliveries without a result were not given back; their leases run out'),
        )
    }
    this.#looks.wake()
  }

  /**
   * Two statements for all streams of this relay: which listeners have another stream now or something to send, and what was answered
   * elsewhere.
   */
  async #look(): Promise<void> {
    const { listeners, clock, isAlone } = this.#deps
    const streams = [...this.#streams]
    const looks = await listeners.look(
      streams.map(({ listener }) => listener.endpointId),
      clock.now(),
    )
    const byId = new Map(looks.map((look) => [look.endpointId, look]))
    for (const stream of streams) {
      const look = byId.get(stream.listener.endpointId)
      if (look === undefined) this.#bye(stream, 'deleted')
      // Null: this relay was considered dead.
      else if (look.streamId !== stream.id) this.#bye(stream, look.streamId === null ? 'draining' : 'replaced')
      else if (look.isDue) stream.pump.wake()
    }
    if (isAlone) return
    const asked = streams.map(({ sent, pump }) => ({ sent, pump, now: [...sent.values()] }))
    const over = new Set(await listeners.over(asked.flatMap(({ now }) => now.map(({ delivery }) => delivery))))
    for (const { sent, pump, now } of asked) {
      const answered = now.filter(({ delivery: { ordinal } }) => over.has(ordinal))
      for (const { delivery } of answered) forget(sent, delivery.ordinal, delivery.attempts + 1)
      if (answered.length > 0) pump.wake()
    }
  }

  #beat(): void {
    if (this.#streams.size === 0) return
    const beat = { time: toIso(this.#deps.clock.now()) }
    for (const { pipe } of this.#streams) pipe.send('beat', beat)
    this.#beats += 1
    if (this.#beats % CHECK_BEATS === 0) this.#checks.wake()
  }

  async #check(): Promise<void> {
    for (const stream of [...this.#streams]) if (!(await stream.mayListen())) this.#bye(stream, 'refused')
  }

  async #expire(): Promise<void> {
    const { listeners, endpoints, clock, log, isAlone } = this.#deps
    const nowMs = clock.now()
    if (!isAlone) await listeners.endDead(nowMs + KEPT_MS)
    for (const endpointId of await listeners.takeExpired(nowMs)) {
      const row = await endpoints.byId(endpointId)
      if (row === null) continue
      const { account_id: accountId, merchant_id: merchantKey, environment } = row
      await endpoints.delete({ accountId, merchantKey, environment }, endpointId)
      log.info({ endpointId }, 'a listener that nobody came back to was deleted')
    }
  }
}

/** @returns whether this attempt, or one before it, was on its way */
function forget(sent: Stream['sent'], ordinal: number, number: number): boolean {
  const known = sent.get(ordinal)
  return known !== undefined && known.delivery.attempts < number && sent.delete(ordinal)
}
