// Follows printers to another address (DHCP): their identity is stored, and they are searched for when they are unreachable. If there is doubt, a person decides.
import { candidatesFor } from '#gateway/discovery/find-address.ts'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { KnownDevice } from '#shared/printer-identity.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { AddressNote } from './address-notes.ts'
import { AskedDevices } from './asked-devices.ts'
import type { ControlContext } from './context.ts'
import { examine } from './follow-printer.ts'
import type { FoundElsewhere } from './printer-device.ts'
import { placesOf } from './printer-places.ts'

type WatchContext = Pick<ControlContext, 'queue' | 'printers' | 'discovery' | 'identify' | 'clock' | 'log'>

const LOOK_EVERY_MS = 30_000
/** Away so long, it is not just being switched off and on. */
const GONE_AFTER_MS = 60_000
/** A search that ended so lately need not be made again. */
const FRESH_MS = 20_000
/** From the first search of an absence on; the last one repeats. Between them only questions are asked. */
const SCAN_AFTER_MS = [0, 5 * 60_000, 15 * 60_000]
const SCAN_EVERY_MS = 30 * 60_000
const GONE_REASONS: readonly string[] = ['connecting-to-device', 'timed-out', 'another-printer']
/** After an automatic move the old address is checked for so long: the printer may answer there again. */
const LOOKS_BACK_MS = 24 * 3_600_000
/** An automatic move is shown for so long, for people who check only once a week. */
const MOVE_TOLD_MS = 7 * 24 * 3_600_000
/** Devices that are asked in one pass for one printer. */
const MOST_ASKED = 4

export class AddressWatch implements Service {
  readonly #context: WatchContext
  readonly #rounds: Rounds
  readonly #asked: AskedDevices
  #unsubscribe: () => void = () => {}
  /** Why a printer that is gone is not followed, by its id, as the last search found it. */
  readonly #doubts = new Map<string, AddressNote>()
  /** Printers that went back to their old address, by id. */
  readonly #wentBack = new Map<string, { from: string; to: string; atMs: number }>()
  /** Devices at other addresses that may be a printer, by its id: a person decides. */
  readonly #found = new Map<string, FoundElsewhere>()
  /** Devices at the old address of a printer that was followed, which answer as it does while it answers too, by its id. */
  readonly #doubles = new Map<string, FoundElsewhere>()
  /** When the absence of printers was first searched, and how often it was scanned; null while none is absent. */
  #absence: { sinceMs: number; scans: number } | null = null

  constructor(context: WatchContext) {
    this.#context = context
    this.#asked = new AskedDevices(context)
    this.#rounds = new Rounds({
      clock: context.clock,
      everyMs: LOOK_EVERY_MS,
      pass: () => this.look(),
      failed: (error) => context.log.error({ err: error }, 'looking for moved printers failed; tried again later'),
    })
  }

  async start(): Promise<void> {
    await this.#rounds.start()
    const { discovery } = this.#context
    this.#unsubscribe = discovery.changed.subscribe(() => {
      if (discovery.view.state === 'done') this.#rounds.wake()
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    await this.#context.discovery.cancel()
    await this.#rounds.stop()
  }

  /** Messages for people. */
  notesOf({ printerId, host, device }: PrinterRecord): AddressNote[] {
    const sinceMs = this.#context.clock.now() - MOVE_TOLD_MS
    const { movedFrom } = device
    const back = this.#wentBack.get(printerId)
    const double = this.#doubles.get(printerId)
    const doubt = double ? ({ kind: 'several', addresses: [host, double.host] } as const) : this.#doubts.get(printerId)
    const moved: AddressNote[] =
      movedFrom && movedFrom.atMs >= sinceMs ? [{ kind: 'moved', addresses: [movedFrom.host, host] }] : []
    const wentBack: AddressNote[] =
      back?.to === host && back.atMs >= sinceMs ? [{ kind: 'moved-back', addresses: [back.from, back.to] }] : []
    return [...moved, ...wentBack, ...(doubt ? [doubt] : [])]
  }

  get #asking(): Pick<WatchContext, 'identify' | 'discovery'> {
    return { identify: this.#asked.identify, discovery: this.#context.discovery }
  }

  foundOf({ printerId }: PrinterRecord): FoundElsewhere | null {
    return this.#doubles.get(printerId) ?? this.#found.get(printerId) ?? null
  }

  /** One pass: stores hardware addresses of printers that answer, searches for absent ones, undoes moves. */
  async look(): Promise<void> {
    this.#asked.beginPass()
    const views = new Map(this.#context.queue.printers().map((view) => [view.printerId, view]))
    const networked = this.#context.printers.all().filter(({ host }) => !host.startsWith('/'))
    const gone: PrinterRecord[] = []
    for (const printer of networked) {
      const view = views.get(printer.printerId)
      if (view?.state === 'online') await this.#isHere(printer, view)
      else if (view && this.#isGone(view) && this.#canBeKnownAgain(printer)) gone.push(printer)
    }
    const goneIds = new Set(gone.map(({ printerId }) => printerId))
    for (const printerId of this.#doubts.keys()) if (!goneIds.has(printerId)) this.#doubts.delete(printerId)
    // Another device may be at the last address of an absent printer by now.
    const here = [...views.values()].filter(({ printerId }) => !goneIds.has(printerId))
    const known = new Set([...networked.map(({ host }) => host), ...placesOf(here)])
    for (const printer of networked) {
      const { printerId } = printer
      const double = await this.#lookBack(printer, known, goneIds.has(printerId) ? views.get(printerId) : undefined)
      if (double) this.#doubles.set(printerId, double)
      else this.#doubles.delete(printerId)
    }
    const asked = this.#justFound()
    if (gone.length === 0) this.#absence = null
    else if (asked) await this.#follow(gone, asked, known)
    else await this.#search(gone, known)
  }

  /** What a person's search has found just now: it replaces the next search, and the minute's wait stays. */
  #justFound(): readonly FoundPrinter[] | null {
    const { discovery, clock } = this.#context
    const { state, endedAtMs, printers } = discovery.view
    return state === 'done' && endedAtMs !== null && clock.now() - endedAtMs < FRESH_MS ? printers : null
  }

  #isGone({ state, reasons, sinceMs }: PrinterView): boolean {
    const isSilent = state === 'offline' && reasons.some((reason) => GONE_REASONS.includes(reason))
    return isSilent && this.#context.clock.now() - sinceMs >= GONE_AFTER_MS
  }

  #canBeKnownAgain({ settings, device }: PrinterRecord): boolean {
    return settings.mac !== null || (device.answers?.serial ?? null) !== null
  }

  async #isHere(printer: PrinterRecord, { place }: PrinterView): Promise<void> {
    const { queue, log } = this.#context
    const { printerId, name, settings } = printer
    this.#found.delete(printerId)
    const seen = settings.mac === null ? (place?.mac ?? null) : null
    if (seen === null) return
    await queue.updatePrinter(printerId, { settings: { mac: seen } })
    log.info({ printer: name, mac: seen }, 'the hardware address of the printer is remembered')
  }

  async #search(gone: readonly PrinterRecord[], known: ReadonlySet<string>): Promise<void> {
    const { clock, discovery } = this.#context
    this.#absence ??= { sinceMs: clock.monotonicMs(), scans: 0 }
    const { sinceMs, scans } = this.#absence
    const last = SCAN_AFTER_MS.at(-1) ?? 0
    const dueMs = SCAN_AFTER_MS[scans] ?? last + (scans - SCAN_AFTER_MS.length + 1) * SCAN_EVERY_MS
    const scan = clock.monotonicMs() - sinceMs >= dueMs
    const found = await discovery.quietly(known, scan)
    if (found === null) return
    if (scan) this.#absence = { sinceMs, scans: scans + 1 }
    await this.#follow(gone, found, known)
  }

  async #follow(
    gone: readonly PrinterRecord[],
    found: readonly FoundPrinter[],
    known: ReadonlySet<string>,
  ): Promise<void> {
    for (const printer of gone) {
      const doubt = await this.#place(printer, found, known)
      if (doubt === null) this.#doubts.delete(printer.printerId)
      else this.#doubts.set(printer.printerId, doubt)
    }
  }

  /** Follows a printer to its new address. @returns why not; null: it was followed, or there is nothing to report */
  async #place(
    printer: PrinterRecord,
    found: readonly FoundPrinter[],
    known: ReadonlySet<string>,
  ): Promise<AddressNote | null> {
    const { printerId, host, settings, device } = printer
    const hasSerial = (device.answers?.serial ?? null) !== null
    const { byHardware, byClaim } = candidatesFor(found, settings.mac, hasSerial)
    const [address, ...others] = byHardware
    if (address === undefined) {
      const claimants = byClaim.filter((one) => !known.has(one))
      const due = this.#asked.due(claimants).slice(0, MOST_ASKED)
      return this.#ask(printer, due, claimants)
    }
    if (others.length === 0 && !known.has(address)) return this.#ask(printer, [address])
    this.#found.delete(printerId)
    if (others.length > 0) return { kind: 'several', addresses: byHardware }
    return address === host ? null : { kind: 'taken', addresses: [address] }
  }

  /**
   * Devices that may be the printer are identified before a ticket goes there.
   * @param claimants of these, those that are not identified now keep their last result
   * @returns as `#place`
   */
  async #ask(
    printer: PrinterRecord,
    addresses: readonly string[],
    claimants: readonly string[] = [],
  ): Promise<AddressNote | null> {
    const { printerId, name } = printer
    const same: string[] = []
    const stands = (host: string): boolean => claimants.includes(host) && !addresses.includes(host)
    const before = this.#doubts.get(printerId)
    const notYet = before?.kind === 'not-yet' ? before.addresses.filter(stands) : []
    let doubtful: FoundElsewhere | null = null
    for (const address of addresses) {
      const examined = await examine(this.#asking, printer, address)
      if (examined.kind === 'same') same.push(address)
      else if (examined.kind === 'not-yet') notYet.push(address)
      else {
        doubtful ??= examined.found
        const { found, doubt } = examined
        if (this.#found.get(printerId)?.host !== found.host)
          this.#context.log.warn(
            { printer: name, found, doubt },
            'a device may be the printer: a person must accept it',
          )
      }
    }
    const [address, ...others] = same
    // Two with the same answers: neither is proven.
    if (address !== undefined && others.length === 0) {
      await this.#moved(printer, address)
      return null
    }
    if (doubtful) this.#found.set(printerId, doubtful)
    else if (!stands(this.#found.get(printerId)?.host ?? '')) this.#found.delete(printerId)
    return notYet.length === 0 ? null : { kind: 'not-yet', addresses: notYet }
  }

  async #moved(printer: PrinterRecord, address: string): Promise<void> {
    const { clock, log } = this.#context
    const { name, host, port } = printer
    const isMoved = await this.#give(printer, address, { host, port, atMs: clock.now() })
    if (!isMoved) return
    log.warn({ printer: name, from: host, to: address }, 'the printer has another address now; its tickets follow it')
  }

  /**
   * A printer that was followed may answer at its old address again: the wrong device was followed, or it has moved back. Its tickets go
   * back when it does not answer at the new address.
   * @param gone its state, when it does not answer at the new address
   * @returns the device there that answers as the printer does while the printer answers too: neither is proven, a person must decide
   */
  async #lookBack(
    printer: PrinterRecord,
    known: ReadonlySet<string>,
    gone: PrinterView | undefined,
  ): Promise<FoundElsewhere | null> {
    const { discovery, clock, log } = this.#context
    const { printerId, settings, device } = printer
    const { movedFrom } = device
    if (movedFrom === null || clock.now() - movedFrom.atMs > LOOKS_BACK_MS || known.has(movedFrom.host)) return null
    const taker = await discovery.knock(movedFrom.host, movedFrom.port)
    if (taker === null) return null
    const mac = discovery.macOf(taker)
    if (settings.mac !== null && mac !== null && mac !== settings.mac) return null
    const isSure = gone !== undefined && mac !== null && mac === settings.mac
    if (!isSure && this.#asked.due([movedFrom.host]).length === 0) return this.#doubles.get(printerId) ?? null
    const examined = await examine(this.#asking, printer, movedFrom.host)
    if (examined.kind !== 'same') return null
    if (gone !== undefined && !(await this.#answersAnyhow(gone))) return this.#movedBack(printer, movedFrom.host)
    if (!this.#doubles.has(printerId))
      log.warn(
        { printer: printer.name, found: examined.found },
        'a printer answers at two addresses: a person must look',
      )
    return examined.found
  }

  /** Its connection cannot be opened, and yet a device accepts one there that is not known to be another one. */
  async #answersAnyhow({ host, port, reasons }: PrinterView): Promise<boolean> {
    return !reasons.includes('another-printer') && (await this.#context.discovery.knock(host, port)) !== null
  }

  async #movedBack(printer: PrinterRecord, to: string): Promise<null> {
    const { printerId, name, host: from } = printer
    if (!(await this.#give(printer, to, null))) return null
    const { clock, log } = this.#context
    this.#wentBack.set(printerId, { from, to, atMs: clock.now() })
    log.warn({ printer: name, from, to }, 'the printer answers at its old address: it is back')
    return null
  }

  /** The same device at another address. False: a person was quicker. */
  async #give(printer: PrinterRecord, address: string, movedFrom: KnownDevice['movedFrom']): Promise<boolean> {
    const { queue, printers } = this.#context
    const { printerId, host, port, device } = printer
    const now = printers.all().find((one) => one.printerId === printerId)
    if (now?.host !== host || now.port !== port) return false
    const updated = await queue.updatePrinter(printerId, {
      host: address,
      device: { answers: device.answers, movedFrom },
      isItself: true,
    })
    if (updated.ok) this.#found.delete(printerId)
    return updated.ok
  }
}
