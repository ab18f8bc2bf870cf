// Traces of orders. The SDK of OpenTelemetry is loaded only if OTEL_EXPORTER_OTLP_ENDPOINT names a destination for spans.
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { Service } from '#shared/service.ts'
import { VERSION } from '#shared/version.ts'
import type { CloudConfig } from './config.ts'
import { OrderTraces } from './orders/order-traces.ts'
import type { RelayDatabase } from './storage/database.ts'
import type { OrderStore } from './storage/order-store.ts'

type TraceSettings = Pick<CloudConfig, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG'>

/** `sending`: empty where no span is made. */
export async function orderTraces(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share }: TraceSettings,
  { orders, db, clock, log }: { orders: OrderStore; db: RelayDatabase; clock: Clock; log: Logger },
): Promise<{ traces: OrderTraces; sending: Service[] }> {
  const deps = { orders, isShared: db.replicaId !== null, clock }
  if (endpoint === undefined) return { traces: new OrderTraces({ ...deps, spans: null }), sending: [] }
  const { WalkSpans } = await import('#shared/tracing/walk-spans.ts')
  const lines = new SampledLog(log, clock, 1)
  const spans = new WalkSpans({
    ...{ endpoint, share, service: 'ticketrail-relay', version: VERSION },
    failed: (error) => lines.warn('spans', { err: error }, 'spans of orders could not be sent, and are lost'),
  })
  return {
    traces: new OrderTraces({ ...deps, spans }),
    sending: [{ start: async () => {}, stop: () => spans.stop() }],
  }
}
