// Spans of the stations of traced orders at this gateway. Only where OTEL_EXPORTER_OTLP_ENDPOINT is set: the SDK is not loaded otherwise.
import type { Clock } from '#shared/clock.ts'
import { type Logger, tellingWalk, type WalkLine } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import type { WalkSpans } from '#shared/tracing/walk-spans.ts'
import { VERSION } from '#shared/version.ts'

/** The number of jobs whose trace is kept. Jobs from before the last start have none. */
const MOST_REMEMBERED = 1_000

/** Spans of the walk's lines, by the trace that the job's document names. */
export class JobSpans {
  readonly #spans: Pick<WalkSpans, 'add'>
  readonly #clock: Pick<Clock, 'now'>
  readonly #traces = new Map<string, string>()

  constructor(spans: Pick<WalkSpans, 'add'>, clock: Pick<Clock, 'now'>) {
    this.#spans = spans
    this.#clock = clock
  }

  readonly walked = (line: WalkLine): void => {
    const { printJobId, traceparent } = line
    if (printJobId === undefined) return
    if (typeof traceparent === 'string') this.#remember(printJobId, traceparent)
    const parent = this.#traces.get(printJobId)
    if (parent !== undefined) this.#spans.add(parent, line, this.#clock.now())
  }

  #remember(jobId: string, traceparent: string): void {
    this.#traces.set(jobId, traceparent)
    const [oldest] = this.#traces.keys()
    if (this.#traces.size > MOST_REMEMBERED && oldest !== undefined) this.#traces.delete(oldest)
  }
}

/** The same log, whose lines about a job's steps become spans as well. */
export async function withSpans(log: Logger, clock: Clock, endpoint: string | undefined): Promise<Logger> {
  if (endpoint === undefined) return log
  const { WalkSpans: Spans } = await import('#shared/tracing/walk-spans.ts')
  const lines = new SampledLog(log, clock, 1)
  const spans = new Spans({
    ...{ endpoint, service: 'ticketrail-gateway', version: VERSION, share: 1 },
    failed: (error) => lines.warn('spans', { err: error }, 'spans of orders could not be sent, and are lost'),
  })
  return tellingWalk(log, new JobSpans(spans, clock).walked)
}
