// A collector of OpenTelemetry: a real HTTP server that takes spans by OTLP as JSON and keeps them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export interface ReceivedSpan {
  /** `service.name` of who sent it. */
  service: string
  name: string
  traceId: string
  spanId: string
  /** Empty: it has none. */
  parentSpanId: string
  startMs: number
  endMs: number
  /** 2: error. */
  status: number
  attributes: Record<string, unknown>
}

interface OtlpValue {
  stringValue?: string
  intValue?: number | string
  doubleValue?: number
  boolValue?: boolean
}
interface OtlpAttribute {
  key: string
  value: OtlpValue
}
interface OtlpBody {
  resourceSpans: {
    resource: { attributes: OtlpAttribute[] }
    scopeSpans: {
      spans: {
        name: string
        traceId: string
        spanId: string
        parentSpanId?: string
        startTimeUnixNano: string
        endTimeUnixNano: string
        status?: { code?: number }
        attributes: OtlpAttribute[]
      }[]
    }[]
  }[]
}

export class OtlpReceiver {
  /** In the order of arrival. */
  readonly spans: ReceivedSpan[] = []
  #server: Server | null = null

  /** What OTEL_EXPORTER_OTLP_ENDPOINT is set to. */
  get endpoint(): string {
    const address = this.#server?.address() as AddressInfo | null | undefined
    return `http://127.0.0.1:${address?.port ?? 0}`
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      void (async () => {
        const body = (await json(request)) as OtlpBody
        if (request.url === '/v1/traces') this.spans.push(...spansOf(body))
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

function spansOf({ resourceSpans }: OtlpBody): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId ?? '',
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        status: span.status?.code ?? 0,
        attributes: valuesOf(span.attributes),
      })),
    ),
  )
}

function valuesOf(attributes: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? doubleValue ?? boolValue ?? (intValue === undefined ? undefined : Number(intValue)),
    ]),
  )
}
