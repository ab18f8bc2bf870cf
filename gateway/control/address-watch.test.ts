// Printers whose address changes: remembered, found by their hardware address, moved only when there is no doubt.
import { describe, expect, it } from 'vitest'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord, PrinterUpdate } from '#gateway/storage/printer-store.ts'
import { createLogger } from '#shared/log.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { AddressWatch } from './address-watch.ts'

const MAC = '64:eb:8c:01:02:03'

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
  identity = 'printer'
  readonly identified: string[] = []
  readonly #away = new Map<string, number>()
  readonly watch = new AddressWatch({
    clock: this.clock,
    log: createLogger('test', 'silent'),
    printers: { all: () => this.records },
    queue: {
      printers: () => this.records.map((record) => this.#view(record)),
      updatePrinter: async (printerId: string, change: PrinterUpdate) => {
        const at = this.records.findIndex((record) => record.printerId === printerId)
        const record = this.records[at]
        if (!record) return { ok: false, reason: 'unknown-printer' }
        const settings = { ...record.settings, ...change.settings }
        this.records[at] = { ...record, host: change.host ?? record.host, settings }
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
    },
    identify: async ({ host }: { host: string }) => {
      this.identified.push(host)
      return { kind: this.identity }
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
      capability: null,
      settings: { ...DEFAULT_PRINTER_SETTINGS, mac },
    })
  }

  goesAway(printerId: string): void {
    this.#away.set(printerId, this.clock.now())
  }

  record(printerId: string): PrinterRecord | undefined {
    return this.records.find((record) => record.printerId === printerId)
  }

  answersAt(address: string, mac = MAC): void {
    this.found.push({ address, port: 9100, mac, model: null, name: null, methods: ['epson'] })
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
  it('is remembered from the first time that the printer answers', async () => {
    const network = new Network()
    network.add('Grill', '192.168.1.50')
    network.arp.set('192.168.1.50', MAC)
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
  })

  it('that another device answers with is told, not taken over', async () => {
    const network = new Network()
    network.add('Grill', '192.168.1.50', MAC)
    network.arp.set('192.168.1.50', 'aa:aa:aa:00:00:01')
    await network.watch.look()
    expect(network.record('grill')?.settings.mac).toBe(MAC)
    expect(network.notes('grill')).toEqual([expect.stringContaining('Another device (aa:aa:aa:00:00:01)')])
    network.arp.set('192.168.1.50', MAC)
    await network.watch.look()
    expect(network.notes('grill')).toEqual([])
  })
})

describe('a printer that is gone', () => {
  async function gone(): Promise<Network> {
    const network = new Network()
    network.add('Grill', '192.168.1.50', MAC)
    network.goesAway('grill')
    await network.clock.advance(60_000)
    return network
  }

  it('is left alone for a minute', async () => {
    const network = new Network()
    network.add('Grill', '192.168.1.50', MAC)
    network.goesAway('grill')
    await network.clock.advance(59_000)
    await network.watch.look()
    expect(network.scans).toEqual([])
  })

  it('is followed to its new address, and that is shown', async () => {
    const network = await gone()
    network.answersAt('192.168.1.57')
    await network.watch.look()
    expect(network.identified).toEqual(['192.168.1.57'])
    expect(network.record('grill')?.host).toBe('192.168.1.57')
    expect(network.notes('grill')).toEqual([expect.stringContaining('from 192.168.1.50 to 192.168.1.57')])
  })

  it('is followed at once when a person has just looked', async () => {
    const network = new Network()
    network.add('Grill', '192.168.1.50', MAC)
    network.goesAway('grill')
    network.answersAt('192.168.1.57')
    Object.assign(network.view, { state: 'done', endedAtMs: network.clock.now(), printers: network.found })
    await network.watch.look()
    expect(network.record('grill')?.host).toBe('192.168.1.57')
    expect(network.scans).toEqual([])
  })

  it('stays where it is while its hardware answers nowhere, at two addresses, or as another one', async () => {
    const network = await gone()
    await network.watch.look()
    network.answersAt('192.168.1.58', 'aa:aa:aa:00:00:01')
    await network.watch.look()
    network.answersAt('192.168.1.57')
    network.answersAt('192.168.1.59')
    await network.watch.look()
    expect(network.identified).toEqual([])
    expect(network.record('grill')?.host).toBe('192.168.1.50')
  })

  it('is not moved onto another printer’s address', async () => {
    const network = await gone()
    network.add('Fry', '192.168.1.57')
    network.answersAt('192.168.1.57')
    await network.watch.look()
    expect(network.record('grill')?.host).toBe('192.168.1.50')
    expect(network.notes('grill')).toEqual([expect.stringContaining('another printer is set up there')])
  })

  it('is not moved to what does not answer as a printer', async () => {
    const network = await gone()
    network.answersAt('192.168.1.57')
    network.identity = 'unreachable'
    await network.watch.look()
    expect(network.record('grill')?.host).toBe('192.168.1.50')
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
