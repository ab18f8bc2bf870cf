// Printers whose address changes: stored, found again, followed only when the kernel's hardware address and the device's own answers agree.
import { describe, expect, it } from 'vitest'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { ANSWERS, MAC, SILENT, says, UNREACHABLE, WatchedNetwork } from '#test/doubles/watched-network.ts'

const STRANGER_MAC = 'aa:aa:aa:00:00:01'
const OLD = '192.168.1.50'
const NEW = '192.168.1.57'
const OTHER = '192.168.1.66'

describe('a printer’s hardware address', () => {
  it('is stored at the first answer of the printer, and never overwritten automatically', async () => {
    const network = new WatchedNetwork()
    network.add('Grill', OLD)
    network.arp.set(OLD, MAC)
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
    network.arp.set(OLD, STRANGER_MAC)
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
  })

  it('is remembered of the device that a name leads to', async () => {
    const network = new WatchedNetwork()
    network.names.set('grill.lan', OLD)
    network.arp.set(OLD, MAC)
    network.add('Grill', 'grill.lan')
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
  })
})

async function gone(mac: string | null = MAC): Promise<WatchedNetwork> {
  const network = new WatchedNetwork()
  network.add('Grill', OLD, mac)
  network.goesAway('grill')
  await network.clock.advance(60_000)
  return network
}

describe('a printer that is gone', () => {
  it('is not searched again for a minute, also after a search by a person', async () => {
    const network = new WatchedNetwork()
    network.add('Grill', OLD, MAC)
    network.goesAway('grill')
    network.device(NEW)
    await network.clock.advance(59_000)
    Object.assign(network.view, { state: 'done', endedAtMs: network.clock.now(), printers: network.found })
    await network.watch.look()
    expect(network.scans).toEqual([])
    expect(network.identified).toEqual([])
    expect(network.whereIs('grill')).toBe(OLD)
    await network.clock.advance(1_000)
    await network.watch.look()
    expect(network.whereIs('grill'), 'what the person found saves a search').toBe(NEW)
    expect(network.scans).toEqual([])
  })

  it('is followed automatically to the same hardware with the same identity, and that is shown', async () => {
    const network = await gone()
    network.device(NEW)
    await network.watch.look()
    expect(network.identified).toEqual([NEW])
    expect(network.whereIs('grill')).toBe(NEW)
    expect(network.record('grill')?.device).toMatchObject({ answers: ANSWERS, movedFrom: { host: OLD, port: 9100 } })
    expect(network.notes('grill')).toEqual([expect.stringContaining(`from ${OLD} to ${NEW}`)])
  })

  it('is followed although another device claims its hardware address', async () => {
    const network = await gone()
    network.device(OTHER, { claims: MAC, arp: STRANGER_MAC })
    network.device(NEW)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
    expect(network.identified).toEqual([NEW])
  })

  it.each([
    ['another serial number', says({ serial: 'EVIL1' })],
    ['no serial number', says({ serial: null })],
    ['another model', says({ model: 'TM-m30' })],
    ['another maker', says({ maker: 'Nobody' })],
    ['other features', says({ capability: { ...KNOWS_ALL, gsParenH: false } })],
    ['nothing', { ...SILENT }],
  ])('is not followed to its own hardware address that answers with %s: a person decides', async (_, identity) => {
    const network = await gone()
    network.device(NEW, { identity })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.foundFor('grill')).toMatchObject({ host: NEW, mac: MAC })
  })

  it('is followed only by serial number and model where the kernel has no hardware address', async () => {
    const network = await gone(null)
    network.device(NEW, { arp: null })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
    const nameless = await gone()
    const [grill] = nameless.records
    if (grill) nameless.records[0] = { ...grill, device: { answers: { ...ANSWERS, serial: null }, movedFrom: null } }
    nameless.device(NEW, { arp: null, claims: MAC, identity: says({ serial: null }) })
    await nameless.watch.look()
    expect(nameless.whereIs('grill')).toBe(OLD)
    expect(nameless.foundFor('grill')).toMatchObject({ host: NEW, mac: null })
  })

  it('is not followed when two devices report the same identity', async () => {
    const network = await gone(null)
    network.device(NEW, { arp: null })
    network.device(OTHER, { arp: null })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
  })

  it('stays where it is while its hardware answers at two addresses, or as another one', async () => {
    const network = await gone()
    network.device('192.168.1.58', { arp: STRANGER_MAC })
    await network.watch.look()
    network.device(NEW)
    network.device('192.168.1.59')
    await network.watch.look()
    expect(network.identified).toEqual([])
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.notes('grill')).toEqual([expect.stringContaining(`${NEW}, 192.168.1.59`)])
  })

  it('is not moved away from the address that a person has given it meanwhile', async () => {
    const network = await gone()
    network.device(NEW)
    network.whileIdentifying = () => {
      const [grill] = network.records
      if (grill) network.records[0] = { ...grill, host: '192.168.1.99' }
    }
    await network.watch.look()
    expect(network.identified).toEqual([NEW])
    expect(network.whereIs('grill')).toBe('192.168.1.99')
  })

  it('is not moved onto another printer’s address', async () => {
    const network = await gone()
    network.add('Fry', NEW)
    network.device(NEW)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.notes('grill')).toEqual([expect.stringContaining('another printer is set up there')])
    network.comesBack('grill')
    network.arp.set(OLD, MAC)
    await network.watch.look()
    expect(network.notes('grill'), 'when it is well again').toEqual([])
  })

  it('is not moved onto an address that another printer’s name leads to', async () => {
    const network = await gone()
    network.names.set('fry.lan', NEW)
    network.add('Fry', 'fry.lan', MAC)
    network.device(NEW)
    await network.watch.look()
    expect(network.identified).toEqual([])
    expect(network.whereIs('grill')).toBe(OLD)
  })

  it('whose name no longer resolves is followed to where it answers, and back only when the name resolves to it', async () => {
    const network = new WatchedNetwork()
    network.add('Grill', 'grill.lan', MAC)
    network.goesAway('grill')
    network.device(OLD)
    await network.clock.advance(60_000)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    network.names.set('grill.lan', OTHER)
    network.device(OTHER, { arp: STRANGER_MAC })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    network.vanishes(OLD)
    network.names.set('grill.lan', NEW)
    network.device(NEW)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe('grill.lan')
  })

  it.each([
    ['that does not answer as a printer', UNREACHABLE],
    ['that is stopped and cannot be asked yet', says({ capability: null, model: null, maker: null, serial: null })],
  ])('is not moved to a device %s, and nobody is asked about it yet', async (_, identity) => {
    const network = await gone()
    network.device(NEW, { identity })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.foundFor('grill')).toBeNull()
    network.device(NEW)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
  })

  it.each([
    ['at which its hardware answers', [NEW, OTHER], {}, `${NEW}, ${OTHER}`],
    ['that is no printer yet', [NEW], { identity: UNREACHABLE }, 'not as a printer'],
  ] as const)('is told of no device %s any more once that has vanished', async (_, addresses, device, words) => {
    const network = await gone()
    for (const address of addresses) network.device(address, device)
    await network.watch.look()
    expect(network.notes('grill')).toEqual([expect.stringContaining(words)])
    for (const address of addresses) network.vanishes(address)
    await network.watch.look()
    expect(network.notes('grill')).toEqual([])
  })

  it('needs no confirmation any more once it answers at its own address', async () => {
    const network = await gone()
    network.device(OTHER, { identity: says({ serial: 'EVIL1' }) })
    await network.watch.look()
    expect(network.foundFor('grill')).not.toBeNull()
    network.comesBack('grill')
    await network.watch.look()
    expect(network.foundFor('grill')).toBeNull()
  })

  it('is scanned for rarely; in between, only printers are probed', async () => {
    const network = await gone()
    for (let pass = 0; pass < 40; pass++) {
      await network.watch.look()
      await network.clock.advance(30_000)
    }
    // 20 minutes: at once, after 5, after 15.
    expect(network.scans.filter((scan) => scan)).toHaveLength(3)
    expect(network.scans).toHaveLength(40)
  })
})

describe('a printer that was followed', () => {
  async function followed(): Promise<WatchedNetwork> {
    const network = await gone()
    network.device(NEW)
    await network.watch.look()
    network.comesBack('grill')
    return network
  }

  it('goes back, and is followed once more, without a ticket in between: what it answers is still known', async () => {
    const network = await followed()
    for (const [from, to] of [
      [NEW, OLD],
      [OLD, NEW],
      [NEW, OTHER],
    ] as const) {
      network.goesAway('grill')
      network.vanishes(from)
      network.device(to)
      await network.clock.advance(60_000)
      await network.watch.look()
      expect(network.whereIs('grill')).toBe(to)
      expect(network.record('grill')?.capability).toEqual(KNOWS_ALL)
      network.comesBack('grill')
      await network.watch.look()
    }
  })

  it('is shown as moved for a week, also after a restart of the box', async () => {
    const network = await followed()
    const anew = new WatchedNetwork()
    anew.records.push(...network.records)
    await anew.clock.advance(network.clock.now() - anew.clock.now())
    await anew.watch.look()
    expect(anew.notes('grill')).toEqual([expect.stringContaining(`from ${OLD} to ${NEW}`)])
    await anew.clock.advance(8 * 24 * 3_600_000)
    expect(anew.notes('grill')).toEqual([])
  })

  it('is shown as moved no longer when a person gives it another address', async () => {
    const network = await followed()
    network.give('grill', OTHER)
    expect(network.notes('grill')).toEqual([])
  })

  it('is searched at its old address for a day', async () => {
    const network = await followed()
    await network.clock.advance(25 * 3_600_000)
    network.device(OLD)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
  })
})
