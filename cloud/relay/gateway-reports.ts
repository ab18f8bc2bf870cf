// Walk 9/10: comes from gateway/link/cloud-link.ts, goes on to cloud/webhooks/delivery-worker.ts. Records the result of a job, then acknowledges it.
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { FinalState } from '#cloud/storage/dispatch-states.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import { asId, type GatewayId, type LocationId, type PrintJobId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { TicketEvidence } from '#shared/print-job.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { MessageOf, UpMessage } from '#shared/wire/gateway-link.ts'
import { MOST_STATIONS_TOLD, type StationWay } from '#shared/wire/gateway-standing.ts'
import { topicsOf } from './broker-rules.ts'
import { downText } from './down-messages.ts'

export interface JobResult {
  jobId: PrintJobId
  state: FinalState
  tickets: TicketEvidence[]
  endedAtMs: number
  gatewayId: GatewayId
}

/** cloud/orders/record-print-result.ts: the job's outcome, the order's step and its event in one unit. */
export type RecordResult = (result: JobResult) => Promise<'recorded' | 'already' | 'unknown'>

export interface ReportDeps {
  db: RelayDatabase
  dispatches: DispatchStore
  gateways: GatewayStore
  recordResult: RecordResult
  publish(topic: string, payload: string): void
  clock: Clock
  log: Logger
}

interface ReportLogs extends ReportDeps {
  lines: SampledLog
  /** Each line is about another job, so those of a correct gateway are all written. */
  lostFacts: SampledLog
}

/** Of one gateway as many as it prints, and of all together no more: the log would grow with their number. */
const LOST_FACTS_A_MINUTE = 1_000

/**
 * Records one result. It is acknowledged only then; a failure leaves it with the gateway, which sends it again.
 * @returns whether it was news
 */
export async function recordReport(
  deps: ReportLogs,
  gatewayId: GatewayId,
  report: MessageOf<UpMessage, 'result'>,
): Promise<boolean> {
  const startedMs = deps.clock.monotonicMs()
  const { state, tickets, endedAt } = report
  const jobId: PrintJobId = asId(report.jobId)
  const owner = await deps.dispatches.ownerOf(jobId)
  if (owner && !(await mayReport(deps, gatewayId, owner.locationId))) {
    const detail = { gatewayId, printJobId: jobId }
    deps.lines.error(gatewayId, detail, 'gateway reported the job of another location: not recorded')
    return false
  }
  const outcome = await deps.recordResult({ jobId, state, tickets, endedAtMs: endedAt, gatewayId })
  if (outcome === 'unknown') {
    // The relay was restored from a backup that is older than the job: only the log records this fact.
    const detail = { gatewayId, printJobId: jobId, state, endedAt }
    deps.lostFacts.warn(gatewayId, detail, 'result of a job that this relay does not have')
    return false
  }
  // Mostly resent because its acknowledgement was lost: the log has the line of the first time.
  if (outcome === 'already') {
    deps.lines.info(gatewayId, { gatewayId, printJobId: jobId, state }, 'result of a job that has one already')
    return false
  }
  logWalk(
    deps.log,
    {
      walk: '9/10',
      serviceOrderId: owner?.orderId ?? undefined,
      ...{ printJobId: jobId, gatewayId, state, outcome },
      ms: deps.clock.monotonicMs() - startedMs,
    },
    'result recorded',
  )
  return true
}

async function mayReport(deps: ReportDeps, gatewayId: GatewayId, locationId: LocationId): Promise<boolean> {
  return (await deps.gateways.byId(gatewayId))?.locationId === locationId
}

/** The last value that a gateway sent, and its write. */
interface Told {
  /** Null: it counts no more. */
  text: string | null
  written: Promise<void>
}

/** A write that is in progress is still finished before the gateway's next value is written. */
function forget(known: Map<GatewayId, Told>, gatewayId: GatewayId): void {
  const told = known.get(gatewayId)
  if (told === undefined) return
  const last = { ...told, text: null }
  known.set(gatewayId, last)
  const done = (): void => {
    if (known.get(gatewayId) === last) known.delete(gatewayId)
  }
  told.written.then(done, done)
}

/** As many job ids as one acknowledgement of results may carry. */
const RACK_MAX = 256

export class GatewayReports {
  readonly #deps: ReportLogs
  readonly #racks = new Map<GatewayId, { epoch: number; jobIds: Set<PrintJobId> }>()
  readonly #recording = new Set<PrintJobId>()
  /** The last printers, stations and health of each gateway, as text: only changes are written. */
  readonly #printers = new Map<GatewayId, Told>()
  readonly #standings = new Map<GatewayId, Told>()
  /** Gateways with more stations than are taken: logged once for each. */
  readonly #overfull = new Set<GatewayId>()
  #working = new Set<Promise<boolean>>()

  constructor(deps: ReportDeps) {
    const { log, clock } = deps
    const lostFacts = new SampledLog(log, clock, LOST_FACTS_A_MINUTE)
    this.#deps = { ...deps, lines: new SampledLog(log, clock), lostFacts }
  }

  /**
   * Results are taken from any connection, however old: they are facts, and recording one twice changes nothing.
   * @returns whether it was news, when it is on disk; false also for one that could not be recorded. Never rejects
   */
  result(gatewayId: GatewayId, report: MessageOf<UpMessage, 'result'>): Promise<boolean> {
    const jobId: PrintJobId = asId(report.jobId)
    if (this.#recording.has(jobId)) return Promise.resolve(false)
    this.#recording.add(jobId)
    const work = recordReport(this.#deps, gatewayId, report)
      .then((isNews) => {
        this.#rack(gatewayId, jobId, report.e)
        return isNews
      })
      .catch((error: unknown) => {
        const detail = { gatewayId, printJobId: jobId, err: error }
        this.#deps.lines.error(gatewayId, detail, 'result could not be recorded')
        return false
      })
      .finally(() => {
        this.#recording.delete(jobId)
        this.#working.delete(work)
      })
    this.#working.add(work)
    return work
  }

  async status(gatewayId: GatewayId, message: MessageOf<UpMessage, 'status'>): Promise<void> {
    const { gateways, clock } = this.#deps
    const { printers, stations, health, routing } = message
    const standing = {
      stations: stations === undefined ? null : JSON.stringify(this.#taken(gatewayId, stations)),
      health: health === undefined ? null : JSON.stringify(health),
      routing: routing === undefined ? null : JSON.stringify(routing),
    }
    const told = JSON.stringify(printers.map(({ queued: _, ...printer }) => printer))
    await Promise.all([
      this.#whenNew(this.#printers, { gatewayId, told }, (tx) =>
        gateways.replacePrinters(tx, gatewayId, { printers, nowMs: clock.now() }),
      ),
      this.#whenNew(this.#standings, { gatewayId, told: JSON.stringify(standing) }, (tx) =>
        gateways.recordStanding(tx, { gatewayId, ...standing }),
      ),
    ])
  }

  /** Forgets the gateway's last values: another relay may have written others meanwhile. Its next status is written. */
  forget(gatewayId: GatewayId): void {
    forget(this.#printers, gatewayId)
    forget(this.#standings, gatewayId)
  }

  /** As many as are taken, the rest of the stations (`null`) always among them. */
  #taken(gatewayId: GatewayId, stations: StationWay[]): StationWay[] {
    if (stations.length <= MOST_STATIONS_TOLD) return stations
    if (!this.#overfull.has(gatewayId)) {
      this.#overfull.add(gatewayId)
      const detail = { gatewayId, stations: stations.length, taken: MOST_STATIONS_TOLD }
      this.#deps.log.warn(detail, 'gateway reports more stations than are accepted')
    }
    const rest = stations.find(({ station }) => station === null)
    const named = stations.filter(({ station }) => station !== null)
    return rest ? [...named.slice(0, MOST_STATIONS_TOLD - 1), rest] : named.slice(0, MOST_STATIONS_TOLD)
  }

  /** Writes a value that this gateway has not sent before, in the order of its messages: a server may run two transactions at once. */
  async #whenNew(
    known: Map<GatewayId, Told>,
    { gatewayId, told }: { gatewayId: GatewayId; told: string },
    write: (tx: Tx) => Promise<void>,
  ): Promise<void> {
    const before = known.get(gatewayId)
    if (before?.text === told) return
    const unit = () => this.#deps.db.unit(write)
    const written = before === undefined ? unit() : before.written.then(unit, unit)
    // Set before the write: a status that comes meanwhile with an older value must be written after this one.
    const last = { text: told, written }
    known.set(gatewayId, last)
    try {
      await written
    } catch (error) {
      if (known.get(gatewayId) === last) known.delete(gatewayId)
      throw error
    }
  }

  /** Resolves when all results that had arrived are recorded and acknowledged. */
  async drain(): Promise<void> {
    await Promise.allSettled([...this.#working])
    for (const gatewayId of [...this.#racks.keys()]) this.#flush(gatewayId)
  }

  /** Results that share a commit share an acknowledgement. */
  #rack(gatewayId: GatewayId, jobId: PrintJobId, epoch: number): void {
    const rack = this.#racks.get(gatewayId)
    if (rack) {
      rack.jobIds.add(jobId)
      rack.epoch = Math.max(rack.epoch, epoch)
      if (rack.jobIds.size >= RACK_MAX) this.#flush(gatewayId)
      return
    }
    this.#racks.set(gatewayId, { epoch, jobIds: new Set([jobId]) })
    setImmediate(() => this.#flush(gatewayId))
  }

  #flush(gatewayId: GatewayId): void {
    const rack = this.#racks.get(gatewayId)
    if (!rack) return
    this.#racks.delete(gatewayId)
    const envelope = { epoch: rack.epoch, nowMs: this.#deps.clock.now() }
    this.#deps.publish(topicsOf(gatewayId).down, downText({ t: 'rack', jobIds: [...rack.jobIds] }, envelope))
  }
}
