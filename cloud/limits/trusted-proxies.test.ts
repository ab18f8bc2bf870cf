// The client's address: only trusted proxies' headers are used, and MQTT and HTTP give the same answer.
import fc from 'fast-check'
import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { TrustedProxies } from './trusted-proxies.ts'

const TRUSTED = ['10.0.0.0/8', '127.0.0.1', 'fd00::/8']
const proxies = new TrustedProxies(TRUSTED)

describe('the address of the client', () => {
  it.each([
    ['203.0.113.7', undefined, '203.0.113.7', 'the socket without a proxy'],
    ['203.0.113.7', '198.51.100.1', '203.0.113.7', 'the socket, whatever a stranger writes'],
    ['10.0.0.1', '198.51.100.1', '198.51.100.1', 'whom the proxy names'],
    ['::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1', 'also where the socket listens on both families'],
    ['10.0.0.1', '192.0.2.66, 198.51.100.1', '198.51.100.1', 'not what the client itself wrote before'],
    ['10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1', 'whom the outer of two proxies names'],
    ['10.0.0.1', ' , 198.51.100.1 ,', '198.51.100.1', 'without regard to empty places'],
    ['10.0.0.1', '8.8.4.1:123', '8.8.4.1', 'without the port that some proxies write'],
    ['10.0.0.1', '8.8.4.1:123, 10.9.9.9:443', '8.8.4.1', 'also where the outer proxy has one'],
    ['10.0.0.1', '[2001:db8::1]:123', '2001:db8::1', 'of IPv6 too'],
    ['10.0.0.1', '[2001:db8::1]', '2001:db8::1', 'and without brackets'],
    ['10.0.0.1', '2001:db8::1:123', '2001:db8::1:123', 'but no part of an address'],
  ])('%s with %s is %s: %s', (peer, header, address, _words) => {
    expect(proxies.clientOf(peer, header).address).toBe(address)
  })

  it('counts IPv6 by /64, and a trusted proxy itself not at all', () => {
    expect(proxies.clientOf('fd00::1', '2001:db8::5')).toEqual({
      address: '2001:db8::5',
      countedAs: '2001:db8:0:0/64',
    })
    expect(proxies.clientOf('10.0.0.1', undefined)).toEqual({ address: '10.0.0.1', countedAs: null })
    expect(proxies.clientOf('10.0.0.1', '10.0.0.2')).toEqual({ address: '10.0.0.2', countedAs: null })
    expect(proxies.clientOf('127.0.0.2', undefined).countedAs).toBe('127.0.0.2')
    expect(proxies.clientOf('10.0.0.1', 'hidden').countedAs).toBe('unknown')
  })

  it('is what fastify finds, for every chain of proxies', async () => {
    const app = fastify({ trustProxy: (address) => proxies.has(address) })
    app.get('/', async (request) => request.ip)
    await app.ready()
    const byList = fastify({ trustProxy: TRUSTED })
    byList.get('/', async (request) => request.ip)
    await byList.ready()
    const hop = fc.constantFrom(
      '10.0.0.1',
      '10.1.2.3',
      '127.0.0.1',
      '203.0.113.7',
      '::ffff:10.0.0.9',
      'fd00::1',
      '2001:db8::1',
      'hidden',
      '',
    )
    const peers = hop.filter((text) => text.includes('.') || text.includes(':'))
    const separator = fc.constantFrom(',', ', ', ' ,', '\t,')
    await assertProperty(
      fc.asyncProperty(peers, fc.array(fc.tuple(hop, separator), { maxLength: 5 }), async (peer, hops) => {
        const header = hops.map(([text, comma]) => text + comma).join('')
        const call = { url: '/', remoteAddress: peer, headers: { 'x-forwarded-for': header } }
        const { address } = proxies.clientOf(peer, header)
        expect(address).toBe((await app.inject(call)).body)
        expect(address).toBe((await byList.inject(call)).body)
      }),
    )
    await Promise.all([app.close(), byList.close()])
  })
})
