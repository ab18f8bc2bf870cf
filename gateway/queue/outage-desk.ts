// Handles outages for one printer's worker: moves its tickets to the backup, takes over again, parks tickets that are too old.
import type { PrinterTransport, Readiness, SendOutcome } from '#gateway/printers/transport.ts'
import type { ListedTicket, OutageStore } from '#gateway/storage/outage-store.ts'
import type { PrinterRecord } from '#gateway/storage/printer-store.ts'
import type { TimeSource } from '#gateway/storage/ticket-door.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import type { Logger } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { LocalDoc } from '#shared/tickets/local-doc.ts'
import { TicketTimes } from '#shared/tickets/ticket-times.ts'
import {
  backupDueInMs,
  hasStaleRule,
  NO_TROUBLE,
  staleTickets,
  type Trouble,
  troubleAfterAsking,
  troubleAfterSending,
  troubleInPlace,
} from './outage-policy.ts'

export interface OutageDeps {
  outages: OutageStore
  transport: PrinterTransport
  /** The printer with its current settings. */
  printer: () => PrinterRecord
  /** The printer that takes over a ticket waiting at a printer. Null: none. */
  takeOverFor: (ticket: { meantFor: string; at: string }) => string | null
  isUsable: (printerId: string) => boolean
  /** True if the last document that it got may be incomplete. */
  lastMayBePartial: () => boolean
  /** Since when it leaves everything in doubt, in relay time, as stored by the last process. Null: it does not. */
  doubtSinceMs: EpochMs | null
  site: Pick<SiteFacts, 'timeZone'>
  time: TimeSource
  clock: Clock
  log: Logger
}

const DISCARD_LIMIT_MS = 4_000
/**
 * Waits before each further attempt at an absent printer that is ready but proved nothing in its last attempt. Growing, because each
 * attempt may be paper.
 */
const TRY_AGAIN_MS = [5_000, 10_000, 15_000, 30_000, 60_000, 120_000] as const
/**
 * After an attempt without proof, a printer in doubt may get tickets of others again after this time, doubled for each. Only a ticket can
 * show that it works.
 */
const CHANCE_AFTER_MS = 30_000
const MOST_DOUBLINGS = 4

export class OutageDesk {
  readonly #deps: OutageDeps
  #trouble: Trouble
  /** True until the printer was seen to work, also at the start: tickets that waited meanwhile may be too old. */
  #wasAway = true
  /** Attempts without proof since the last good one, and the time of the next one while others have its tickets. */
  #unproved = 0
  #tryAgainAtMs = 0
  /** From this time it counts as ready for the tickets of others, although it is in doubt. */
  #chanceAtMs = 0

  constructor(deps: OutageDeps) {
    this.#deps = deps
    const { doubtSinceMs, time, clock } = deps
    const doubtedForMs = doubtSinceMs === null ? null : Math.max(0, time.now() - doubtSinceMs)
    const doubtMs = doubtedForMs === null ? null : clock.monotonicMs() - doubtedForMs
    this.#trouble = { ...NO_TROUBLE, doubtMs }
    if (doubtMs !== null) this.#chanceAtMs = doubtMs + CHANCE_AFTER_MS
  }

  /** True if its tickets go to its backup. */
  get isAbsent(): boolean {
    return this.#deps.outages.isAbsent(this.#deps.printer().printerId)
  }

  /** True if it is ready, but proved nothing in its last attempt a short time ago, and others have its tickets. */
  get isOnTrial(): boolean {
    const { outages, clock, isUsable } = this.#deps
    if (this.#trouble.doubtMs === null || !this.isAbsent || clock.monotonicMs() >= this.#tryAgainAtMs) return false
    return !outages.isAnyStranded(this.#deps.printer().printerId, isUsable)
  }

  /** True if old tickets must be parked before the next one is taken. */
  get mustLookForStale(): boolean {
    return this.#wasAway && hasStaleRule(this.#deps.printer().settings)
  }

  /** Milliseconds until its tickets may be moved. Null: not in the current state. */
  backupDueInMs(): number | null {
    const { printer, clock } = this.#deps
    const { settings } = printer()
    // It was absent long enough before the program began, or before somebody moved a ticket here.
    if (this.isAbsent && !settings.paused) return 0
    return backupDueInMs(this.#trouble, settings, clock.monotonicMs())
  }

  /** True if it has left tickets in doubt for so long, and so recently, that others should have them. */
  get isDoubtful(): boolean {
    const { printer, clock } = this.#deps
    const { doubtMs } = this.#trouble
    const nowMs = clock.monotonicMs()
    if (doubtMs === null || nowMs >= this.#chanceAtMs) return false
    return nowMs - doubtMs >= printer().settings.backupWhenDoubtfulAfterMs
  }

  /** True if another printer could get a ticket of this one. */
  get canHandOver(): boolean {
    const { outages, takeOverFor } = this.#deps
    const { printerId } = this.#deps.printer()
    const meant = new Set([...(this.isAbsent ? [] : [printerId]), ...outages.meantFor(printerId)])
    return [...meant].some((meantFor) => takeOverFor({ meantFor, at: printerId }) !== null)
  }

  /**
   * Checks the printer until it answers, or until its tickets may be moved: a slow check, such as identifying another device, must not
   * delay them.
   */
  async untilBackup(stop: AbortSignal, ask: (signal: AbortSignal) => Promise<Readiness>): Promise<Readiness> {
    const dueInMs = this.backupDueInMs()
    if (!dueInMs || !this.canHandOver) return ask(stop)
    const due = new AbortController()
    const cancel = this.#deps.clock.after(dueInMs, () => due.abort())
    const readiness = await ask(AbortSignal.any([stop, due.signal]))
    cancel()
    return readiness
  }

  asked(readiness: Readiness): void {
    this.#trouble = troubleAfterAsking(this.#trouble, readiness, this.#deps.clock.monotonicMs())
    if (readiness.kind !== 'ready') this.#wasAway = true
  }

  sent(outcome: SendOutcome): void {
    this.#trouble = troubleAfterSending(this.#trouble, outcome, this.#deps.clock.monotonicMs())
    if (outcome.kind !== 'printed') this.#wasAway = true
    if (outcome.kind === 'printed') this.#unproved = 0
    else if (outcome.kind === 'uncertain' || outcome.slipUnproved) {
      const nowMs = this.#deps.clock.monotonicMs()
      this.#tryAgainAtMs = nowMs + (TRY_AGAIN_MS[Math.min(this.#unproved, TRY_AGAIN_MS.length - 1)] ?? 0)
      this.#chanceAtMs = nowMs + CHANCE_AFTER_MS * 2 ** Math.min(this.#unproved, MOST_DOUBLINGS)
      this.#unproved++
    }
  }

  /** The printer stopped in the middle of a ticket, or continued. */
  stopped(isBlocked: boolean): void {
    this.#trouble = troubleInPlace(this.#trouble, isBlocked, this.#deps.clock.monotonicMs())
    if (isBlocked) this.#wasAway = true
  }

  /** Moves its tickets to printers that can print them. Not called while a ticket is in flight. */
  async handOver(signal: AbortSignal, store: (write: () => void) => Promise<void>): Promise<void> {
    const { outages, takeOverFor, lastMayBePartial, log } = this.#deps
    const { printerId, name } = this.#deps.printer()
    if (!this.canHandOver) return
    if (lastMayBePartial()) {
      await this.forget(signal)
      if (signal.aborted) return
    }
    await store(() => {
      const tickets = outages.handOver(printerId, (meantFor) => takeOverFor({ meantFor, at: printerId }))
      if (tickets) log.warn({ printer: name, tickets }, 'the printer is away: others have its tickets')
    })
  }

  /**
   * Clears the printer's buffer, whose content must not be printed after another printer has printed it. Not called while a ticket is in
   * flight.
   */
  async forget(signal: AbortSignal): Promise<void> {
    const { transport, clock, log } = this.#deps
    const limit = new AbortController()
    const cancel = clock.after(DISCARD_LIMIT_MS, () => limit.abort())
    const isEmpty = await transport.discard(AbortSignal.any([signal, limit.signal]))
    cancel()
    const { name } = this.#deps.printer()
    log.info({ printer: name, isEmpty }, 'the printer was asked to forget what it has not printed')
  }

  /** The printer can print: it gets its tickets again, and those that are too old are parked. Writes; may be called repeatedly. */
  isBack(): void {
    if (this.isOnTrial) return
    const { outages, isUsable, time, log } = this.#deps
    const { timeZone } = this.#deps.site
    const { printerId, name, settings } = this.#deps.printer()
    if (this.isAbsent) {
      outages.end(printerId, isUsable, (moved) => movedSlip(moved, { nowMs: time.now(), timeZone }))
      log.info({ printer: name }, 'the printer is back: its tickets are its own again')
    }
    if (this.mustLookForStale) {
      const nowMs = time.now()
      const stale = staleTickets(outages.waiting(printerId), settings, nowMs)
      if (stale.length > 0) {
        outages.park(printerId, stale, staleSlip(stale, { nowMs, timeZone }))
        log.warn(
          { printer: name, tickets: stale.length },
          'tickets are too old after the outage: they wait for a person',
        )
      }
    }
    this.#wasAway = false
  }
}

// Slips of the gateway after an outage: which tickets another printer printed, and which wait for a person. Pure.
interface When {
  nowMs: number
  /** IANA time zone of the restaurant. */
  timeZone: string
}

const MOST_LINES = 100

/** The slip for a printer that is ready again: tickets that its backup printed. Nothing on it must be made. */
export function movedSlip(moved: readonly ListedTicket[], { nowMs, timeZone }: When): LocalDoc {
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `THIS PRINTER WAS AWAY. ${count(moved.length)} WENT ELSEWHERE`,
    lines: shortened(moved, (ticket) => `${nameOf(ticket)} ${whereabouts(ticket)}`),
    footer: 'They do not print here again.',
  }
}

/** One slip instead of many old tickets. */
export function staleSlip(stale: readonly ListedTicket[], { nowMs, timeZone }: When): LocalDoc {
  const times = new TicketTimes(timeZone, nowMs)
  const oldestMs = Math.min(...stale.map(({ dueAtMs }) => dueAtMs))
  return {
    kind: 'slip',
    queuedAtMs: nowMs,
    timeZone,
    title: `${count(stale.length)} WAITED ${times.time(oldestMs)}-${times.time(nowMs)}`,
    lines: shortened(stale, (ticket) => `${nameOf(ticket)} from ${times.time(ticket.dueAtMs)}`),
    footer: 'They are held. Print or dismiss them at the kitchen box.',
  }
}

function shortened(tickets: readonly ListedTicket[], lineOf: (ticket: ListedTicket) => string): string[] {
  if (tickets.length <= MOST_LINES) return tickets.map(lineOf)
  const shown = tickets.slice(0, MOST_LINES - 1)
  return [...shown.map(lineOf), `... and ${tickets.length - shown.length} more`]
}

function count(n: number): string {
  return n === 1 ? '1 TICKET' : `${n} TICKETS`
}

function nameOf({ called, kind, paper, possibleDuplicate }: ListedTicket): string {
  const what = kind === 'void' ? 'VOID ' : ''
  const which = paper === 'kitchen' ? '' : ` ${paper}`
  return `${what}${called}${which}${possibleDuplicate ? ' (part may be here)' : ''}`
}

function whereabouts({ state, printerName }: ListedTicket): string {
  switch (state) {
    case 'printed':
      return `-> ${printerName}`
    case 'cancelled':
      return '- cancelled'
    case 'uncertain':
    case 'failed':
      return `-> ${printerName}: LOOK THERE`
    default:
      return `-> ${printerName}, waits there`
  }
}
