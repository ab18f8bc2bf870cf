// Tells a gateway which of its jobs have ended: it asks when its disk may be an older image, before it prints what waits there.
import type { JobStanding, JobStandings } from '#cloud/storage/job-standings.ts'
import type { Logger } from '#shared/log.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface ToldJobsDeps {
  standings: JobStandings
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
    const { standings, log } = this.#deps
    try {
      const known = await standings.of(locationId, jobIds)
      const stateOf = (jobId: string): JobStanding | 'unknown' => known.get(jobId) ?? 'unknown'
      session.say({ t: 'told', jobs: jobIds.map((jobId) => ({ jobId, state: stateOf(jobId) })) })
      log.warn({ gatewayId, jobs: jobIds.length }, 'gateway has an older disk: told which of its jobs have ended')
    } catch (error) {
      log.error({ gatewayId, err: error }, 'a gateway could not be told which jobs have ended')
    } finally {
      this.#answering.delete(session)
    }
  }
}
