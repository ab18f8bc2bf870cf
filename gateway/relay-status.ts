// The status that the box sends to the relay: printers and queue, how each station can take an order now, and the number of its findings.
import { stationWays, type WayPrinter, wayThrough } from '#gateway/kitchen/station-ways.ts'
import { toldRouting } from '#gateway/kitchen/told-routing.ts'
import type { LinkStatus } from '#gateway/link/link-options.ts'
import type { PrintQueue } from '#gateway/queue/print-queue.ts'
import { type StationSources, stationFacts } from '#gateway/station-facts.ts'
import type { DisplayStore } from '#gateway/storage/display-store.ts'
import type { RoutingStore } from '#gateway/storage/routing-store.ts'
import type { Cancel, Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { PrinterReport } from '#shared/wire/gateway-link.ts'
import { type HealthSummary, MOST_STATIONS_TOLD } from '#shared/wire/gateway-standing.ts'
import { fittingReports } from './fitting-reports.ts'

export interface RelayStatusDeps extends StationSources {
  queue: Pick<PrintQueue, 'snapshot' | 'printers' | 'isPrinting' | 'changed'>
  displays: Pick<DisplayStore, 'all' | 'changed'>
  routing: Pick<RoutingStore, 'rules' | 'changed'>
  /** What is wrong with the box now. */
  health: () => Promise<HealthSummary>
  clock: Clock
  log: Logger
}

/** A screen that disconnects sends nothing: it must be polled. */
const LOOK_AT_SCREENS_EVERY_MS = 1_000
/** Health that changes all the time must not keep the link busy. */
const ASK_HEALTH_EVERY_MS = 5_000

export class RelayStatus implements LinkStatus, Service {
  /** A printer, a screen or the health of the box changed; not fired for each ticket. */
  readonly changed = new Signal()
  readonly #deps: RelayStatusDeps
  readonly #cuts: SampledLog
  #health: HealthSummary | null = null
  #isAsking = false
  #askedAtMs = Number.NEGATIVE_INFINITY
  #cancelAsking: Cancel | null = null
  #alive = ''
  #stops: Cancel[] = []

  constructor(deps: RelayStatusDeps) {
    this.#deps = deps
    this.#cuts = new SampledLog(deps.log, deps.clock, 1)
  }

  async start(): Promise<void> {
    if (this.#stops.length > 0) return
    const { queue, displays, routing, clock } = this.#deps
    this.#alive = this.#aliveScreens()
    this.#stops = [
      queue.changed.subscribe(() => this.changed.notify()),
      displays.changed.subscribe(() => this.changed.notify()),
      routing.changed.subscribe(() => this.changed.notify()),
      clock.every(LOOK_AT_SCREENS_EVERY_MS, () => this.#lookAtScreens()),
    ]
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop()
    this.#cancelAsking?.()
    this.#cancelAsking = null
  }

  isPrinting(): boolean {
    return this.#deps.queue.isPrinting()
  }

  /** Also requests the health of the box, which is sent with the next status: at once if it has changed. */
  snapshot(): ReturnType<LinkStatus['snapshot']> {
    const { printers: reports, ...counts } = this.#deps.queue.snapshot()
    const facts = stationFacts(this.#deps)
    const stations = stationWays(facts)
    const routing = toldRouting(facts)
    void this.#askHealth()
    const { printers, cut } = fittingReports(reports.map((report) => withStandIn(report, facts.printers)))
    if (cut.length > 0) this.#cuts.warn('status', { cut }, 'the relay is told less of the printers than there is')
    return {
      ...counts,
      printers,
      ...(stations.length <= MOST_STATIONS_TOLD && { stations }),
      ...(routing !== null && { routing }),
      ...(this.#health !== null && { health: this.#health }),
    }
  }

  #aliveScreens(): string {
    const { displays, screens } = this.#deps
    const alive = displays.all().filter(({ displayId }) => screens.isAlive(displayId))
    return alive.map(({ displayId }) => displayId).join()
  }

  #lookAtScreens(): void {
    const alive = this.#aliveScreens()
    if (alive === this.#alive) return
    this.#alive = alive
    this.changed.notify()
  }

  async #askHealth(): Promise<void> {
    const { clock } = this.#deps
    const now = clock.monotonicMs()
    const restMs = this.#askedAtMs + ASK_HEALTH_EVERY_MS - now
    if (this.#isAsking) return
    if (restMs > 0) {
      this.#cancelAsking ??= clock.after(restMs, () => void this.#askHealth())
      return
    }
    this.#cancelAsking?.()
    this.#cancelAsking = null
    this.#askedAtMs = now
    this.#isAsking = true
    try {
      const health = await this.#deps.health()
      const isSame = JSON.stringify(health) === JSON.stringify(this.#health)
      this.#health = health
      // Again only while there is a listener.
      if (!isSame && this.#stops.length > 0) this.changed.notify()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'the health of the box cannot be reported to the relay')
    } finally {
      this.#isAsking = false
    }
  }
}

function withStandIn(report: PrinterReport, printers: readonly WayPrinter[]): PrinterReport {
  const meant = printers.find(({ printerId }) => printerId === report.printerId)
  const way = meant ? wayThrough(meant, printers) : null
  return way?.kind === 'backup' ? { ...report, standIn: way.id } : report
}
