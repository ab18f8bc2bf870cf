// A site whose relay stands behind Debian's Caddy or nginx, by the recipes in deploy/: API and gateways come through the proxy, over TLS.
import { execFile } from 'node:child_process'
import { request } from 'node:https'
import mqtt from 'mqtt'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { FrontProxy, type ProxyName, whyNoProxy, whyNoStream } from '#test/doubles/front-proxies.ts'
import { VirtualPrinter } from '#test/doubles/virtual-printer.ts'
import { OpensslAuthority } from '#test/harness/openssl-authority.ts'
import { PairSite } from '#test/harness/pair-site.ts'
import { servedCertificate } from '#test/harness/served-certificate.ts'

/** Wrong keys that one address may send at once, before it is refused. */
const WRONG_KEYS_AT_ONCE = 120

const authority = new OpensslAuthority()
afterAll(() => authority.remove())
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

const soon: typeof expect.poll = (ask) => expect.poll(ask)

interface Answer {
  status: number
  headers: Record<string, unknown>
  body: string
}

interface Call {
  /** Where the client calls from. */
  from?: string
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

class SiteBehindProxy {
  readonly proxy: FrontProxy
  readonly printer: VirtualPrinter
  readonly site: PairSite

  constructor(proxy: FrontProxy, printer: VirtualPrinter, site: PairSite) {
    this.proxy = proxy
    this.printer = printer
    this.site = site
  }

  get url(): string {
    return `https://localhost:${this.proxy.httpsPort}`
  }

  /** A call of the API through the proxy, by a client that trusts the authority of this test alone. */
  call(path: string, { from = '127.0.0.1', method = 'GET', headers = {}, body }: Call = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        ...{ host: '127.0.0.1', port: this.proxy.httpsPort, servername: 'localhost', path, method, agent: false },
        ...{ ca: authority.ca, localAddress: from },
        headers: { host: `localhost:${this.proxy.httpsPort}`, 'content-type': 'application/json', ...headers },
      }
      const sent = request(options, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      })
      sent.on('error', reject)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  get key(): { authorization: string } {
    return { authorization: `Bearer ${this.site.account.apiKey}` }
  }

  /** An order by https that must be taken, and must be on paper. */
  async orderToPaper(orderId: string): Promise<void> {
    const items = [{ umsId: 'UMS-BURGER-01', qty: 1, price: 12.5, note: orderId }]
    const body = { merchantId: 'M-TEST-001', orderId, source: 't', items, total: 12.5 }
    // Until the link stands, it is 503 printer.offline.
    await soon(
      async () => (await this.call('/v1/order/inject', { method: 'POST', headers: this.key, body })).status,
    ).toBe(200)
    await this.printer.nextTicket((ticket) => ticket.text().includes(orderId))
  }

  async isConnected(): Promise<boolean> {
    return (await this.site.status()).link.state === 'connected'
  }
}

const NOT_AUTHORIZED = 5
const UNAVAILABLE = 3
const HTTP_UNAVAILABLE = 503
/** Far more than the relay lets one address have. */
const MANY = 200

/**
 * The CONNACK code for a gateway with a wrong password that connects from this address of loopback, or the HTTP status when its WebSocket
 * was refused.
 */
function wrongPassword(url: string, from: string): Promise<number> {
  const tls = { ca: authority.ca, localAddress: from }
  const credentials = { clientId: 'gw_guess', username: 'gw_guess', password: 'wrong' }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const client = mqtt.connect(url, {
    ...{ ...credentials, ...tls, protocolVersion: 4, reconnectPeriod: 0 },
    createWebsocket: (address, protocols) => {
      const webSocket = new WebSocket(address, protocols, tls)
      return webSocket.once('unexpected-response', (sent, { statusCode = 0 }) => {
        sent.destroy()
        resolve(statusCode)
      })
    },
  })
  client.once('error', (error) => ('code' in error ? resolve(Number(error.code)) : reject(error)))
  client.once('connect', () => reject(new Error('let in')))
  return promise.finally(() => client.end(true))
}

/** Wrong passwords from one address until the relay says that it holds it off; another address goes on. */
async function expectHeldOffByAddress(url: string, refusal: number): Promise<void> {
  expect(await wrongPassword(url, '127.0.0.2')).toBe(NOT_AUTHORIZED)
  let code = NOT_AUTHORIZED
  for (let tried = 0; code === NOT_AUTHORIZED && tried < MANY; tried++) code = await wrongPassword(url, '127.0.0.2')
  expect(code).toBe(refusal)
  expect(await wrongPassword(url, '127.0.0.3')).toBe(NOT_AUTHORIZED)
}

async function siteBehind(
  name: ProxyName,
  more: (proxy: FrontProxy) => Record<string, string> = () => ({}),
): Promise<SiteBehindProxy> {
  const proxy = await FrontProxy.make(name, authority.issue())
  const printer = new VirtualPrinter()
  const { host, port } = await printer.start()
  const site = new PairSite({
    printers: `Grill=${host}:${port}`,
    cloudEnv: {
      CLOUD_PUBLIC_URL: `https://localhost:${proxy.httpsPort}`,
      CLOUD_TRUSTED_PROXIES: '127.0.0.1,::1',
      CLOUD_GATEWAY_CA_FILE: authority.caFile,
      ...more(proxy),
    },
  })
  stops.push(
    () => printer.stop(),
    () => site.stop(),
    () => proxy.remove(),
  )
  await site.startRelay()
  await proxy.start({ api: Number(new URL(site.cloudUrl).port), mqtt: site.mqttPort })
  const made = new SiteBehindProxy(proxy, printer, site)
  await site.startBox(made.url, { NODE_EXTRA_CA_CERTS: authority.caFile })
  await site.pair()
  return made
}

describe.each<ProxyName>(['caddy', 'nginx'])('behind %s', (name) => {
  const reason = whyNoProxy(name)
  if (reason !== null) process.stderr.write(`behind ${name}: not tried, ${reason}\n`)

  it.skipIf(reason !== null)(
    'orders come by https, the gateway by wss, and both are back after each restart',
    async () => {
      const made = await siteBehind(name)
      const { proxy, site } = made
      const brokerUrl = `wss://localhost:${proxy.httpsPort}/mqtt`
      expect(site.pairing()).toMatchObject({ brokerUrl })
      await soon(() => made.isConnected()).toBe(true)
      await made.orderToPaper('T-FIRST')

      await proxy.stop()
      await soon(() => made.isConnected()).toBe(false)
      await proxy.start()
      await soon(() => made.isConnected()).toBe(true)
      await made.orderToPaper('T-AFTER-PROXY')

      await site.cloud.kill('SIGKILL')
      await site.startRelay()
      await soon(() => made.isConnected()).toBe(true)
      await made.orderToPaper('T-AFTER-RELAY')

      const before = await servedCertificate('127.0.0.1', proxy.httpsPort)
      proxy.renew(authority.issue())
      await soon(async () => (await servedCertificate('127.0.0.1', proxy.httpsPort)).serialNumber).not.toBe(
        before.serialNumber,
      )
      await soon(() => made.isConnected()).toBe(true)
      await made.orderToPaper('T-RENEWED')
    },
  )

  it.skipIf(reason !== null)(
    'the relay counts the client, not the proxy, and believes no client about itself',
    async () => {
      const made = await siteBehind(name)
      const wrongKey = (from: string, headers: Record<string, string> = {}) =>
        made.call('/v1/merchants', { from, headers: { authorization: 'Bearer sk_wrong', ...headers } })
      // At once: each second one more is let through.
      const heldOff = async (count: number, headers: Record<string, string> = {}): Promise<boolean> => {
        const answers = await Promise.all(Array.from({ length: count }, () => wrongKey('127.0.0.2', headers)))
        return answers.some(({ status }) => status === 429)
      }
      expect((await wrongKey('127.0.0.2')).status).toBe(401)
      await soon(() => heldOff(WRONG_KEYS_AT_ONCE)).toBe(true)
      expect((await wrongKey('127.0.0.3')).status).toBe(401)
      // As another client it would have as many tries as the first.
      for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
        const claim = { [header]: header === 'forwarded' ? 'for=192.0.2.9' : '192.0.2.9' }
        expect(await heldOff(WRONG_KEYS_AT_ONCE / 3, claim)).toBe(true)
      }
      await expectHeldOffByAddress(`wss://localhost:${made.proxy.httpsPort}/mqtt`, HTTP_UNAVAILABLE)
      // A good key is served from there all the same.
      expect((await made.call('/v1/merchants', { from: '127.0.0.2', headers: made.key })).status).toBe(200)
    },
  )

  it.skipIf(reason !== null)(
    'HTTP/2 is spoken, plain http leads to https, and refusals are the relay’s own',
    async () => {
      const made = await siteBehind(name)
      const curl = (...args: string[]) => said('curl', '-sS', '--cacert', authority.caFile, '-o', '/dev/null', ...args)
      expect(await curl('--http2', '-w', '%{http_version} %{http_code}', `${made.url}/readyz`)).toBe('2 200')
      for (const path of ['/readyz', '/docs'])
        expect(await curl('--head', '-w', '%{http_code} %{size_download}', `${made.url}${path}`)).toBe('200 0')
      const plain = `http://localhost:${made.proxy.httpPort}/v1/merchants`
      expect(await curl('-w', '%{http_code} %{redirect_url}', plain)).toMatch(
        new RegExp(`^30[18] https://localhost(:${made.proxy.httpsPort})?/v1/merchants$`),
      )
      const body = { merchantId: 'M-TEST-001', note: 'x'.repeat(300_000) }
      const tooLarge = await made.call('/v1/order/inject', { method: 'POST', headers: made.key, body })
      expect([tooLarge.status, JSON.parse(tooLarge.body).code]).toEqual([413, 'request.too_large'])
      const unknown = await made.call('/v1/nothing', { headers: made.key })
      expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([404, 'request.not_found'])
    },
  )
})

const noNginx = whyNoProxy('nginx')

it.skipIf(noNginx !== null)(
  'nginx serves what certbot puts there at plain http, so that a certificate is renewed while it holds port 80',
  async () => {
    const { proxy } = await siteBehind('nginx')
    const at = (path: string) => said('curl', '-sS', '-w', ' %{http_code}', `http://localhost:${proxy.httpPort}${path}`)
    expect(await at(proxy.putChallenge('token-1', 'token-1.thumbprint'))).toBe('token-1.thumbprint 200')
    expect(await at('/.well-known/acme-challenge/none')).toMatch(/ 404$/)
    expect(await at('/.well-known/other')).toMatch(/ 301$/)
  },
)

it.skipIf(noNginx !== null)(
  'while the relay is away nginx answers 503 in the relay’s own shape with Retry-After, and its own answers pass as they are',
  async () => {
    const made = await siteBehind('nginx')
    await made.site.cloud.kill('SIGKILL')
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? { merchantId: 'M-TEST-001', note: 'x'.repeat(100_000) } : undefined
      const away = await made.call('/v1/orders', { method, headers: made.key, body })
      expect([away.status, away.headers['retry-after'], away.headers['content-type']]).toEqual([
        ...[503, '2', 'application/json; charset=utf-8'],
      ])
      const error = JSON.parse(away.body)
      expect(error).toEqual({
        ...{ code: 'service.unavailable', status: 503, message: expect.stringContaining('send it again') },
        requestId: expect.stringMatching(/^req_\w+$/),
        docUrl: `${made.url}/docs/errors#service.unavailable`,
      })
      expect(away.headers['x-request-id']).toBe(error.requestId)
    }
    await made.site.startRelay()
    await soon(() => made.isConnected()).toBe(true)
    await made.orderToPaper('T-AFTER-503')
  },
)

const noStream = whyNoStream()
if (noStream !== null) process.stderr.write(`mqtts through nginx: not tried, ${noStream}\n`)

it.skipIf(noStream !== null)(
  'nginx passes on mqtts with the PROXY header: orders print, and the relay counts the box, not nginx',
  async () => {
    const made = await siteBehind('nginx', ({ mqttsPort }) => ({
      CLOUD_GATEWAY_BROKER_URL: `mqtts://localhost:${mqttsPort}`,
      CLOUD_MQTT_PROXY_PROTOCOL: 'on',
    }))
    const { proxy, site } = made
    await soon(() => made.isConnected()).toBe(true)
    await made.orderToPaper('T-MQTTS')
    await proxy.stop()
    await proxy.start()
    await soon(() => made.isConnected()).toBe(true)
    await made.orderToPaper('T-MQTTS-AGAIN')
    await expectHeldOffByAddress(`mqtts://localhost:${proxy.mqttsPort}`, UNAVAILABLE)
    await site.cloud.kill('SIGKILL')
    await site.startRelay()
    await soon(() => made.isConnected()).toBe(true)
    await made.orderToPaper('T-MQTTS-RELAY')
  },
)

/** What a program writes; it must end well. */
function said(file: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, args, (error, out) => (error ? reject(error) : resolve(out)))
  })
}
