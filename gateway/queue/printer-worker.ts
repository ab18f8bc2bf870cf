// Walk 6/10: comes from gateway/orders/accept-order.ts, goes on to shared/tickets/kitchen-ticket.ts. The worker of one printer: prints its tickets one after the other.

import type {
  PreparePurpose,
  PrintDocument,
  PrinterHealth,
  PrinterTransport,
  Readiness,
  SendOutcome,
} from '#gateway/printers/transport.ts'
import { isDiskFull } from '#gateway/storage/database.ts'
import type { OutageStore } from '#gateway/storage/outage-store.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { Deliver, TicketDoor, TimeSource } from '#gateway/storage/ticket-door.ts'
import { type ClaimedTicket, serviceOrderIdOf } from '#gateway/storage/ticket-rows.ts'
import type { AttemptEnd } from '#gateway/storage/ticket-states.ts'
import type { Cancel, Clock, EpochMs } from '#shared/clock.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import { profileFor } from '#shared/tickets/printer-profiles.ts'
import { renderJobTicket } from '#shared/tickets/render-job.ts'
import type { TextRaster } from '#shared/tickets/text-raster.ts'
import { Handover } from './handover.ts'
import { OutageDesk } from './outage-desk.ts'
import { inOwnZone } from './own-zone.ts'
import type { ReceiptLogo } from './receipt-logo.ts'
import { afterAttempt, MAX_ATTEMPTS, readinessWaitMs } from './retry-policy.ts'
import { ticketInput } from './ticket-input.ts'

export interface PrinterWorkerDeps {
  printer: PrinterRecord
  transport: PrinterTransport
  /** Draws what the printer has no characters for. Without one such characters are transliterated. */
  raster?: TextRaster | null
  /** The logo on receipts. */
  logo?: Pick<ReceiptLogo, 'bitmap'> | null
  door: TicketDoor
  outages: OutageStore
  /** The printer that takes over a ticket waiting at a printer. Null: none. */
  takeOverFor: (ticket: { meantFor: string; at: string }) => string | null
  /** True if a printer could print and leaves nothing in doubt, as far as is known. */
  isUsable: (printerId: string) => boolean
  /** Since when it leaves everything in doubt, in relay time. Null: it does not. */
  doubtSinceMs: EpochMs | null
  /** The restaurant with which the gateway is paired. */
  site: SiteFacts
  /** Relay time. */
  time: TimeSource
  clock: Clock
  random: () => number
  log: Logger
}

const POLL_MS = 60_000
const DISK_FULL_WAIT_MS = 1_000
const POLL_OFFLINE_MS = 15_000
/** While its backup prints its tickets, it should be detected soon. */
const POLL_ABSENT_MS = 2_000
const LOOK_FOR_BACKUP_MS = 1_000
/** How long a ticket in flight may continue after `stop`; the transport then has 2 s for the confirmation. */
const GRACE_MS = 1_000
const STOP_LIMIT_MS = 3_300
/** The same if only the printer's address or profile was changed. */
const RETIRE_LIMIT_MS = 15_000

export class PrinterWorker {
  readonly #deps: PrinterWorkerDeps
  readonly #stop = new AbortController()
  /** Aborts the ticket in flight. */
  readonly #hurry = new AbortController()
  readonly #outage: OutageDesk
  #printer: PrinterRecord
  /** Aborts only the ticket in flight, so that another printer can have it. */
  #letGo: AbortController | null = null
  /** A person is moving the ticket. */
  #isMoving = false
  #handover: Handover | null = null
  #running: Promise<void> | null = null
  #cancelGiveUp: Cancel | null = null
  #sending: Promise<SendOutcome> | null = null
  #pollDueMs = 0

  constructor(deps: PrinterWorkerDeps) {
    this.#deps = deps
    this.#printer = deps.printer
    const { printerId } = deps.printer
    const lastMayBePartial = () => deps.door.lastMayBePartial(printerId)
    this.#outage = new OutageDesk({ ...deps, printer: () => this.#printer, lastMayBePartial })
  }

  /** One attempt with a claimed ticket whose intent is on disk. Resolves with the printer's next ticket; null when stopped. */
  async #print(ticket: ClaimedTicket): Promise<ClaimedTicket | null> {
    const { time, clock, random } = this.#deps
    const document = await this.#render(ticket)
    if (typeof document === 'string')
      return this.#settle(ticket, { kind: 'failed', reason: document, atMs: time.now() })

    const startedMs = clock.monotonicMs()
    const outcome = await this.#send(document, `${ticket.ticketId}.${ticket.attempt}`)
    this.#contacted(outcome.kind === 'printed')
    this.#logSend(ticket, outcome, clock.monotonicMs() - startedMs)

    const nowMs = time.now()
    const isOnce = ticket.kind === 'local' && ticket.content?.doc.kind !== 'slip'
    const attempt = isOnce ? MAX_ATTEMPTS : ticket.attempt
    const doubt = isOnce ? 'reprint' : this.#printer.settings.doubt
    const facts = { attempt, nowMs, doubt, relayShiftMs: nowMs - clock.now(), random }
    const step = afterAttempt(outcome, facts)
    const end = { ...step.end, unprintable: document.unprintable }
    if (step.waitMs === null) return this.#settle(ticket, end)
    await this.#store(() => this.#deps.door.settle(ticket, end, null))
    if (this.#isMoving && outcome.kind === 'uncertain') await this.#outage.forget(this.#stop.signal)
    await this.#untilReady(step.waitMs)
    return this.#next()
  }

  /** Starts the worker. `onFatal` gets errors that must end the program. */
  start(onFatal: (error: unknown) => void): void {
    this.#deps.transport.onHealth(({ state }) => this.#watchInPlace(state))
    this.#running ??= this.#run().catch(onFatal)
  }

  /** New settings of the printer at the same address. */
  change(printer: PrinterRecord): void {
    this.#printer = printer
    this.#stopWaiting()
  }

  /** True if it has left tickets in doubt for so long that others should have them. */
  get isDoubtful(): boolean {
    return this.#outage.isDoubtful
  }

  /** Gives up a ticket in which the printer has stopped, so that it can be moved. Resolves when no stopped ticket is in flight. */
  async letGo(): Promise<void> {
    const { transport } = this.#deps
    if (transport.health.state !== 'offline' || !this.#letGo) return
    this.#isMoving = true
    this.#letGo.abort()
    await this.#sending
  }

  /** Claims nothing more, completes the ticket in flight unless the printer has stopped, and closes the connection. */
  async retire(): Promise<void> {
    const { clock, transport } = this.#deps
    this.#stop.abort()
    this.#stopWaiting()
    const hurryInMs = transport.health.state === 'offline' ? 0 : RETIRE_LIMIT_MS
    const cancelHurry = clock.after(hurryInMs, () => this.#hurry.abort())
    await this.#running
    cancelHurry()
    await transport.close()
  }

  /** From this call on it gets no ticket that it was waiting for. */
  #stopWaiting(): void {
    const handover = this.#handover
    if (!handover) return
    this.#deps.door.withdrawWorker(this.#printer.printerId, handover.deliver)
    handover.wake.abort('changed')
  }

  /** Claims nothing more, completes the ticket in flight (at most about 3 s), and closes the connection. */
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
    // What waited while the program was down may be too old. Only a ready printer can print the slip about it.
    if (this.#outage.mustLookForStale) await this.#untilReady(0)
    let ticket = await this.#next()
    while (ticket) ticket = await this.#print(ticket)
  }

  /** One attempt at the printer. Ends if the printer stops in the middle of it and its backup can take over. */
  async #send(document: PrintDocument, attemptId: string): Promise<SendOutcome> {
    const { transport } = this.#deps
    const letGo = new AbortController()
    this.#letGo = letGo
    this.#isMoving = false
    this.#watchInPlace(transport.health.state)
    this.#sending = transport.send(document, attemptId, AbortSignal.any([this.#hurry.signal, letGo.signal]))
    const outcome = await this.#sending
    this.#letGo = null
    this.#sending = null
    this.#cancelGiveUp?.()
    this.#outage.sent(outcome)
    if (outcome.kind === 'printed' && this.#outage.isAbsent) await this.#store(() => this.#outage.isBack())
    return outcome
  }

  /** Ends the attempt and claims the printer's next ticket, in one commit. */
  async #settle(ticket: ClaimedTicket, end: AttemptEnd): Promise<ClaimedTicket | null> {
    const { door } = this.#deps
    if (end.kind !== 'printed') this.#logGivenUp(ticket, end)
    // Nothing is claimed if something else comes before the next ticket.
    const isNext = !this.#stop.signal.aborted && !this.#printer.settings.paused && !this.#outage.mustLookForStale
    if (isNext) return (await this.#await((deliver) => door.settle(ticket, end, deliver))) ?? this.#next()
    await this.#store(() => door.settle(ticket, end, null))
    if (this.#outage.mustLookForStale) await this.#untilReady(0)
    return this.#next()
  }

  /** Waits for the printer's next ticket and claims it; null when stopped. A paused printer gets none. */
  async #next(): Promise<ClaimedTicket | null> {
    const { door } = this.#deps
    while (!this.#stop.signal.aborted) {
      const { printerId, settings } = this.#printer
      const ticket = await this.#await((deliver) => settings.paused || door.take(printerId, deliver))
      if (ticket) return ticket
    }
    return null
  }

  /** Writes. Retries while the disk is full. A ticket whose end could not be written before the stop counts as interrupted. */
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

  /** Waits for the ticket that `ask` has requested, and checks the idle printer meanwhile. */
  async #await(ask: (deliver: Deliver) => unknown): Promise<ClaimedTicket | null> {
    const { clock, door, printer } = this.#deps
    const handover = new Handover()
    this.#handover = handover
    await this.#store(() => ask(handover.deliver))
    while (!handover.ticket && !handover.wake.signal.aborted && !this.#stop.signal.aborted) {
      const waitMs = this.#pollDueMs - clock.monotonicMs()
      if (waitMs > 0) await clock.sleep(waitMs, handover.wake.signal)
      else if (this.#isLookedAfter()) this.#contacted(true)
      else await this.#ask(handover.wake.signal, 'state')
    }
    this.#handover = null
    if (!handover.ticket) door.withdrawWorker(printer.printerId, handover.deliver)
    return handover.ticket
  }

  /** Checks the printer until it can print, or until nothing waits for it any more. No intent is open meanwhile. */
  async #untilReady(firstWaitMs: number): Promise<void> {
    const { clock, random, door } = this.#deps
    let waitMs = firstWaitMs
    for (let tries = 0; ; tries++) {
      const backupInMs = this.#outage.backupDueInMs()
      if (backupInMs === 0) {
        await this.#outage.handOver(this.#stop.signal, (write) => this.#store(write))
        this.#contacted(false)
      }
      // No wait at the start.
      if (waitMs > 0 && door.hasTicketFor(this.#printer.printerId))
        await clock.sleep(Math.min(waitMs, backupInMs || waitMs), this.#stop.signal)
      const { printerId, settings } = this.#printer
      if (this.#stop.signal.aborted || settings.paused || !door.hasTicketFor(printerId)) return
      const readiness = await this.#outage.untilBackup(this.#stop.signal, (signal) =>
        this.#ask(signal, 'waiting-ticket'),
      )
      if (readiness.kind === 'ready' && !this.#outage.isOnTrial) return
      waitMs = readiness.kind === 'ready' ? LOOK_FOR_BACKUP_MS : readinessWaitMs(readiness, tries, random)
    }
  }

  /** Checks whether it can print. If it is ready again, the consequences are on disk when this resolves. */
  async #ask(signal: AbortSignal, purpose: PreparePurpose): Promise<Readiness> {
    const readiness = await this.#deps.transport.prepare(signal, purpose)
    // An aborted check proves nothing about the printer.
    if (signal.aborted && readiness.kind !== 'ready') return readiness
    this.#outage.asked(readiness)
    if (readiness.kind === 'ready') await this.#store(() => this.#outage.isBack())
    this.#contacted(readiness.kind === 'ready' && !this.#outage.isAbsent)
    return readiness
  }

  /** While a ticket is in flight: gives it up if the printer has stopped for too long. */
  #watchInPlace(state: PrinterHealth['state']): void {
    this.#cancelGiveUp?.()
    if (!this.#letGo) return
    const isStopped = state === 'offline'
    this.#outage.stopped(isStopped)
    const dueInMs = isStopped ? this.#outage.backupDueInMs() : null
    if (dueInMs === null) return
    this.#cancelGiveUp = this.#deps.clock.after(dueInMs, () => {
      if (this.#outage.canHandOver) this.#letGo?.abort()
      else this.#cancelGiveUp = this.#deps.clock.after(LOOK_FOR_BACKUP_MS, () => this.#watchInPlace(state))
    })
  }

  /** True if its transport got a good status a short time ago: another query would only block other tills. */
  #isLookedAfter(): boolean {
    const { clock, transport } = this.#deps
    const { state, lastContactMs } = transport.health
    if (state !== 'online' || lastContactMs === undefined) return false
    const sinceMs = clock.now() - lastContactMs
    return sinceMs >= 0 && sinceMs < POLL_MS && !this.#outage.isAbsent && !this.#outage.mustLookForStale
  }

  /** The next idle poll counts from the last contact. */
  #contacted(isWell: boolean): void {
    const { clock, random } = this.#deps
    const offlineMs = this.#outage.isAbsent ? POLL_ABSENT_MS : POLL_OFFLINE_MS
    const everyMs = isWell ? POLL_MS : offlineMs
    this.#pollDueMs = clock.monotonicMs() + everyMs * (0.8 + 0.4 * random())
  }

  /** The document, or a stable code for the reason why there is none. */
  async #render(ticket: ClaimedTicket): Promise<(PrintDocument & { unprintable: number }) | string> {
    const { time, clock, log, site } = this.#deps
    const printer = this.#printer
    const ids = { serviceOrderId: serviceOrderIdOf(ticket), printJobId: ticket.jobId, gatewayId: site.gatewayId }
    if (!ticket.content) {
      log.error({ ...ids, ticketId: ticket.ticketId }, 'the stored ticket is damaged and is not printed')
      return 'damaged'
    }
    const { profileId, settings } = printer
    const startedMs = clock.monotonicMs()
    try {
      const profile = profileFor(profileId, settings)
      const isReceipt = ticket.content.part.paper === 'receipt'
      const logo = isReceipt ? await this.#deps.logo?.bitmap(profile) : null
      const content = inOwnZone(ticket.content, site)
      const input = { ...ticketInput(ticket, { content, printer, nowMs: time.now() }), ...(logo ? { logo } : {}) }
      const document = await renderJobTicket(input, profile, this.#deps.raster ?? null)
      const ms = clock.monotonicMs() - startedMs
      logWalk(
        log,
        { walk: '7/10', ...ids, ms, ticketId: ticket.ticketId, bytes: document.bytes.length },
        'ticket laid out',
      )
      return { ...document, trace: ids }
    } catch (error) {
      // One order that cannot be laid out must not stop the kitchen. The message may quote the order, so it is not logged.
      const name = error instanceof Error ? error.name : 'unknown'
      log.error({ ...ids, ticketId: ticket.ticketId, error: name, at: whereOf(error) }, 'the ticket cannot be laid out')
      return name === 'FirewallError' ? 'firewall' : 'layout-error'
    }
  }

  #logGivenUp({ jobId, ticketId }: ClaimedTicket, end: AttemptEnd): void {
    const reason = 'reason' in end ? end.reason : null
    const facts = { printJobId: jobId, ticketId, printer: this.#printer.name, state: end.kind, reason }
    this.#deps.log.error(facts, 'ticket given up; a person must look')
  }

  #logSend(ticket: ClaimedTicket, outcome: SendOutcome, ms: number): void {
    const { log, printer } = this.#deps
    const facts = {
      serviceOrderId: serviceOrderIdOf(ticket),
      printJobId: ticket.jobId,
      gatewayId: this.#deps.site.gatewayId,
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

/** The first frame of the stack, without the message. */
function whereOf(error: unknown): string | undefined {
  return error instanceof Error
    ? error.stack
        ?.split('\n')
        .find((line) => /^\s+at /.test(line))
        ?.trim()
    : undefined
}
