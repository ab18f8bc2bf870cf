// Answers a gateway which of its jobs have ended. A gateway asks when its disk may be an older image, before it prints what waits there.
import { type DispatchState, isFinal } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { Clock } from '#shared/clock.ts'
import { asId, type GatewayId } from '#shared/ids.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { MessageOf, ToldJob, UpMessage } from '#shared/wire/gateway-link.ts'
import type { GatewaySession } from './gateway-session.ts'

export interface ToldJobsDeps {
  dispatches: DispatchStore
  clock: Pick<Clock, 'monotonicMs' | 'after'>
  log: Logger
}

const MINUTE_MS = 60_000
/** Of one gateway: enough for 12,000 waiting jobs. */
const ANSWERS_A_MINUTE = 60

export class ToldJobs {
  readonly #dispatches: DispatchStore
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #lines: SampledLog
  /** A gateway may ask one question at a time: further ones meanwhile are not answered. */
  readonly #answering = new WeakSet<GatewaySession>()
  /** By gateway, not by session: a new hello brings no new ones. */
  readonly #answered = new Map<GatewayId, { sinceMs: number; count: number }>()

  constructor({ dispatches, clock, log }: ToldJobsDeps) {
    this.#dispatches = dispatches
    this.#clock = clock
    this.#lines = new SampledLog(log, clock, 1)
  }

  /** Never rejects: a gateway without an answer prints what it has, marked. */
  async answer(session: GatewaySession | null, { jobIds, e }: MessageOf<UpMessage, 'ask'>): Promise<void> {
    if (session?.facts.epoch !== e || this.#answering.has(session)) return
    const { gatewayId, locationId } = session.facts
    if (!this.#mayAsk(gatewayId)) return
    this.#answering.add(session)
    const ids = jobIds.map((jobId) => asId<'pj'>(jobId))
    try {
      const known = await this.#dispatches.statesOf(locationId, ids)
      session.say({ t: 'told', jobs: ids.map((jobId) => ({ jobId, state: standingOf(known.get(jobId)) })) })
      const detail = { gatewayId, jobs: jobIds.length }
      this.#lines.warn(gatewayId, detail, 'gateway has an older disk: answered which of its jobs have ended')
    } catch (error) {
      this.#lines.error(
        gatewayId,
        { gatewayId, err: error },
        'the question which jobs have ended could not be answered',
      )
    } finally {
      this.#answering.delete(session)
    }
  }

  #mayAsk(gatewayId: GatewayId): boolean {
    const now = this.#clock.monotonicMs()
    const before = this.#answered.get(gatewayId)
    const minute = before && now - before.sinceMs < MINUTE_MS ? before : { sinceMs: now, count: 0 }
    this.#answered.set(gatewayId, minute)
    if (minute.count >= ANSWERS_A_MINUTE) {
      this.#lines.warn(gatewayId, { gatewayId }, 'gateway asks too often which of its jobs have ended: not answered')
      return false
    }
    minute.count++
    return true
  }
}

/** `on-paper`: printed, or it may be. `ended`: it will not print. */
function standingOf(state: DispatchState | undefined): ToldJob['state'] {
  if (state === undefined) return 'unknown'
  if (!isFinal(state)) return 'open'
  return state === 'printed' || state === 'uncertain' ? 'on-paper' : 'ended'
}
