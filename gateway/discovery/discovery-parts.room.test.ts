// What discovery reads: answers of printers and of others, the machine's networks, the kernel's table of hardware addresses.
import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { DiscoverableDevices } from '#test/doubles/discoverable-devices.ts'
import { loopbackNetwork } from '#test/fixtures/loopback-network.ts'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { parseArpTable } from './arp-table.ts'
import { ENPC_PORT, ENPC_QUERY, readEnpcReply } from './epson-enpc.ts'
import { cleanText, mergeSighting } from './found-printer.ts'
import { isSmallNetwork, localNetworks } from './local-networks.ts'
import { browseMdns, sightingsOf } from './mdns-browse.ts'
import { readSdpReply, SDP_QUERY } from './star-sdp.ts'
import { surveyUdp } from './udp-survey.ts'

describe("makers' protocols", () => {
  it('send the same probes as the makers’ own tools', () => {
    expect(Buffer.from(ENPC_QUERY).toString('hex')).toBe('4550534f4e510300000000000000')
    expect(Buffer.from(SDP_QUERY).toString('hex')).toBe('5354525f42434153540000000000000052' + '51312e302e3000001c6431')
  })

  it('read MAC and model of an Epson', () => {
    const reply = Buffer.alloc(184)
    reply.write('EPSONq', 0)
    reply.set([0x64, 0xeb, 0x8c, 1, 2, 3], 14)
    reply.write('TM-m30III\x1b[2J', 56)
    expect(readEnpcReply(reply, '10.0.0.7')).toEqual({
      method: 'epson',
      address: '10.0.0.7',
      port: 9100,
      claimedMac: '64:eb:8c:01:02:03',
      model: 'TM-m30III[2J',
      name: null,
    })
  })

  it('take neither a question for an answer nor any bytes at all', () => {
    expect(readEnpcReply(ENPC_QUERY, '10.0.0.7')).toBeNull()
    expect(readSdpReply(SDP_QUERY, '10.0.0.7')).toBeNull()
    assertProperty(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        expect(readEnpcReply(bytes, '10.0.0.7')).toBeNull()
        expect(readSdpReply(bytes, '10.0.0.7')).toBeNull()
      }),
    )
  })

  it('return only text that is safe for a screen, whatever a device calls itself', () => {
    assertProperty(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 200 }), (text) => {
        const clean = cleanText(text)
        expect(clean ?? 'x').toMatch(/^[^\p{Cc}\p{Cf}]{1,64}$/u)
      }),
    )
  })
})

describe('a broadcast question', () => {
  it('accepts four answers per address, so that a flood hides no other device', async () => {
    const place = loopbackNetwork(96)
    const [network] = localNetworks(networkInterfaces(), [`${place}.0/29`])
    if (!network) throw new Error('no loopback')
    const flooder = { address: `${place}.2`, mac: '64:eb:8c:01:02:03', model: 'A' }
    const epson = [...Array.from({ length: 20 }, () => flooder), { ...flooder, address: `${place}.3` }]
    const devices = new DiscoverableDevices({ broadcast: network.broadcast, epson })
    await devices.start()
    const heard: string[] = []
    const question = { port: ENPC_PORT, query: ENPC_QUERY }
    const onReply = (_: Uint8Array, address: string): unknown => heard.push(address)
    const signal = new AbortController().signal
    await surveyUdp(question, { network, clock: systemClock, windowMs: 2_000, signal, onReply })
    await devices.stop()
    expect(heard.filter((address) => address === `${place}.2`)).toHaveLength(4)
    expect(heard).toContain(`${place}.3`)
  })
})

describe('mDNS', () => {
  it('gives port, model and name of each raw printing service', () => {
    const instance = 'Bar printer._pdl-datastream._tcp.local'
    const records = [
      { name: '_pdl-datastream._tcp.local', type: 'PTR', data: instance },
      { name: instance, type: 'SRV', data: { port: 9101, target: 'bar.local' } },
      { name: instance, type: 'TXT', data: [Buffer.from('ty=EPSON TM-m30')] },
    ]
    expect(sightingsOf(records, '10.0.0.8')).toEqual([
      { method: 'mdns', address: '10.0.0.8', port: 9101, claimedMac: null, model: 'EPSON TM-m30', name: 'Bar printer' },
    ])
  })

  it('is not confused by records of other shapes', () => {
    const records = [
      { name: '_pdl-datastream._tcp.local', type: 'PTR', data: 7 },
      { name: '_ssh._tcp.local', type: 'PTR', data: 'pi._ssh._tcp.local' },
      { name: '_printer._tcp.local', type: 'PTR', data: 'x' },
      { name: 'x', type: 'SRV', data: { port: 'y' } },
    ]
    expect(sightingsOf(records, '10.0.0.8')).toEqual([
      { method: 'mdns', address: '10.0.0.8', port: 9100, claimedMac: null, model: null, name: null },
    ])
  })

  it('finds nothing where the network has gone, and does not fall over', async () => {
    // An address that a socket may bind to, and that no interface has.
    const network = { cidr: '224.0.0.251/32', address: '224.0.0.251', broadcast: '224.0.0.251', hosts: [] }
    const signal = new AbortController().signal
    const browsed = browseMdns({ network, clock: systemClock, windowMs: 10_000, signal, onSighting: () => undefined })
    await expect(browsed).resolves.toBeUndefined()
  })
})

describe('one device seen by several methods', () => {
  it('is one entry with the facts of each source', () => {
    const scan = {
      method: 'port-9100',
      address: '10.0.0.7',
      port: 9100,
      claimedMac: null,
      model: null,
      name: null,
    } as const
    const epson = { ...scan, method: 'epson', claimedMac: '64:eb:8c:01:02:03', model: 'TM-m30III' } as const
    const both = mergeSighting(mergeSighting(mergeSighting(undefined, epson), scan), epson)
    expect(both).toEqual({
      address: '10.0.0.7',
      port: 9100,
      mac: null,
      claimedMac: '64:eb:8c:01:02:03',
      model: 'TM-m30III',
      name: null,
      methods: ['epson', 'port-9100'],
    })
  })
})

describe('the networks to search', () => {
  const one = (address: string, cidr: string) => ({
    address,
    cidr,
    netmask: '',
    family: 'IPv4' as const,
    mac: '',
    internal: false,
  })

  it('are the private ones that the machine is attached to, each without our own address', () => {
    const [network, ...more] = localNetworks({
      eth0: [one('192.168.1.9', '192.168.1.9/24')],
      wan0: [one('8.8.4.4', '8.8.4.4/24')],
    })
    expect(more).toEqual([])
    expect(network).toMatchObject({ cidr: '192.168.1.0/24', address: '192.168.1.9', broadcast: '192.168.1.255' })
    expect(network?.hosts).toHaveLength(253)
    expect(network?.hosts).not.toContain('192.168.1.9')
  })

  it('of a large network only the /24 around our own address', () => {
    const [network] = localNetworks({ eth0: [one('10.20.30.40', '10.20.30.40/8')] })
    expect(network?.cidr).toBe('10.20.30.0/24')
  })

  it('are those that the settings name, as far as they are ours', () => {
    const lo = { lo: [one('127.0.0.1', '127.0.0.1/8')] }
    expect(localNetworks(lo)).toEqual([])
    expect(localNetworks(lo, ['127.87.3.0/29', '203.0.113.0/24', '127.0.0.0/8'])).toEqual([
      {
        cidr: '127.87.3.0/29',
        address: '127.0.0.1',
        broadcast: '127.87.3.7',
        hosts: ['127.87.3.1', '127.87.3.2', '127.87.3.3', '127.87.3.4', '127.87.3.5', '127.87.3.6'],
      },
    ])
    expect(['10.0.0.0/23', '10.0.0/24', 'x/24', '10.0.0.0', '300.0.0.0/24'].filter(isSmallNetwork)).toEqual([])
  })

  it('never hold an address that is neither private nor named', () => {
    assertProperty(
      fc.property(fc.ipV4(), fc.integer({ min: 8, max: 32 }), (address, bits) => {
        for (const { hosts } of localNetworks({ eth0: [one(address, `${address}/${bits}`)] })) {
          expect(hosts.length).toBeLessThanOrEqual(254)
          for (const host of hosts) expect(host).toMatch(/^(10|192\.168|172\.(1[6-9]|2\d|3[01]))\./)
        }
      }),
    )
  })
})

describe('the table of hardware addresses', () => {
  it('gives the complete entries', () => {
    const text = `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.50     0x1         0x2         64:EB:8C:01:02:03     *        eth0
192.168.1.51     0x1         0x0         00:00:00:00:00:00     *        eth0
192.168.1.52     0x1         0x0         64:EB:8C:01:02:04     *        eth0
`
    expect([...parseArpTable(text)]).toEqual([['192.168.1.50', '64:eb:8c:01:02:03']])
    expect(parseArpTable('garbage').size).toBe(0)
  })
})
