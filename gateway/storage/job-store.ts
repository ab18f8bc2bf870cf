// Jobs and their tickets on disk, and the one door through which a ticket changes its state (ticket-states.ts has the table).
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { hasVoidSlip, type TicketPart } from '#shared/tickets/route-job.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { type AttemptEnd, CANCELLED, changeBy, endOfCancelled } from './attempt-end.ts'
import { type ClaimedTicket, claimedTicketOf, docOf, type TicketContent, ticketDigest } from './claimed-ticket.ts'
import { digestOf, type GatewayDatabase } from './database.ts'
import { EXPIRED, jobResult } from './job-result.ts'
import type { ReportStore } from './report-store.ts'
import {
  type HeadRow,
  settledTicketOf,
  type TicketChange,
  type TicketRow,
  TicketRows,
  unchanged,
} from './ticket-rows.ts'
import { assertMove, isOpen, type TicketKind } from './ticket-states.ts'

/** Relay time, as in shared/relay-time.ts. */
export interface TimeSource {
  now(): EpochMs
}

export interface NewJob {
  jobId: string
  stream: string
  seq: number
  possibleDuplicate: boolean
  notBeforeMs: EpochMs | null
  expiresAtMs: EpochMs | null
  /** What to print where; a refused job is kept only as a tombstone and reported as failed. */
  what: { doc: JobDoc; tickets: readonly TicketPart[] } | { refused: string }
}

export type CancelOutcome = 'cancelled' | 'too_late' | 'unknown_job'
/** Receives a claimed ticket after its intent is on disk, in the same tick. */
export type Deliver = (ticket: ClaimedTicket) => void

const FIRE_BATCH = 200
const voidIdOf = ({ ticket_id }: TicketRow): string => `${ticket_id}-void`

export class JobStore {
  /** A fire time or an expiry was added. */
  readonly dueChanged = new Signal()
  readonly #db: GatewayDatabase
  readonly #reports: ReportStore
  readonly #time: TimeSource
  readonly #rows: TicketRows
  /** Workers that wait for the next ticket of their printer. */
  readonly #waiting = new Map<string, Deliver>()
  /** Transaction in which a waiting worker was given a ticket: it gets one only. */
  readonly #givenIn = new Map<string, number>()

  constructor(db: GatewayDatabase, reports: ReportStore, time: TimeSource) {
    this.#db = db
    this.#reports = reports
    this.#time = time
    this.#rows = new TicketRows(db)
  }

  /**
   * Stores a job with its tickets, in the caller's transaction if there is one. A ticket whose printer's worker waits is claimed at once,
   * so that receiving it and the intent to print it are one commit. A job known by its id is not stored again; if it has ended, its
   * result is reported again, because whoever sends it again does not know it.
   */
  insert(job: NewJob): 'stored' | 'known' {
    return this.#db.transaction(() => {
      if (this.#rows.job.get(job.jobId)) {
        this.#reportAgain(job.jobId)
        return 'known'
      }
      if ('refused' in job.what) this.#insertEnded(job, 'failed', job.what.refused)
      else if (this.#rows.isAhead.get(job.jobId)) this.#insertEnded(job, 'cancelled', CANCELLED)
      else this.#insertOpen(job, job.what)
      return 'stored'
    })
  }

  /** Hands the next ticket of a printer to `deliver`, claimed as `sending`: now if one is queued, else when one comes. */
  take(printerId: string, deliver: Deliver): void {
    this.#waiting.set(printerId, deliver)
    if (!this.isWaitedFor(printerId)) return
    try {
      this.#db.transaction(() => this.#giveNext(printerId))
    } catch (error) {
      // Whoever asks again must not have been given one meanwhile.
      this.withdrawWorker(printerId, deliver)
      throw error
    }
  }

  /** The worker no longer waits. */
  withdrawWorker(printerId: string, deliver: Deliver): void {
    if (this.#waiting.get(printerId) === deliver) this.#waiting.delete(printerId)
  }

  /** Whether the printer has a ticket to print. */
  isWaitedFor(printerId: string): boolean {
    return this.#rows.head.get(printerId) !== undefined
  }

  /** Whether the last that the printer got may be a part of a ticket: its next ticket was begun before and has no proof. */
  isBroken(printerId: string): boolean {
    const head = this.#rows.head.get(printerId)
    return head !== undefined && head.attempts > 0 && head.possible_duplicate === 1
  }

  /**
   * Ends the attempt that `take` has begun, reports the job if this was its last open ticket, and, when `next` is given, claims the
   * printer's next ticket: all in one commit.
   */
  settle(ticket: ClaimedTicket, end: AttemptEnd, next: Deliver | null): void {
    try {
      this.#db.transaction(() => {
        const row = this.#rows.ticket.get(ticket.position)
        if (!row || row.ticket_id !== ticket.ticketId) throw new Error(`ticket ${ticket.ticketId} is not in the queue`)
        this.#endAttempt(row, end)
        if (next === null) return
        this.#waiting.set(ticket.printerId, next)
        this.#giveNext(ticket.printerId)
      })
    } catch (error) {
      // The attempt has not ended, so its worker does not wait for the next ticket yet.
      if (next !== null) this.withdrawWorker(ticket.printerId, next)
      throw error
    }
  }

  /**
   * Takes a job back. Tickets that wait are cancelled; where a ticket is, or may be, on paper, a VOID slip is queued
   * (a reprint's only where its order has none yet). A job that has not arrived yet is remembered and will not print.
   */
  cancel(jobId: string, isOrderVoided: boolean): CancelOutcome {
    const job = this.#rows.job.get(jobId)
    if (job?.cancel_outcome) {
      // Whoever asks again has not recorded the job's result.
      this.#reportAgain(jobId)
      return job.cancel_outcome
    }
    return this.#db.transaction(() => {
      if (!job) {
        this.#rows.putAhead.run(jobId, this.#time.now())
        return 'unknown_job'
      }
      this.#withdraw(jobId, CANCELLED)
      const late = this.#ticketsOf(jobId).filter((row) => ['sending', 'printed', 'uncertain'].includes(row.state))
      const outcome = late.length === 0 ? 'cancelled' : 'too_late'
      this.#rows.cancelJob.run(this.#time.now(), outcome, jobId)
      if (job.kind !== 'invalid' && hasVoidSlip(job.kind, isOrderVoided))
        for (const row of late)
          if (job.kind !== 'reprint' || !this.#rows.voidOfOrder.get(jobId, row.printer_id)) this.#insertVoid(row)
      this.#reportIfDone(jobId)
      return outcome
    })
  }

  /** Puts the held tickets whose time has come at the end of their queues. Returns how many. */
  fireDue(): number {
    const now = this.#time.now()
    if (this.#rows.dueHeld.get(now, 1) === undefined) return 0
    return this.#db.transaction(() => {
      const due = this.#rows.dueHeld.all(now, FIRE_BATCH)
      for (const row of due) {
        assertMove(row.state, 'queued')
        this.#rows.requeueAtEnd.run(row.position)
      }
      for (const printerId of new Set(due.map((row) => row.printer_id))) this.#giveNext(printerId)
      return due.length
    })
  }

  /** Cancels what waits of jobs whose expiry has passed, and reports it. Returns how many jobs. */
  expireDue(): number {
    const now = this.#time.now()
    if (this.#rows.expired.get(now, 1) === undefined) return 0
    return this.#db.transaction(() => {
      const jobs = this.#rows.expired.all(now, FIRE_BATCH)
      for (const { job_id } of jobs) {
        this.#withdraw(job_id, EXPIRED)
        this.#reportIfDone(job_id)
      }
      return jobs.length
    })
  }

  /** When the next held ticket fires or the next job expires, relay time; null when nothing waits for a time. */
  nextDueMs(): EpochMs | null {
    const { fire, expiry } = this.#rows.nextDue.get() ?? { fire: null, expiry: null }
    if (fire === null || expiry === null) return fire ?? expiry
    return Math.min(fire, expiry)
  }

  /**
   * At start: a ticket found in `sending` was interrupted, so it may be on paper. It goes back to its place in the queue, marked;
   * after `maxAttempts` it is given up as uncertain, so that a ticket that kills the program cannot do so for ever.
   */
  recover(maxAttempts: number): number {
    const interrupted = this.#rows.inSending.all()
    if (interrupted.length === 0) return 0
    const atMs = this.#time.now()
    this.#db.transaction(() => {
      for (const row of interrupted) {
        const kind = row.attempts >= maxAttempts ? 'uncertain' : 'retry-marked'
        this.#endAttempt(row, { kind, reason: 'interrupted', firstByteAtMs: null, atMs })
      }
    })
    return interrupted.length
  }

  /** Gives tickets that came before any printer was set up to the printers that there are now. */
  assignUnrouted(defaultPrinterId: string, route: (doc: JobDoc) => readonly TicketPart[]): void {
    const jobs = this.#rows.unroutedJobs.all()
    if (jobs.length === 0) return
    this.#db.transaction(() => {
      for (const { job_id } of jobs) this.#assignJob(job_id, defaultPrinterId, route)
    })
  }

  #assignJob(jobId: string, defaultPrinterId: string, route: (doc: JobDoc) => readonly TicketPart[]): void {
    const stored = this.#rows.doc.get(jobId)
    const doc = stored ? docOf(stored.doc, stored.digest) : null
    for (const row of this.#rows.ofJob.all(jobId)) {
      if (row.printer_id !== '' || !isOpen(row.state)) continue
      if (row.kind === 'void' || !doc) {
        this.#rows.setPrinter.run(defaultPrinterId, row.position)
        this.#giveNext(defaultPrinterId)
        continue
      }
      this.#rows.deleteTicket.run(row.position)
      const state: 'held' | 'queued' = row.state === 'held' ? 'held' : 'queued'
      const facts = { state, notBeforeMs: row.not_before_ms, possibleDuplicate: row.possible_duplicate }
      route(doc).forEach((ticket, index) => {
        this.#insertTicket(jobId, `${jobId}-${index + 1}`, 'order', ticket, facts)
      })
    }
  }

  #insertOpen(job: NewJob, { doc, tickets }: { doc: JobDoc; tickets: readonly TicketPart[] }): void {
    const now = this.#time.now()
    this.#insertJob(job, doc, { settledAtMs: null, cancelledAtMs: null, cancelOutcome: null })
    const isHeld = job.notBeforeMs !== null && job.notBeforeMs > now
    const facts = {
      state: isHeld ? ('held' as const) : ('queued' as const),
      notBeforeMs: job.notBeforeMs,
      possibleDuplicate: job.possibleDuplicate ? 1 : 0,
    }
    const isExpired = job.expiresAtMs !== null && job.expiresAtMs <= now
    tickets.forEach((ticket, index) => {
      this.#insertTicket(job.jobId, `${job.jobId}-${index + 1}`, 'order', ticket, facts, isExpired)
    })
    if (isExpired) {
      this.#withdraw(job.jobId, EXPIRED)
      this.#reportIfDone(job.jobId)
    }
    if (isHeld || job.expiresAtMs !== null) this.#db.afterCommit(() => this.dueChanged.notify())
  }

  /** A job without tickets, kept against a second coming and reported. */
  #insertEnded(job: NewJob, state: 'failed' | 'cancelled', reason: string): void {
    const now = this.#time.now()
    const isCancelled = state === 'cancelled'
    this.#insertJob(job, null, {
      settledAtMs: now,
      cancelledAtMs: isCancelled ? now : null,
      cancelOutcome: isCancelled ? 'cancelled' : null,
    })
    const payload = {
      jobId: job.jobId,
      state,
      startedAt: null,
      endedAt: now,
      reason: reason.slice(0, 500),
      tickets: [],
    }
    this.#reports.add(payload, now)
  }

  #insertJob(
    job: NewJob,
    doc: JobDoc | null,
    end: { settledAtMs: number | null; cancelledAtMs: number | null; cancelOutcome: string | null },
  ): void {
    const text = doc === null ? '' : JSON.stringify(doc)
    this.#rows.insertJob.run({
      jobId: job.jobId,
      stream: job.stream,
      seq: job.seq,
      kind: doc?.kind ?? 'invalid',
      serviceOrderId: doc !== null && 'order' in doc ? doc.order.serviceOrderId : null,
      doc: text,
      digest: digestOf(text),
      possibleDuplicate: job.possibleDuplicate ? 1 : 0,
      notBeforeMs: job.notBeforeMs,
      expiresAtMs: job.expiresAtMs,
      receivedAtMs: this.#time.now(),
      ...end,
    })
  }

  #insertTicket(
    jobId: string,
    ticketId: string,
    kind: TicketKind,
    { printerId, station, items, alsoAt }: TicketPart,
    facts: { state: 'held' | 'queued'; notBeforeMs: number | null; possibleDuplicate: number },
    isExpired = false,
  ): void {
    const content = JSON.stringify({ station, items, alsoAt } satisfies TicketContent)
    const digest = ticketDigest(ticketId, kind, content)
    this.#rows.insertTicket.run({
      ticketId,
      jobId,
      printerId,
      kind,
      content,
      digest,
      ...facts,
      settledAtMs: null,
      reason: null,
    })
    if (facts.state === 'queued' && !isExpired) this.#giveNext(printerId)
  }

  /** A VOID slip with the content of a ticket that is, or may be, on paper. */
  #insertVoid(row: TicketRow): void {
    const part: TicketContent = JSON.parse(row.content)
    const facts = { state: 'queued' as const, notBeforeMs: null, possibleDuplicate: 0 }
    this.#insertTicket(row.job_id, voidIdOf(row), 'void', { ...part, printerId: row.printer_id }, facts)
  }

  /** Takes out what waits: cancelled, or uncertain where an earlier copy may be on paper. */
  #withdraw(jobId: string, reason: string): void {
    const settledAtMs = this.#time.now()
    for (const row of this.#ticketsOf(jobId)) {
      if (row.state !== 'held' && row.state !== 'queued') continue
      const mayBeOnPaper = row.state === 'queued' && row.possible_duplicate === 1
      this.#move({ ...unchanged(row), state: mayBeOnPaper ? 'uncertain' : 'cancelled', settledAtMs, reason })
    }
  }

  #endAttempt(row: TicketRow, end: AttemptEnd): void {
    const isCancelled = row.kind === 'order' && this.#rows.job.get(row.job_id)?.cancelled_at_ms !== null
    const change = changeBy(row, isCancelled ? endOfCancelled(row, end) : end)
    this.#move(change)
    // Cancelled on its way to the printer and not on paper after all: its slip would call off what nobody has seen.
    if (isCancelled && change.state === 'cancelled') this.#rows.dropVoid.run(voidIdOf(row))
    this.#reportIfDone(row.job_id)
  }

  #giveNext(printerId: string): void {
    const deliver = this.#waiting.get(printerId)
    if (!deliver || this.#givenIn.get(printerId) === this.#db.transactionNumber) return
    const head = this.#rows.head.get(printerId)
    if (!head) return
    const ticket = this.#claim(head)
    this.#givenIn.set(printerId, this.#db.transactionNumber)
    this.#db.afterCommit(() => {
      this.#waiting.delete(printerId)
      deliver(ticket)
    })
  }

  #claim(head: HeadRow): ClaimedTicket {
    const attempts = head.attempts + 1
    const startedAtMs = head.started_at_ms ?? this.#time.now()
    this.#move({ ...unchanged(head), state: 'sending', attempts, startedAtMs })
    return claimedTicketOf(head, attempts)
  }

  #move(change: TicketChange): void {
    assertMove(change.from, change.state)
    if (this.#rows.change.run(change).changes !== 1) throw new Error(`ticket at ${change.position} was moved meanwhile`)
  }

  #ticketsOf(jobId: string): TicketRow[] {
    return this.#rows.ofJob.all(jobId).filter((row) => row.kind === 'order')
  }

  /** T3: the job's result goes into the outbox in the transaction that settles its last ticket. */
  #reportIfDone(jobId: string): void {
    if (this.#rows.job.get(jobId)?.settled_at_ms !== null || (this.#rows.openOfJob.get(jobId)?.n ?? 0) > 0) return
    const now = this.#time.now()
    this.#rows.settleJob.run(now, jobId)
    this.#reports.add(jobResult(jobId, this.#rows.ofJobWithPrinter.all(jobId).map(settledTicketOf), now), now)
  }

  #reportAgain(jobId: string): void {
    const job = this.#rows.job.get(jobId)
    if (!job || job.settled_at_ms === null) return
    const tickets = this.#rows.ofJobWithPrinter.all(jobId).map(settledTicketOf)
    if (tickets.length > 0) this.#reports.add(jobResult(jobId, tickets, job.settled_at_ms), this.#time.now())
    else {
      const state = job.cancel_outcome === 'cancelled' ? 'cancelled' : 'failed'
      const endedAt = job.settled_at_ms
      this.#reports.add({ jobId, state, startedAt: null, endedAt, reason: null, tickets: [] }, this.#time.now())
    }
  }
}
