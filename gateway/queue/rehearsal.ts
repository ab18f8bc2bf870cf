// After the start, lays out the last tickets (or a sample order) without printing them, so that fonts are loaded and code is warm for the first order.
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { TicketContentStore } from '#gateway/storage/ticket-content-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Service } from '#shared/service.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { type JobTicketInput, renderJobTicket } from '#shared/tickets/render-job.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { type JobDoc, jobDoc } from '#shared/wire/gateway-link.ts'
import { ticketInput } from './ticket-input.ts'

export interface RehearsalDeps {
  contents: Pick<TicketContentStore, 'latest'>
  printers: Pick<PrinterStore, 'find' | 'all'>
  raster: TextRaster
  time: TimeSource
}

/** The usual dishes, but few enough that a Raspberry Pi is not busy with them for long. */
const TICKETS = 20

/** In the form in which the relay sends it. All printers have its letters. */
const MODEL_ORDER: JobDoc = {
  kind: 'order',
  order: {
    serviceOrderId: 'ord_model',
    orderId: 'MODEL-1',
    merchantId: 'M',
    locationId: 'L',
    source: 'model',
    posOrderId: null,
    fireAtMs: null,
    readyByMs: null,
    queuedAtMs: 0,
    timeZone: 'UTC',
    customer: { name: 'Model' },
    items: [
      {
        umsId: 'a',
        name: 'Model dish',
        qty: 2,
        note: 'well done',
        modifiers: [{ umsId: 'c', name: 'extra sauce' }],
        station: null,
      },
      { umsId: 'b', name: 'Model drink', qty: 1, modifiers: [], station: null },
    ],
  },
}

interface Rehearsed {
  input: JobTicketInput
  profile: PrinterProfile
}

/**
 * One ticket after the other, so that a real one waits for at most one of them. The raster starts its worker only if something has to be
 * drawn.
 */
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
    const latest = this.#latest()
    for (const { input, profile } of latest) await this.#layOut(input, profile)
    // The start does not wait for this.
    await new Promise((resolve) => setImmediate(resolve))
    const known = new Set(latest.map(({ profile }) => profile))
    for (const { input, profile } of this.#models()) if (!known.has(profile)) await this.#layOut(input, profile)
  }

  async #layOut(input: JobTicketInput, profile: PrinterProfile): Promise<void> {
    if (this.#stopped) return
    // A failure here is reported when the ticket is printed.
    await renderJobTicket(input, profile, this.#deps.raster).catch(() => undefined)
  }

  /** Read at once: the database may be closed before the last one is drawn. */
  #latest(): Rehearsed[] {
    const { contents, printers, time } = this.#deps
    return contents.latest(TICKETS).flatMap(({ ticket, content }) => {
      const printer = printers.find(ticket.printerId)
      if (!printer) return []
      const profile = profileFor(printer.profileId, printer.settings)
      return [{ input: ticketInput(ticket, { content, printer, nowMs: time.now() }), profile }]
    })
  }

  /** The sample order on each printer, parsed and routed like an order of the relay. */
  #models(): Rehearsed[] {
    if (this.#stopped) return []
    const { printers, time } = this.#deps
    const doc = jobDoc.parse(MODEL_ORDER)
    return printers.all().flatMap((printer) => {
      const profile = profileFor(printer.profileId, printer.settings)
      const marks = { possibleDuplicate: false, lateSinceMs: null, backupFrom: null }
      const facts = { printerName: printer.name, marks, ticketLabel: 'MODEL', attempt: 1, nowMs: time.now() }
      return routeJob(doc, [printer]).map((part) => ({ input: { doc, part, kind: doc.kind, ...facts }, profile }))
    })
  }
}
