// The print queue: one worker per printer, so that a dead printer never delays another.
//
// A ticket at one printer (the legal moves stand in gateway/storage/ticket-states.ts):
//   held      -> queued     its fire time has come; it goes to the end of the queue
//   queued    -> sending    the worker has it: the intent is on disk before the first byte
//   sending   -> printed    the printer's proof came, or it is known to give none and took everything
//   sending   -> queued     nothing was sent: no mark, not counted; the printer is asked until it can print, only then a new intent
//   sending   -> queued     bytes went out without proof, or the program was interrupted: the next copy says POSSIBLE DUPLICATE
//   sending   -> uncertain  the same after the last attempt: a person must look; the queue goes on
//   sending   -> failed     its bytes cannot be made; the queue goes on
// Tickets of a printer leave strictly in the order of their positions; one is in flight at a time.

import type { PrinterHealth, PrinterTransport } from '#gateway/printers/transport.ts'
import type { HistoryStore } from '#gateway/storage/history-store.ts'
import type { JobStore } from '#gateway/storage/job-store.ts'
import type { PrinterRecord, PrinterStore } from '#gateway/storage/printer-store.ts'
import type { ReportStore } from '#gateway/storage/report-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { Service } from '#shared/service.ts'
import { Signal } from '#shared/signal.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import type { PrinterReport } from '#shared/wire/gateway-link.ts'
import { PrinterWorker } from './printer-worker.ts'
import { MAX_ATTEMPTS } from './retry-policy.ts'

export interface PrintQueueDeps {
  jobs: JobStore
  history: HistoryStore
  printers: PrinterStore
  reports: ReportStore
  /** Makes the connection to a printer. `interrupted`: part of a ticket may stand on its paper without a cut. */
  createTransport: (printer: PrinterRecord, interrupted: boolean) => PrinterTransport
  /** Draws what printers have no characters for; without one such characters are transliterated. */
  raster?: TextRaster | null
  /** Relay time. */
  time: TimeSource
  clock: Clock
  random: () => number
  log: Logger
  /** For the log; empty while unpaired. */
  gatewayId?: string
  /** A bug or a failed disk: the program must end and start again. */
  onFatal: (error: unknown) => void
}

export interface PrinterView extends PrinterReport {
  host: string
  port: number
  profileId: string
  hint: string
  sinceMs: number
}

export interface QueueSnapshot {
  printers: PrinterReport[]
  queue: { queued: number; held: number; unreported: number }
}

interface Line {
  printer: PrinterRecord
  transport: PrinterTransport
  worker: PrinterWorker
}

export class PrintQueue implements Service {
  /** A printer's state or reasons changed. Not fired for each ticket: counts go with the next status. */
  readonly changed = new Signal()
  readonly #deps: PrintQueueDeps
  #lines: Line[] = []
  #started = false

  constructor(deps: PrintQueueDeps) {
    this.#deps = deps
  }

  get started(): boolean {
    return this.#started
  }

  async start(): Promise<void> {
    if (this.#started) return
    this.#started = true
    const { jobs, printers, log, onFatal } = this.#deps
    const interrupted = jobs.door.recover(MAX_ATTEMPTS, (id) => printers.find(id)?.settings.doubt === 'hold')
    if (interrupted > 0) log.warn({ tickets: interrupted }, 'tickets were interrupted; their next copies are marked')
    this.#lines = printers.all().map((printer) => this.#open(printer, jobs.door.isBroken(printer.printerId)))
    for (const { worker } of this.#lines) worker.start(onFatal)
  }

  /** Claims nothing more and lets the tickets in flight end, at most about 3 s. */
  async stop(): Promise<void> {
    this.#started = false
    await Promise.all(this.#lines.map(({ worker }) => worker.stop()))
    this.#lines = []
  }

  /** For the relay. */
  snapshot(): QueueSnapshot {
    const { queued, held } = this.#deps.history.counts()
    const printers = this.printers().map(({ printerId, name, stations, isDefault, state, reasons, queued }) => ({
      printerId,
      name,
      stations,
      isDefault,
      state,
      reasons,
      queued,
    }))
    return { printers, queue: { queued, held, unreported: this.#deps.reports.count() } }
  }

  /** For people: with address and what to do. */
  printers(): PrinterView[] {
    const { byPrinter } = this.#deps.history.counts()
    return this.#lines.map(({ printer, transport }) => {
      const { state, reasons, hint, sinceMs } = transport.health
      return {
        printerId: printer.printerId,
        name: printer.name,
        stations: [...printer.stations],
        isDefault: printer.isDefault,
        state,
        reasons: reasons.slice(0, 16),
        queued: byPrinter.get(printer.printerId) ?? 0,
        host: printer.host,
        port: printer.port,
        profileId: printer.profileId,
        hint,
        sinceMs,
      }
    })
  }

  #open(printer: PrinterRecord, interrupted: boolean): Line {
    const { createTransport, printers, gatewayId = '', raster = null, jobs, time, clock, random, log } = this.#deps
    const transport = createTransport(printer, interrupted)
    transport.onCapability((capability) => printers.saveCapability(printer.printerId, capability))
    let shown = wordsOf(transport.health)
    transport.onHealth((health) => {
      const words = wordsOf(health)
      if (words === shown) return
      shown = words
      log.info({ printer: printer.name, state: health.state, reasons: health.reasons }, 'printer health changed')
      this.changed.notify()
    })
    const worker = new PrinterWorker({
      printer,
      transport,
      raster,
      door: jobs.door,
      time,
      clock,
      random,
      log,
      gatewayId,
    })
    return { printer, transport, worker }
  }
}

function wordsOf(health: PrinterHealth): string {
  return `${health.state} ${[...health.reasons].sort().join(' ')}`
}
