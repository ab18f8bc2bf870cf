// Answers hellos, few at once: whether the gateway is welcomed, and from which number on it is sent its jobs.
import { randomUUID } from 'node:crypto'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { HandBackStore } from '#cloud/storage/hand-back-store.ts'
import { StorageRefusal } from '#cloud/storage/storage-refusal.ts'
import type { GatewayId } from '#shared/ids.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import {
  CAP_ANOTHER_PRINTER,
  CAP_ASK,
  CAP_DIGEST,
  CAP_KITCHEN,
  CAP_ORDER_DETAILS,
  CAP_WAIT,
  LINK_LIMITS,
  type MessageOf,
  MOST_LAST_SEQ,
  PROTOCOL,
  type UpMessage,
} from '#shared/wire/gateway-link.ts'
import { topicsOf } from './broker-rules.ts'
import { downText } from './down-messages.ts'
import { GatewaySession, type SessionDeps } from './gateway-session.ts'
import { type ArrivedHello, HelloLine, type Turn } from './hello-line.ts'
import type { RestoreWatch } from './restore-watch.ts'
import { type Resumed, resumeStream } from './resume-stream.ts'
import type { SessionIndex } from './session-index.ts'
import { isKnownMachine, TwinWatch } from './twin-watch.ts'

type Hello = MessageOf<UpMessage, 'hello'>

/** While nothing can be stored, a gateway asks again after so long, and a millisecond more for each that was refused. */
const AGAIN_MS = 2_000
const HELLO = { name: 'hello' } as const

export interface HelloDeskDeps extends SessionDeps {
  gateways: GatewayStore
  handBacks: HandBackStore
  watch: RestoreWatch
  /** Two boxes with one identity: the embedded broker refuses the second. `machine`: that of the second. */
  onTwins(gatewayId: GatewayId, machine: string | null): void
  /** Of all gateways that are here: a new session is put there. */
  sessions: SessionIndex
  /** Ends the session of a gateway, if it has one. */
  drop(gatewayId: GatewayId): void
  /** Its hello is on disk, and its connection has ended before it could be welcomed. */
  onMissed(gatewayId: GatewayId, epoch: number): void
  /** Whether the gateway is this relay's still, and not another's that shares the broker; always unless given. */
  hears?: ((gatewayId: GatewayId) => boolean) | undefined
  /** The gateway was welcomed: jobs may go out to it. */
  entered(session: GatewaySession): Promise<void>
}

export class HelloDesk {
  readonly #deps: HelloDeskDeps
  readonly #twins = new TwinWatch()
  readonly #line: HelloLine
  readonly #told: SampledLog
  /** Hellos that could not be stored since the last one that was: the more, the longer each waits. */
  #refused = 0

  constructor(deps: HelloDeskDeps) {
    this.#deps = deps
    this.#told = new SampledLog(deps.log, deps.clock, 1)
    this.#line = new HelloLine({
      clock: deps.clock,
      work: (turn) => this.#welcome(turn).catch((error: unknown) => this.#failed(turn, error)),
      tell: (arrival, forMs) => this.#tell(arrival, forMs),
    })
  }

  /** @param receivedMs relay's clock when the hello arrived. Resolves when the gateway was welcomed, or will not be for this hello. */
  take(gatewayId: GatewayId, hello: Hello, receivedMs: number): Promise<void> {
    return this.#line.take({ gatewayId, hello, receivedMs })
  }

  /** A connection has ended: its hello is not answered any more. @param epoch its own; null: whichever the gateway had */
  left(gatewayId: GatewayId, epoch: number | null): void {
    this.#line.left(gatewayId, epoch)
  }

  /** Another relay is to answer these gateways. Resolves when nothing is written of their hellos any more. */
  letGo(isGone: (gatewayId: GatewayId) => boolean): Promise<void> {
    return this.#line.letGo(isGone)
  }

  stop(): void {
    this.#line.stop()
  }

  /** The connection ended. `placeIsFree`: no other box has taken over. */
  ended(gatewayId: GatewayId, place: { placeIsFree: boolean }): void {
    this.#twins.ended(gatewayId, place, this.#deps.clock.monotonicMs())
  }

  /** Nothing of its hello is stored. Without a word the gateway would hang up, and come back later and later. */
  #failed(turn: Turn, error: unknown): void {
    const { gatewayId, hello } = turn
    this.#deps.lines.error(gatewayId, { gatewayId, err: error }, 'hello could not be answered')
    if (turn.isOver || !(error instanceof StorageRefusal) || !hello.caps.includes(CAP_WAIT)) return
    this.#refused++
    this.#sayWait(turn, Math.min(AGAIN_MS + this.#refused, LINK_LIMITS.waitMostMs))
  }

  #sayWait({ gatewayId, hello }: ArrivedHello, forMs: number): void {
    const { publish, clock } = this.#deps
    publish(topicsOf(gatewayId).down, downText({ t: 'wait', forMs }, { epoch: hello.e, nowMs: clock.now() }))
  }

  #tell(arrival: ArrivedHello, forMs: number): void {
    this.#sayWait(arrival, forMs)
    this.#told.warn(
      'wait',
      this.#line.figures,
      'more gateways come back than can be answered: they are told when to ask',
    )
  }

  async #welcome(turn: Turn): Promise<void> {
    const { gatewayId, hello } = turn
    if (turn.isOver || !(await this.#mayEnter(gatewayId, hello)) || turn.isOver) return
    const { db, clock, sessions, drop, hears = () => true } = this.#deps
    // Before the transaction, so that the old session claims nothing after it and its facts are included.
    const before = sessions.get(gatewayId)
    drop(gatewayId)
    await before?.persist()
    // It may leave while this waits for the writer: its end is written then, and must not be overwritten.
    const isGone = (): boolean => turn.isOver || !hears(gatewayId)
    const resumed = await db.unit(
      async (tx) => (isGone() ? null : resumeStream(tx, { ...this.#deps, gatewayId, hello, nowMs: clock.now() })),
      HELLO,
    )
    // The other relay has requested a hello, or is about to: a session here would claim its jobs and reach no gateway.
    if (!resumed || !hears(gatewayId)) return
    resumed.remember()
    if (turn.isOver) this.#deps.onMissed(gatewayId, hello.e)
    else await this.#enter(turn, resumed)
  }

  async #enter({ hello, receivedMs }: Turn, { facts, requeued, why }: Omit<Resumed, 'remember'>) {
    const { clock, lines, sessions, entered, observer } = this.#deps
    const { gatewayId, stream, epoch, acked } = facts
    const session = new GatewaySession(facts, this.#deps)
    sessions.set(gatewayId, session)
    this.#refused = 0
    session.say({
      t: 'welcome',
      session: randomUUID(),
      t0: hello.t0,
      t1: receivedMs,
      t2: clock.now(),
      cfgVer: hello.cfgVer,
      window: { jobs: LINK_LIMITS.windowJobs, bytes: LINK_LIMITS.windowBytes },
      acked,
      caps: [CAP_DIGEST, CAP_KITCHEN, CAP_ORDER_DETAILS, CAP_ANOTHER_PRINTER, CAP_ASK],
    })
    lines.info(gatewayId, { gatewayId, stream, last: acked, epoch, app: hello.app, requeued, why }, 'gateway is here')
    observer?.hello(why)
    await entered(session)
  }

  async #mayEnter(gatewayId: GatewayId, hello: Hello): Promise<boolean> {
    const { gateways, lines, clock, sessions, onTwins } = this.#deps
    const current = sessions.get(gatewayId)
    if (current && current.facts.bootId === hello.bootId && hello.e < current.facts.epoch) return false
    if (hello.proto[0] > PROTOCOL[1] || hello.proto[1] < PROTOCOL[0]) {
      const detail = { gatewayId, proto: hello.proto, app: hello.app }
      lines.error(gatewayId, detail, 'gateway supports no common protocol version')
      return false
    }
    if (hello.last > MOST_LAST_SEQ) {
      const detail = { gatewayId, last: hello.last }
      lines.error(gatewayId, detail, 'gateway reports a job number that is too high: refused, pair it again')
      return false
    }
    const { bootId, machine = null } = hello
    const before = await gateways.boots.predecessors(gatewayId)
    if (before !== null) this.#twins.learn(gatewayId, before, clock.monotonicMs())
    const newcomer = { bootId, machine, knownMachine: before?.machine ?? null }
    const verdict = this.#twins.observe(gatewayId, newcomer, clock.monotonicMs())
    if (verdict === 'welcome') return true
    lines.error(gatewayId, { gatewayId, bootId }, 'two gateways use one identity: the second is refused, pair it again')
    onTwins(gatewayId, machine)
    await gateways.boots.recordRefused(gatewayId, { bootId, isKnown: isKnownMachine(machine, newcomer.knownMachine) })
    return false
  }
}
