// Asks gateways to cancel jobs that they have or had, until each has answered: also one that is printed, for its VOID slip.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId, PrintJobId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface CancelDeskDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  settle(job: { jobId: PrintJobId; state: 'cancelled' | 'uncertain'; gatewayId: GatewayId }): Promise<unknown>
  clock: Clock
  log: Logger
}

const ASK_AGAIN_MS = 5_000

type CancelOutcome = MessageOf<UpMessage, 'cmd.result'>['outcome']

interface Desk {
  answered: Set<PrintJobId>
  /** The cancels that were sent in this session: an answer about any other job is ignored. */
  askedAt: Map<PrintJobId, number>
  /** Not on the gateway's disk yet: asked as soon as they are. */
  waiting: boolean
  again: Cancel | null
}

export class CancelDesk {
  readonly #deps: CancelDeskDeps
  readonly #lines: SampledLog
  readonly #desks = new Map<GatewaySession, Desk>()

  constructor(deps: CancelDeskDeps) {
    this.#deps = deps
    this.#lines = new SampledLog(deps.log, deps.clock)
  }

  /** Finds jobs to cancel and sends a cancel for those that the gateway has acknowledged: earlier the answer would be `unknown_job`. */
  async ask(session: GatewaySession): Promise<void> {
    const { dispatches, clock } = this.#deps
    const open = await dispatches.cancelsOf(session.facts.gatewayId)
    if (session.closed || (open.length === 0 && !this.#desks.has(session))) return
    const desk = this.#desk(session)
    const now = clock.monotonicMs()
    desk.waiting = false
    let asked = 0
    for (const { jobId, seq, stream, isOrderVoided, voidReason } of open) {
      if (desk.answered.has(jobId)) continue
      const isLost = stream !== session.facts.stream
      if (!isLost && seq > session.acked) {
        desk.waiting = true
        continue
      }
      asked++
      if (isLost) {
        // The disk that knew it is gone: what was on paper gets no VOID slip.
        this.#close(session, jobId, 'unknown_job')
        continue
      }
      if (now - (desk.askedAt.get(jobId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS) continue
      desk.askedAt.set(jobId, now)
      session.say({ t: 'cancel', jobId, orderVoided: isOrderVoided, ...(voidReason && { reason: voidReason }) })
    }
    desk.again?.()
    desk.again = asked > 0 ? clock.after(ASK_AGAIN_MS, () => this.#askAgain(session)) : null
  }

  /** The gateway has acknowledged more. */
  accepted(session: GatewaySession): void {
    if (this.#desks.get(session)?.waiting) this.#askAgain(session)
  }

  answered(session: GatewaySession, jobId: PrintJobId, outcome: CancelOutcome): void {
    const { gatewayId } = session.facts
    const { askedAt, answered } = this.#desk(session)
    if (!askedAt.has(jobId)) {
      const detail = { gatewayId, printJobId: jobId, outcome }
      this.#lines.warn(gatewayId, detail, 'answer to a cancel that this session was not asked')
      return
    }
    if (answered.has(jobId)) return
    this.#deps.log.info({ gatewayId, printJobId: jobId, outcome }, 'cancel answered')
    this.#close(session, jobId, outcome)
  }

  #close(session: GatewaySession, jobId: PrintJobId, outcome: CancelOutcome): void {
    const { answered } = this.#desk(session)
    answered.add(jobId)
    this.#record(jobId, outcome === 'unknown_job' ? session.facts.gatewayId : null).catch((error: unknown) => {
      // Asked again in a while, and the gateway gives the same answer.
      answered.delete(jobId)
      this.#lines.error('cancels', { printJobId: jobId, err: error }, 'the answer to a cancel could not be recorded')
    })
  }

  /** @param unknownTo a gateway that had the job and no longer has it: what is on paper cannot be determined */
  async #record(jobId: PrintJobId, unknownTo: GatewayId | null): Promise<void> {
    const { db, dispatches, clock, settle } = this.#deps
    if (unknownTo !== null) await settle({ jobId, state: 'uncertain', gatewayId: unknownTo })
    await db.unit((tx) => dispatches.cancelAnswered(tx, jobId, clock.now()))
  }

  #askAgain(session: GatewaySession): void {
    this.ask(session).catch((error: unknown) =>
      this.#lines.error('cancels', { err: error }, 'cancels could not be looked for'),
    )
  }

  forget(session: GatewaySession): void {
    this.#desks.get(session)?.again?.()
    this.#desks.delete(session)
  }

  #desk(session: GatewaySession): Desk {
    const desk = this.#desks.get(session) ?? { answered: new Set(), askedAt: new Map(), waiting: false, again: null }
    this.#desks.set(session, desk)
    return desk
  }
}
