// Printers keep their name when DHCP gives them another address: their hardware address is remembered, and looked for when they are gone.
import { addressOfMac } from '#gateway/discovery/find-address.ts'
import type { FoundPrinter } from '#gateway/discovery/found-printer.ts'
import type { PrinterView } from '#gateway/queue/print-queue.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import { Rounds } from '#shared/rounds.ts'
import type { Service } from '#shared/service.ts'
import type { ControlContext } from './context.ts'

type WatchContext = Pick<ControlContext, 'queue' | 'printers' | 'discovery' | 'identify' | 'clock' | 'log'>

const LOOK_EVERY_MS = 30_000
/** Away so long, it is not just being switched off and on. */
const GONE_AFTER_MS = 60_000
/** A search that ended so lately need not be made again. */
const FRESH_MS = 20_000
/** From the first search of an absence on; the last one repeats. Between them only questions are asked. */
const SCAN_AFTER_MS = [0, 5 * 60_000, 15 * 60_000]
const SCAN_EVERY_MS = 30 * 60_000
const GONE_REASONS: readonly string[] = ['connecting-to-device', 'timed-out']

export class AddressWatch implements Service {
  readonly #context: WatchContext
  readonly #rounds: Rounds
  #unsubscribe: () => void = () => {}
  /** What people should know, by printer id. */
  readonly #notes = new Map<string, string>()
  /** When the absence of printers was first searched, and how often it was scanned; null while nobody is gone. */
  #absence: { sinceMs: number; scans: number } | null = null

  constructor(context: WatchContext) {
    this.#context = context
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

  notesOf({ printerId }: PrinterRecord): string[] {
    const note = this.#notes.get(printerId)
    return note === undefined ? [] : [note]
  }

  /** One pass: remembers hardware addresses of printers that answer, looks for those that are gone. */
  async look(): Promise<void> {
    const views = new Map(this.#context.queue.printers().map((view) => [view.printerId, view]))
    const networked = this.#context.printers.all().filter(({ host }) => !host.startsWith('/'))
    const asked = this.#justFound()
    const gone: PrinterRecord[] = []
    for (const printer of networked) {
      const view = views.get(printer.printerId)
      if (view?.state === 'online') await this.#remember(printer)
      else if (view && this.#isGone(view, asked ? 0 : GONE_AFTER_MS) && printer.settings.mac !== null)
        gone.push(printer)
    }
    const known = new Set(networked.map(({ host }) => host))
    if (gone.length === 0) this.#absence = null
    else if (asked) await this.#follow(gone, asked, known)
    else await this.#search(gone, known)
  }

  /** What a person's search has found just now. */
  #justFound(): readonly FoundPrinter[] | null {
    const { discovery, clock } = this.#context
    const { state, endedAtMs, printers } = discovery.view
    return state === 'done' && endedAtMs !== null && clock.now() - endedAtMs < FRESH_MS ? printers : null
  }

  #isGone({ state, reasons, sinceMs }: PrinterView, forMs: number): boolean {
    const isSilent = state === 'offline' && reasons.some((reason) => GONE_REASONS.includes(reason))
    return isSilent && this.#context.clock.now() - sinceMs >= forMs
  }

  async #remember(printer: PrinterRecord): Promise<void> {
    const { queue, discovery, log } = this.#context
    const { printerId, name, host, settings } = printer
    const seen = discovery.macOf(host)
    if (seen === null) return
    if (settings.mac === null) {
      await queue.updatePrinter(printerId, { settings: { mac: seen } })
      log.info({ printer: name, mac: seen }, 'the hardware address of the printer is remembered')
    } else if (settings.mac !== seen) {
      const note = `Another device (${seen}) answers at ${host} than the one that was set up (${settings.mac}). Check where its tickets come out; if the printer was replaced, say so with: printers set --mac ${seen}`
      if (this.#notes.get(printerId) !== note)
        log.warn({ printer: name, host, mac: seen }, 'another device answers at its address')
      this.#notes.set(printerId, note)
    } else if (this.#notes.get(printerId)?.startsWith('Another device')) this.#notes.delete(printerId)
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
      const address = addressOfMac(found, printer.settings.mac ?? '')
      if (address !== null && address !== printer.host) await this.#moved(printer, address, known)
    }
  }

  /** Same hardware at another address: it is asked who it is before a ticket goes there. */
  async #moved(printer: PrinterRecord, address: string, known: ReadonlySet<string>): Promise<void> {
    const { queue, identify, log } = this.#context
    const { printerId, name, host, port, capability } = printer
    if (known.has(address)) {
      this.#notes.set(
        printerId,
        `Its hardware answers at ${address} now, but another printer is set up there. Change one of them.`,
      )
      return
    }
    const { kind } = await identify({ host: address, port })
    // One that used to answer must answer there too.
    if (kind === 'unreachable' || (kind === 'silent' && capability !== null)) {
      this.#notes.set(printerId, `Its hardware answers at ${address} now, but not as a printer yet. It is asked again.`)
      return
    }
    const updated = await queue.updatePrinter(printerId, { host: address })
    if (!updated.ok) return
    this.#notes.set(
      printerId,
      `It moved from ${host} to ${address} by itself (same hardware address). Reserve that address in the router.`,
    )
    log.warn({ printer: name, from: host, to: address }, 'the printer has another address now; its tickets follow it')
  }
}
