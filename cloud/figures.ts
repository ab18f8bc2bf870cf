// The relay's metrics: their sources, and the port that serves them. Without CLOUD_METRICS_PORT nothing is loaded and nothing is measured.
import type { Clock } from '#shared/clock.ts'
import { type Logger, tellingWalk } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { namingPort } from './cannot-start.ts'
import type { CloudConfig } from './config.ts'
import type { RelayMetrics } from './metrics/relay-metrics.ts'
import type { SessionIndex } from './relay/session-index.ts'
import { LEASES, type Replica } from './replica/replica.ts'
import type { WakeUps } from './replica/wake-ups.ts'
import type { BacklogStore } from './storage/backlog-store.ts'
import type { RelayDatabase, Tx, UnitOptions } from './storage/database.ts'

/** Database and log as the rest of the relay uses them. `metrics` is null when nothing is counted. */
export async function observed(
  { CLOUD_METRICS_PORT: port }: Pick<CloudConfig, 'CLOUD_METRICS_PORT'>,
  { db, log }: { db: RelayDatabase; log: Logger },
): Promise<{ metrics: RelayMetrics | null; db: RelayDatabase; log: Logger }> {
  if (port === undefined) return { metrics: null, db, log }
  const { RelayMetrics } = await import('./metrics/relay-metrics.ts')
  const metrics = new RelayMetrics()
  db.hindered.subscribe(metrics.unitHindered)
  return { metrics, db: observedDatabase(db, metrics.unitEnded), log: tellingWalk(log, metrics.walked) }
}

/** The database with its units timed: their wait for a turn, their work and the disk, until each was on disk or had failed. */
function observedDatabase(db: RelayDatabase, ended: RelayMetrics['unitEnded']): RelayDatabase {
  const unit = async <T>(work: (tx: Tx) => Promise<T>, options?: UnitOptions): Promise<T> => {
    const beganMs = performance.now()
    try {
      return await db.unit(work, options)
    } finally {
      ended(options?.name ?? 'other', performance.now() - beganMs)
    }
  }
  return {
    unit,
    words: db.words,
    gate: db.gate,
    replicaId: db.replicaId,
    hindered: db.hindered,
    get waiting() {
      return db.waiting
    },
    read: db.read,
    close: () => db.close(),
  }
}

interface MetricsDeps {
  metrics: RelayMetrics | null
  db: RelayDatabase
  replica: Replica
  backlog: BacklogStore
  clock: Clock
  log: Logger
}

/** The port that serves the metrics. */
export async function metricsServices(
  shared: MetricsDeps,
  config: CloudConfig,
  { sessions, wakeUps }: { sessions: SessionIndex; wakeUps: Pick<WakeUps, 'lagMs'> | null },
): Promise<Service[]> {
  const { metrics, db, replica } = shared
  const { CLOUD_METRICS_PORT: port, CLOUD_METRICS_HOST: host } = config
  if (metrics === null || port === undefined) return []
  const { BacklogReader } = await import('./metrics/backlog-reader.ts')
  const { MetricsServer } = await import('./metrics/metrics-server.ts')
  metrics.look({
    backlog: new BacklogReader(shared),
    unitsWaiting: () => db.waiting,
    gatewaysHere: () => sessions.size,
    wakeUpLagMs: () => wakeUps?.lagMs() ?? null,
    leases: () => LEASES.map((name) => ({ name, isHeld: replica.holds(name) })),
  })
  const server = new MetricsServer({ registry: metrics.registry, host, port, log: shared.log })
  return [
    {
      start: () => namingPort({ host, setting: 'CLOUD_METRICS' }, () => server.start()),
      stop: () => server.stop(),
    },
  ]
}
