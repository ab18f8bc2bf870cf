// What the relay counts of one order, and of nothing else: two real programs, a printer, a webhook receiver, and whoever scrapes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ownPort } from '#test/doubles/own-port.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { WebhookReceiver } from '#test/doubles/webhook-receiver.ts'
import { Site } from '#test/harness/site.ts'

const printer = new VirtualPrinter()
const receiver = new WebhookReceiver()
let site: Site
let metricsPort: number

beforeAll(async () => {
  const { host, port } = await printer.start()
  await receiver.start()
  metricsPort = await ownPort()
  site = new Site({ printers: `kitchen=${host}:${port}`, cloudEnv: { CLOUD_METRICS_PORT: String(metricsPort) } })
  await site.start()
})
afterAll(async () => {
  await site.stop()
  await receiver.stop()
  await printer.stop()
})

async function scrape(): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect(answer.status).toBe(200)
  return answer.text()
}
/** The value of one series; null: it is not told. */
async function value(series: string): Promise<number | null> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`ticketrail_${series} `))
  return line === undefined ? null : Number(line.split(' ').at(-1))
}

it('an order is counted from its injection to its paper and its webhooks', async () => {
  receiver.secret = (await site.listen(receiver.url)).body.secret
  // Until the box has told its stations nothing is known of them, and the time to paper would say nothing.
  await expect.poll(() => value('link_messages_total{direction="up",type="status"}')).toBeGreaterThan(0)
  expect((await site.inject({ orderId: 'a' })).body.ways).toMatchObject([{ way: 'printer' }])
  await receiver.nextEvent((event) => event.type === 'order.printed')
  await expect.poll(() => value('webhook_attempts_total{outcome="delivered"}')).toBe(2)

  expect(await value('orders_total{outcome="accepted"}')).toBe(1)
  expect(await value('inject_duration_seconds_count')).toBe(1)
  expect(await value('http_request_duration_seconds_count{route="POST /v1/order/inject",status="200"}')).toBe(1)
  expect(await value('order_to_paper_seconds_count{confidence="confirmed"}')).toBe(1)
  expect(await value('webhook_first_attempt_delay_seconds_count')).toBe(2)
  expect(await value('link_messages_total{direction="down",type="job"}')).toBe(1)
  expect(await value('link_messages_total{direction="up",type="result"}')).toBe(1)
  expect(await value('gateway_hello_total{why="first"}')).toBe(1)
  expect(await value('db_unit_duration_seconds_count{unit="inject"}')).toBe(1)
  expect(await value('db_unit_duration_seconds_count{unit="result"}')).toBe(1)
  expect(await value('gateways{presence="online"}')).toBe(1)
  expect(await value('lease_held{name="fire"}')).toBe(1)
  expect(await value('possible_duplicates_total')).toBe(0)
})

it('a repetition and a refusal are counted as such', async () => {
  expect((await site.inject({ orderId: 'a' })).status).toBe(200)
  expect(
    (await site.call('POST', '/v1/order/inject', { ...(site.orderBody({ orderId: 'b' }) as object), total: 1 })).status,
  ).toBe(422)
  await expect.poll(() => value('orders_total{outcome="replayed"}')).toBe(1)
  await expect.poll(() => value('orders_total{outcome="refused"}')).toBe(1)
})

it('nothing of it names a merchant, an order, a gateway or an account', async () => {
  const text = await scrape()
  expect(text).not.toMatch(/\b(ord|pj|evt|dlv|acc|mer|loc|gw|we|key)_[0-9a-z]{26}\b/)
  expect(text).not.toContain(site.merchantId)
  expect(text).not.toContain(site.apiKey)
})
