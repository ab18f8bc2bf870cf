// Strict-Transport-Security over real connections: on answers that came by https, and on no other.
import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { ServedCertificate } from '#cloud/certificate/served-certificate.ts'
import { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { systemClock } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { RelayApi } from '#test/doubles/relay-api.ts'
import { SELF_SIGNED } from '#test/fixtures/self-signed.ts'

const A_YEAR = 'max-age=31536000'
const NAME = 'relay.example'
/** An address of loopback that the relay does not take for its own machine. */
const PROXY = '127.0.0.2'

let api: RelayApi
afterEach(() => api.close())

/** @returns the answer to a call of the relay, by its head */
type Ask = (
  path: string,
  call?: { host?: string; from?: string; headers?: object },
) => Promise<Pick<IncomingMessage, 'headers' | 'statusCode'>>

async function listen(way: 'http' | 'https', docBase = 'http://relay.example'): Promise<Ask> {
  const certificate = { options: SELF_SIGNED, changed: new Signal() } as unknown as ServedCertificate
  api = await RelayApi.open({
    clock: systemClock,
    server: () => ({
      certificate: way === 'https' ? certificate : null,
      proxies: new TrustedProxies([PROXY]),
      docBase: () => docBase,
    }),
  })
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.app.server.address() as AddressInfo
  return async (path, { host = NAME, from = '127.0.0.1', headers = {} } = {}) => {
    const ask = way === 'https' ? requestHttps : requestHttp
    const options = { host: '127.0.0.1', port, path, localAddress: from, agent: false, rejectUnauthorized: false }
    const sent = ask({ ...options, headers: { host, ...headers } }).end()
    const [answer] = await once(sent, 'response')
    answer.resume()
    return answer
  }
}

const said = async (asked: ReturnType<Ask>) => (await asked).headers['strict-transport-security']

describe('by https of the relay itself', () => {
  it.each([
    ['an answer', '/healthz'],
    ['a refusal', '/v1/orders?merchantId=M-TEST-001'],
    ['an unknown path', '/nothing'],
    ['a URL that is not valid', '/v1/%zz'],
  ])('%s says it', async (_, path) => {
    const ask = await listen('https')
    expect(await said(ask(path))).toBe(A_YEAR)
  })

  it.each(['localhost', 'localhost:8443', 'relay.localhost:8443'])('no header is sent to %s', async (host) => {
    const ask = await listen('https')
    expect(await said(ask('/healthz', { host }))).toBeUndefined()
  })

  it('a name with only the same ending gets the header', async () => {
    const ask = await listen('https')
    expect(await said(ask('/healthz', { host: 'notlocalhost' }))).toBe(A_YEAR)
  })
})

describe('by plain http', () => {
  const https = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' }

  it('no header is sent to this machine, nor to a client that is no proxy and claims https', async () => {
    const ask = await listen('http')
    expect(await said(ask('/healthz', { host: '127.0.0.1:8080' }))).toBeUndefined()
    expect(await said(ask('/healthz', { host: 'localhost:8080' }))).toBeUndefined()
    expect(await said(ask('/healthz', { from: '127.0.0.3', headers: https }))).toBeUndefined()
  })

  it('a relay without its own address yet sends no header, and answers', async () => {
    const ask = await listen('http', '')
    const { headers, statusCode } = await ask('/nothing')
    expect([statusCode, headers['strict-transport-security']]).toEqual([404, undefined])
  })

  it('where the public address is https, requests for its host get it, and no others', async () => {
    const ask = await listen('http', `https://${NAME}`)
    expect(await said(ask('/healthz'))).toBe(A_YEAR)
    expect(await said(ask('/healthz', { host: 'other.example' }))).toBeUndefined()
  })

  it('a trusted proxy with https gets it for its client, and one with http does not', async () => {
    const ask = await listen('http')
    expect(await said(ask('/healthz', { from: PROXY, headers: https }))).toBe(A_YEAR)
    const http = { ...https, 'x-forwarded-proto': 'http' }
    expect(await said(ask('/healthz', { from: PROXY, headers: http }))).toBeUndefined()
  })
})
