// The PROXY header byte for byte: both versions, split at any point, with data after it, and every invalid form.
import type { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { assertProperty } from '#test/harness/property.ts'
import { proxyV2 } from '#test/harness/proxy-v2.ts'
import { readProxyHeader, takeProxyHeader } from './proxy-header.ts'

const v1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** As haproxy wrote it: 203.0.113.7:56324 to 192.0.2.1:1883. */
const OVER_IPV4 = hex('0d0a0d0a000d0a515549540a 21 11 000c cb007107 c0000201 dc04 075b')
const OVER_IPV6 = hex(
  '0d0a0d0a000d0a515549540a 21 21 0024 20010db8000000000000000000000005 20010db8000000000000000000000001 dc04 075b',
)
const LOCAL = hex('0d0a0d0a000d0a515549540a 20 00 0000')

describe('a PROXY header', () => {
  it.each([
    ['version 2 over IPv4', OVER_IPV4, '203.0.113.7'],
    ['version 2 over IPv6', OVER_IPV6, '2001:db8:0:0:0:0:0:5'],
    ['a health check of the proxy', LOCAL, null],
    [
      'a health check that brings addresses',
      Buffer.concat([hex('0d0a0d0a000d0a515549540a 20 11 000c'), OVER_IPV4.subarray(16)]),
      null,
    ],
    ['a client of a unix socket', hex('0d0a0d0a000d0a515549540a 21 31 0003 616263'), null],
    ['an unknown family', hex('0d0a0d0a000d0a515549540a 21 00 0000'), null],
    ['version 1 over IPv4', v1('PROXY TCP4 203.0.113.7 192.0.2.1 56324 1883\r\n'), '203.0.113.7'],
    ['version 1 over IPv6', v1('PROXY TCP6 2001:db8::5 2001:db8::1 0 65535\r\n'), '2001:db8::5'],
    ['version 1 of an unknown client', v1('PROXY UNKNOWN\r\n'), null],
    ['version 1 of an unknown client with words', v1('PROXY UNKNOWN ffff:: a b c\r\n'), null],
  ])('of %s says who is there', (_words, bytes, client) => {
    expect(readProxyHeader(bytes)).toEqual({ state: 'whole', bytes: bytes.length, client })
  })

  it.each([
    ['MQTT itself', hex('101000044d515454'), 'no PROXY header'],
    ['HTTP', v1('GET / HTTP/1.1\r\n'), 'no PROXY header'],
    ['a signature with one wrong byte', hex('0d0a0d0a000d0a515549540b'), 'no PROXY header'],
    ['version 1 of the binary header', hex('0d0a0d0a000d0a515549540a 11 11 000c'), 'another version'],
    ['an unknown command', hex('0d0a0d0a000d0a515549540a 22 11 000c'), 'unknown command'],
    ['an address that is cut short', hex('0d0a0d0a000d0a515549540a 21 11 000b'), 'too short for its addresses'],
    ['64 kB', hex('0d0a0d0a000d0a515549540a 21 11 ffff'), 'too long'],
    ['a line without an end', v1(`PROXY TCP4 ${'1'.repeat(96)}`), 'too long'],
    ['a line of IPv6 that says IPv4', v1('PROXY TCP4 ::1 ::1 1 2\r\n'), 'a line that cannot be read'],
    ['a port that is none', v1('PROXY TCP4 1.1.1.1 1.1.1.2 65536 1\r\n'), 'a line that cannot be read'],
    ['a port with zeros', v1('PROXY TCP4 1.1.1.1 1.1.1.2 01 1\r\n'), 'a line that cannot be read'],
    ['a word too many', v1('PROXY TCP4 1.1.1.1 1.1.1.2 1 2 3\r\n'), 'a line that cannot be read'],
    ['two spaces', v1('PROXY  TCP4 1.1.1.1 1.1.1.2 1 2\r\n'), 'a line that cannot be read'],
    ['a zone', v1('PROXY TCP6 fe80::1%a fe80::2 1 2\r\n'), 'a line that cannot be read'],
  ])('is not %s', (_words, bytes, fault) => {
    expect(readProxyHeader(bytes)).toEqual({ state: 'bad', fault })
  })

  it('is complete at its last byte and not before, whatever follows it', () => {
    const address = fc.oneof(
      fc.ipV4(),
      fc.ipV6().filter((text) => !text.includes('.')),
    )
    const header = fc.oneof(
      fc
        .record({ from: address, tlvs: fc.uint8Array({ maxLength: 300 }) })
        .map(({ from, tlvs }) => proxyV2(from, Buffer.from(tlvs))),
      fc.ipV4().map((from) => v1(`PROXY TCP4 ${from} 192.0.2.1 1 2\r\n`)),
      fc.constantFrom(LOCAL, OVER_IPV4, OVER_IPV6, v1('PROXY UNKNOWN\r\n')),
    )
    assertProperty(
      fc.property(header, fc.uint8Array({ maxLength: 40 }), (bytes, behind) => {
        for (let cut = 0; cut < bytes.length; cut++)
          expect(readProxyHeader(bytes.subarray(0, cut))).toEqual({ state: 'more' })
        const alone = readProxyHeader(bytes)
        expect(alone).toMatchObject({ state: 'whole', bytes: bytes.length })
        expect(readProxyHeader(Buffer.concat([bytes, behind]))).toEqual(alone)
      }),
    )
  })

  it('returns the exact address that the proxy wrote', () => {
    assertProperty(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const from = groups.map((group) => group.toString(16)).join(':')
        expect(readProxyHeader(proxyV2(from))).toMatchObject({ client: from })
      }),
    )
  })

  it('never throws, and never takes more than has arrived, for any input', () => {
    const start = fc.constantFrom(Buffer.alloc(0), OVER_IPV4.subarray(0, 12), v1('PROXY '), v1('PROXY TCP4 '))
    assertProperty(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (begin, noise) => {
        const bytes = Buffer.concat([begin, noise])
        const header = readProxyHeader(bytes)
        if (header.state === 'whole') expect(header.bytes).toBeLessThanOrEqual(bytes.length)
      }),
    )
  })
})

describe('the bytes behind it', () => {
  it.each([0, 1, 2, 40])('is left in the socket to its last byte: %i', async (count) => {
    const behind = Buffer.alloc(count, 7)
    const socket = new PassThrough()
    const taken = takeProxyHeader(socket as unknown as Socket, { clock: new ManualClock(), withinMs: 1_000 })
    socket.write(Buffer.concat([OVER_IPV4, behind]))
    expect(await taken).toEqual({ client: '203.0.113.7' })
    expect(socket.read() ?? Buffer.alloc(0)).toEqual(behind)
  })

  it('and arrives later is not waited for', async () => {
    const socket = new PassThrough()
    const taken = takeProxyHeader(socket as unknown as Socket, { clock: new ManualClock(), withinMs: 1_000 })
    for (const byte of OVER_IPV4) socket.write(Buffer.of(byte))
    expect(await taken).toEqual({ client: '203.0.113.7' })
    socket.write('MQTT')
    expect(String(socket.read())).toBe('MQTT')
  })
})
