// The allowed addresses of printers, in every spelling: this box and whole networks are refused however they are written.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AllowedAddressStore } from '#gateway/storage/allowed-address-store.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { PrinterAddressPolicy } from './printer-address-policy.ts'

const INTERFACES = {
  eth0: [
    { address: '192.168.1.10', family: 'IPv4', cidr: '192.168.1.10/24' },
    { address: 'fd00::10', family: 'IPv6', cidr: 'fd00::10/64' },
  ],
}
const PRINTER = { host: 'printer.example', port: 9_100 }

let core: GatewayCore
beforeEach(() => {
  core = new GatewayCore()
})
afterEach(() => core.stop())

function policy(found: readonly string[] = []): PrinterAddressPolicy {
  const { db, log } = core
  return new PrinterAddressPolicy({
    ...{ interfaces: () => INTERFACES, ranges: [], named: [], log },
    ...{ store: new AllowedAddressStore(db, []), resolve: async () => found },
  })
}
const noteAt = (host: string, port = 9_100) => policy().notesOf({ host, port })[0]?.text ?? ''

describe('where no printer can be is refused, with the class of the address', () => {
  it.each([
    ['its own address', '192.168.1.10', 'is this box itself'],
    ['its own address within IPv6', '::ffff:192.168.1.10', 'is this box itself'],
    ['its own address within IPv6, in hexadecimal digits', '::ffff:c0a8:10a', 'is this box itself'],
    ['its own address within IPv6, written out', '0:0:0:0:0:FFFF:C0A8:010A', 'is this box itself'],
    ['its own IPv6 address', 'fd00::10', 'is this box itself'],
    ['its own IPv6 address, written out', 'FD00:0:0:0:0:0:0:0010', 'is this box itself'],
    ['its own IPv6 address with an interface', 'fd00::10%eth0', 'is this box itself'],
    ['everybody in its network', '192.168.1.255', 'is for multicast or broadcast'],
    ['everybody in its network within IPv6', '::ffff:192.168.1.255', 'is for multicast or broadcast'],
    ['everybody in its network within IPv6, in hexadecimal digits', '::ffff:c0a8:1ff', 'is for multicast or broadcast'],
    ['this machine', '127.0.0.1', 'is this box itself'],
    ['this machine within IPv6', '::ffff:7f00:1', 'is this box itself'],
    ['this machine in IPv6', '::1', 'is this box itself'],
    ['nobody', '::', 'is the address of no device'],
    ['the metadata service of a cloud', '169.254.169.254', 'is link-local'],
    ['the metadata service of a cloud within IPv6', '::ffff:a9fe:a9fe', 'is link-local'],
    ['a neighbour that only its interface leads to', 'fe80::1%eth0', 'is link-local'],
    ['a group', 'ff02::1', 'is for multicast or broadcast'],
    ['a group in IPv4', '224.0.0.251', 'is for multicast or broadcast'],
    ['everybody', '255.255.255.255', 'is for multicast or broadcast'],
    ['no address in particular', '0.0.0.0', 'is the address of no device'],
    ['a reserved one', '240.0.0.1', 'is the address of no device'],
  ])('%s: %s %s', async (_words, ip, why) => {
    const typed = policy([ip])
    expect(typed.allows(PRINTER, ip)).toBe(false)
    await expect(typed.check(PRINTER)).rejects.toThrow(why)
    expect(noteAt(ip)).toContain(why)
  })
})

describe('another device of a private network may be a printer', () => {
  it.each(['192.168.1.11', '::ffff:192.168.1.11', '::ffff:c0a8:10b', '10.9.8.7', 'fd00::11', 'fc00::11'])(
    '%s',
    async (ip) => {
      const typed = policy([ip])
      expect(typed.allows(PRINTER, ip)).toBe(true)
      await expect(typed.check(PRINTER)).resolves.toBeUndefined()
      expect(noteAt(ip)).toBe('')
    },
  )
})

describe('what is refused', () => {
  it.each(['203.0.113.7', '::ffff:203.0.113.7', '2001:db8::7', 'fec0::7'])('in no private network: %s', (ip) => {
    expect(policy().allows(PRINTER, ip)).toBe(false)
    expect(noteAt(ip)).toContain('is in no private network')
  })

  it.each([22, 80, 8_080, 5_432])('at the port of another service: %i', (port) => {
    expect(policy().allows({ host: '::ffff:c0a8:10b', port }, '::ffff:c0a8:10b')).toBe(false)
    expect(noteAt('::ffff:c0a8:10b', port)).toContain('has a port of another service')
  })

  it('names the refused address, the reason, and what to do', () => {
    expect(noteAt('127.0.0.1')).toMatch(
      /^No connection is made to 127\.0\.0\.1:9100: it is this box itself\. Give the printer another address, or .*--allow-address/,
    )
  })

  it('is an option of each command that may allow it', () => {
    for (const command of ['printers add', 'printers set', 'printers identify'])
      expect(noteAt('203.0.113.7')).toContain(command)
  })
})
