// Walk 4/10: comes from cloud/relay/order-dispatcher.ts, goes on to gateway/orders/accept-order.ts. Takes jobs off the wire and acknowledges them; later carries their results to cloud/relay/gateway-reports.ts.
import { randomUUID } from 'node:crypto'
import type { StreamPosition } from '#gateway/orders/accept-order.ts'
import { isDiskFull } from '#gateway/storage/database.ts'
import type { Cancel } from '#shared/clock.ts'
import { WAITS_FOR_RELAY } from '#shared/health.ts'
import { logWalk } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import { readTraceparent } from '#shared/traceparent.ts'
import type { LinkTrouble } from '#shared/wire/gateway-claim.ts'
import { type JobMessage, LINK_LIMITS, type Pairing, secondClientId } from '#shared/wire/gateway-link.ts'
import { CONNECT_PATIENCE } from './connect-patience.ts'
import { Connection } from './connection.ts'
import type { CloudLinkOptions } from './link-options.ts'
import { LinkSession, type SessionEvents, type TakingJobs } from './link-session.ts'
import { type Line, Move } from './move.ts'
import { type AttemptEnd, ReconnectDelays } from './reconnect-delay.ts'
import { upText } from './up-messages.ts'

/** Stores the jobs that arrived together in one commit. @returns the current position of the stream. */
export function takeJobs(
  jobs: readonly JobMessage[],
  { intake, clock, log, gatewayId, isSealed }: TakingJobs,
): StreamPosition {
  const startedMs = clock.monotonicMs()
  const position = intake.accept(jobs, isSealed)
  const ms = clock.monotonicMs() - startedMs
  for (const { jobId, seq, doc } of jobs) {
    if (seq > position.last) continue
    const ids = { serviceOrderId: orderIdIn(doc), printJobId: jobId, gatewayId, traceparent: traceparentIn(doc) }
    const line = { walk: '4/10', ...ids, seq, ms }
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

function traceparentIn(doc: unknown): string | undefined {
  return readTraceparent((doc as { traceparent?: unknown } | null)?.traceparent) ?? undefined
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
  /** What the relay's jobs come on. */
  #line: Line | null = null
  readonly #move: Move
  #running = false
  readonly #delays: ReconnectDelays
  #welcomedAtMs = 0
  /** Taken, but no broker ever saw it: the next attempt uses it. Saves a write per attempt while the relay is away. */
  #unusedEpoch: number | null = null
  #newestEpoch = 0
  /** Our second connection led to a relay older than `move`, which does not support a second client id. */
  #isSecondIdUnknown = false
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
    this.#move = new Move({ ...options, make: () => this.#make({ isBeside: true }) })
    this.#state = { connected: false, sinceMs: options.clock.now(), detail: 'not started', trouble: null }
  }

  get state(): LinkState {
    return this.#state
  }

  /** Begins to connect and returns at once: printing continues without the relay. */
  async start(): Promise<void> {
    if (this.#running) return
    this.#running = true
    this.#welcomedAtMs = this.#options.clock.monotonicMs()
    this.#setState(false, 'connecting')
    this.#connect()
  }

  /** Sends `bye`, so that the relay knows at once. */
  async stop(): Promise<void> {
    if (!this.#running) return
    this.#running = false
    this.#cancelRetry()
    this.#dropSecond('stopped')
    await this.#leave(this.#line)
    this.#setState(false, 'stopped')
  }

  #connect(): void {
    this.#line = this.#make({ isBeside: false })
    if (this.#line) {
      this.#line.connection.open()
      return
    }
    this.#setState(false, 'the disk is full')
    this.#cancelRetry = this.#options.clock.after(DISK_FULL_WAIT_MS, () => this.#connect())
  }

  /** @param isBeside open it beside the current one, until the relay has welcomed it. @returns null: the disk is full */
  #make({ isBeside }: { isBeside: boolean }): Line | null {
    const { clock, machine, tuning } = this.#options
    const epoch = this.#takeEpoch()
    if (epoch === null) return null
    const clientId = isBeside ? this.#idBeside() : this.#pairing.gatewayId
    const { nextToken } = this.#pairing
    const isNext = nextToken !== undefined && !this.#nextIsRefused
    this.#bootEpoch ??= epoch
    const boot = { bootId: this.#bootId, bootEpoch: this.#bootEpoch }
    const session = new LinkSession({ ...this.#options, ...boot, epoch, takeJobs }, (message) =>
      connection.publish(message),
    )
    const who = {
      ...(machine !== undefined && { machine }),
      bootId: this.#bootId,
      ...(isBeside && { beside: true as const }),
    }
    const connection = new Connection(
      {
        clientId,
        pairing: isNext ? { ...this.#pairing, token: nextToken } : this.#pairing,
        will: upText({ t: 'will', ...who }, this.#envelope(epoch)),
        clock,
        keepaliveSeconds: tuning?.keepaliveSeconds ?? LINK_LIMITS.keepaliveSeconds,
        onMessage: (payload) => session.receive(payload),
        onEnd: (end, detail) => this.#ended(line, end, detail),
      },
      () => session.begin(tuning?.welcomeTimeoutMs ?? CONNECT_PATIENCE.welcomeMs, this.#eventsOf(line)),
    )
    const line: Line = { session, connection, clientId, isNext }
    return line
  }

  /** The client id of a second connection. */
  #idBeside(): string {
    const { gatewayId } = this.#pairing
    return this.#line?.clientId === gatewayId && !this.#isSecondIdUnknown ? secondClientId(gatewayId) : gatewayId
  }

  /** Of the next connection; null: the disk is full. */
  #takeEpoch(): number | null {
    try {
      const epoch = this.#unusedEpoch ?? this.#options.identity.nextEpoch()
      this.#unusedEpoch = null
      this.#newestEpoch = epoch
      return epoch
    } catch (error) {
      if (isDiskFull(error)) return null
      throw error
    }
  }

  #eventsOf(line: Line): SessionEvents {
    const isSecond = (): boolean => this.#move.second === line
    return {
      onWelcome: () => (isSecond() ? this.#moved() : this.#welcomed(line)),
      onTimeout: () => line.connection.close('no welcome from the relay'),
      onTold: () => (isSecond() ? this.#line?.session.resume() : this.#setState(false, WAITS_FOR_RELAY)),
      onHello: () => isSecond() && this.#line?.session.hold(),
      // The second one may still be welcomed.
      onSuperseded: () => this.#move.second ?? line.connection.close('the relay knows a later connection of this box'),
      onNextToken: (token) => this.#changePassword(line, token),
      onMove: (withinMs) => {
        if (this.#line === line && this.#running) this.#move.begin(withinMs)
      },
    }
  }

  #welcomed({ isNext, session: { epoch } }: Line): void {
    if (isNext) this.#pairing = this.#options.credentials?.nextTokenWorks() ?? this.#pairing
    this.#delays.welcomed()
    this.#setState(true, 'connected')
    this.#options.log.info({ gatewayId: this.#options.pairing.gatewayId, epoch }, 'relay is here')
  }

  /** The second connection was welcomed: from now on it is the only one. */
  #moved(): void {
    const before = this.#line
    this.#line = this.#move.release()
    void this.#leave(before)
    if (this.#line) this.#welcomed(this.#line)
  }

  async #leave(line: Line | null): Promise<void> {
    line?.session.end()
    await line?.connection.leave(upText({ t: 'bye' }, this.#envelope(line.session.epoch)))
  }

  #dropSecond(detail: string): void {
    const second = this.#move.release()
    second?.session.end()
    second?.connection.close(detail)
  }

  /** Reconnects with it at once: the relay drops the current connection when it sees the next. */
  #changePassword(line: Line, token: string): void {
    const kept = this.#options.credentials?.keepNextToken(token) ?? null
    if (!kept) return
    this.#pairing = kept
    this.#nextIsRefused = false
    this.#isChangingPassword = true
    this.#options.log.info('the relay gave the next password: connecting with it')
    this.#dropSecond('changing the password')
    line.connection.close('changing the password')
  }

  #ended(line: Line, end: Exclude<AttemptEnd, 'lost'>, detail: string): void {
    const { session, connection } = line
    session.end()
    if (!connection.reachedBroker && session.epoch === this.#newestEpoch) this.#unusedEpoch = session.epoch
    if (connection.trouble === 'refused') this.#nextIsRefused = line.isNext
    if (this.#move.second === line) {
      this.#isSecondIdUnknown = connection.hungUpOn
      this.#line?.session.resume()
      this.#move.failed()
      return
    }
    // One that was left, or dropped.
    if (this.#line !== line) return
    // Had it lived on, the second one would have taken its place.
    this.#line = this.#move.release()
    if (this.#running) this.#lost(line, end, detail)
  }

  /** Without a connection: the second one, where there is one, is waited for; else a new one is made. */
  #lost({ session, connection }: Line, end: Exclude<AttemptEnd, 'lost'>, detail: string): void {
    const { clock, log } = this.#options
    const now = clock.monotonicMs()
    if (session.welcomed) this.#welcomedAtMs = now
    const jitterMs = Math.round(this.#delays.afterMs(session.welcomed ? 'lost' : end, now - this.#welcomedAtMs))
    // Caused by ourselves: no other gateway reconnects at the same time.
    const waitMs = this.#isChangingPassword ? 0 : jitterMs
    this.#isChangingPassword = false
    log[session.welcomed ? 'warn' : 'debug'](
      { detail, waitMs, failures: this.#delays.inVain },
      'no connection to the relay',
    )
    // A refused next password means nothing: the current one is tried after it.
    const isRotating = connection.trouble === 'refused' && this.#nextIsRefused && this.#state.trouble !== 'refused'
    this.#setState(false, detail, isRotating ? null : connection.trouble)
    if (!this.#line) this.#cancelRetry = clock.after(waitMs, () => this.#connect())
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
