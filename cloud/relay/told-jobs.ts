// Tells a gateway which of its jobs have ended: it asks when its disk may be an older image, before it prints what waits there.
import { type DispatchState, type DispatchStore, isFinal } from '#cloud/storage/dispatch-store.ts'
import { asId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import type { MessageOf, ToldJob, UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface ToldJobsDeps {
  dispatches: DispatchStore
  log: Logger
}

export class ToldJobs {
  readonly #deps: ToldJobsDeps
  /** A gateway asks one question at a time: what it asks beside that is not answered. */
  readonly #answering = new WeakSet<GatewaySession>()

  constructor(deps: ToldJobsDeps) {
    this.#deps = deps
  }

  /** Never rejects: a gateway that hears nothing prints what it has, marked. */
  async answer(session: GatewaySession | null, { jobIds, e }: MessageOf<UpMessage, 'ask'>): Promise<void> {
    if (session?.facts.epoch !== e || this.#answering.has(session)) return
    this.#answering.add(session)
    const { gatewayId, locationId } = session.facts
    const { dispatches, log } = this.#deps
    const ids = jobIds.map((jobId) => asId<'pj'>(jobId))
    try {
      const known = await dispatches.statesOf(locationId, ids)
      session.say({ t: 'told', jobs: ids.map((jobId) => ({ jobId, state: standingOf(known.get(jobId)) })) })
      log.warn({ gatewayId, jobs: jobIds.length }, 'gateway has an older disk: told which of its jobs have ended')
    } catch (error) {
      log.error({ gatewayId, err: error }, 'a gateway could not be told which jobs have ended')
    } finally {
      this.#answering.delete(session)
    }
  }
}

/** `on-paper`: printed, or it may be. `ended`: it will not print. */
function standingOf(state: DispatchState | undefined): ToldJob['state'] {
  if (state === undefined) return 'unknown'
  if (!isFinal(state)) return 'open'
  return state === 'printed' || state === 'uncertain' ? 'on-paper' : 'ended'
}
