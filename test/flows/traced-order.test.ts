// One trace an order: relay and gateway as real programs send their spans to a real collector, and the webhook names the trace.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OtlpReceiver, type ReceivedSpan } from '#test/doubles/otlp-receiver.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { type Answer, Site } from '#test/harness/site.ts'

const CLIENTS = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const collector = new OtlpReceiver()
const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site

async function start(isTracing: boolean): Promise<void> {
  const { host, port } = await printer.start()
  await receiver.start()
  await collector.start()
  const tracing = isTracing ? { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint } : {}
  site = new Site({ printers: `kitchen=${host}:${port}`, cloudEnv: tracing, gatewayEnv: tracing })
  await site.start()
  receiver.secret = (await site.listen(receiver.url)).body.secret
}
async function stop(): Promise<void> {
  await site.stop()
  await receiver.stop()
  await printer.stop()
  await collector.stop()
}

const inject = (orderId: string, headers: Record<string, string> = {}, courses?: number[]): Promise<Answer> =>
  site.call('POST', '/v1/order/inject', site.orderBody({ orderId, ...(courses && { courses }) }), headers)
const printedOf = (orderId: string) =>
  receiver.nextEvent(
    ({ type, data }) => type === 'order.printed' && (data['order'] as { orderId: string }).orderId === orderId,
  )
const spansOf = (traceId: string): ReceivedSpan[] => collector.spans.filter((span) => span.traceId === traceId)
const namesOf = (traceId: string) => spansOf(traceId).map(({ service, name }) => `${service}: ${name}`)

const RELAYS = ['inject', 'store order', 'send job', 'record result', 'deliver webhook', 'deliver webhook']
const GATEWAYS = ['receive job', 'accept order', 'lay out ticket', 'attempt at printer', 'print ticket']
const ALL = [
  ...RELAYS.map((name) => `ticketrail-relay: ${name}`),
  ...GATEWAYS.map((name) => `ticketrail-gateway: ${name}`),
]

describe('where relay and gateway have an endpoint', () => {
  beforeAll(() => start(true))
  afterAll(stop)

  it('all stations of an order are spans of its client’s trace, and so are its webhooks', async () => {
    const { traceId, spanId } = CLIENTS
    await inject('a', { traceparent: `00-${traceId}-${spanId}-01` })
    const { headers } = await printedOf('a')
    await expect.poll(() => namesOf(traceId).toSorted()).toEqual(ALL.toSorted())
    const spans = spansOf(traceId)
    const call = spans.find(({ name }) => name === 'inject')
    expect(call?.parentSpanId).toBe(spanId)
    for (const span of spans.filter(({ name }) => name !== 'inject')) expect(span.parentSpanId).toBe(call?.spanId)
    expect(headers['traceparent']).toBe(`00-${traceId}-${call?.spanId}-01`)
    for (const { startMs, endMs, status } of spans) expect([startMs <= endMs, status]).toEqual([true, 0])
    expect(call?.attributes['ticketrail.outcome']).toBe('accepted')
    expect(JSON.stringify(spans)).not.toContain(site.apiKey)
  })

  it('an order of a client without traces starts a trace of its own', async () => {
    await inject('b')
    const { headers } = await printedOf('b')
    const [, traceId = ''] = String(headers['traceparent']).split('-')
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)
    await expect.poll(() => namesOf(traceId).toSorted()).toEqual(ALL.toSorted())
    expect(spansOf(traceId).find(({ name }) => name === 'inject')?.parentSpanId).toBe('')
  })

  it('a client that does not record its trace has none recorded here, and it is passed on', async () => {
    const traceId = 'b'.repeat(32)
    await inject('c', { traceparent: `00-${traceId}-${CLIENTS.spanId}-00` })
    const { headers } = await printedOf('c')
    expect(headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
    await inject('d')
    const later = await printedOf('d')
    const [, laterId = ''] = String(later.headers['traceparent']).split('-')
    await expect.poll(() => namesOf(laterId)).toHaveLength(ALL.length)
    expect(spansOf(traceId)).toEqual([])
  })

  it('a course that is fired later and a reprint are in the trace of their order', async () => {
    const { body } = await inject('courses', {}, [1, 2])
    const { headers } = await printedOf('courses')
    const [, traceId = ''] = String(headers['traceparent']).split('-')
    const printed = () => namesOf(traceId).filter((name) => name === 'ticketrail-gateway: print ticket')
    await expect.poll(printed).toHaveLength(1)
    const { serviceOrderId } = body
    const { merchantId } = site
    expect((await site.call('POST', `/v1/order/${serviceOrderId}/fire`, { merchantId, course: 2 })).status).toBe(200)
    await expect.poll(printed).toHaveLength(2)
    const reprint = { merchantId, type: 'kitchen', serviceOrderId }
    expect((await site.call('POST', '/v1/print/job', reprint)).status).toBe(200)
    await expect.poll(printed).toHaveLength(3)
  })

  it('a refused order is a span that failed, and a repetition does not change the first one’s trace', async () => {
    const refused = 'c'.repeat(32)
    const wrong = { ...(site.orderBody({ orderId: 'e' }) as object), total: 1 }
    const traceparent = `00-${refused}-${CLIENTS.spanId}-01`
    expect((await site.call('POST', '/v1/order/inject', wrong, { traceparent })).status).toBe(422)
    await expect.poll(() => spansOf(refused)).toMatchObject([{ name: 'inject', status: 2 }])

    const repeated = 'd'.repeat(32)
    await inject('a', { traceparent: `00-${repeated}-${CLIENTS.spanId}-01` })
    await expect.poll(() => namesOf(repeated)).toEqual(['ticketrail-relay: inject'])
  })
})

describe('without an endpoint', () => {
  beforeAll(() => start(false))
  afterAll(stop)

  it('the trace context of a client is passed on unchanged, and nothing else', async () => {
    const before = collector.spans.length
    await inject('x')
    expect((await printedOf('x')).headers['traceparent']).toBeUndefined()
    const traceparent = `00-${'e'.repeat(32)}-${CLIENTS.spanId}-01`
    await inject('y', { traceparent })
    expect((await printedOf('y')).headers['traceparent']).toBe(traceparent)
    await inject('z', { traceparent: 'nonsense' })
    expect((await printedOf('z')).headers['traceparent']).toBeUndefined()
    expect(collector.spans.length).toBe(before)
  })
})
