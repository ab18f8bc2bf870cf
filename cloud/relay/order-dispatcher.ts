// Walk 3/10: comes from cloud/orders/inject-order.ts, goes on to gateway/link/cloud-link.ts. Claims jobs for a gateway and publishes them until it has them.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { DispatchStore, OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { asId, type GatewayId, type LocationId, type PrintJobId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { CancelDesk } from './cancel-desk.ts'
import { downText } from './down-messages.ts'
import type { GatewaySession } from './gateway-session.ts'
import { HelloDesk, type HelloDeskDeps } from './hello-desk.ts'
import type { LinkObserver } from './link-observer.ts'
import { RecallDesk, type TakeBackOrders } from './recall-desk.ts'
import type { RestoreWatch } from './restore-watch.ts'
import { SessionIndex } from './session-index.ts'

/** Claims what waits for this gateway, commits, publishes in order. @returns how many messages went out. */
export async function dispatchOrders(
  session: GatewaySession,
  { clock, log }: { clock: Clock; log: Logger },
): Promise<number> {
  const startedMs = clock.monotonicMs()
  const batch = await session.next()
  for (const outgoing of batch) {
    session.send(outgoing)
    if (outgoing.kind === 'skip') continue
    const { orderId, jobId, seq } = outgoing.job
    logWalk(
      log,
      {
        walk: '3/10',
        serviceOrderId: orderId ?? undefined,
        printJobId: jobId,
        gatewayId: session.facts.gatewayId,
        seq,
        ms: clock.monotonicMs() - startedMs,
      },
      'claimed for the gateway and published',
    )
  }
  return batch.length
}

export interface DispatcherDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  gateways: GatewayStore
  publish(topic: string, payload: string): void
  /** The result of a job that is certain without a report of the gateway. */
  settle(job: { jobId: PrintJobId; state: 'cancelled' | 'uncertain'; gatewayId: GatewayId }): Promise<unknown>
  onTwins: HelloDeskDeps['onTwins']
  handBacks: HandBackStore
  watch: RestoreWatch
  takeBackOrders: TakeBackOrders
  onMissed: HelloDeskDeps['onMissed']
  hears?: HelloDeskDeps['hears']
  clock: Clock
  log: Logger
  observer?: LinkObserver | undefined
  /** Empty unless given. */
  sessions?: SessionIndex
}

/** The poll behind the wake-ups: finds jobs whose time has come, and whatever a wake-up missed. */
const SWEEP_MS = 500

export class OrderDispatcher implements Service {
  readonly #deps: DispatcherDeps & { lines: SampledLog }
  readonly #sessions: SessionIndex
  /** Their last pump ended with numbers that are still to be sent: a full window, or a database that failed. */
  readonly #behind = new Set<GatewaySession>()
  readonly #pumping = new Map<GatewaySession, { again: boolean }>()
  readonly #cancels: CancelDesk
  readonly #hellos: HelloDesk
  readonly #recalls: RecallDesk
  readonly #toLook = new Set<LocationId>()
  readonly #reconciled = new WeakSet<GatewaySession>()
  #stops: Cancel[] = []

  constructor(deps: DispatcherDeps) {
    this.#deps = { ...deps, lines: new SampledLog(deps.log, deps.clock) }
    this.#cancels = new CancelDesk(deps)
    this.#sessions = deps.sessions ?? new SessionIndex()
    this.#recalls = new RecallDesk({ ...this.#deps, goOn: (session) => this.#pump(session) })
    this.#hellos = new HelloDesk({
      ...this.#deps,
      isInDoubt: (locationId) => deps.watch.isInDoubt(locationId),
      sessions: this.#sessions,
      drop: (gatewayId) => this.drop(gatewayId),
      entered: (session) => this.#entered(session),
    })
  }

  async start(): Promise<void> {
    if (this.#stops.length > 0) return
    const { dispatches, clock } = this.#deps
    this.#stops = [
      dispatches.inserted.subscribe((locationId) => this.#wake(locationId)),
      dispatches.changed.subscribe((locationId) => this.#lookSoon(locationId)),
      clock.every(SWEEP_MS, () => this.#background(this.#sweep(), 'queued jobs could not be looked for')),
    ]
  }

  /** Stops sending and writes down what was acknowledged. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    this.#hellos.stop()
    const { sessions } = this
    for (const session of sessions) this.#end(session)
    await Promise.allSettled(sessions.map((session) => session.persist()))
  }

  session(gatewayId: GatewayId): GatewaySession | null {
    return this.#sessions.get(gatewayId) ?? null
  }

  get sessions(): readonly GatewaySession[] {
    return [...this.#sessions.values()]
  }

  /** The gateway is gone: nothing is sent to it until its next hello. */
  drop(gatewayId: GatewayId): void {
    const session = this.#sessions.get(gatewayId)
    if (session) this.#end(session)
  }

  /** A connection has ended: its hello is not answered any more. @param epoch its own; null: whichever the gateway had */
  left(gatewayId: GatewayId, epoch: number | null): void {
    this.#hellos.left(gatewayId, epoch)
  }

  /** Another relay is to answer these gateways. Resolves when nothing is written of their hellos any more. */
  letGo(isGone: (gatewayId: GatewayId) => boolean): Promise<void> {
    return this.#hellos.letGo(isGone)
  }

  /** The connection ended. `placeIsFree`: no other box has taken over. */
  ended(gatewayId: GatewayId, place: { placeIsFree: boolean }): void {
    this.#hellos.ended(gatewayId, place)
  }

  /** @param receivedMs relay's clock when the hello arrived. Resolves when the gateway was welcomed, or will not be for this hello. */
  hello(gatewayId: GatewayId, hello: MessageOf<UpMessage, 'hello'>, receivedMs: number): Promise<void> {
    return this.#hellos.take(gatewayId, hello, receivedMs)
  }

  /** @returns whether the gateway has more than was known before */
  ack(gatewayId: GatewayId, message: MessageOf<UpMessage, 'ack'>): boolean {
    const session = this.#current(gatewayId, message)
    const before = session?.acked
    if (session) this.#progress(session, message.last)
    return session?.acked !== before
  }

  nack(gatewayId: GatewayId, message: MessageOf<UpMessage, 'nack'>): void {
    const session = this.#current(gatewayId, message)
    if (!session) return
    this.#progress(session, message.last)
    // Anything else would be refused again at once: the acknowledgement's timer comes back to it, ever more slowly.
    if (message.reason === 'gap' || message.reason === 'corrupt') session.rewind()
    const { reason, last } = message
    if (reason !== 'gap') this.#deps.lines.warn(gatewayId, { gatewayId, reason, last }, 'gateway refused a message')
  }

  cancelAnswered(gatewayId: GatewayId, message: MessageOf<UpMessage, 'cmd.result'>): void {
    const session = this.#sessions.get(gatewayId)
    if (session) this.#cancels.answered(session, asId(message.jobId), message.outcome)
  }

  /** @returns whether an order came back that had been forgotten, when it is on disk. Never rejects */
  async handedBack(gatewayId: GatewayId, message: MessageOf<UpMessage, 'hand-back'>): Promise<boolean> {
    const session = this.#current(gatewayId, message)
    if (!session) return false
    const taken = this.#recalls.take(session, message)
    this.#background(taken, 'what a gateway handed back could not be stored', gatewayId)
    return taken.catch(() => false)
  }

  /** The gateway of this session has nothing to print and nothing to report. Asked once per session: only a restart can lose outcomes. */
  async idle(session: GatewaySession): Promise<void> {
    if (session.closed || this.#reconciled.has(session)) return
    this.#reconciled.add(session)
    const { gatewayId, stream, acked: upToSeq } = session.facts
    const forgotten = await this.#deps.dispatches.requeueForgotten({
      gatewayId,
      stream,
      upToSeq,
      nowMs: this.#deps.clock.now(),
    })
    if (forgotten.length === 0) return
    const detail = { gatewayId, jobs: forgotten.length }
    this.#deps.lines.warn(gatewayId, detail, 'outcomes were lost here: asking the gateway again')
    this.#pump(session)
  }

  async #entered(session: GatewaySession): Promise<void> {
    this.#recalls.begin(session)
    this.#pump(session)
    await this.#cancels.ask(session)
  }

  /** The session that this message belongs to; null for one of an older connection or another stream. */
  #current(gatewayId: GatewayId, message: { e: number; stream: string }): GatewaySession | null {
    const session = this.#sessions.get(gatewayId)
    if (!session || session.facts.epoch !== message.e || session.facts.stream !== message.stream) return null
    return session
  }

  #progress(session: GatewaySession, last: number): void {
    for (const job of session.acknowledged(last)) this.#takenBack(session, job)
    this.#cancels.accepted(session)
    if (session.hasRoom)
      this.#background(this.#lookFor(session), 'queued jobs could not be looked for', session.facts.gatewayId)
  }

  /** The skip of a job arrived: it can never be printed. After a gateway's restore it may have been, once. */
  #takenBack(session: GatewaySession, { jobId, possibleDuplicate }: OutgoingJob): void {
    this.#settle({ jobId, state: possibleDuplicate ? 'uncertain' : 'cancelled', gatewayId: session.facts.gatewayId })
  }

  #settle(job: Parameters<DispatcherDeps['settle']>[0]): void {
    this.#background(this.#deps.settle(job), 'cancelled job could not be settled', job.gatewayId)
  }

  #end(session: GatewaySession): void {
    session.close()
    this.#cancels.forget(session)
    this.#behind.delete(session)
    this.#recalls.end(session)
    if (this.#sessions.get(session.facts.gatewayId) === session) this.#sessions.delete(session.facts.gatewayId)
  }

  #wake(locationId: LocationId): void {
    for (const session of this.#sessions.at(locationId)) this.#pump(session)
  }

  /** Once per turn of the event loop, behind it: what was just committed is published first. */
  #lookSoon(locationId: LocationId): void {
    const isFirst = this.#toLook.size === 0
    this.#toLook.add(locationId)
    if (!isFirst) return
    setImmediate(() => {
      const locations = [...this.#toLook]
      this.#toLook.clear()
      for (const location of locations)
        this.#background(this.#look(location), 'new jobs could not be looked for', location)
    })
  }

  async #look(locationId: LocationId): Promise<void> {
    // A copy: sessions come and go while this waits.
    for (const session of [...this.#sessions.at(locationId)]) {
      await this.#lookFor(session)
      await this.#cancels.ask(session)
    }
  }

  /** Pumps when the database has something for this session: a read costs less than an empty claim. */
  async #lookFor(session: GatewaySession): Promise<void> {
    const { dispatches, clock } = this.#deps
    if (session.behind || (await dispatches.hasQueued(session.facts.locationId, clock.now()))) this.#pump(session)
  }

  async #sweep(): Promise<void> {
    const { dispatches, clock } = this.#deps
    const due = await dispatches.locationsWithQueued(clock.now(), () => this.#sessions.locations())
    for (const locationId of due) this.#wake(locationId)
    for (const session of this.#behind) this.#pump(session)
  }

  /** Sends until there is nothing more or no room. One at a time per session; a wake-up meanwhile causes one more pass. */
  #pump(session: GatewaySession): void {
    const running = this.#pumping.get(session)
    if (running) {
      running.again = true
      return
    }
    const turn = { again: true }
    this.#pumping.set(session, turn)
    const run = async (): Promise<void> => {
      try {
        while (turn.again && !session.closed) {
          turn.again = false
          while ((await dispatchOrders(session, this.#deps)) > 0);
        }
      } finally {
        // In the same tick as the last check of `again`: a wake-up in between would be lost.
        this.#pumping.delete(session)
        if (session.behind && !session.closed) this.#behind.add(session)
        else this.#behind.delete(session)
      }
      if (session.closed && this.#sessions.get(session.facts.gatewayId) === session) this.#lostFence(session)
    }
    this.#background(run(), 'jobs could not be claimed', session.facts.gatewayId)
  }

  /** Another relay wrote this gateway's stream: start over from its disk. */
  #lostFence(session: GatewaySession): void {
    const { gatewayId, epoch } = session.facts
    this.#deps.lines.warn(gatewayId, { gatewayId, epoch }, 'session was taken over; asking the gateway for a new hello')
    this.#end(session)
    const rehello = downText({ t: 'rehello', withinMs: 0 }, { epoch, nowMs: this.#deps.clock.now() })
    this.#deps.publish(topicsOf(gatewayId).down, rehello)
  }

  /** Work that no caller waits for. A failure is not fatal: the next sweep, acknowledgement or hello tries again. */
  #background(work: Promise<unknown>, failure: string, of: GatewayId | LocationId | null = null): void {
    const detail = of === null ? {} : { of }
    work.catch((error: unknown) => this.#deps.lines.error(of ?? 'dispatcher', { ...detail, err: error }, failure))
  }
}
