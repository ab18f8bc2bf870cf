// Which jobs of a location have ended, and whether they may be on paper.
import { asId, type LocationId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'
import { type DispatchState, isFinal } from './dispatch-store.ts'

/** `on-paper`: printed, or it may be. `ended`: it will not print. */
export type JobStanding = 'on-paper' | 'ended' | 'open'

export class JobStandings {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** By job id. Jobs that are not of this location are not in it. @param jobIds as a gateway wrote them */
  async of(locationId: LocationId, jobIds: readonly string[]): Promise<Map<string, JobStanding>> {
    const rows = await this.#db.read
      .selectFrom('dispatches')
      .select(['id', 'state'])
      .where('location_id', '=', locationId)
      .where(
        'id',
        'in',
        jobIds.map((jobId) => asId<'pj'>(jobId)),
      )
      .execute()
    return new Map(rows.map(({ id, state }) => [id, standingOf(state)]))
  }
}

function standingOf(state: DispatchState): JobStanding {
  if (!isFinal(state)) return 'open'
  return state === 'printed' || state === 'uncertain' ? 'on-paper' : 'ended'
}
