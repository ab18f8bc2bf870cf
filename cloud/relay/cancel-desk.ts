// Asks gateways to cancel jobs that they have or had, until each has answered: also one that is printed, for its VOID slip.
import type { RelayDatabase } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { GatewayId, PrintJobId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface CancelDeskDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  settle(job: { jobId: PrintJobId; state: 'cancelled' | 'uncertain'; gatewayId: GatewayId }): Promise<unknown>
  clock: Clock
  log: Logger
}

const ASK_AGAIN_MS = 5_000

interface Desk {
  answered: Set<PrintJobId>
  askedAt: Map<PrintJobId, number>
  /** Not on the gateway's disk yet: asked as soon as they are. */
  waiting: boolean
  again: Cancel | null
}

export class CancelDesk {
  readonly #deps: CancelDeskDeps
  readonly #desks = new Map<GatewaySession, Desk>()

  constructor(deps: CancelDeskDeps) {
    this.#deps = deps
  }

  /** Looks for jobs to cancel and asks for those that the gateway has acknowledged: an earlier question would be `unknown_job`. */
  async ask(session: GatewaySession): Promise<void> {
    const { dispatches, clock } = this.#deps
    const open = await dispatches.cancelsOf(session.facts.gatewayId)
    if (session.closed || (open.length === 0 && !this.#desks.has(session))) return
    const desk = this.#desk(session)
    const now = clock.monotonicMs()
    desk.waiting = false
    let asked = 0
    for (const { jobId, seq, stream } of open) {
      if (desk.answered.has(jobId) || stream !== session.facts.stream) continue
      if (seq > session.acked) {
        desk.waiting = true
        continue
      }
      asked++
      if (now - (desk.askedAt.get(jobId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS) continue
      desk.askedAt.set(jobId, now)
      session.say({ t: 'cancel', jobId })
    }
    desk.again?.()
    desk.again = asked > 0 ? clock.after(ASK_AGAIN_MS, () => this.#askAgain(session)) : null
  }

  /** The gateway has acknowledged more. */
  accepted(session: GatewaySession): void {
    if (this.#desks.get(session)?.waiting) this.#askAgain(session)
  }

  answered(session: GatewaySession, jobId: PrintJobId, outcome: 'cancelled' | 'too_late' | 'unknown_job'): void {
    const { gatewayId } = session.facts
    this.#desk(session).answered.add(jobId)
    this.#deps.log.info({ gatewayId, printJobId: jobId, outcome }, 'cancel answered')
    this.#record(jobId, outcome === 'unknown_job' ? gatewayId : null).catch((error: unknown) =>
      // The next session asks again, and the gateway gives the same answer.
      this.#deps.log.error({ printJobId: jobId, err: error }, 'the answer to a cancel could not be recorded'),
    )
  }

  /** @param unknownTo a gateway that acknowledged the job and does not know it: nobody can say what stands on paper */
  async #record(jobId: PrintJobId, unknownTo: GatewayId | null): Promise<void> {
    const { db, dispatches, clock, settle } = this.#deps
    if (unknownTo !== null) await settle({ jobId, state: 'uncertain', gatewayId: unknownTo })
    await db.unit((tx) => dispatches.cancelAnswered(tx, jobId, clock.now()))
  }

  #askAgain(session: GatewaySession): void {
    this.ask(session).catch((error: unknown) => this.#deps.log.error({ err: error }, 'cancels could not be looked for'))
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
