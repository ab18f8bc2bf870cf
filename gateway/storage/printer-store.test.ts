// Printers from the configuration: added, moved, never lost.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fillDisk } from '#test/doubles/full-disk.ts'
import { FRY, GatewayCore, GRILL } from '#test/doubles/gateway-core.ts'

const CAPABILITY = { dleEot: true, asb: false, gsParenH: true, gsI: true, gsR: true, learntAtMs: 5 }

describe('PrinterStore.apply', () => {
  let core: GatewayCore
  beforeEach(() => {
    core = new GatewayCore([GRILL, FRY])
  })
  afterEach(() => core.stop())
  const names = () => core.printers.all().map(({ name, isDefault }) => [name, isDefault])

  it('makes the first one the default and keeps those that are not named', () => {
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

  it('gives a known name its new address and forgets what the old device answered', () => {
    const [grill] = core.printers.all()
    if (grill) core.printers.saveCapability(grill, CAPABILITY)
    core.db.flush()
    core.printers.apply([{ ...GRILL, profileId: null }], 1)
    expect(core.printers.all()[0]).toMatchObject({ capability: CAPABILITY, profileId: GRILL.profileId })
    core.printers.apply([{ ...GRILL, host: '127.0.0.9' }], 1)
    expect(core.printers.all()[0]).toMatchObject({ printerId: 'grill', host: '127.0.0.9', capability: null })
  })

  it('tells printers apart whose names look the same as ids', () => {
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

  it('asks again what a printer answers when the stored answer cannot be read', () => {
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
