// The mixed load of a day: 70 % inject, 20 % reads, 10 % void, refund and SKU, at a steady rate by autocannon. The relay is a real process, a real
// gateway process prints every ticket on a loopback printer, and a loopback endpoint takes every event.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import autocannon from 'autocannon'
import type { Site } from '#test/harness/site.ts'
import { percentile } from './figures.ts'
import { openSite } from './latency.ts'

export interface Mixed {
  offered: number
  /** Answers a second. */
  perSecond: number
  meanMs: number
  p99Ms: number
  maxMs: number
  /** Answers other than 2xx, and requests without an answer. */
  errors: number
  /** How often each operation was called. */
  calls: Readonly<Record<string, number>>
}

/** Refundable orders at the start; each is refunded by the cent. */
const COMPLETED = 50
const CONNECTIONS = 100

interface Planned {
  name: string
  method: 'GET' | 'POST' | 'PUT'
  path: string
  body?: unknown
}

/** Plans the requests: of ten, seven inject, two read, one changes something. Voids and reads take orders that were answered. */
class Day {
  readonly calls: Record<string, number> = {}
  readonly #site: Site
  readonly #recent: string[] = []
  readonly #unvoided: string[] = []
  readonly #completed: readonly string[]
  #number = 0

  constructor(site: Site, completed: readonly string[]) {
    this.#site = site
    this.#completed = completed
  }

  next(): Planned {
    const n = this.#number++
    const planned = n % 10 < 7 ? this.#inject(n) : n % 10 < 9 ? this.#read(n) : this.#change(Math.floor(n / 10))
    this.calls[planned.name] = (this.calls[planned.name] ?? 0) + 1
    return planned
  }

  injected(serviceOrderId: string): void {
    this.#unvoided.push(serviceOrderId)
    this.#recent.push(serviceOrderId)
    if (this.#recent.length > 1_000) this.#recent.shift()
  }

  #inject(n: number): Planned {
    const body = this.#site.orderBody({ orderId: `mixed-${n}`, note: 'no onions' })
    return { name: 'inject', method: 'POST', path: '/v1/order/inject', body }
  }

  #read(n: number): Planned {
    const merchant = `merchantId=${this.#site.merchantId}`
    const id = this.#recent[n % Math.max(1, this.#recent.length)]
    if (n % 4 === 0 || id === undefined)
      return { name: 'list orders', method: 'GET', path: `/v1/orders?${merchant}&limit=25` }
    if (n % 20 === 7) return { name: 'list SKUs', method: 'GET', path: `/v1/skus?${merchant}&limit=25` }
    return { name: 'read order', method: 'GET', path: `/v1/order/${id}?${merchant}` }
  }

  #change(n: number): Planned {
    const { merchantId, umsIds } = this.#site
    const sku = `/v1/sku/${umsIds[1]}`
    const voidable = n % 10 < 4 ? this.#unvoided.shift() : undefined
    if (voidable !== undefined)
      return { name: 'void', method: 'POST', path: `/v1/order/${voidable}/void`, body: { merchantId, reason: 'bench' } }
    if (n % 10 < 7) {
      const path = `/v1/order/${this.#completed[n % this.#completed.length]}/refund`
      return { name: 'refund', method: 'POST', path, body: { merchantId, amount: 0.01 } }
    }
    if (n % 10 === 7)
      return { name: 'stock', method: 'PUT', path: `${sku}/stock`, body: { merchantId, quantity: 1_000 + n } }
    const [name, body] =
      n % 10 === 8 ? (['silence', { merchantId, reason: 'bench' }] as const) : (['restore', { merchantId }] as const)
    return { name, method: 'POST', path: `${sku}/${name}`, body }
  }
}

/** `perSecond` requests for `seconds`; the first three seconds warm it up and are not counted. */
export async function measureMixed(perSecond: number, seconds: number): Promise<Mixed> {
  const { receiver, url } = await openReceiver()
  const bench = await openSite()
  const { site } = bench
  await site.listen(url)
  const completed: string[] = []
  for (let i = 0; i < COMPLETED; i++) completed.push(await completedOrder(site, i))
  const day = new Day(site, completed)
  await load(site, day, { perSecond, seconds: 3 })
  for (const name of Object.keys(day.calls)) delete day.calls[name]
  const { waits, errors, firstAt, lastAt } = await load(site, day, { perSecond, seconds })
  await bench.stop()
  receiver.closeAllConnections()
  receiver.close()
  return {
    offered: perSecond,
    perSecond: (waits.length * 1_000) / (lastAt - firstAt),
    meanMs: waits.reduce((sum, one) => sum + one, 0) / waits.length,
    p99Ms: percentile(waits, 99),
    maxMs: percentile(waits, 100),
    errors,
    calls: day.calls,
  }
}

interface Loaded {
  /** Milliseconds of every answer. */
  waits: number[]
  errors: number
  /** When the first and the last answer came. */
  firstAt: number
  lastAt: number
}

/**
 * autocannon sends what a connection may send in a second at the second's beginning. So that requests come evenly and not 300 at once, each
 * connection is a run of its own with a few requests a second, and the runs start evenly over a second. Every answer is counted as it is:
 * autocannon's correction takes the interval between requests for a millisecond.
 */
async function load(
  site: Site,
  day: Day,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<Loaded> {
  const loaded: Loaded = { waits: [], errors: 0, firstAt: 0, lastAt: 0 }
  const each = perSecond / CONNECTIONS
  const runs: Promise<void>[] = []
  const startedAt = performance.now()
  for (let n = 0; n < CONNECTIONS; n++) {
    const wait = startedAt + (n * 1_000) / CONNECTIONS - performance.now()
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait))
    runs.push(oneConnection(site, day, { perSecond: each, amount: each * seconds }, loaded))
  }
  await Promise.all(runs)
  return loaded
}

async function oneConnection(
  site: Site,
  day: Day,
  { perSecond, amount }: { perSecond: number; amount: number },
  loaded: Loaded,
): Promise<void> {
  const options: autocannon.Options = {
    url: site.cloudUrl,
    connections: 1,
    connectionRate: perSecond,
    amount,
    ignoreCoordinatedOmission: true,
    headers: { authorization: `Bearer ${site.apiKey}` },
    requests: [
      {
        setupRequest: (request) => asRequest(request, day.next()),
        onResponse: (status, text) => {
          const id = status === 200 ? /^\{"status":"accepted","serviceOrderId":"(\w+)"/.exec(text)?.[1] : undefined
          if (id !== undefined) day.injected(id)
        },
      },
    ],
  }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    run.on('response', (_client, _status, _bytes, ms) => {
      loaded.lastAt = performance.now()
      if (loaded.waits.push(ms) === 1) loaded.firstAt = loaded.lastAt
    })
  })
  loaded.errors += result.errors + result.non2xx + result.timeouts
}

function asRequest(request: autocannon.Request, { method, path, body }: Planned): autocannon.Request {
  const { body: _old, ...rest } = request
  const headers = { ...request.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  return { ...rest, method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
}

async function completedOrder(site: Site, n: number): Promise<string> {
  const { merchantId } = site
  const injected = await site.inject({ orderId: `completed-${n}`, qty: 20 })
  const id = String(injected.body.serviceOrderId)
  const done = await site.call('POST', `/v1/test/order/${id}/advance`, { merchantId, to: 'completed' })
  if (done.status !== 200) throw new Error(`advance: ${done.status} ${JSON.stringify(done.body)}`)
  return id
}

async function openReceiver(): Promise<{ receiver: Server; url: string }> {
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  return { receiver, url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook` }
}
