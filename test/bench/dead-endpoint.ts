// What a dead endpoint costs a healthy one: 10,000 undelivered deliveries of a receiver that takes every connection and never answers, and the
// wait of the healthy endpoint's first attempts with them and, just before, without them.
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcp } from 'node:net'
import type { Site } from '#test/harness/site.ts'
import { percentile } from './figures.ts'
import { openSite } from './latency.ts'
import { offer } from './load.ts'

export interface DeadEndpoint {
  undelivered: number
  /** Answer of the inject -> first attempt at the healthy endpoint, milliseconds; an event that came before the answer counts as 0. */
  alone: Waits
  beside: Waits
}

interface Waits {
  p50: number
  p99: number
  count: number
  offered: number
}

const PER_SECOND = 50

export async function measureDeadEndpoint(undelivered: number, seconds: number): Promise<DeadEndpoint> {
  const healthy = await HealthyReceiver.open()
  const hole = createTcp((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => hole.listen(0, '127.0.0.1', resolve))
  const bench = await openSite()
  const { site } = bench
  // The kitchen is stopped: this is about webhooks. Orders without a ticket are accepted all the same.
  await site.gateway.kill('SIGTERM')
  const warm = await site.listen(healthy.url)
  await measureWaits(site, healthy, 'warm', 2)
  const alone = await measureWaits(site, healthy, 'alone', seconds)
  await site.call('DELETE', `/v1/webhook/${warm.body.webhookId}?merchantId=${site.merchantId}`)
  await site.listen(`http://127.0.0.1:${(hole.address() as AddressInfo).port}/dead`)
  await injectMany(site, 'backlog', 500, undelivered / 500)
  await site.listen(healthy.url)
  const beside = await measureWaits(site, healthy, 'beside', seconds)
  await bench.stop()
  hole.close()
  healthy.close()
  return { undelivered, alone, beside }
}

const injectMany = (site: Site, name: string, perSecond: number, seconds: number) =>
  offer({
    url: site.cloudUrl,
    path: '/v1/order/inject',
    headers: { authorization: `Bearer ${site.apiKey}` },
    body: (token) => JSON.stringify(site.orderBody({ orderId: `${name}-${token}`, print: false })),
    perSecond,
    seconds,
  })

async function measureWaits(site: Site, healthy: HealthyReceiver, name: string, seconds: number): Promise<Waits> {
  const sent = await injectMany(site, name, PER_SECOND, seconds)
  const due = sent.filter((row) => row.status === 200)
  await healthy.has(due.map((row) => `${name}-${row.token}`))
  const waits = due.map((row) =>
    Math.max(0, (healthy.arrived.get(`${name}-${row.token}`) ?? Infinity) - (row.answeredAt ?? 0)),
  )
  return { p50: percentile(waits, 50), p99: percentile(waits, 99), count: waits.length, offered: sent.length }
}

/** Notes when each order's `order.accepted` came first. */
class HealthyReceiver {
  readonly arrived = new Map<string, number>()
  readonly #server: Server
  #came: () => void = () => {}

  private constructor() {
    this.#server = createServer((request, response) => {
      const at = performance.now()
      let body = ''
      request.on('data', (chunk) => {
        body += chunk
      })
      request.on('end', () => {
        const event = JSON.parse(body)
        const orderId = event.data.order?.orderId
        if (event.type === 'order.accepted' && !this.arrived.has(orderId)) this.arrived.set(orderId, at)
        response.writeHead(204).end()
        this.#came()
      })
    })
  }

  static async open(): Promise<HealthyReceiver> {
    const receiver = new HealthyReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  /** Resolves when all of them came, or after 20 s: what is missing then counts as endless. */
  async has(orderIds: readonly string[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 20_000)
      this.#came = () => {
        if (!orderIds.every((id) => this.arrived.has(id))) return
        clearTimeout(timer)
        resolve()
      }
      this.#came()
    })
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
