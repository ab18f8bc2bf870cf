// By what addresses are counted: IPv4 whole, IPv6 by its /64, however they are written.
import { SocketAddress } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { networkOf } from './network-of.ts'

describe('what an address counts as', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0/64'],
    ['2001:DB8:0:0:1:2:3:4', '2001:db8:0:0/64'],
    ['2001:0db8:0000:0001::', '2001:db8:0:1/64'],
    ['fe80::1%eth0', 'fe80:0:0:0/64'],
    ['::1', '0:0:0:0/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4/64'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it.each([undefined, '', 'unknown', 'a.example', '::1::', '1:2:3', '1:2:3:4:5:6:7:8:9', ':::', '12345::', '_hidden'])(
    '%s is no address, and all of these are one client',
    (text) => {
      expect(networkOf(text)).toBe('unknown')
    },
  )

  it('is the same in every spelling, and different for another /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    assertProperty(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), fc.integer({ min: 0, max: 3 }), (groups, at) => {
        const full = groups.map((each) => each.toString(16).padStart(4, '0')).join(':')
        const { address } = new SocketAddress({ address: full, family: 'ipv6' })
        expect(networkOf(address)).toBe(networkOf(full))
        const elsewhere = groups.with(at, (groups[at] ?? 0) ^ 1)
        const other = elsewhere.map((each) => each.toString(16)).join(':')
        if (!networkOf(full).includes('.')) expect(networkOf(other)).not.toBe(networkOf(full))
      }),
    )
  })
})
