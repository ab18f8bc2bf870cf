// Walk 3/10: comes from cloud/orders/inject-order.ts, goes on to gateway/link/cloud-link.ts. Claims jobs for a gateway and publishes them until it has them.
import { randomUUID } from 'node:crypto'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DispatchStore, OutgoingJob } from '#cloud/storage/dispatch-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import { asId, type GatewayId, type LocationId, type PrintJobId } from '#shared/ids.ts'
import { type Logger, logWalk, SampledLog } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import {
  CAP_ANOTHER_PRINTER,
  CAP_ASK,
  CAP_DIGEST,
  CAP_KITCHEN,
  CAP_ORDER_DETAILS,
  LINK_LIMITS,
  type MessageOf,
  PROTOCOL,
  type UpMessage,
} from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { CancelDesk } from './cancel-desk.ts'
import { downText } from './down-messages.ts'
import { GatewaySession } from './gateway-session.ts'
import { TwinWatch } from './twin-watch.ts'

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
  /** A job's outcome that the relay knows without a result of the gateway. */
  settle(job: { jobId: PrintJobId; state: 'cancelled' | 'uncertain'; gatewayId: GatewayId }): Promise<unknown>
  /** Two boxes with one identity: the embedded broker keeps the second out. `machine`: what the second says. */
  onTwins(gatewayId: GatewayId, machine: string | null): void
  clock: Clock
  log: Logger
}

/** The truth behind the wake-ups: jobs whose time has come, and whatever a wake-up missed. */
const SWEEP_MS = 500

export class OrderDispatcher implements Service {
  readonly #deps: DispatcherDeps & { lines: SampledLog }
  readonly #sessions = new Map<GatewayId, GatewaySession>()
  readonly #pumping = new Map<GatewaySession, { again: boolean }>()
  readonly #twins = new TwinWatch()
  readonly #cancels: CancelDesk
  /** A hello waits for the one before it. */
  readonly #hellos = new Map<GatewayId, Promise<void>>()
  readonly #toLook = new Set<LocationId>()
  readonly #reconciled = new WeakSet<GatewaySession>()
  #stops: Cancel[] = []

  constructor(deps: DispatcherDeps) {
    this.#deps = { ...deps, lines: new SampledLog(deps.log, deps.clock) }
    this.#cancels = new CancelDesk(deps)
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
    const sessions = [...this.#sessions.values()]
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

  /** The connection ended. `placeIsFree`: no other box has taken over. */
  ended(gatewayId: GatewayId, place: { placeIsFree: boolean }): void {
    this.#twins.ended(gatewayId, place, this.#deps.clock.monotonicMs())
  }

  /** @param receivedMs relay's clock when the hello arrived. Resolves when the gateway was welcomed, or was not. */
  hello(gatewayId: GatewayId, hello: MessageOf<UpMessage, 'hello'>, receivedMs: number): Promise<void> {
    const before = this.#hellos.get(gatewayId) ?? Promise.resolve()
    const mine = before
      .then(() => this.#welcome(gatewayId, hello, receivedMs))
      .catch((error: unknown) =>
        this.#deps.lines.error(gatewayId, { gatewayId, err: error }, 'hello could not be answered'),
      )
      .finally(() => {
        if (this.#hellos.get(gatewayId) === mine) this.#hellos.delete(gatewayId)
      })
    this.#hellos.set(gatewayId, mine)
    return mine
  }

  ack(gatewayId: GatewayId, message: MessageOf<UpMessage, 'ack'>): void {
    const session = this.#current(gatewayId, message)
    if (session) this.#progress(session, message.last)
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

  async #welcome(gatewayId: GatewayId, hello: MessageOf<UpMessage, 'hello'>, t1: number): Promise<void> {
    if (!(await this.#mayEnter(gatewayId, hello))) return
    const { db, clock, lines } = this.#deps
    // Before the unit, so that the old session claims nothing behind it and what it knows is known.
    const before = this.#sessions.get(gatewayId)
    this.drop(gatewayId)
    await before?.persist()
    const resumed = await db.unit((tx) => this.#resume(tx, gatewayId, hello))
    if (!resumed) return
    const { session, requeued } = resumed
    this.#sessions.set(gatewayId, session)
    session.say({
      t: 'welcome',
      session: randomUUID(),
      t0: hello.t0,
      t1,
      t2: clock.now(),
      cfgVer: hello.cfgVer,
      window: { jobs: LINK_LIMITS.windowJobs, bytes: LINK_LIMITS.windowBytes },
      acked: hello.last,
      caps: [CAP_DIGEST, CAP_KITCHEN, CAP_ORDER_DETAILS, CAP_ANOTHER_PRINTER, CAP_ASK],
    })
    const { stream, last, e, app } = hello
    lines.info(gatewayId, { gatewayId, stream, last, epoch: e, app, requeued }, 'gateway is here')
    this.#pump(session)
    await this.#cancels.ask(session)
  }

  async #mayEnter(gatewayId: GatewayId, hello: MessageOf<UpMessage, 'hello'>): Promise<boolean> {
    const { gateways, lines, clock } = this.#deps
    const current = this.#sessions.get(gatewayId)
    if (current && current.facts.bootId === hello.bootId && hello.e < current.facts.epoch) return false
    if (hello.proto[0] > PROTOCOL[1] || hello.proto[1] < PROTOCOL[0]) {
      const detail = { gatewayId, proto: hello.proto, app: hello.app }
      lines.error(gatewayId, detail, 'gateway speaks no common protocol version')
      return false
    }
    const { bootId, machine = null } = hello
    const newcomer = { bootId, machine, knownMachine: await gateways.machine(gatewayId) }
    const verdict = this.#twins.observe(gatewayId, newcomer, clock.monotonicMs())
    if (verdict === 'welcome') return true
    lines.error(gatewayId, { gatewayId, bootId }, 'two gateways use one identity: the second is refused, pair it anew')
    this.#deps.onTwins(gatewayId, machine)
    return false
  }

  /** Brings the relay's view of the stream in line with the gateway's disk. Null for a gateway that may not enter. */
  async #resume(tx: Tx, gatewayId: GatewayId, hello: MessageOf<UpMessage, 'hello'>) {
    const { dispatches, gateways, clock } = this.#deps
    const gateway = await gateways.byId(gatewayId, tx)
    if (!gateway || gateway.revoked) return null
    const { stream, last } = hello
    const known = gateway.stream === stream
    const requeued = !known && gateway.stream !== null ? await dispatches.requeueAfterLostStream(tx, gatewayId) : []
    const highest = known ? gateway.lastSeq : await dispatches.highestSeq(tx, gatewayId, stream)
    // Behind `last`, another disk than this one may have it, and paper too.
    const nowMs = clock.now()
    if (known && (last < gateway.ackedSeq || isAnotherDisk(gateway, hello))) {
      await dispatches.rewind(tx, { gatewayId, stream, afterSeq: last })
      // What was called off at the other disk waits on this one, or has been printed from it.
      await dispatches.reopenCancels(tx, { gatewayId, stream, upToSeq: last, nowMs })
    }
    const afterSeq = known ? Math.min(gateway.ackedSeq, last) : 0
    await dispatches.accept(tx, { gatewayId, stream, afterSeq, upToSeq: last, nowMs })
    // A gateway that knows more than the relay gave out: the relay was restored from an older backup and jumps ahead.
    const lastSeq = Math.max(highest, last)
    await gateways.recordHello(tx, {
      gatewayId,
      stream,
      ackedSeq: last,
      lastSeq,
      sessionEpoch: hello.e,
      bootId: hello.bootId,
      machine: hello.machine ?? null,
      disk: hello.disk ?? null,
      appVersion: hello.app,
      caps: hello.caps,
      nowMs,
    })
    const fresh = gateway.sessionEpoch !== hello.e || gateway.bootId !== hello.bootId
    const { locationId } = gateway
    const isWithoutDetails = !hello.caps.includes(CAP_ORDER_DETAILS)
    const isWithoutDigests = !hello.caps.includes(CAP_DIGEST)
    const abilities = { isWithoutDetails, isWithoutDigests }
    const counters = { acked: last, lastSeq, fresh }
    const facts = { gatewayId, locationId, stream, epoch: hello.e, bootId: hello.bootId, ...counters, ...abilities }
    return { session: new GatewaySession(facts, this.#deps), requeued: requeued.length }
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
    if (session.hasRoom) this.#background(this.#lookFor(session), 'queued jobs could not be looked for')
  }

  /** The skip of a job arrived: it can never be printed. After a gateway's restore it may have been, once. */
  #takenBack(session: GatewaySession, { jobId, possibleDuplicate }: OutgoingJob): void {
    this.#settle({ jobId, state: possibleDuplicate ? 'uncertain' : 'cancelled', gatewayId: session.facts.gatewayId })
  }

  #settle(job: Parameters<DispatcherDeps['settle']>[0]): void {
    this.#background(this.#deps.settle(job), 'cancelled job could not be settled')
  }

  #end(session: GatewaySession): void {
    session.close()
    this.#cancels.forget(session)
    if (this.#sessions.get(session.facts.gatewayId) === session) this.#sessions.delete(session.facts.gatewayId)
  }

  #ofLocation(locationId: LocationId): GatewaySession[] {
    return this.sessions.filter((session) => session.facts.locationId === locationId)
  }

  #wake(locationId: LocationId): void {
    for (const session of this.#ofLocation(locationId)) this.#pump(session)
  }

  /** Once per turn of the event loop, behind it: what was just committed is published first. */
  #lookSoon(locationId: LocationId): void {
    const isFirst = this.#toLook.size === 0
    this.#toLook.add(locationId)
    if (!isFirst) return
    setImmediate(() => {
      const locations = [...this.#toLook]
      this.#toLook.clear()
      for (const location of locations) this.#background(this.#look(location), 'new jobs could not be looked for')
    })
  }

  async #look(locationId: LocationId): Promise<void> {
    for (const session of this.#ofLocation(locationId)) {
      await this.#lookFor(session)
      await this.#cancels.ask(session)
    }
  }

  /** Pumps when the database has something for this session: a look costs less than an empty claim. */
  async #lookFor(session: GatewaySession): Promise<void> {
    const { dispatches, clock } = this.#deps
    if (session.behind || (await dispatches.hasQueued(session.facts.locationId, clock.now()))) this.#pump(session)
  }

  async #sweep(): Promise<void> {
    const due = new Set(await this.#deps.dispatches.locationsWithQueued(this.#deps.clock.now()))
    for (const session of this.#sessions.values())
      if (due.has(session.facts.locationId) || session.behind) this.#pump(session)
  }

  /** Sends until there is nothing more or no room. One at a time per session; a wake-up meanwhile makes it look once more. */
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
        // In the same breath as the last look at `again`: a wake-up in between would be lost.
        this.#pumping.delete(session)
      }
      if (session.closed && this.#sessions.get(session.facts.gatewayId) === session) this.#lostFence(session)
    }
    this.#background(run(), 'jobs could not be claimed')
  }

  /** Somebody else wrote this gateway's stream: start over from its disk. */
  #lostFence(session: GatewaySession): void {
    const { gatewayId, epoch } = session.facts
    this.#deps.log.warn({ gatewayId, epoch }, 'session was taken over; asking the gateway for a new hello')
    this.#end(session)
    const rehello = downText({ t: 'rehello', withinMs: 0 }, { epoch, nowMs: this.#deps.clock.now() })
    this.#deps.publish(topicsOf(gatewayId).down, rehello)
  }

  /** Work that nobody waits for. A failure is not fatal: the next sweep, acknowledgement or hello tries again. */
  #background(work: Promise<unknown>, failure: string): void {
    work.catch((error: unknown) => this.#deps.log.error({ err: error }, failure))
  }
}

/**
 * Whether another disk than this one may have what was sent last: an older image, or a copied card. The box says so when it cannot prove
 * that it has the newest. Of older boxes the epochs tell it, which are counted on disk: a boot that began before the last session, and was
 * not it, runs beside it on a copy, or on an older image.
 */
function isAnotherDisk(
  last: { bootId: string | null; sessionEpoch: number; disk: string | null },
  hello: MessageOf<UpMessage, 'hello'>,
): boolean {
  if (last.bootId === null || last.bootId === hello.bootId) return false
  const isSaid = last.disk !== null && hello.disk !== undefined
  return (isSaid && last.disk !== hello.disk) || (hello.bootEpoch ?? hello.e) <= last.sessionEpoch
}
