// Walk 4/10: comes from cloud/relay/order-dispatcher.ts, goes on to gateway/orders/accept-order.ts. Takes jobs off the wire and acknowledges them; later carries their results to cloud/relay/gateway-reports.ts.
import { randomUUID } from 'node:crypto'
import type { StreamPosition } from '#gateway/orders/accept-order.ts'
import { isDiskFull } from '#gateway/storage/database.ts'
import type { Cancel } from '#shared/clock.ts'
import { WAITS_FOR_RELAY } from '#shared/health.ts'
import { logWalk } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import { type JobMessage, LINK_LIMITS, type Pairing } from '#shared/wire/gateway-link.ts'
import { CONNECT_PATIENCE } from './connect-patience.ts'
import { Connection } from './connection.ts'
import type { CloudLinkOptions } from './link-options.ts'
import { LinkSession, type TakingJobs } from './link-session.ts'
import { type AttemptEnd, ReconnectDelays } from './reconnect-delay.ts'
import { upText } from './up-messages.ts'

/** Puts the jobs that arrived together on disk in one commit. @returns where the stream stands now. */
export function takeJobs(
  jobs: readonly JobMessage[],
  { intake, clock, log, gatewayId, isSealed }: TakingJobs,
): StreamPosition {
  const startedMs = clock.monotonicMs()
  const position = intake.accept(jobs, isSealed)
  const ms = clock.monotonicMs() - startedMs
  for (const { jobId, seq, doc } of jobs) {
    if (seq > position.last) continue
    const line = { walk: '4/10', serviceOrderId: orderIdIn(doc), printJobId: jobId, gatewayId, seq, ms }
    logWalk(log, line, 'received, on disk, acknowledging')
  }
  return position
}

/** The order's id for the log, if the document has one: it is not parsed yet, and may be anything. */
function orderIdIn(doc: unknown): string | undefined {
  const order = (doc as { order?: { serviceOrderId?: unknown } } | null)?.order
  const id = order?.serviceOrderId
  return typeof id === 'string' && /^ord_[0-9a-z]{26}$/.test(id) ? id : undefined
}

export interface LinkState {
  connected: boolean
  /** Epoch ms of the last change, on this machine's wall clock. */
  sinceMs: number
  detail: string
  /** Null while it may come back by itself. */
  trouble: LinkTrouble | null
}

const DISK_FULL_WAIT_MS = 2_000

export class CloudLink implements Service {
  readonly changed = new Signal()
  readonly #options: CloudLinkOptions
  readonly #bootId = randomUUID()
  #state: LinkState
  #session: LinkSession | null = null
  #connection: Connection | null = null
  #running = false
  readonly #delays: ReconnectDelays
  #welcomedAtMs = 0
  /** Taken, but no broker ever saw it: the next attempt uses it. Saves a write per attempt while the relay is away. */
  #unusedEpoch: number | null = null
  #bootEpoch: number | null = null
  #pairing: Pairing
  /** The broker refused the next password at the last attempt: the present one is tried. */
  #nextIsRefused = false
  #isChangingPassword = false
  #cancelRetry: Cancel = () => {}

  constructor(options: CloudLinkOptions) {
    this.#options = options
    this.#pairing = options.pairing
    this.#delays = new ReconnectDelays(options.random)
    this.#state = { connected: false, sinceMs: options.clock.now(), detail: 'not started', trouble: null }
  }

  get state(): LinkState {
    return this.#state
  }

  /** Begins to connect and returns at once: printing goes on without the relay. */
  async start(): Promise<void> {
    if (this.#running) return
    this.#running = true
    this.#welcomedAtMs = this.#options.clock.monotonicMs()
    this.#setState(false, 'connecting')
    this.#connect()
  }

  /** Says goodbye, so that the relay knows at once. */
  async stop(): Promise<void> {
    if (!this.#running) return
    this.#running = false
    this.#cancelRetry()
    const session = this.#session
    const connection = this.#connection
    session?.end()
    if (connection) await connection.leave(upText({ t: 'bye' }, this.#envelope(session?.epoch ?? 0)))
    this.#setState(false, 'stopped')
  }

  #connect(): void {
    const { identity, clock, machine, tuning } = this.#options
    const { nextToken } = this.#pairing
    const isNext = nextToken !== undefined && !this.#nextIsRefused
    const pairing = isNext ? { ...this.#pairing, token: nextToken } : this.#pairing
    let epoch: number
    try {
      epoch = this.#unusedEpoch ?? identity.nextEpoch()
    } catch (error) {
      if (!isDiskFull(error)) throw error
      this.#setState(false, 'the disk is full')
      this.#cancelRetry = clock.after(DISK_FULL_WAIT_MS, () => this.#connect())
      return
    }
    this.#unusedEpoch = epoch
    this.#bootEpoch ??= epoch
    const boot = { bootId: this.#bootId, bootEpoch: this.#bootEpoch }
    const session = new LinkSession({ ...this.#options, ...boot, epoch, takeJobs }, (message) =>
      connection.publish(message),
    )
    const connection = new Connection(
      {
        pairing,
        will: upText({ t: 'will', ...(machine !== undefined && { machine }) }, this.#envelope(epoch)),
        clock,
        keepaliveSeconds: tuning?.keepaliveSeconds ?? LINK_LIMITS.keepaliveSeconds,
        onMessage: (payload) => session.receive(payload),
        onEnd: (end, detail) => {
          if (connection.trouble === 'refused') this.#nextIsRefused = isNext
          this.#ended(session, connection, end, detail)
        },
      },
      () => {
        session.begin(tuning?.welcomeTimeoutMs ?? CONNECT_PATIENCE.welcomeMs, {
          onWelcome: () => this.#welcomed(isNext),
          onTimeout: () => connection.close('no welcome from the relay'),
          onTold: () => this.#setState(false, WAITS_FOR_RELAY),
          onNextToken: (token) => this.#changePassword(connection, token),
        })
      },
    )
    this.#session = session
    this.#connection = connection
    connection.open()
  }

  #welcomed(isNext: boolean): void {
    if (isNext) this.#pairing = this.#options.credentials?.nextTokenWorks() ?? this.#pairing
    this.#delays.welcomed()
    this.#setState(true, 'connected')
    this.#options.log.info({ gatewayId: this.#options.pairing.gatewayId, epoch: this.#session?.epoch }, 'relay is here')
  }

  /** Connects anew with it at once: the relay forgets the present one when it sees the next. */
  #changePassword(connection: Connection, token: string): void {
    const kept = this.#options.credentials?.keepNextToken(token) ?? null
    if (!kept) return
    this.#pairing = kept
    this.#nextIsRefused = false
    this.#isChangingPassword = true
    this.#options.log.info('the relay gave the next password: connecting with it')
    connection.close('changing the password')
  }

  #ended(session: LinkSession, connection: Connection, end: Exclude<AttemptEnd, 'lost'>, detail: string): void {
    session.end()
    if (connection.reachedBroker) this.#unusedEpoch = null
    if (this.#session === session) {
      this.#session = null
      this.#connection = null
    }
    if (!this.#running) return
    const { clock, log } = this.#options
    const now = clock.monotonicMs()
    if (session.welcomed) this.#welcomedAtMs = now
    const jitterMs = Math.round(this.#delays.afterMs(session.welcomed ? 'lost' : end, now - this.#welcomedAtMs))
    // Our own doing: nobody else comes at the same time.
    const waitMs = this.#isChangingPassword ? 0 : jitterMs
    this.#isChangingPassword = false
    log[session.welcomed ? 'warn' : 'debug'](
      { detail, waitMs, failures: this.#delays.inVain },
      'no connection to the relay',
    )
    // A next password that is refused says nothing new: the present one is tried after it.
    const isRotating = connection.trouble === 'refused' && this.#nextIsRefused && this.#state.trouble !== 'refused'
    this.#setState(false, detail, isRotating ? null : connection.trouble)
    this.#cancelRetry = clock.after(waitMs, () => this.#connect())
  }

  #setState(connected: boolean, detail: string, trouble: LinkTrouble | null = null): void {
    if (this.#state.connected === connected && this.#state.detail === detail && this.#state.trouble === trouble) return
    const sinceMs = this.#state.connected === connected ? this.#state.sinceMs : this.#options.clock.now()
    this.#state = { connected, sinceMs, detail, trouble }
    this.changed.notify()
  }

  #envelope(epoch: number): { epoch: number; nowMs: number } {
    return { epoch, nowMs: this.#options.relayTime.now() }
  }
}
