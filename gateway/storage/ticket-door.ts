// The only place where a ticket changes its state (ticket-states.ts has the table), and where printers' workers get their tickets.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { ClaimCount } from './claim-count.ts'
import type { GatewayDatabase } from './database.ts'
import type { ReportStore } from './report-store.ts'
import { ScreenWorkRows } from './screen-work.ts'
import {
  AbsenceRows,
  AttemptRows,
  type Bind,
  type ClaimedTicket,
  claimedTicketOf,
  type HeadRow,
  JobRows,
  type KnownDoc,
  LOCAL_STREAM,
  type TicketContent,
  TicketRows,
  ticketDigest,
} from './ticket-rows.ts'
import {
  type AttemptEnd,
  assertMove,
  attemptOf,
  changeBy,
  endOfCancelled,
  isOpen,
  jobResult,
  type TicketChange,
  type TicketKind,
  type TicketRow,
  type TicketState,
  unchanged,
} from './ticket-states.ts'

/** Relay time, as in shared/relay-time.ts. */
export interface TimeSource {
  now(): EpochMs
}

/** Receives a claimed ticket after its intent is on disk, in the same tick. */
export type Deliver = (ticket: ClaimedTicket) => void

export interface NewTicket {
  ticketId: string
  jobId: string
  kind: TicketKind
  part: TicketPart
  state: 'held' | 'queued'
  notBeforeMs: number | null
  possibleDuplicate: number
  /** Printed before what waits. */
  isUrgent?: boolean
  /** It will be withdrawn in the same transaction: no worker may get it. */
  isWithheld?: boolean
  /** It waits for this printer, even while that is absent. */
  isOnlyThere?: boolean
}

/** The id of the slip where the ticket is now; for an earlier printer with a number. */
export const voidIdOf = ({ ticket_id }: TicketRow, index = 0): string =>
  index === 0 ? `${ticket_id}-void` : `${ticket_id}-void${index + 1}`

export class TicketDoor {
  /** A ticket of the job with this id was printed, or is known not to be. Not fired while it waits or is being sent. */
  readonly paperChanged = new Signal<string>()
  readonly db: GatewayDatabase
  readonly jobs: JobRows
  readonly tickets: TicketRows
  readonly attempts: AttemptRows
  readonly absences: AbsenceRows
  readonly claims: ClaimCount
  readonly time: TimeSource
  readonly #reports: ReportStore
  readonly #screenWork: ScreenWorkRows
  readonly #insert: Statement<[Bind]>
  /** The only statement of the program that changes `tickets.state`. */
  readonly #change: Statement<[TicketChange]>
  /** Workers that wait for the next ticket of their printer. */
  readonly #waiting = new Map<string, Deliver>()
  /** The document stored in the current transaction: its ticket is usually claimed in the same one. */
  #stored: KnownDoc | null = null
  /** Transaction in which a waiting worker was given a ticket: it gets only one. */
  readonly #givenIn = new Map<string, number>()

  constructor(db: GatewayDatabase, reports: ReportStore, time: TimeSource) {
    this.db = db
    this.#reports = reports
    this.time = time
    this.jobs = new JobRows(db)
    this.tickets = new TicketRows(db)
    this.attempts = new AttemptRows(db)
    this.absences = new AbsenceRows(db)
    this.claims = new ClaimCount(db)
    this.#screenWork = new ScreenWorkRows(db)
    this.#insert = db.sqlite.prepare(
      `insert into tickets (ticket_id, job_id, printer_id, kind, content, digest, state, possible_duplicate, not_before_ms, paper, urgent, moved_from, moved_at_ms)
       values (@ticketId, @jobId, @printerId, @kind, @content, @digest, @state, @possibleDuplicate, @notBeforeMs, @paper, @urgent, @movedFrom, @movedAtMs)`,
    )
    this.#change = db.sqlite.prepare(
      `update tickets set state = @state, attempts = @attempts, possible_duplicate = @possibleDuplicate, started_at_ms = @startedAtMs,
         attempted_at_ms = @attemptedAtMs, connected_at_ms = @connectedAtMs, first_byte_at_ms = @firstByteAtMs, last_byte_at_ms = @lastByteAtMs,
         settled_at_ms = @settledAtMs, confirmation = @confirmation, method = @method, reason = @reason, unprintable = @unprintable
       where position = @position and state = @from`,
    )
  }

  /** Passes the next ticket of a printer to `deliver`, claimed as `sending`: now if one is queued, otherwise when one arrives. */
  take(printerId: string, deliver: Deliver): void {
    this.#waiting.set(printerId, deliver)
    if (!this.hasTicketFor(printerId)) return
    try {
      this.db.transaction(() => this.giveNext(printerId))
    } catch (error) {
      // A worker that calls again must not have got one meanwhile.
      this.withdrawWorker(printerId, deliver)
      throw error
    }
  }

  /** The worker no longer waits. */
  withdrawWorker(printerId: string, deliver: Deliver): void {
    if (this.#waiting.get(printerId) === deliver) this.#waiting.delete(printerId)
  }

  /** Whether the printer has a ticket to print. */
  hasTicketFor(printerId: string): boolean {
    return this.tickets.head.get(printerId) !== undefined
  }

  /** True if the last document that the printer got may be incomplete. */
  lastMayBePartial(printerId: string): boolean {
    const last = this.attempts.lastAt.get(printerId)?.outcome
    return last === 'retry' || last === 'uncertain' || last === 'parked'
  }

  /**
   * Ends the attempt that `take` has begun, reports the job if this was its last open ticket, and, when `next` is given, claims the
   * printer's next ticket: all in one commit.
   */
  settle(ticket: ClaimedTicket, end: AttemptEnd, next: Deliver | null): void {
    try {
      this.db.transaction(() => {
        const row = this.tickets.at.get(ticket.position)
        if (!row || row.ticket_id !== ticket.ticketId) throw new Error(`ticket ${ticket.ticketId} is not in the queue`)
        // Its paper is marked as a possible duplicate, and so is its proof.
        const isMarked = end.kind === 'printed' && ticket.screenWork !== null
        this.endAttempt(row, isMarked ? { ...end, isMarked } : end)
        if (next === null) return
        this.#waiting.set(ticket.printerId, next)
        this.giveNext(ticket.printerId)
      })
    } catch (error) {
      // The attempt has not ended, so its worker does not wait for the next ticket yet.
      if (next !== null) this.withdrawWorker(ticket.printerId, next)
      throw error
    }
  }

  /**
   * At start: a ticket found in `sending` was interrupted, so it may be on paper. It goes back to its place in the queue, marked, or waits
   * for a person if `isHeld` returns true; after `maxAttempts` it ends as uncertain, so that a ticket that crashes the program cannot
   * do so forever.
   */
  recover(maxAttempts: number, isHeld: (printerId: string) => boolean): number {
    const interrupted = this.tickets.inSending.all()
    if (interrupted.length === 0) return 0
    const atMs = this.time.now()
    this.db.transaction(() => {
      for (const row of interrupted) {
        const again = isHeld(row.printer_id) ? 'parked' : 'retry-marked'
        const isOver = row.attempts >= maxAttempts || this.#isOnce(row)
        const kind = isOver ? 'uncertain' : again
        this.endAttempt(row, { kind, reason: 'interrupted', firstByteAtMs: null, atMs })
      }
    })
    return interrupted.length
  }

  /** Printers at which paper of a ticket is, or may be: the one that has it now first. */
  papersOf(row: TicketRow): string[] {
    const papers = new Set(this.attempts.papersOf.all(row.ticket_id).map(({ printer_id }) => printer_id))
    if (row.state === 'sending' || papers.delete(row.printer_id)) return [row.printer_id, ...papers]
    return [...papers]
  }

  /** The document of a job that is stored in the transaction under way. */
  noteStored(known: KnownDoc): void {
    this.#stored = known
    this.db.afterCommit(() => {
      this.#stored = null
    })
  }

  /** Stores a ticket, at the backup of its printer while that is absent, and gives it to a worker that waits for it. */
  insertTicket(ticket: NewTicket): void {
    const { ticketId, jobId, kind, part, state, notBeforeMs, possibleDuplicate } = ticket
    const { printerId: meantFor, ...rest } = part
    // A document of the gateway about a printer belongs to that printer.
    const isOnlyThere = kind === 'local' || ticket.isOnlyThere === true
    const printerId = isOnlyThere ? meantFor : this.absences.printerFor(meantFor)
    const content = JSON.stringify(rest satisfies TicketContent)
    this.#insert.run({
      ticketId,
      jobId,
      printerId,
      kind,
      content,
      digest: ticketDigest(ticketId, kind, content),
      state,
      possibleDuplicate,
      notBeforeMs,
      paper: part.paper ?? 'kitchen',
      urgent: ticket.isUrgent ? 1 : 0,
      movedFrom: printerId === meantFor ? null : meantFor,
      movedAtMs: printerId === meantFor ? null : this.time.now(),
    })
    if (state === 'queued' && !ticket.isWithheld) this.giveNext(printerId)
  }

  /** A queued ticket of an absent printer goes on to its backup. Returns the printer that has it now. */
  sendOn({ position, printer_id, kind }: TicketRow): string {
    const to = kind === 'local' ? printer_id : this.absences.printerFor(printer_id)
    if (to !== printer_id) this.tickets.moveTo.run({ position, to, nowMs: this.time.now() })
    return to
  }

  /** Ends an attempt, in the caller's transaction. */
  endAttempt(row: TicketRow, end: AttemptEnd): void {
    const isCancelled = row.kind !== 'void' && this.jobs.find.get(row.job_id)?.cancelled_at_ms !== null
    const known = isCancelled ? endOfCancelled(row, end) : end
    const isSent = end.kind !== 'not-sent'
    const change = { ...changeBy(row, known), attempts: isSent ? row.attempts : row.attempts - 1 }
    this.move(change)
    const attempt = isSent ? attemptOf(row, known) : null
    if (attempt) this.attempts.insert.run(attempt)
    if (isCancelled && !isSent) this.#dropNeedlessVoid(row, change.state)
    this.reportIfDone(row.job_id)
  }

  /**
   * A copy of each open ticket may be on paper without this database's knowledge. In the caller's transaction.
   * @returns how many tickets are marked now, and the jobs of the relay that they decide
   */
  markOpenAsDoubtful(): { marked: number; jobIds: string[] } {
    const jobIds = this.tickets.openJobsBut.all(LOCAL_STREAM).map(({ job_id }) => job_id)
    return { marked: this.tickets.markOpen.run().changes, jobIds }
  }

  /** Withdraws a waiting ticket: cancelled, or uncertain if an earlier copy may be on paper. */
  withdraw(row: TicketRow, reason: string): void {
    const state = row.possible_duplicate === 1 ? 'uncertain' : 'cancelled'
    this.move({ ...unchanged(row), state, settledAtMs: this.time.now(), reason })
  }

  /** Gives the printer's next ticket to its worker, if that waits. In the caller's transaction. */
  giveNext(printerId: string): void {
    const deliver = this.#waiting.get(printerId)
    if (!deliver || this.claims.isHeld || this.#givenIn.get(printerId) === this.db.transactionNumber) return
    const head = this.tickets.head.get(printerId)
    if (!head) return
    const ticket = this.#claim(head)
    this.#givenIn.set(printerId, this.db.transactionNumber)
    this.db.afterCommit(() => {
      this.#waiting.delete(printerId)
      deliver(ticket)
    })
  }

  /** The fire time of a held ticket has come: it goes to the end of the queue. In the caller's transaction. */
  fire(row: TicketRow): void {
    const position = this.tickets.putLast.get(row.position)?.position
    if (position === undefined) throw new Error(`ticket at ${row.position} was moved meanwhile`)
    this.move({ ...unchanged(row), position, state: 'queued' })
  }

  /** Ends `claims.hold`: waiting workers get their tickets. @throws SqliteError when the disk is full: claims are still held */
  releaseClaims(): void {
    this.claims.release()
    try {
      this.db.transaction(() => {
        for (const printerId of this.#waiting.keys()) this.giveNext(printerId)
      })
    } catch (error) {
      this.claims.hold()
      throw error
    }
  }

  /** The only writer of `tickets.state`. */
  move(change: TicketChange): void {
    assertMove(change.from, change.state)
    if (this.#change.run(change).changes !== 1) throw new Error(`ticket at ${change.position} was moved meanwhile`)
    // Taken out without paper: an image from before it must not print it.
    if (change.from !== 'sending' && !isOpen(change.state)) this.claims.add()
    if (isBeforeOutcome(change.from) && isBeforeOutcome(change.state)) return
    this.db.afterCommit(() => this.paperChanged.notify(change.jobId))
  }

  /** T3: the job's result goes into the outbox in the transaction that settles the last ticket that decides it. */
  reportIfDone(jobId: string): void {
    const job = this.jobs.find.get(jobId)
    if (job?.settled_at_ms !== null || (this.tickets.openOfJob.get(jobId)?.n ?? 0) > 0) return
    const now = this.time.now()
    this.jobs.settle.run(now, jobId)
    if (job.stream === LOCAL_STREAM) return
    this.#reports.add(jobResult(jobId, this.tickets.ofJobWithPrinter.all(jobId), now), now)
  }

  /** A relay that sends the job again has not recorded its result. */
  reportAgain(jobId: string): void {
    const job = this.jobs.find.get(jobId)
    if (!job || job.settled_at_ms === null || job.stream === LOCAL_STREAM) return
    const tickets = this.tickets.ofJobWithPrinter.all(jobId)
    if (tickets.length > 0) this.#reports.add(jobResult(jobId, tickets, job.settled_at_ms), this.time.now())
    else
      this.reportEnded(jobId, {
        state: job.cancel_outcome === 'cancelled' ? 'cancelled' : 'failed',
        endedAt: job.settled_at_ms,
        reason: null,
      })
  }

  /** The result of a job that has no tickets. */
  reportEnded(
    jobId: string,
    { state, endedAt, reason }: { state: 'failed' | 'cancelled'; endedAt: EpochMs; reason: string | null },
  ): void {
    this.#reports.add({ jobId, state, startedAt: null, endedAt, reason, tickets: [] }, this.time.now())
  }

  /** Cancelled while being sent and not on its paper after all: the slip there would call off what nobody has seen. */
  #dropNeedlessVoid(row: TicketRow, state: TicketChange['state']): void {
    const papers = this.attempts.papersOf.all(row.ticket_id)
    const isHere = papers.some(({ printer_id }) => printer_id === row.printer_id)
    if (state === 'cancelled' || (papers.length > 0 && !isHere)) this.tickets.dropVoid.run(voidIdOf(row))
  }

  /** A test ticket or the drawer: the person at the page can repeat it. */
  #isOnce({ kind, job_id }: TicketRow): boolean {
    return kind === 'local' && this.jobs.find.get(job_id)?.kind !== 'slip'
  }

  #claim(head: HeadRow): ClaimedTicket {
    this.claims.add()
    const attempts = head.attempts + 1
    const attemptedAtMs = this.time.now()
    const startedAtMs = head.started_at_ms ?? attemptedAtMs
    this.move({ ...unchanged(head), state: 'sending', attempts, startedAtMs, attemptedAtMs })
    const ticket = claimedTicketOf(head, attempts, this.#stored)
    // A ticket that just arrived has no work yet: no read of the disk.
    const isNew = head.doc === this.#stored?.text
    if (head.kind !== 'order' || isNew || ticket.content === null) return ticket
    return { ...ticket, screenWork: this.#screenWork.of(ticket.content.doc, ticket.content.part) }
  }
}

function isBeforeOutcome(state: TicketState): boolean {
  return state === 'held' || state === 'queued' || state === 'sending'
}
