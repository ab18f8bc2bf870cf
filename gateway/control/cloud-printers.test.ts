// Configuration from the cloud against the box's own queue and database: which side wins, what is refused, what happens when it comes twice.
import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CloudConfigStore } from '#gateway/storage/cloud-config-store.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import type { CloudPrinter, ConfigResult } from '#shared/wire/gateway-config.ts'
import { GatewayCore } from '#test/doubles/gateway-core.ts'
import { addressRefusal, readAllowedRanges } from './cloud-address-policy.ts'
import { CloudPrinters } from './cloud-printers.ts'

const INTERFACES = {
  lo: [{ address: '127.0.0.1', family: 'IPv4', cidr: '127.0.0.1/8' }],
  eth0: [{ address: '192.168.1.10', family: 'IPv4', cidr: '192.168.1.10/24' }],
  wan: [{ address: '203.0.113.5', family: 'IPv4', cidr: '203.0.113.5/24' }],
}

let core: GatewayCore
let cloud: CloudPrinters
let ver = 0
beforeEach(async () => {
  core = new GatewayCore([])
  await core.queue.start()
  cloud = cloudOf(core)
  cloud.belongTo('gw_1')
  ver = 0
})
afterEach(() => core.stop())

function cloudOf({ queue, printers, db }: GatewayCore): CloudPrinters {
  const store = new CloudConfigStore(db)
  const log = pino({ level: 'silent' })
  return new CloudPrinters({ queue, printers, store, interfaces: () => INTERFACES, allowed: [], log })
}

/** A printer as the cloud has it, every field written at the same time. */
function proposed(over: Partial<CloudPrinter> = {}, at = core.clock.now(), host = '192.168.1.50'): CloudPrinter {
  return {
    id: 'cp_1',
    name: { value: 'Bar', at, by: 'ana' },
    address: { value: { host, port: 9100 }, at, by: 'ana' },
    profileId: { value: 'epson-thermal-203', at, by: 'ana' },
    stations: { value: ['bar'], at, by: 'ana' },
    removed: null,
    ...over,
  }
}

function send(...printers: CloudPrinter[]): Promise<ConfigResult> {
  const doc = JSON.stringify({ printers })
  return cloud.apply({ ver: ++ver, sha256: createHash('sha256').update(doc).digest('hex'), doc })
}

const shown = () => core.printers.all().map(({ name, host, port, stations }) => ({ name, host, port, stations }))

describe('a printer that the cloud proposes', () => {
  it('is set up and prints at once; a repetition changes nothing', async () => {
    const result = await send(proposed())
    expect(result).toMatchObject({
      ver: 1,
      outcome: 'applied',
      printers: [{ id: 'cp_1', printerId: 'bar', state: 'applied' }],
    })
    expect(shown()).toEqual([{ name: 'Bar', host: '192.168.1.50', port: 9100, stations: ['bar'] }])
    expect(core.queue.printers().map(({ name }) => name)).toEqual(['Bar'])
    expect(cloud.version()).toBe(1)
    expect((await send(proposed())).printers).toEqual(result.printers)
    expect(shown()).toHaveLength(1)
  })

  it('is the existing printer at that address', async () => {
    const here = { name: 'Grill', host: '192.168.1.50', port: 9100, profileId: 'generic-80', stations: [] }
    core.queue.addPrinter({ ...here, settings: DEFAULT_PRINTER_SETTINGS })
    await core.clock.advance(1_000)
    const { printers } = await send(proposed())
    expect(printers).toMatchObject([{ printerId: 'grill', state: 'applied' }])
    expect(shown()).toEqual([{ name: 'Bar', host: '192.168.1.50', port: 9100, stations: ['bar'] }])
  })

  it('is added once although the power went before the answer was kept', async () => {
    await send(proposed())
    core.db.sqlite.exec(`update meta set value = '' where key = 'cloud_config'; delete from cloud_printers`)
    const crashed = core.crash()
    core = crashed
    await core.queue.start()
    cloud = cloudOf(core)
    cloud.belongTo('gw_1')
    expect(cloud.version()).toBe(0)
    expect((await send(proposed())).printers).toMatchObject([{ printerId: 'bar', state: 'applied' }])
    expect(shown()).toHaveLength(1)
  })

  it.each([
    ['127.0.0.1', 22, 'address-forbidden'],
    ['127.0.0.1', 9100, 'address-forbidden'],
    ['169.254.169.254', 80, 'address-forbidden'],
    ['192.168.1.10', 9100, 'address-forbidden'],
    ['0.0.0.0', 9100, 'address-forbidden'],
    ['255.255.255.255', 9100, 'address-forbidden'],
    ['8.8.8.8', 9100, 'address-elsewhere'],
    ['203.0.113.9', 9100, 'address-elsewhere'],
    ['192.168.2.50', 9100, 'address-elsewhere'],
    ['192.168.1.50', 22, 'port-forbidden'],
    ['192.168.1.50', 9110, 'port-forbidden'],
  ])('is refused and reported at %s:%i', async (host, port, reason) => {
    const at = core.clock.now()
    const { printers } = await send(proposed({ address: { value: { host, port }, at, by: 'eve' } }))
    expect(printers).toMatchObject([{ printerId: null, state: 'refused', reason }])
    expect(shown()).toEqual([])
  })

  it('does not move to a forbidden address either; its other fields are taken', async () => {
    await send(proposed())
    await core.clock.advance(1_000)
    const at = core.clock.now()
    const { printers } = await send(
      proposed(
        {
          name: { value: 'Counter', at, by: 'eve' },
          address: { value: { host: '127.0.0.1', port: 22 }, at, by: 'eve' },
        },
        at - 1_000,
      ),
    )
    expect(printers).toMatchObject([{ state: 'refused', reason: 'address-forbidden' }])
    expect(shown()).toEqual([{ name: 'Counter', host: '192.168.1.50', port: 9100, stations: ['bar'] }])
  })

  it('is refused with a profile that this version does not have, and under a name that is taken', async () => {
    const at = core.clock.now()
    const strange = await send(proposed({ profileId: { value: 'epson-9000', at, by: 'ana' } }))
    expect(strange.printers).toMatchObject([{ state: 'refused', reason: 'unknown-profile' }])
    await send(proposed())
    const second = proposed({ id: 'cp_2' }, at, '192.168.1.51')
    expect((await send(proposed(), second)).printers).toMatchObject([
      { state: 'applied' },
      { state: 'refused', reason: 'name-taken' },
    ])
  })

  it('goes when the cloud takes it away, but not while tickets wait for it', async () => {
    const elsewhere = proposed(
      { id: 'cp_2', name: { value: 'Grill', at: 1, by: 'ana' } },
      core.clock.now(),
      '192.168.1.51',
    )
    await send(proposed(), elsewhere)
    core.queue.pause('bar')
    core.accept('pj_1', { order: { items: [{ umsId: 'u', name: 'Gin', qty: 1, modifiers: [], station: 'bar' }] } })
    await core.clock.advance(1_000)
    const removed = proposed({ removed: { at: core.clock.now(), by: 'ana' } }, core.clock.now() - 1_000)
    expect((await send(removed, elsewhere)).printers[0]).toMatchObject({ state: 'refused', reason: 'tickets-wait' })
    expect(shown()).toHaveLength(2)
    await core.queue.moveAll('bar', 'grill')
    expect((await send(removed, elsewhere)).printers[0]).toMatchObject({ state: 'removed', reason: null })
    expect(shown().map(({ name }) => name)).toEqual(['Grill'])
  })
})

describe('when box and cloud change the same printer', () => {
  beforeEach(async () => {
    await send(proposed())
    await core.clock.advance(10_000)
  })

  it('the later write of each field wins, and the page shows which side wrote it', async () => {
    const early = core.clock.now() - 5_000
    core.queue.updatePrinter('bar', { name: 'Terrace' })
    await core.clock.advance(5_000)
    const late = core.clock.now()
    const { printers } = await send(
      proposed(
        {
          name: { value: 'Counter', at: early, by: 'ana' },
          stations: { value: ['drinks'], at: late, by: 'ben' },
        },
        1,
      ),
    )
    expect(shown()).toEqual([{ name: 'Terrace', host: '192.168.1.50', port: 9100, stations: ['drinks'] }])
    expect(printers[0]?.conflicts).toEqual([
      {
        field: 'name',
        stands: 'gateway',
        value: 'Terrace',
        by: 'this box',
        at: late - 5_000,
        lost: 'Counter',
        lostBy: 'cloud: ana',
        lostAt: early,
      },
    ])
    const [bar] = core.printers.all()
    if (!bar) throw new Error('gone')
    expect(cloud.notesOf(bar)[0]).toMatch(
      /name was changed here later than in the cloud: "Terrace" \(this box, .*not "Counter" \(cloud: ana/,
    )
  })

  it('a later write of the cloud is shown on the box until somebody writes the field again', async () => {
    core.queue.updatePrinter('bar', { host: '192.168.1.77' })
    await core.clock.advance(5_000)
    const at = core.clock.now()
    const next = proposed({ address: { value: { host: '192.168.1.60', port: 9100 }, at, by: 'ben' } }, 1)
    const conflict = {
      field: 'address',
      stands: 'cloud',
      value: '192.168.1.60:9100',
      by: 'cloud: ben',
      lost: '192.168.1.77:9100',
      lostBy: 'this box',
    }
    expect((await send(next)).printers[0]?.conflicts).toMatchObject([conflict])
    expect((await send(next)).printers[0]?.conflicts).toMatchObject([conflict])
    expect(shown()[0]?.host).toBe('192.168.1.60')
    await core.clock.advance(1)
    core.queue.updatePrinter('bar', { host: '192.168.1.61' })
    expect((await send(next)).printers[0]?.conflicts).toMatchObject([
      {
        ...conflict,
        stands: 'gateway',
        value: '192.168.1.61:9100',
        by: 'this box',
        lost: '192.168.1.60:9100',
        lostBy: 'cloud: ben',
      },
    ])
  })

  it('an address that the box followed automatically counts as its own write', async () => {
    core.queue.updatePrinter('bar', { host: '192.168.1.99' })
    expect((await send(proposed({}, core.clock.now() - 1))).printers[0]?.conflicts).toMatchObject([
      { field: 'address', stands: 'gateway' },
    ])
    expect(shown()[0]?.host).toBe('192.168.1.99')
  })

  it('one that was removed here does not come back by itself, only by a later write of the cloud', async () => {
    core.queue.removePrinter('bar')
    const { printers } = await send(proposed({}, core.clock.now() - 1))
    expect(printers).toMatchObject([
      { state: 'removed', reason: 'changed-on-the-box', conflicts: [{ field: 'removed', stands: 'gateway' }] },
    ])
    expect(shown()).toEqual([])
    await core.clock.advance(1_000)
    expect((await send(proposed({}, core.clock.now()))).printers).toMatchObject([{ state: 'applied' }])
    expect(shown()).toHaveLength(1)
  })

  it('one that was changed here after the cloud removed it stays', async () => {
    const at = core.clock.now()
    await core.clock.advance(1_000)
    core.queue.updatePrinter('bar', { name: 'Terrace' })
    const { printers } = await send(proposed({ removed: { at, by: 'ana' } }, at - 1))
    expect(printers).toMatchObject([{ printerId: 'bar', state: 'refused', reason: 'changed-on-the-box' }])
    expect(shown()).toHaveLength(1)
  })

  it('an old configuration that arrives late changes nothing', async () => {
    const at = core.clock.now()
    await send(proposed({ name: { value: 'New', at, by: 'ana' } }, at))
    await send(proposed({ name: { value: 'Old', at: at - 1, by: 'ana' } }, at - 1))
    expect(shown()[0]?.name).toBe('New')
  })
})

describe('a configuration', () => {
  it('that is damaged or is none changes nothing', async () => {
    await send(proposed())
    const doc = JSON.stringify({ printers: [{ id: 'cp_1' }] })
    const sha256 = createHash('sha256').update(doc).digest('hex')
    expect(await cloud.apply({ ver: 9, sha256: '0'.repeat(64), doc })).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('hash'),
    })
    expect(await cloud.apply({ ver: 9, sha256, doc })).toMatchObject({
      outcome: 'refused',
      detail: expect.stringContaining('printers.0'),
    })
    expect(cloud.version()).toBe(1)
    expect(shown()).toHaveLength(1)
  })

  it('of another restaurant starts over, and keeps the printers', async () => {
    await send(proposed())
    cloud.belongTo('gw_1')
    expect(cloud.version()).toBe(1)
    cloud.belongTo('gw_2')
    expect(cloud.version()).toBe(0)
    expect(shown()).toHaveLength(1)
  })
})

describe('GATEWAY_CLOUD_PRINTERS', () => {
  it('widens what the cloud may set up', () => {
    const allowed = readAllowedRanges('10.20.0.0/16, 127.0.0.1/32:1024-65535') ?? []
    const ask = (host: string, port: number) => addressRefusal({ host, port }, { interfaces: INTERFACES, allowed })
    expect([ask('10.20.3.4', 9100), ask('10.20.3.4', 22), ask('10.21.0.1', 9100), ask('127.0.0.1', 5000)]).toEqual([
      null,
      'address-elsewhere',
      'address-elsewhere',
      null,
    ])
  })

  it.each(['10.20.0.0', '10.20.0.0/33', 'printer/24', '10.0.0.0/8:0', '10.0.0.0/8:9200-9100', '300.0.0.0/8'])(
    'refuses %s',
    (text) => {
      expect(readAllowedRanges(text)).toBeNull()
    },
  )
})
