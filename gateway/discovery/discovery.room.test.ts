// Discovery over real sockets on a small loopback network: virtual devices that answer, and one that only accepts connections.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { createLogger } from '#shared/log.ts'
import { DiscoverableDevices } from '#test/doubles/discoverable-devices.ts'
import { loopbackNetwork } from '#test/fixtures/loopback-network.ts'
import { PrinterDiscovery } from './discovery.ts'

const PLACE = loopbackNetwork(95)
const NETWORK = `${PLACE}.0/29`
const EPSON = { address: `${PLACE}.2`, mac: '64:eb:8c:01:02:03', model: 'TM-m30III' }
const STAR = { address: `${PLACE}.3`, mac: '00:11:62:0a:0b:0c', model: 'TSP143 (STR_T-001)' }
const OTHER = { address: `${PLACE}.4`, mac: '', model: 'EPSON TM-T88VII', name: 'Bar', port: 9100 }
/** The hardware address in a device's answer is a claim; the kernel has none on loopback. */
const claimed = ({ address, mac, model }: typeof EPSON) => ({ address, mac: null, claimedMac: mac, model })
const SILENT = `${PLACE}.5`

describe('discovery', () => {
  let dir: string
  let devices: DiscoverableDevices
  let silent: Server
  let discovery: PrinterDiscovery
  let bytesToSilent: number
  let callersOfSilent: number
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'discovery-'))
    const arpFile = join(dir, 'arp')
    writeFileSync(
      arpFile,
      `IP address HW type Flags HW address Mask Device\n${SILENT} 0x1 0x2 aa:bb:cc:00:00:05 * lo\n`,
    )
    devices = new DiscoverableDevices({ broadcast: `${PLACE}.7`, epson: [EPSON], star: [STAR], mdns: [OTHER] })
    await devices.start()
    bytesToSilent = 0
    callersOfSilent = 0
    silent = createServer((socket) => {
      callersOfSilent++
      socket.on('data', (bytes) => {
        bytesToSilent += bytes.length
      })
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => silent.listen(9100, SILENT, resolve))
    discovery = new PrinterDiscovery({
      clock: systemClock,
      log: createLogger('test', 'silent', { destination: { write: () => {} } }),
      networks: [NETWORK],
      arpFile,
    })
  })
  afterEach(async () => {
    await discovery.cancel()
    await devices.stop()
    await new Promise((resolve) => silent.close(resolve))
    rmSync(dir, { recursive: true, force: true })
  })

  it('finds each device by the way that it answers, once, with its hardware address', async () => {
    discovery.begin(new Set())
    const { state, networks, printers } = await discovery.untilDone()
    expect(state).toBe('done')
    expect(networks).toEqual([NETWORK])
    expect([...printers].sort((a, b) => a.address.localeCompare(b.address))).toEqual([
      { ...claimed(EPSON), port: 9100, name: null, methods: ['epson'] },
      { ...claimed(STAR), port: 9100, name: null, methods: ['star'] },
      {
        address: OTHER.address,
        port: 9100,
        mac: null,
        claimedMac: null,
        model: OTHER.model,
        name: 'Bar',
        methods: ['mdns'],
      },
      {
        address: SILENT,
        port: 9100,
        mac: 'aa:bb:cc:00:00:05',
        claimedMac: null,
        model: null,
        name: null,
        methods: ['port-9100'],
      },
    ])
  })

  it('shows what it has found while it still searches', async () => {
    const first = discovery.changed.next(() => discovery.view.printers.length > 0)
    discovery.begin(new Set())
    await first
    expect(discovery.view.state).toBe('running')
  })

  it('sends nothing to a device that only accepts connections', async () => {
    discovery.begin(new Set())
    await discovery.untilDone()
    expect(callersOfSilent).toBe(1)
    expect(bytesToSilent).toBe(0)
  })

  it('does not connect to printers that are set up already', async () => {
    discovery.begin(new Set([SILENT]))
    const { printers } = await discovery.untilDone()
    expect(callersOfSilent).toBe(0)
    expect(printers.map(({ address }) => address)).not.toContain(SILENT)
  })

  it('connects also where an answer came from and the kernel has no entry: answers can be forged under any address', async () => {
    const forged = { ...EPSON, address: `${PLACE}.6` }
    const asked = new DiscoverableDevices({ broadcast: `${PLACE}.6` })
    await devices.stop()
    devices = new DiscoverableDevices({
      broadcast: `${PLACE}.7`,
      epson: [forged, { ...forged, address: SILENT }],
    })
    await devices.start()
    const quiet = createServer((socket) => socket.on('error', () => {}))
    await new Promise<void>((resolve) => quiet.listen(9100, forged.address, resolve))
    await asked.start()
    const found = await discovery.quietly(new Set(), true)
    expect(found?.find(({ address }) => address === forged.address)?.methods).toEqual(['epson', 'port-9100'])
    expect(callersOfSilent, 'where the kernel knows who is there').toBe(0)
    expect(asked.heard, 'each is asked by itself, so that the kernel looks for it').toHaveLength(1)
    await asked.stop()
    await new Promise((resolve) => quiet.close(resolve))
  })

  it('joins the search that is running instead of starting another', async () => {
    const first = discovery.begin(new Set())
    const second = discovery.begin(new Set())
    expect(second.run).toBe(first.run)
    await discovery.untilDone()
    expect(discovery.begin(new Set()).run).toBe(first.run + 1)
  })

  it('ends at once when it is cancelled, and keeps what it found', async () => {
    const found = discovery.changed.next(() => discovery.view.printers.length > 0)
    discovery.begin(new Set())
    await found
    await discovery.cancel()
    expect(discovery.view.state).toBe('cancelled')
    expect(discovery.view.printers.length).toBeGreaterThan(0)
  })

  it('searches in the background without connecting, and yields to a person’s search', async () => {
    const found = await discovery.quietly(new Set(), false)
    expect((found ?? []).map(({ address }) => address).sort()).toEqual([EPSON.address, STAR.address, OTHER.address])
    expect(callersOfSilent).toBe(0)
    expect(discovery.view.state).toBe('never')
    const quiet = discovery.quietly(new Set(), true)
    discovery.begin(new Set())
    expect(await quiet).toBeNull()
    expect(await discovery.quietly(new Set(), true)).toBeNull()
    expect((await discovery.untilDone()).state).toBe('done')
  })
})
