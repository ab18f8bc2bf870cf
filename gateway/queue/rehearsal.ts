// After the start, the last tickets are laid out again, to nowhere: a kitchen whose orders need drawing waits for no fonts with its first one.
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Service } from '#shared/service.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { type JobTicketInput, renderJobTicket } from '#shared/tickets/render-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { ticketInput } from './ticket-input.ts'

export interface RehearsalDeps {
  contents: Pick<TicketContentStore, 'latest'>
  printers: Pick<PrinterStore, 'find'>
  raster: TextRaster
  time: TimeSource
}

/** The usual dishes, and not so many that a Raspberry Pi is busy with them for long. */
const TICKETS = 20

/** One ticket after the other, so that a real one waits for one of them at most. The raster starts its worker only when something is to draw. */
export class Rehearsal implements Service {
  readonly #deps: RehearsalDeps
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(deps: RehearsalDeps) {
    this.#deps = deps
  }

  /** Resolves at once. */
  async start(): Promise<void> {
    this.#running = this.#run()
  }

  /** Resolves when the last of them is laid out. */
  get ended(): Promise<void> {
    return this.#running
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    for (const { input, profile } of this.#latest()) {
      if (this.#stopped) return
      // What fails here is said when it is to be printed.
      await renderJobTicket(input, profile, this.#deps.raster).catch(() => undefined)
    }
  }

  /** Read at once: the file may be closed by the time when the last one is drawn. */
  #latest(): { input: JobTicketInput; profile: PrinterProfile }[] {
    const { contents, printers, time } = this.#deps
    return contents.latest(TICKETS).flatMap(({ ticket, content }) => {
      const printer = printers.find(ticket.printerId)
      if (!printer) return []
      const profile = profileFor(printer.profileId, printer.settings)
      return [{ input: ticketInput(ticket, content, printer, time.now()), profile }]
    })
  }
}
