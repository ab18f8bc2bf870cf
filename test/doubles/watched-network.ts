// Printers, the network that they are in, and the watch over their addresses: what answers where is what the test says.
import { addressNote } from '#gateway/control/address-notes.ts'
import { AddressWatch } from '#gateway/control/address-watch.ts'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import type { Identity } from '#gateway/printers/identify-printer.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord, PrinterUpdate } from '#gateway/storage/printer-store.ts'
import { createLogger } from '#shared/log.ts'
import { UNKNOWN_DEVICE } from '#shared/printer-identity.ts'
import { DEFAULT_PRINTER_SETTINGS } from '#shared/printer-settings.ts'
import { ManualClock } from './manual-clock.ts'
import { KNOWS_ALL } from './printer-rig.ts'

export const MAC = '64:eb:8c:01:02:03'
export const ANSWERS = { maker: 'EPSON', model: 'TM-T88VI', serial: 'X2AB012345' }

export const SILENT: Identity = {
  kind: 'silent',
  hint: '',
  level: { level: 'L0', method: 'none', words: '' },
  suggestion: { profileId: 'generic-80', by: 'none' },
  peer: null,
}

export const UNREACHABLE: Identity = { kind: 'unreachable', reason: 'timed-out', hint: '', peer: null }

/** What a device says when it is asked who it is. */
export function says(over: Partial<Extract<Identity, { kind: 'printer' }>> = {}): Identity {
  return {
    kind: 'printer',
    language: 'escpos',
    ...ANSWERS,
    capability: KNOWS_ALL,
    level: { level: 'L3', method: 'gs-paren-h', words: '' },
    reasons: [],
    hint: '',
    suggestion: { profileId: 'generic-80', by: 'none' },
    peer: null,
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

export class WatchedNetwork {
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
  /** Why printers that are gone are. */
  reasons: PrinterView['reasons'] = ['timed-out']
  /** What names are answered with. */
  readonly names = new Map<string, string>()
  /** Who answers at which address. */
  readonly devices = new Map<string, Identity>()
  whileIdentifying = (): void => {}
  readonly identified: string[] = []
  readonly #away = new Map<string, number>()
  readonly watch = new AddressWatch({
    clock: this.clock,
    log: createLogger('test', 'silent', { destination: { write: () => {} } }),
    printers: { all: () => this.records },
    queue: {
      printers: () => this.records.map((record) => this.#view(record)),
      updatePrinter: async (printerId: string, change: PrinterUpdate) => {
        const at = this.records.findIndex((record) => record.printerId === printerId)
        const record = this.records[at]
        if (!record) return { ok: false, reason: 'unknown-printer' }
        const settings = { ...record.settings, ...change.settings }
        const device = change.device ?? (change.host === undefined ? record.device : UNKNOWN_DEVICE)
        // As the store forgets it.
        const stays = change.isItself ?? (change.device === undefined && change.host === undefined)
        const capability = stays ? record.capability : null
        this.records[at] = { ...record, host: change.host ?? record.host, settings, device, capability }
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
      knock: async (host: string) => (this.devices.has(this.ipOf(host)) ? this.ipOf(host) : null),
    },
    identify: async ({ host }: { host: string }) => {
      this.identified.push(host)
      this.whileIdentifying()
      const address = this.ipOf(host)
      return { ...(this.devices.get(address) ?? UNREACHABLE), peer: address }
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

  /** It is switched off: no search finds it. */
  vanishes(address: string): void {
    this.found = this.found.filter((one) => one.address !== address)
    this.devices.delete(address)
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

  /** A person sets its address. */
  give(printerId: string, host: string): void {
    const at = this.records.findIndex((record) => record.printerId === printerId)
    const record = this.records[at]
    if (record) this.records[at] = { ...record, host, device: UNKNOWN_DEVICE }
  }

  ipOf(host: string): string {
    return this.names.get(host) ?? host
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
    return record ? this.watch.notesOf(record).map((note) => addressNote(note).text) : []
  }

  #view({ printerId, host }: PrinterRecord): Partial<PrinterView> {
    const since = this.#away.get(printerId)
    const address = this.ipOf(host)
    const shown = { printerId, host, port: 9100, place: { address, mac: this.arp.get(address) ?? null } }
    return since === undefined
      ? { ...shown, state: 'online', reasons: [], sinceMs: 0 }
      : { ...shown, state: 'offline', reasons: this.reasons, sinceMs: since }
  }
}
