// No relay is ready, or one does not answer any more: what clients see behind the balancers of deploy/, by the very files.
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Balancer, type BalancerName, whyNoBalancer } from '#test/doubles/balancers.ts'
import { OpensslAuthority } from '#test/harness/openssl-authority.ts'

const authority = new OpensslAuthority()
afterAll(() => authority.remove())
const stops: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

/** What a balancer sees of a relay. */
class RelayDouble {
  readonly #server: Server
  /** Of /readyz. */
  ready = true
  /** It takes calls and never answers, as one that was stopped with SIGSTOP; its last answer to /readyz was good. */
  frozen = false

  constructor() {
    this.#server = createServer((req, res) => {
      if (req.url === '/readyz') return res.writeHead(this.ready ? 200 : 503).end()
      if (this.frozen) return req.resume()
      return req.resume().on('end', () => res.writeHead(200).end('answered'))
    })
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve)
    })
    return (this.#server.address() as AddressInfo).port
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
    })
  }
}

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: string
}

function call(port: number, path: string, { method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', servername: 'localhost', port, path, method, agent: false, ca: authority.ca }
    const sent = request({ ...options, headers: { host: `localhost:${port}`, ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function expectTheRelaysShape(answer: Answer, port: number, status = 503): void {
  expect([answer.status, answer.headers['retry-after'], answer.headers['content-type']]).toEqual([
    ...[status, '2', 'application/json; charset=utf-8'],
  ])
  const error = JSON.parse(answer.body)
  expect(error).toEqual({
    ...{ code: 'service.unavailable', status, message: expect.stringContaining('send it again') },
    requestId: expect.stringMatching(/^req_[\w-]+$/),
    docUrl: `https://localhost:${port}/docs/errors#service.unavailable`,
  })
  expect(answer.headers['x-request-id']).toBe(error.requestId)
  expect(answer.headers['cache-control']).toBe('no-store')
}

/** HAProxy cannot say another status than its own. */
const UNANSWERED = { caddy: 503, haproxy: 504 }

describe.each<BalancerName>(['caddy', 'haproxy'])('two relays behind %s', (name) => {
  const reason = whyNoBalancer(name)
  if (reason !== null) process.stderr.write(`absent relays behind ${name}: not tried, ${reason}\n`)

  async function behind(): Promise<{ port: number; relays: RelayDouble[] }> {
    const relays = [new RelayDouble(), new RelayDouble()]
    const ports: number[] = []
    for (const relay of relays) {
      ports.push(await relay.start())
      stops.push(() => relay.stop())
    }
    const balancer = await Balancer.make(name, ports, authority.issue())
    stops.push(() => balancer.stop())
    await balancer.start({ RELAY_ANSWER: '1s' })
    await expect.poll(async () => (await call(balancer.port, '/v1/orders')).status).toBe(200)
    return { port: balancer.port, relays }
  }

  it.skipIf(reason !== null)('when no relay is ready, clients get the documented 503 with Retry-After', async () => {
    const { port, relays } = await behind()
    for (const relay of relays) relay.ready = false
    await expect.poll(async () => (await call(port, '/v1/orders')).status).toBe(503)
    expectTheRelaysShape(await call(port, '/v1/orders'), port)
    expectTheRelaysShape(await call(port, '/v1/order/inject', { method: 'POST', body: '{}' }), port)
    for (const relay of relays) relay.ready = true
    await expect.poll(async () => (await call(port, '/v1/orders')).status).toBe(200)
  })

  it.skipIf(reason !== null)('what both relays leave without an answer ends in the same words', async () => {
    const { port, relays } = await behind()
    for (const relay of relays) relay.frozen = true
    const answer = await call(port, '/v1/order/void', { method: 'POST', body: '{}' })
    expectTheRelaysShape(answer, port, UNANSWERED[name])
  })
})
