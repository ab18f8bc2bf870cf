// Spans of OpenTelemetry for the stations of an order's walk, sent by OTLP over HTTP. Loaded only where an endpoint is set.
import { ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, TraceFlags, type Tracer, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { WalkLine } from '#shared/log.ts'

/** By their numbers in docs/architecture.md. */
const STATIONS: Readonly<Record<string, string>> = {
  '1/10': 'inject',
  '2/10': 'store order',
  '3/10': 'send job',
  '4/10': 'receive job',
  '5/10': 'accept order',
  '6/10': 'print ticket',
  '7/10': 'lay out ticket',
  '8/10': 'attempt at printer',
  '9/10': 'record result',
  '10/10': 'deliver webhook',
}
/** Of a station's line; they stand in the span's name and times. */
const NOT_TOLD = new Set(['walk', 'ms', 'traceparent'])
const SEND_EVERY_MS = 1_000
const SEND_WITHIN_MS = 5_000
const STOP_WITHIN_MS = 1_000
/** More spans than these wait for nobody: they are lost, and orders go on. */
const MOST_WAITING = 4_096

export interface WalkSpansOptions {
  /** `http://collector:4318` */
  endpoint: string
  /** `ticketrail-relay` */
  service: string
  version: string
  /** Of traces that begin here, from 0 to 1. Others are recorded if whoever began them does it. */
  share: number
  /** Spans could not be sent, and are lost. */
  failed: (error: unknown) => void
}

/** A call that has begun. */
export interface OpenSpan {
  /** What its order's other spans stand under. */
  readonly traceparent: string
  end(line: WalkLine | null, endMs: number): void
}

export class WalkSpans {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor({ endpoint, service, version, share, failed }: WalkSpansOptions) {
    const exporter = new OTLPTraceExporter({
      url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
      timeoutMillis: SEND_WITHIN_MS,
    })
    this.#provider = new TracerProvider({
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: telling(exporter, failed),
          scheduledDelayMillis: SEND_EVERY_MS,
          maxQueueSize: MOST_WAITING,
        }),
      ],
    })
    this.#tracer = this.#provider.getTracer('ticketrail', version)
  }

  /** Begins a call. @param parent of the caller; null: a trace begins here */
  begin(parent: string | null, startMs: number): OpenSpan {
    const options = { kind: SpanKind.SERVER, startTime: startMs }
    const span = this.#tracer.startSpan('inject', options, parent === null ? ROOT_CONTEXT : contextOf(parent))
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`,
      end: (line, endMs) => {
        if (line === null) span.setStatus({ code: SpanStatusCode.ERROR })
        else describe(span, line)
        span.end(endMs)
      },
    }
  }

  /** A station that has come to its end. */
  add(parent: string, line: WalkLine, endMs: number): void {
    const name = STATIONS[line.walk] ?? line.walk
    const kind = line.walk === '10/10' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const span = this.#tracer.startSpan(name, { kind, startTime: endMs - line.ms }, contextOf(parent))
    describe(span, line)
    span.end(endMs)
  }

  /** Sends what waits, if it can be sent soon. */
  async stop(): Promise<void> {
    await this.#provider.forceFlush({ timeoutMillis: STOP_WITHIN_MS }).catch(() => {})
    // It waits for a collector that is away longer than the program may take to end.
    this.#provider.shutdown().catch(() => {})
  }
}

/** OpenTelemetry itself says nothing of it. */
function telling(exporter: SpanExporter, failed: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) failed(result.error)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}

function describe(span: Span, line: WalkLine): void {
  for (const [name, value] of Object.entries(line))
    if (!NOT_TOLD.has(name) && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'))
      span.setAttribute(`ticketrail.${name}`, value)
  if (typeof line['error'] === 'string') span.setStatus({ code: SpanStatusCode.ERROR, message: line['error'] })
}

function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true })
}
