// Printers whose address changes: remembered, found again, followed only when the kernel's hardware address and the device's own answers agree.
import { describe, expect, it } from 'vitest'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord, PrinterUpdate } from '#gateway/storage/printer-store.ts'
import { createLogger } from '#shared/log.ts'
import { UNKNOWN_DEVICE } from '#shared/printer-identity.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { KNOWS_ALL } from '#test/doubles/printer-rig.ts'
import { AddressWatch } from './address-watch.ts'

const MAC = '64:eb:8c:01:02:03'
const STRANGER_MAC = 'aa:aa:aa:00:00:01'
const ANSWERS = { maker: 'EPSON', model: 'TM-T88VI', serial: 'X2AB012345' }
const OLD = '192.168.1.50'
const NEW = '192.168.1.57'
const OTHER = '192.168.1.66'

const SILENT: Identity = {
  kind: 'silent',
  hint: '',
  level: { level: 'L0', method: 'none', words: '' },
  suggestion: { profileId: 'generic-80', by: 'none' },
}

/** What a device says when it is asked who it is. */
function says(over: Partial<Extract<Identity, { kind: 'printer' }>> = {}): Identity {
  return {
    kind: 'printer',
    language: 'escpos',
    ...ANSWERS,
    capability: KNOWS_ALL,
    level: { level: 'L3', method: 'gs-paren-h', words: '' },
    reasons: [],
    hint: '',
    suggestion: { profileId: 'generic-80', by: 'none' },
    ...over,
  }
}

interface DeviceThere {
  /** The hardware address that it claims inside its answers. */
  claims: string | null
  /** The kernel's. */
  arp: string | null
  identity: Identity
}

/** Printers, a network, and what the watch does to them. */
class Network {
  readonly clock = new ManualClock()
  readonly records: PrinterRecord[] = []
  readonly arp = new Map<string, string>()
  readonly scans: boolean[] = []
  /** What a person's search has found. */
  readonly view: { state: string; endedAtMs: number | null; printers: FoundPrinter[] } = {
    state: 'never',
    endedAtMs: null,
    printers: [],
  }
  found: FoundPrinter[] = []
  /** Who answers at which address. */
  readonly devices = new Map<string, Identity>()
  whileIdentifying = (): void => {}
  readonly identified: string[] = []
  readonly #away = new Map<string, number>()
  readonly watch = new AddressWatch({
    clock: this.clock,
    log: createLogger('test', 'silent', { write: () => {} }),
    printers: { all: () => this.records },
    queue: {
      printers: () => this.records.map((record) => this.#view(record)),
      updatePrinter: async (printerId: string, change: PrinterUpdate) => {
        const at = this.records.findIndex((record) => record.printerId === printerId)
        const record = this.records[at]
        if (!record) return { ok: false, reason: 'unknown-printer' }
        const settings = { ...record.settings, ...change.settings }
        const device = change.device ?? (change.host === undefined ? record.device : UNKNOWN_DEVICE)
        this.records[at] = { ...record, host: change.host ?? record.host, settings, device }
        return { ok: true, printer: this.records[at] }
      },
    },
    discovery: {
      view: this.view,
      macOf: (address: string) => this.arp.get(address) ?? null,
      cancel: async () => {},
      quietly: async (_known: ReadonlySet<string>, scan: boolean) => {
        this.scans.push(scan)
        return this.found
      },
      knock: async (host: string) => this.devices.has(host),
    },
    identify: async ({ host }: { host: string }) => {
      this.identified.push(host)
      this.whileIdentifying()
      return this.devices.get(host) ?? { kind: 'unreachable', reason: 'timed-out', hint: '' }
    },
  } as unknown as ConstructorParameters<typeof AddressWatch>[0])

  add(name: string, host: string, mac: string | null = null): void {
    this.records.push({
      printerId: name.toLowerCase(),
      name,
      host,
      port: 9100,
      profileId: 'generic-80',
      stations: [],
      isDefault: false,
      capability: KNOWS_ALL,
      device: { answers: ANSWERS, movedFrom: null },
      settings: { ...DEFAULT_PRINTER_SETTINGS, mac },
    })
  }

  goesAway(printerId: string): void {
    this.#away.set(printerId, this.clock.now())
  }

  comesBack(printerId: string): void {
    this.#away.delete(printerId)
  }

  record(printerId: string): PrinterRecord | undefined {
    return this.records.find((record) => record.printerId === printerId)
  }

  /** A device: what a search finds of it, what it says when it is asked, and what the kernel knows. */
  device(address: string, { claims = null, arp = MAC, identity = says() }: Partial<DeviceThere> = {}): void {
    const methods = ['epson'] as const
    this.found = this.found.filter((one) => one.address !== address)
    this.found.push({ address, port: 9100, mac: arp, claimedMac: claims, model: null, name: null, methods })
    this.devices.set(address, identity)
    if (arp === null) this.arp.delete(address)
    else this.arp.set(address, arp)
  }

  whereIs(printerId: string): string | undefined {
    return this.record(printerId)?.host
  }

  foundFor(printerId: string) {
    const record = this.record(printerId)
    return record ? this.watch.foundOf(record) : null
  }

  notes(printerId: string): string[] {
    const record = this.record(printerId)
    return record ? this.watch.notesOf(record) : []
  }

  #view({ printerId }: PrinterRecord): Partial<PrinterView> {
    const since = this.#away.get(printerId)
    return since === undefined
      ? { printerId, state: 'online', reasons: [], sinceMs: 0 }
      : { printerId, state: 'offline', reasons: ['timed-out'], sinceMs: since }
  }
}

describe('a printer’s hardware address', () => {
  it('is remembered from the first time that the printer answers, and never overwritten by itself', async () => {
    const network = new Network()
    network.add('Grill', OLD)
    network.arp.set(OLD, MAC)
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
    network.arp.set(OLD, STRANGER_MAC)
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
  })
})

async function gone(mac: string | null = MAC): Promise<Network> {
  const network = new Network()
  network.add('Grill', OLD, mac)
  network.goesAway('grill')
  await network.clock.advance(60_000)
  return network
}

describe('a printer that is gone', () => {
  it('is left alone for a minute, also when a person has just looked', async () => {
    const network = new Network()
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

  it('is followed by itself to the same hardware that says the same of itself, and that is shown', async () => {
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

  it('is not followed to a device that claims its hardware address, whatever it answers: a person decides', async () => {
    const network = await gone()
    network.device(OTHER, { claims: MAC, arp: STRANGER_MAC })
    for (let pass = 0; pass < 20; pass++) {
      await network.watch.look()
      await network.clock.advance(30_000)
    }
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.foundFor('grill')).toMatchObject({ host: OTHER, mac: STRANGER_MAC, ...ANSWERS })
  })

  it('is followed where the kernel knows no hardware address only by serial number and model', async () => {
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

  it('is not followed when two devices say the same of themselves', async () => {
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

  it.each([
    ['that does not answer as a printer', { kind: 'unreachable', reason: 'timed-out', hint: '' } as Identity],
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

  it('asks a person about nothing any more once it answers at its own address', async () => {
    const network = await gone()
    network.device(OTHER, { claims: MAC, arp: STRANGER_MAC })
    await network.watch.look()
    expect(network.foundFor('grill')).not.toBeNull()
    network.comesBack('grill')
    await network.watch.look()
    expect(network.foundFor('grill')).toBeNull()
  })

  it('is scanned for now and then only; in between printers are just asked', async () => {
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
  async function followed(): Promise<Network> {
    const network = await gone()
    network.device(NEW)
    await network.watch.look()
    network.comesBack('grill')
    return network
  }

  it('goes back when the known one answers at its old address again, whatever still answers at the new one', async () => {
    const network = await followed()
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
    network.device(OLD)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(OLD)
    expect(network.record('grill')?.device.movedFrom).toBeNull()
    expect(network.notes('grill')).toEqual([expect.stringContaining(`back to ${OLD}`)])
  })

  it('stays when another device has got its old address, and that one is asked nothing', async () => {
    const network = await followed()
    network.device(OLD, { arp: STRANGER_MAC })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
    expect(network.identified).toEqual([NEW])
    network.device(OLD, { identity: says({ serial: 'EVIL1' }) })
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
  })

  it('is looked for at its old address for a day', async () => {
    const network = await followed()
    await network.clock.advance(25 * 3_600_000)
    network.device(OLD)
    await network.watch.look()
    expect(network.whereIs('grill')).toBe(NEW)
  })
})
