// Walk 6/10: comes from gateway/orders/accept-order.ts, goes on to shared/tickets/kitchen-ticket.ts. One printer's worker: prints its tickets one after the other.

import type { PrintDocument, PrinterTransport, SendOutcome } from '#gateway/printers/transport.ts'
import type { AttemptEnd } from '#gateway/storage/attempt-end.ts'
import type { ClaimedTicket } from '#gateway/storage/claimed-ticket.ts'
import { isDiskFull } from '#gateway/storage/database.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { Deliver, TicketDoor, TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import { profileById } from '#shared/tickets/printer-profiles.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { afterAttempt, readinessWaitMs } from './retry-policy.ts'

export interface PrinterWorkerDeps {
  printer: PrinterRecord
  transport: PrinterTransport
  /** Draws what the printer has no characters for; without one such characters are transliterated. */
  raster?: TextRaster | null
  door: TicketDoor
  /** Relay time. */
  time: TimeSource
  clock: Clock
  random: () => number
  log: Logger
  gatewayId: string
}

/** A ticket that reaches the kitchen later than this carries the LATE banner. */
const LATE_AFTER_MS = 600_000
const POLL_MS = 60_000
const DISK_FULL_WAIT_MS = 1_000
const POLL_OFFLINE_MS = 15_000
/** A ticket in flight may end in peace for this long after `stop`; the transport then has 2 s for the confirmation. */
const GRACE_MS = 1_000
const STOP_LIMIT_MS = 3_300

export class PrinterWorker {
  readonly #deps: PrinterWorkerDeps
  readonly #stop = new AbortController()
  /** Aborts the ticket in flight. */
  readonly #hurry = new AbortController()
  #handover: Handover | null = null
  #running: Promise<void> | null = null
  #pollDueMs = 0

  constructor(deps: PrinterWorkerDeps) {
    this.#deps = deps
  }

  /** One attempt with a claimed ticket, its intent being on disk. Resolves with the printer's next ticket, null when stopped. */
  async #print(ticket: ClaimedTicket): Promise<ClaimedTicket | null> {
    const { printer, transport, time, clock, random } = this.#deps
    const document = await this.#render(ticket)
    if (typeof document === 'string')
      return this.#settle(ticket, { kind: 'failed', reason: document, atMs: time.now() })

    const startedMs = clock.monotonicMs()
    const outcome = await transport.send(document, `${ticket.ticketId}.${ticket.attempt}`, this.#hurry.signal)
    this.#contacted(outcome.kind === 'printed')
    this.#logSend(ticket, outcome, clock.monotonicMs() - startedMs)

    const nowMs = time.now()
    const relayShiftMs = nowMs - clock.now()
    const step = afterAttempt(outcome, {
      attempt: ticket.attempt,
      nowMs,
      doubt: printer.settings.doubt,
      relayShiftMs,
      random,
    })
    if (step.waitMs === null) return this.#settle(ticket, step.end)
    await this.#store(() => this.#deps.door.settle(ticket, step.end, null))
    await this.#untilReady(step.waitMs)
    return this.#next()
  }

  /** Starts working; `onFatal` gets what must end the program. */
  start(onFatal: (error: unknown) => void): void {
    this.#running ??= this.#run().catch(onFatal)
  }

  /** Claims nothing more, lets the ticket in flight end (at most about 3 s), closes the connection. */
  async stop(): Promise<void> {
    const { clock, transport } = this.#deps
    this.#stop.abort()
    this.#handover?.wake.abort()
    const cancelHurry = clock.after(GRACE_MS, () => this.#hurry.abort())
    const limit = new AbortController()
    await Promise.race([this.#running, clock.sleep(STOP_LIMIT_MS, limit.signal)])
    limit.abort()
    cancelHurry()
    await transport.close()
  }

  async #run(): Promise<void> {
    let ticket = await this.#next()
    while (ticket) ticket = await this.#print(ticket)
  }

  /** Ends the attempt and takes the printer's next ticket, in one commit. */
  #settle(ticket: ClaimedTicket, end: AttemptEnd): Promise<ClaimedTicket | null> {
    const { door, printer, log } = this.#deps
    if (end.kind !== 'printed')
      log.error(
        {
          printJobId: ticket.jobId,
          ticketId: ticket.ticketId,
          printer: printer.name,
          state: end.kind,
          reason: 'reason' in end ? end.reason : null,
        },
        'ticket given up; a person must look',
      )
    if (this.#stop.signal.aborted) {
      return this.#store(() => door.settle(ticket, end, null)).then(() => null)
    }
    return this.#await((deliver) => door.settle(ticket, end, deliver))
  }

  /** The printer's next ticket, claimed, whenever it comes; null when stopped. */
  #next(): Promise<ClaimedTicket | null> {
    if (this.#stop.signal.aborted) return Promise.resolve(null)
    return this.#await((deliver) => this.#deps.door.take(this.#deps.printer.printerId, deliver))
  }

  /** Writes; while the disk is full it tries again. A ticket whose end could not be written before the stop counts as interrupted. */
  async #store(write: () => unknown): Promise<void> {
    const { clock, log, printer } = this.#deps
    for (let tries = 0; ; tries++) {
      try {
        write()
        return
      } catch (error) {
        if (!isDiskFull(error)) throw error
        if (tries === 0) log.error({ printer: printer.name }, 'the disk is full: printing waits until there is room')
      }
      if (this.#stop.signal.aborted) return
      await clock.sleep(DISK_FULL_WAIT_MS, this.#stop.signal)
    }
  }

  /** Waits for the ticket that `ask` has asked for, and looks after the idle printer meanwhile. */
  async #await(ask: (deliver: Deliver) => unknown): Promise<ClaimedTicket | null> {
    const { clock, door, printer, transport } = this.#deps
    const handover = new Handover()
    this.#handover = handover
    await this.#store(() => ask(handover.deliver))
    while (!handover.ticket && !this.#stop.signal.aborted) {
      const waitMs = this.#pollDueMs - clock.monotonicMs()
      if (waitMs > 0) await clock.sleep(waitMs, handover.wake.signal)
      else {
        const readiness = await transport.prepare(handover.wake.signal)
        this.#contacted(readiness.kind === 'ready')
      }
    }
    this.#handover = null
    if (!handover.ticket) door.withdrawWorker(printer.printerId, handover.deliver)
    return handover.ticket
  }

  /** Asks the printer until it can print, or until nothing waits for it any more. No intent is open meanwhile. */
  async #untilReady(firstWaitMs: number): Promise<void> {
    const { clock, random, transport, door, printer } = this.#deps
    let waitMs = firstWaitMs
    for (let tries = 0; !this.#stop.signal.aborted; tries++) {
      await clock.sleep(waitMs, this.#stop.signal)
      if (this.#stop.signal.aborted || !door.isWaitedFor(printer.printerId)) return
      const readiness = await transport.prepare(this.#stop.signal)
      this.#contacted(readiness.kind === 'ready')
      if (readiness.kind === 'ready') return
      waitMs = readinessWaitMs(readiness, tries, random)
    }
  }

  /** The next idle poll counts from the last contact. */
  #contacted(isWell: boolean): void {
    const { clock, random } = this.#deps
    const everyMs = isWell ? POLL_MS : POLL_OFFLINE_MS
    this.#pollDueMs = clock.monotonicMs() + everyMs * (0.8 + 0.4 * random())
  }

  /** The document, or in a stable word why there is none. */
  async #render(ticket: ClaimedTicket): Promise<PrintDocument | string> {
    const { printer, time, clock, log } = this.#deps
    const ids = {
      serviceOrderId: serviceOrderIdOf(ticket),
      printJobId: ticket.jobId,
      gatewayId: this.#deps.gatewayId,
    }
    if (!ticket.content) {
      log.error({ ...ids, ticketId: ticket.ticketId }, 'the stored ticket is damaged and is not printed')
      return 'damaged'
    }
    const nowMs = time.now()
    const isLate = isHurried(ticket) && nowMs - ticket.dueAtMs > LATE_AFTER_MS
    const startedMs = clock.monotonicMs()
    try {
      const document = await renderJobTicket(
        {
          ...ticket.content,
          kind: ticket.kind === 'void' ? 'void' : ticket.content.doc.kind,
          printerName: printer.name,
          marks: { possibleDuplicate: ticket.possibleDuplicate, lateSinceMs: isLate ? ticket.dueAtMs : null },
          ticketLabel: ticketLabel(ticket),
          attempt: ticket.attempt,
          nowMs,
        },
        profileById(printer.profileId),
        this.#deps.raster ?? null,
      )
      const ms = clock.monotonicMs() - startedMs
      logWalk(
        log,
        { walk: '7/10', ...ids, ms, ticketId: ticket.ticketId, bytes: document.bytes.length },
        'ticket laid out',
      )
      return { ...document, trace: ids }
    } catch (error) {
      // A boundary: one order that cannot be laid out must not stop the kitchen. The message may quote the order, so it is not logged.
      const name = error instanceof Error ? error.name : 'unknown'
      log.error({ ...ids, ticketId: ticket.ticketId, error: name, at: whereOf(error) }, 'the ticket cannot be laid out')
      return name === 'FirewallError' ? 'firewall' : 'layout-error'
    }
  }

  #logSend(ticket: ClaimedTicket, outcome: SendOutcome, ms: number): void {
    const { log, printer, gatewayId } = this.#deps
    const facts = {
      serviceOrderId: serviceOrderIdOf(ticket),
      printJobId: ticket.jobId,
      gatewayId,
      ticketId: ticket.ticketId,
      printer: printer.name,
      attempt: ticket.attempt,
      ms,
    }
    if (outcome.kind === 'printed')
      logWalk(
        log,
        { walk: '6/10', ...facts, confirmation: outcome.confirmation, method: outcome.method },
        'ticket printed',
      )
    else if (outcome.kind === 'not-sent')
      logWalk(
        log,
        { walk: '6/10', ...facts, reason: outcome.readiness.reason },
        'printer not ready, nothing sent, ticket stays queued',
      )
    else
      logWalk(
        log,
        { walk: '6/10', ...facts, reason: outcome.reason, bytesWritten: outcome.bytesWritten },
        'no proof that the ticket is on paper; the next copy is marked',
      )
  }
}

/** The ticket on its way from the store to the worker. */
class Handover {
  ticket: ClaimedTicket | null = null
  /** Aborted when the ticket comes, or to stop waiting. */
  readonly wake = new AbortController()
  readonly deliver: Deliver = (ticket) => {
    this.ticket = ticket
    // With a reason, because without one an exception with its stack is made for each ticket.
    this.wake.abort('ticket')
  }
}

function serviceOrderIdOf({ content }: ClaimedTicket): string | undefined {
  return content !== null && 'order' in content.doc ? content.doc.order.serviceOrderId : undefined
}

/** A ticket that the kitchen works by: when it comes late, it says so. */
function isHurried({ kind, content }: ClaimedTicket): boolean {
  return kind === 'order' && (content?.doc.kind === 'order' || content?.doc.kind === 'note')
}

/** What staff read out on the telephone: the end of the job's id and the ticket's number. */
function ticketLabel({ ticketId, jobId }: ClaimedTicket): string {
  return `${jobId.slice(-4)}${ticketId.slice(jobId.length)}`.toUpperCase()
}

/** Where it was thrown: the first frame of the stack, without the message. */
function whereOf(error: unknown): string | undefined {
  return error instanceof Error
    ? error.stack
        ?.split('\n')
        .find((line) => /^\s+at /.test(line))
        ?.trim()
    : undefined
}
