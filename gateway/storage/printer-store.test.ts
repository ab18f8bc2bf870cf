// Printers from the configuration: added, moved, never lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

const CAPABILITY = { dleEot: true, asb: false, gsParenH: true, gsI: true, gsR: true, learntAtMs: 5 }

const ANSWERS = { maker: 'EPSON', model: 'TM-T88VI', serial: 'X1' }

describe('PrinterStore.apply', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore([GRILL, FRY])
  })
  afterEach(() => core.stop())
  const names = () => core.printers.all().map(({ name, isDefault }) => [name, isDefault])

  it('makes the first one the default and keeps those that are not listed', () => {
    expect(names()).toEqual([
      ['Grill', true],
      ['Fry', false],
    ])
    core.printers.apply([FRY], 1)
    expect(names()).toEqual([
      ['Fry', true],
      ['Grill', false],
    ])
    core.printers.apply([], 1)
    expect(names()).toHaveLength(2)
  })

  it('gives a known name its new address and deletes the old device’s answers', () => {
    const [grill] = core.printers.all()
    if (!grill) throw new Error('no grill')
    core.printers.saveCapability(grill, CAPABILITY)
    core.db.flush()
    core.set('grill', { mac: '64:eb:8c:01:02:03' })
    core.printers.saveAnswers(grill, ANSWERS)
    core.printers.apply([{ ...GRILL, profileId: null }], 1)
    expect(core.printers.all()[0]).toMatchObject({
      ...{ capability: CAPABILITY, profileId: GRILL.profileId, device: { answers: ANSWERS } },
      settings: { mac: '64:eb:8c:01:02:03' },
    })
    core.printers.apply([{ ...GRILL, host: '127.0.0.9' }], 1)
    expect(core.printers.all()[0]).toMatchObject({
      ...{ printerId: 'grill', host: '127.0.0.9', capability: null, device: { answers: null, movedFrom: null } },
      settings: { mac: null },
    })
    core.printers.saveAnswers(grill, ANSWERS)
    expect(core.printers.all()[0]?.device.answers, 'of the device at the old address').toBeNull()
  })

  it('distinguishes printers whose names have the same id', () => {
    core.printers.apply(
      [
        { ...GRILL, name: 'GRILL!' },
        { ...GRILL, name: '炉' },
      ],
      1,
    )
    expect(
      core.printers
        .all()
        .map(({ printerId }) => printerId)
        .sort(),
    ).toEqual(['fry', 'grill', 'grill-2', 'printer'])
  })

  it('probes again if the stored answers cannot be read', () => {
    core.db.sqlite.exec(`update printers set capability = '{"dleEot":' where printer_id = 'grill'`)
    expect(core.crash().printers.all()[0]?.capability).toBeNull()
  })

  it.each([
    ['taken away', () => core.printers.remove('grill', { who: 'owner', atMs: 1 })],
    ['set up', () => core.printers.apply([{ ...FRY, name: 'Bar' }], 1)],
  ])('knows the printers as they are on disk after the disk had no room when one was %s', (_, change) => {
    const before = core.printers.all()
    const makeRoom = fillDisk(core.db.sqlite)
    expect(change).toThrow('full')
    makeRoom()
    expect(core.printers.all()).toEqual(before)
  })
})

describe('the device behind a printer', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore([GRILL])
  })
  afterEach(() => core.stop())
  const grill = () => {
    const found = core.printers.find('grill')
    if (!found) throw new Error('no grill')
    return found
  }

  it('is stored, also over a power failure, until the printer gets another address', () => {
    core.printers.saveAnswers(grill(), ANSWERS)
    core = core.crash()
    expect(grill().device).toEqual({ answers: ANSWERS, movedFrom: null })
    core.printers.update('grill', { name: 'Grill 1', profileId: 'generic-58' })
    expect(grill().device.answers).toEqual(ANSWERS)
    core.printers.update('grill', { port: 9_101 })
    expect(grill().device.answers).toBeNull()
  })

  it.each([
    ['host', { host: '127.0.0.9' }],
    ['port', { port: 9_101 }],
  ])(
    'is not taken for what answered before, when that is heard only after the printer got another %s',
    (_, elsewhere) => {
      const before = grill()
      core.printers.update('grill', elsewhere)
      core.printers.saveAnswers(before, ANSWERS)
      core = core.crash()
      expect(grill().device.answers).toBeNull()
    },
  )

  it('keeps its recorded answers at another address, until another device or another profile is set', () => {
    core.printers.saveCapability(grill(), CAPABILITY)
    core.db.flush()
    const device = { answers: ANSWERS, movedFrom: { host: GRILL.host, port: GRILL.port, atMs: 1 } }
    core.printers.update('grill', { host: '127.0.0.9', device, isItself: true })
    expect(grill()).toMatchObject({ host: '127.0.0.9', device, capability: CAPABILITY })
    core = core.crash()
    expect(grill().capability).toEqual(CAPABILITY)
    core.printers.update('grill', { profileId: 'generic-58' })
    expect(grill().capability).toBeNull()
  })

  it('is deleted when a person gives the printer another address', () => {
    core.printers.saveCapability(grill(), CAPABILITY)
    core.db.flush()
    core.printers.update('grill', { host: '127.0.0.9' })
    expect(grill()).toMatchObject({ capability: null, device: { answers: null } })
  })

  it('is replaced together with the answers of the old one', () => {
    core.printers.saveCapability(grill(), CAPABILITY)
    core.db.flush()
    const device = { answers: { ...ANSWERS, serial: 'X2' }, movedFrom: null }
    core.printers.update('grill', { device })
    expect(grill()).toMatchObject({ device, capability: null })
  })

  it('is identified again if the stored data cannot be read', () => {
    core.db.sqlite.exec(`update printers set device = '{"answers":7}'`)
    core = core.crash()
    expect(grill().device).toEqual({ answers: null, movedFrom: null })
  })
})
