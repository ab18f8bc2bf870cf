// What a device claims, or a copy of the printer answers, moves no ticket and gets few questions: at other addresses, and at the one from which a printer was followed.
import { describe, expect, it } from 'vitest'
import { MAC, SILENT, says, UNREACHABLE, WatchedNetwork } from '#test/doubles/watched-network.ts'

const STRANGER_MAC = 'aa:aa:aa:00:00:01'
const OLD = '192.168.1.50'
const NEW = '192.168.1.57'
const OTHER = '192.168.1.66'
const HOUR_MS = 3_600_000

async function gone(mac: string | null = MAC): Promise<WatchedNetwork> {
  const network = new WatchedNetwork()
  network.add('Grill', OLD, mac)
  network.goesAway('grill')
  await network.clock.advance(60_000)
  return network
}

async function look(network: WatchedNetwork, passes: number): Promise<void> {
  for (let pass = 0; pass < passes; pass++) {
    await network.watch.look()
    await network.clock.advance(30_000)
  }
}

describe('the claim to be a printer that is gone', () => {
  it('of a device with another hardware address gets no probe and asks no person', async () => {
    const network = await gone()
    network.device(OTHER, { claims: MAC, arp: STRANGER_MAC })
    await look(network, 20)
    expect(network.identified).toEqual([])
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.foundFor('grill')).toBeNull()
  })

  it('where the kernel has no hardware address is probed once an hour, while a person can always confirm it', async () => {
    const network = await gone()
    network.device(OTHER, { claims: MAC, arp: null, identity: SILENT })
    await look(network, 120)
    expect(network.identified).toEqual([OTHER])
    expect(network.foundFor('grill')).toMatchObject({ host: OTHER, mac: null })
    await look(network, 1)
    expect(network.identified).toEqual([OTHER, OTHER])
    network.vanishes(OTHER)
    await look(network, 1)
    expect(network.foundFor('grill')).toBeNull()
  })

  it('is probed once for all printers that are gone', async () => {
    const network = await gone()
    network.add('Fry', '192.168.1.51', 'bb:bb:bb:00:00:02')
    network.goesAway('fry')
    await network.clock.advance(60_000)
    network.device(OTHER, { claims: MAC, arp: null, identity: says({ serial: 'EVIL1' }) })
    await look(network, 10)
    expect(network.identified).toEqual([OTHER])
    expect(network.foundFor('grill')).toMatchObject({ host: OTHER })
    expect(network.foundFor('fry')).toMatchObject({ host: OTHER })
  })

  it('is probed again after five minutes when nothing accepted the connection', async () => {
    const network = await gone(null)
    network.device(NEW, { arp: null, identity: UNREACHABLE })
    await look(network, 9)
    expect(network.identified).toEqual([NEW])
    network.device(NEW, { arp: null })
    await look(network, 2)
    expect(network.whereIs('grill')).toBe(NEW)
  })

  it('by hundreds does not hide the device that has its hardware address', async () => {
    const network = await gone()
    for (let last = 1; last < 50; last++) network.device(`192.168.1.${last}`, { claims: MAC, arp: null })
    network.device(NEW)
    await look(network, 1)
    expect(network.identified).toEqual([NEW])
    expect(network.whereIs('grill')).toBe(NEW)
  })

  it('by the hundred delay a true one where the kernel has no hardware address, but do not hide it', async () => {
    const network = await gone(null)
    for (let last = 100; last < 140; last++) network.device(`192.168.1.${last}`, { arp: null, identity: UNREACHABLE })
    network.device(NEW, { arp: null })
    await look(network, 15)
    expect(network.whereIs('grill')).toBe(NEW)
  })
})

describe('the old address of a printer that was followed', () => {
  async function followed(): Promise<WatchedNetwork> {
    const network = await gone()
    network.device(NEW)
    await network.watch.look()
    network.comesBack('grill')
    expect(network.whereIs('grill')).toBe(NEW)
    return network
  }
  async function isGone(network: WatchedNetwork): Promise<void> {
    network.goesAway('grill')
    await network.clock.advance(60_000)
  }

  it('gets its tickets back when the printer answers there and no longer at the new one', async () => {
    const network = await followed()
    network.vanishes(NEW)
    network.device(OLD)
    await network.watch.look()
    expect(network.whereIs('grill'), 'it is not known to be gone yet').toBe(NEW)
    await isGone(network)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.record('grill')?.device.movedFrom).toBeNull()
    expect(network.notes('grill')).toEqual([expect.stringContaining(`back to ${OLD}`)])
    expect(network.foundFor('grill')).toBeNull()
  })

  it('is used again when another device now answers at the new address', async () => {
    const network = await followed()
    network.device(NEW, { arp: STRANGER_MAC })
    network.device(OLD)
    await isGone(network)
    network.reasons = ['another-printer']
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
  })

  it.each(['online', 'out of reach, though somebody takes connections there'])(
    'gets no ticket back while the printer is %s at the new one: a person is asked, and it is asked once an hour',
    async (how) => {
      const network = await followed()
      network.device(OLD)
      if (how !== 'online') await isGone(network)
      await look(network, 20)
      expect(network.whereIs('grill')).toBe(NEW)
      expect(network.foundFor('grill')).toMatchObject({ host: OLD, mac: MAC })
      expect(network.notes('grill')).toContainEqual(expect.stringContaining(`${NEW}, ${OLD}`))
      if (how === 'online') expect(network.identified).toEqual([NEW, OLD])
      network.vanishes(OLD)
      await look(network, 1)
      expect(network.foundFor('grill')).toBeNull()
      expect(network.notes('grill')).toEqual([expect.stringContaining(`from ${OLD} to ${NEW}`)])
    },
  )

  it('belongs to another device, which gets no probe', async () => {
    const network = await followed()
    network.device(OLD, { arp: STRANGER_MAC })
    await isGone(network)
    await network.watch.look()
    expect(network.identified).toEqual([NEW])
    network.vanishes(NEW)
    network.device(OLD, { identity: says({ serial: 'EVIL1' }) })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
  })

  it('is probed once an hour where the kernel has no hardware address', async () => {
    const network = await gone(null)
    network.device(NEW, { arp: null })
    await network.watch.look()
    network.comesBack('grill')
    network.vanishes(NEW)
    network.device(OLD, { arp: null, identity: SILENT })
    network.goesAway('grill')
    await look(network, HOUR_MS / 30_000)
    expect(network.identified).toEqual([NEW, OLD])
  })
})
