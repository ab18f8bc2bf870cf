// The print queue: one worker per printer, so that a failing printer never delays another.
//
// A ticket at one printer (the legal moves are in gateway/storage/ticket-states.ts):
//   held      -> queued     its fire time has come; it goes to the end of the queue
//   queued    -> sending    the worker has it: the intent is on disk before the first byte
//   queued    -> parked     it is too old after an outage: a person decides
//   sending   -> printed    the printer's proof came, or it is known to give none and took everything
//   sending   -> queued     nothing was sent: no mark, not counted; the printer is checked until it can print, only then a new intent
//   sending   -> queued     bytes were sent without proof, or the program was interrupted: the next copy is marked POSSIBLE DUPLICATE
//   sending   -> parked     the same at a printer whose policy is to hold what is in doubt: a person decides
//   sending   -> uncertain  the same after the last attempt, or when the order was cancelled meanwhile: a person must check; the queue continues
//   sending   -> cancelled  the order was cancelled during an attempt of which nothing was sent
//   sending   -> failed     its bytes cannot be made; the queue continues
//   parked    -> queued     a person lets it print
//   parked    -> printed    a person saw it on paper
//   any that waits -> cancelled, or uncertain when an earlier copy may be on paper: cancelled, expired, or dismissed by a person
// Tickets of a printer leave strictly in the order of their positions; one is in flight at a time.

import type { Place, Stranger } from '#gateway/printers/identity-guard.ts'
import type { PrinterHealth, PrinterTransport } from '#gateway/printers/transport.ts'
import type { HistoryStore, QueueCounts } from '#gateway/storage/history-store.ts'
import type { JobStore } from '#gateway/storage/job-store.ts'
import type { OutageStore } from '#gateway/storage/outage-store.ts'
import type {
  NewPrinter,
  PrinterChange,
  PrinterRecord,
  PrinterRemoval,
  PrinterStore,
  PrinterUpdate,
} from '#gateway/storage/printer-store.ts'
import { type PrinterWriter, WRITTEN_HERE } from '#gateway/storage/printer-writes.ts'
import type { ReportStore } from '#gateway/storage/report-store.ts'
import type { Resolution, TicketAct, TicketActs } from '#gateway/storage/ticket-acts.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import type { PrinterReport } from '#shared/wire/gateway-link.ts'
import { type BackupCandidate, takeOverFor } from './outage-policy.ts'
import { PrinterWorker } from './printer-worker.ts'
import type { ReceiptLogo } from './receipt-logo.ts'
import { MAX_ATTEMPTS } from './retry-policy.ts'

export interface PrintQueueDeps {
  jobs: JobStore
  history: HistoryStore
  printers: PrinterStore
  acts: TicketActs
  outages: OutageStore
  reports: ReportStore
  /** Creates the connection to a printer. `interrupted`: part of a ticket may be on its paper without a cut. */
  createTransport: (printer: PrinterRecord, interrupted: boolean) => PrinterTransport
  /** Draws what printers have no characters for. Without one such characters are transliterated. */
  raster?: TextRaster | null
  /** The logo on receipts. */
  logo?: Pick<ReceiptLogo, 'bitmap'> | null
  /** Relay time. */
  time: TimeSource
  clock: Clock
  random: () => number
  log: Logger
  /** The restaurant with which the gateway is paired, for the log and for times on the gateway's own slips. */
  site?: SiteFacts
  /** Called for a bug or a failed disk: the program must end and restart. */
  onFatal: (error: unknown) => void
}

export interface PrinterView extends PrinterReport {
  host: string
  port: number
  profileId: string
  hint: string
  sinceMs: number
  heardMs?: number | null
  isPaused: boolean
  /** Tickets that wait for a person. */
  parked: number
  /** True if its tickets go to its backup until it prints again. */
  isAbsent: boolean
  /** Id of the printer that has its tickets meanwhile; its own id otherwise. */
  ticketsGoTo: string
  /** Another device at its address. Null: none was seen. */
  stranger: Stranger | null
  /** Where the printer was last recognized. Null: not since the start. */
  place: Place | null
}

export interface QueueSnapshot {
  printers: PrinterReport[]
  queue: { queued: number; held: number; unreported: number }
}

interface Line {
  printer: PrinterRecord
  transport: PrinterTransport
  worker: PrinterWorker
  /** Its address or profile was changed: a new line opens when this one has ended. */
  isRetiring: boolean
}

const UNPAIRED: SiteFacts = { gatewayId: '', merchantName: '', timeZone: 'UTC' }

export class PrintQueue implements Service {
  /** A printer's state or reasons changed. Not signalled for each ticket: counts are sent with the next heartbeat. */
  readonly changed = new Signal()
  /** A printer was added, changed or removed. */
  readonly printersChanged = new Signal()
  readonly #deps: PrintQueueDeps
  #lines: Line[] = []
  #started = false
  /** Lines that are being replaced or closed. */
  readonly #ending = new Set<Promise<void>>()

  constructor(deps: PrintQueueDeps) {
    this.#deps = deps
  }

  get started(): boolean {
    return this.#started
  }

  async start(): Promise<void> {
    if (this.#started) return
    this.#started = true
    const { jobs, printers, outages, log, onFatal } = this.#deps
    const interrupted = jobs.door.recover(MAX_ATTEMPTS, (id) => printers.find(id)?.settings.doubt === 'hold')
    if (interrupted > 0) log.warn({ tickets: interrupted }, 'tickets were interrupted; their next copies are marked')
    for (const printer of printers.all()) this.#open(printer, outages.doubtSinceMs(printer.printerId))
    // All lines must exist before the first one uses another as its backup.
    for (const { worker } of this.#lines) worker.start(onFatal)
  }

  /** Claims nothing more and completes the tickets in flight, for at most about 3 s. */
  async stop(): Promise<void> {
    this.#started = false
    await Promise.all(this.#lines.map(({ worker }) => worker.stop()))
    await Promise.all(this.#ending)
    this.#lines = []
  }

  /** The state for the relay. */
  snapshot(): QueueSnapshot {
    const counts = this.#deps.history.counts()
    const printers = this.#views(counts).map(({ printerId, name, stations, isDefault, state, reasons, queued }) => ({
      printerId,
      name,
      stations,
      isDefault,
      state,
      reasons,
      queued,
    }))
    return { printers, queue: this.#waiting(counts) }
  }

  isPrinting(): boolean {
    return this.#deps.history.isAnyQueued()
  }

  /** What waits at any printer, and the results that the relay has not acknowledged. */
  waiting(): QueueSnapshot['queue'] {
    return this.#waiting(this.#deps.history.counts())
  }

  /** The printers for people: with address and what to do. */
  printers(): PrinterView[] {
    return this.#views(this.#deps.history.counts())
  }

  #waiting({ queued, held }: QueueCounts): QueueSnapshot['queue'] {
    return { queued, held, unreported: this.#deps.reports.count() }
  }

  #views({ byPrinter, parkedByPrinter }: QueueCounts): PrinterView[] {
    const { printers, outages } = this.#deps
    return printers.all().flatMap((printer) => {
      const { printerId, settings } = printer
      const line = this.#line(printerId)
      if (!line) return []
      const { state, reasons, hint, sinceMs, lastContactMs } = line.transport.health
      return {
        printerId,
        name: printer.name,
        stations: [...printer.stations],
        isDefault: printer.isDefault,
        state,
        reasons: reasons.slice(0, 16),
        queued: byPrinter.get(printerId) ?? 0,
        host: printer.host,
        port: printer.port,
        profileId: printer.profileId,
        hint,
        ...{ sinceMs, heardMs: lastContactMs ?? null },
        isPaused: settings.paused,
        parked: parkedByPrinter.get(printerId) ?? 0,
        isAbsent: outages.isAbsent(printerId),
        ticketsGoTo: outages.printerFor(printerId),
        stranger: line.transport.stranger ?? null,
        place: line.transport.place ?? null,
      }
    })
  }

  /** Adds a printer, which prints at once. */
  addPrinter(printer: NewPrinter, by = this.#here()): PrinterChange {
    const change = this.#deps.printers.add(printer, by)
    if (change.ok) {
      if (this.#started) this.#open(change.printer).worker.start(this.#deps.onFatal)
      this.#tellOfPrinters()
    }
    return change
  }

  /**
   * Changes a printer. A new address, profile or kind of connection applies after the ticket in flight (a stopped ticket is given up and
   * printed again with the mark); everything else applies from the next ticket. Other printers are not affected.
   */
  updatePrinter(printerId: string, update: PrinterUpdate, by = this.#here()): PrinterChange {
    const { printers } = this.#deps
    const old = printers.find(printerId)
    const change = printers.update(printerId, update, by)
    const line = this.#line(printerId)
    if (!change.ok || !old) return change
    if (line && (update.device !== undefined || isAnotherLine(old, change.printer))) this.#replace(line)
    else line?.worker.change(change.printer)
    this.#tellOfPrinters()
    return change
  }

  /** Refused while tickets wait for it. */
  removePrinter(printerId: string, by = this.#here()): PrinterRemoval {
    const change = this.#deps.printers.remove(printerId, by)
    const line = this.#line(printerId)
    if (!change.ok) return change
    if (line) this.#retire(line)
    this.#tellOfPrinters()
    return change
  }

  /** The stored list was replaced in another transaction: opens, changes and replaces workers to match it. */
  printersWereWritten(): void {
    for (const printer of this.#deps.printers.all()) {
      const line = this.#line(printer.printerId)
      if (line && isAnotherLine(line.printer, printer)) this.#replace(line)
      else if (line) line.worker.change(printer)
      else if (this.#started) this.#open(printer).worker.start(this.#deps.onFatal)
    }
    this.#tellOfPrinters()
  }

  /** A person at the gateway, now. */
  #here(): PrinterWriter {
    return { who: WRITTEN_HERE, atMs: this.#deps.time.now() }
  }

  /** The printer gets no ticket until `resume`, also after a restart. The ticket in flight is completed. */
  pause(printerId: string): PrinterChange {
    return this.updatePrinter(printerId, { settings: { paused: true } })
  }

  resume(printerId: string): PrinterChange {
    return this.updatePrinter(printerId, { settings: { paused: false } })
  }

  /** Moves everything that waits at a printer to another one, including a ticket in which the printer has stopped. Returns the number. */
  async moveAll(from: string, to: string): Promise<number> {
    await this.#line(from)?.worker.letGo()
    return this.#deps.acts.moveAll(from, to)
  }

  /** Moves one waiting ticket to another printer, or one in which its printer has stopped. */
  async moveTicket(ticketId: string, to: string): Promise<TicketAct> {
    const { acts } = this.#deps
    const moved = acts.move(ticketId, to)
    if (moved.ok || moved.reason !== 'printing') return moved
    await this.#line(acts.printerOf(ticketId))?.worker.letGo()
    return acts.move(ticketId, to)
  }

  cancelTicket(ticketId: string): TicketAct {
    return this.#deps.acts.cancel(ticketId)
  }

  /** Prints the ticket once more, marked REPRINT, on its printer or on another one. */
  reprint(ticketId: string, printerId?: string): TicketAct {
    return this.#deps.acts.reprint(ticketId, printerId)
  }

  resolveParked(ticketId: string, how: Resolution): TicketAct {
    return this.#deps.acts.resolve(ticketId, how)
  }

  /** Releases everything that is parked at a printer. Returns the number. */
  releaseAll(printerId: string): number {
    return this.#deps.acts.releaseAll(printerId)
  }

  /** Queues one of the gateway's own documents before what waits. Returns its ticket's id. */
  printLocal(printerId: string, doc: LocalDoc): string {
    return this.#deps.acts.printLocal(printerId, doc, this.#deps.time.now())
  }

  #line(printerId: string): Line | undefined {
    return (
      this.#lines.find((line) => line.printer.printerId === printerId && !line.isRetiring) ??
      this.#lines.find((line) => line.printer.printerId === printerId)
    )
  }

  #tellOfPrinters(): void {
    this.printersChanged.notify()
    this.changed.notify()
  }

  /** Ends a line. The printer's next one opens after it, because printers serve one client at a time. */
  #replace(line: Line): void {
    if (line.isRetiring) return
    this.#retire(line, () => {
      const printer = this.#deps.printers.find(line.printer.printerId)
      if (printer && this.#started) this.#open(printer).worker.start(this.#deps.onFatal)
    })
  }

  #retire(line: Line, then: () => void = () => undefined): void {
    line.isRetiring = true
    const ended = line.worker.retire().then(() => {
      this.#lines = this.#lines.filter((other) => other !== line)
      this.#ending.delete(ended)
      then()
      this.changed.notify()
    })
    this.#ending.add(ended)
  }

  /** `doubtSinceMs`: from the last process. Absent if a person has just set the printer up, and so has checked it. */
  #open(printer: PrinterRecord, doubtSinceMs: EpochMs | null = null): Line {
    const { createTransport, printers, jobs, log, raster = null, logo = null, site = UNPAIRED } = this.#deps
    const { outages, time, clock, random } = this.#deps
    const transport = createTransport(printer, jobs.door.lastMayBePartial(printer.printerId))
    transport.onCapability((capability) => printers.saveCapability(printer, capability))
    let shown = wordsOf(transport.health)
    transport.onHealth((health) => {
      const words = wordsOf(health)
      if (words === shown) return
      shown = words
      log.info({ printer: printer.name, state: health.state, reasons: health.reasons }, 'printer health changed')
      this.changed.notify()
    })
    const shared = { outages, doubtSinceMs, site, time, clock, random, log }
    const backups = {
      takeOverFor: (ticket: { meantFor: string; at: string }) => takeOverFor(ticket, this.#candidates()),
      isUsable: (printerId: string) => this.#isUsable(printerId),
    }
    const worker = new PrinterWorker({ printer, transport, raster, logo, door: jobs.door, ...backups, ...shared })
    const line = { printer, transport, worker, isRetiring: false }
    this.#lines.push(line)
    return line
  }

  #candidates(): BackupCandidate[] {
    const { printers, outages } = this.#deps
    return printers.all().map(({ printerId, settings }) => ({
      printerId,
      backupPrinterId: settings.backupPrinterId,
      isAbsent: outages.isAbsent(printerId),
      isUsable: this.#canPrint(printerId),
      isDoubtful: this.#isDoubtful(printerId),
    }))
  }

  #isUsable(printerId: string): boolean {
    return this.#canPrint(printerId) && !this.#isDoubtful(printerId)
  }

  #isDoubtful(printerId: string): boolean {
    return this.#line(printerId)?.worker.isDoubtful === true
  }

  /** True if it is not known to be unable to print, and not paused. */
  #canPrint(printerId: string): boolean {
    const isPaused = this.#deps.printers.find(printerId)?.settings.paused ?? true
    const state = this.#line(printerId)?.transport.health.state ?? 'offline'
    return !isPaused && state !== 'offline'
  }
}

/** Compares what the connection depends on. */
function isAnotherLine(a: PrinterRecord, b: PrinterRecord): boolean {
  const of = ({ host, port, profileId, settings }: PrinterRecord) => [host, port, profileId, settings.connection]
  return of(a).some((value, index) => value !== of(b)[index])
}

function wordsOf(health: PrinterHealth): string {
  return `${health.state} ${[...health.reasons].sort().join(' ')}`
}
