// Jobs on disk with their tickets: inserted and cancelled by the relay, fired and expired by time. Tickets change their state through ticket-door.ts.
import type { EpochMs } from '#shared/clock.ts'
import { Signal } from '#shared/signal.ts'
import { isTestOrder, type StoredDoc } from '#shared/tickets/local-doc.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { hasVoidSlip } from '#shared/tickets/route-job.ts'
import type { JobDoc } from '#shared/wire/gateway-link.ts'
import { CourseStore } from './course-store.ts'
import { digestOf, type GatewayDatabase } from './database.ts'
import type { ReportStore } from './report-store.ts'
import { TicketDoor, type TimeSource, voidIdOf } from './ticket-door.ts'
import { docOf, type JobRow, type JobRows, LOCAL_STREAM, type TicketContent, type TicketRows } from './ticket-rows.ts'
import { CANCELLED, EXPIRED, isOpen, type TicketKind, type TicketRow } from './ticket-states.ts'

export interface NewJob {
  jobId: string
  stream: string
  seq: number
  possibleDuplicate: boolean
  notBeforeMs: EpochMs | null
  expiresAtMs: EpochMs | null
  /** What to print where; a refused job is kept only as a tombstone and reported as failed. */
  what: { doc: StoredDoc; tickets: readonly TicketPart[] } | { refused: string }
}

export type CancelOutcome = 'cancelled' | 'too_late' | 'unknown_job'

const FIRE_BATCH = 200
/** Why a job that fires a course prints nothing. */
const ALREADY_FIRED = 'already-fired'
const WITHOUT_PAPER = 'without-paper'

export class JobStore {
  /** A fire time or an expiry was added. */
  readonly dueChanged = new Signal()
  /** The job with this id was stored or cancelled, or its tickets are no longer held. */
  readonly jobChanged = new Signal<string>()
  /** Where the printers' workers get their tickets. */
  readonly door: TicketDoor
  readonly courses: CourseStore
  readonly #db: GatewayDatabase
  readonly #time: TimeSource
  readonly #jobs: JobRows
  readonly #tickets: TicketRows

  constructor(db: GatewayDatabase, reports: ReportStore, time: TimeSource) {
    this.door = new TicketDoor(db, reports, time)
    this.courses = new CourseStore(db)
    this.#db = db
    this.#time = time
    this.#jobs = this.door.jobs
    this.#tickets = this.door.tickets
  }

  /**
   * Stores a job with its tickets, in the caller's transaction if there is one. A ticket whose printer's worker waits is claimed at once,
   * so that receiving it and the intent to print it are one commit. A job with a known id is not stored again; if it has ended, its
   * result is reported again, because a sender that repeats it does not have the result. A course that was fired before is not fired again.
   */
  insert(job: NewJob): 'stored' | 'known' {
    return this.#db.transaction(() => {
      if (this.#jobs.find.get(job.jobId)) {
        this.door.reportAgain(job.jobId)
        return 'known'
      }
      if ('refused' in job.what) this.#insertEnded(job, 'failed', job.what.refused)
      else if (this.#jobs.isAhead.get(job.jobId)) this.#insertEnded(job, 'cancelled', CANCELLED)
      else if (!this.#isFirstFire(job, job.what.doc)) this.#insertEnded(job, 'cancelled', ALREADY_FIRED)
      else if (job.what.doc.kind === 'fire' && job.what.tickets.length === 0)
        this.#insertEnded(job, 'cancelled', WITHOUT_PAPER)
      else this.#insertOpen(job, job.what)
      this.#db.afterCommit(() => this.jobChanged.notify(job.jobId))
      return 'stored'
    })
  }

  /**
   * Cancels a job. Waiting tickets are cancelled; where a ticket is, or may be, on paper, a VOID slip is queued (for a reprint only if its
   * order has none yet). Courses of it that were fired here are cancelled with it. The id of a job that has not arrived yet is stored, and
   * it will not print.
   */
  cancel(jobId: string, isOrderVoided: boolean, reason?: string): CancelOutcome {
    const job = this.#jobs.find.get(jobId)
    if (job?.cancel_outcome) {
      this.door.reportAgain(jobId)
      return job.cancel_outcome
    }
    return this.#db.transaction(() => {
      if (!job) {
        this.#jobs.putAhead.run(jobId, this.#time.now())
        return 'unknown_job'
      }
      this.#withdraw(jobId, CANCELLED)
      const late = this.#tickets.ofJob.all(jobId).filter((row) => this.#mayHaveBeenRead(row))
      const outcome = late.length === 0 ? 'cancelled' : 'too_late'
      this.#jobs.cancel.run(this.#time.now(), outcome, reason ?? null, jobId)
      this.#db.afterCommit(() => this.jobChanged.notify(jobId))
      if (isSlipOf(job.kind) && hasVoidSlip(job.kind, isOrderVoided))
        for (const row of late) this.#insertVoids(row, { isReprint: job.kind === 'reprint', reason })
      this.door.reportIfDone(jobId)
      for (const fire of this.#ownFires(job)) this.cancel(fire, true, reason)
      return outcome
    })
  }

  /** Puts the held tickets whose time has come at the end of their queues. Returns how many. */
  fireDue(): number {
    const now = this.#time.now()
    if (this.#tickets.dueHeld.get(now, 1) === undefined) return 0
    return this.#db.transaction(() => {
      const due = this.#tickets.dueHeld.all(now, FIRE_BATCH)
      this.#fire(due)
      return due.length
    })
  }

  /** Puts the held tickets of one job at the end of their queues, whatever the time: others are not due by a clock that may be wrong. */
  fireJob(jobId: string): void {
    this.#db.transaction(() => this.#fire(this.#tickets.ofJob.all(jobId).filter(({ state }) => state === 'held')))
  }

  /** In the caller's transaction. */
  #fire(held: readonly TicketRow[]): void {
    for (const row of held) this.door.fire(row)
    for (const { ticket_id, job_id } of held) {
      this.#db.afterCommit(() => this.jobChanged.notify(job_id))
      const queued = this.#tickets.find.get(ticket_id)
      if (queued) this.door.giveNext(this.door.sendOn(queued))
    }
  }

  /** Cancels what waits of jobs whose expiry has passed, and reports it. Returns how many jobs. */
  expireDue(): number {
    const now = this.#time.now()
    if (this.#jobs.expired.get(now, 1) === undefined) return 0
    return this.#db.transaction(() => {
      const jobs = this.#jobs.expired.all(now, FIRE_BATCH)
      for (const { job_id } of jobs) {
        this.#withdraw(job_id, EXPIRED)
        this.door.reportIfDone(job_id)
      }
      return jobs.length
    })
  }

  /** When the next held ticket fires or the next job expires, relay time; null when nothing waits for a time. */
  nextDueMs(): EpochMs | null {
    const { fire, expiry } = this.#jobs.nextDue.get() ?? { fire: null, expiry: null }
    if (fire === null || expiry === null) return fire ?? expiry
    return Math.min(fire, expiry)
  }

  /** Assigns tickets that arrived before any printer was set up to the present printers. */
  assignUnrouted(defaultPrinterId: string, route: (doc: JobDoc) => readonly TicketPart[]): void {
    const jobs = this.#jobs.unrouted.all()
    if (jobs.length === 0) return
    this.#db.transaction(() => {
      for (const { job_id } of jobs) this.#assignJob(job_id, defaultPrinterId, route)
    })
  }

  #assignJob(jobId: string, defaultPrinterId: string, route: (doc: JobDoc) => readonly TicketPart[]): void {
    const stored = this.#jobs.doc.get(jobId)
    const doc = stored ? docOf(stored.doc, stored.digest) : null
    const unrouted = this.#tickets.ofJob.all(jobId).filter((row) => row.printer_id === '' && isOpen(row.state))
    const ours = unrouted.filter((row) => row.kind === 'order')
    const first = ours[0]
    if (!first || !doc || !isJobDoc(doc)) {
      for (const row of unrouted) this.#tickets.setPrinter.run(defaultPrinterId, row.position)
    } else {
      for (const row of unrouted) {
        if (row.kind === 'order' || row.kind === 'extra') this.#tickets.delete.run(row.position)
        else this.#tickets.setPrinter.run(defaultPrinterId, row.position)
      }
      const state: 'held' | 'queued' = first.state === 'held' ? 'held' : 'queued'
      const facts = { state, notBeforeMs: first.not_before_ms, possibleDuplicate: first.possible_duplicate }
      this.#insertTickets(jobId, doc, { parts: route(doc), ...facts })
    }
    this.door.giveNext(defaultPrinterId)
  }

  /** Records the course that a job fires. @returns false if it was fired before; true for every other job */
  #isFirstFire({ jobId, stream }: NewJob, doc: StoredDoc): boolean {
    if (doc.kind !== 'fire') return true
    const { order, course } = doc
    // The relay does not have test orders.
    const isKnownToRelay = stream !== LOCAL_STREAM || isTestOrder(doc)
    const facts = { orderId: order.serviceOrderId, course, jobId, isKnownToRelay }
    return this.courses.put({ ...facts, atMs: this.#time.now() })
  }

  /** Jobs by which courses of an order were fired here: the relay cancels those that it created, and no others. */
  #ownFires({ kind, service_order_id }: JobRow): string[] {
    if (service_order_id === null || (kind !== 'order' && kind !== 'board')) return []
    const jobIds = this.courses.of(service_order_id).flatMap(({ jobId }) => jobId ?? [])
    return jobIds.filter((jobId) => this.#jobs.find.get(jobId)?.stream === LOCAL_STREAM)
  }

  #insertOpen(job: NewJob, { doc, tickets }: { doc: StoredDoc; tickets: readonly TicketPart[] }): void {
    const now = this.#time.now()
    this.#insertJob(job, doc, { settledAtMs: null, cancelledAtMs: null, cancelOutcome: null })
    const isHeld = job.notBeforeMs !== null && job.notBeforeMs > now
    const isWithheld = job.expiresAtMs !== null && job.expiresAtMs <= now
    this.#insertTickets(job.jobId, doc, {
      parts: tickets,
      state: isHeld ? 'held' : 'queued',
      notBeforeMs: job.notBeforeMs,
      possibleDuplicate: job.possibleDuplicate ? 1 : 0,
      isWithheld,
    })
    if (isWithheld) {
      this.#withdraw(job.jobId, EXPIRED)
      this.door.reportIfDone(job.jobId)
    }
    if (isHeld || job.expiresAtMs !== null) this.#db.afterCommit(() => this.dueChanged.notify())
  }

  #insertTickets(
    jobId: string,
    doc: StoredDoc,
    {
      parts,
      ...facts
    }: {
      parts: readonly TicketPart[]
      state: 'held' | 'queued'
      notBeforeMs: number | null
      possibleDuplicate: number
      isWithheld?: boolean
    },
  ): void {
    parts.forEach((part, index) => {
      const kind = kindOf(doc, part, parts)
      const isUrgent = kind === 'local'
      this.door.insertTicket({ ticketId: `${jobId}-${index + 1}`, jobId, kind, part, isUrgent, ...facts })
    })
  }

  /** A job without tickets, kept so that it is not accepted again, and reported. */
  #insertEnded(job: NewJob, state: 'failed' | 'cancelled', reason: string): void {
    const now = this.#time.now()
    const isCancelled = state === 'cancelled'
    this.#insertJob(job, null, {
      settledAtMs: now,
      cancelledAtMs: isCancelled ? now : null,
      cancelOutcome: isCancelled ? 'cancelled' : null,
    })
    this.door.reportEnded(job.jobId, { state, endedAt: now, reason: reason.slice(0, 500) })
  }

  #insertJob(
    job: NewJob,
    doc: StoredDoc | null,
    end: { settledAtMs: number | null; cancelledAtMs: number | null; cancelOutcome: string | null },
  ): void {
    const text = doc === null ? '' : JSON.stringify(doc)
    if (doc !== null) this.door.noteStored({ text, doc })
    const now = this.#time.now()
    this.#jobs.insert.run({
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
      receivedAtMs: now,
      acceptedAtMs: now,
      ...end,
    })
  }

  /**
   * A VOID slip with the content of a ticket at each printer where it is, or may be, on paper. The first one goes to the backup of an
   * absent printer, so that somebody reads it now; the others wait at the printer with the paper that they call off.
   */
  #insertVoids(row: TicketRow, { isReprint, reason }: { isReprint: boolean; reason: string | undefined }): void {
    const content: TicketContent = JSON.parse(row.content)
    const why = reason === undefined ? {} : { voidReason: reason }
    const papers = this.door.papersOf(row)
    const printers = (papers.length === 0 ? [row.printer_id] : papers).map(
      (printerId) => this.#tickets.thereOrDefault.get(printerId)?.printer_id ?? printerId,
    )
    const facts = { jobId: row.job_id, kind: 'void', state: 'queued', notBeforeMs: null, possibleDuplicate: 0 } as const
    for (const [index, printerId] of [...new Set(printers)].entries()) {
      if (isReprint && this.#tickets.voidOfOrder.get(row.job_id, printerId)) continue
      const part = { ...content, ...why, printerId }
      this.door.insertTicket({ ...facts, ticketId: voidIdOf(row, index), part, isOnlyThere: index > 0 })
    }
  }

  /** True for a ticket that a cook works by and that is, or may be, on paper. */
  #mayHaveBeenRead(row: TicketRow): boolean {
    if (row.kind !== 'order' && row.kind !== 'reprint') return false
    if (row.state === 'failed') return this.door.papersOf(row).length > 0
    return ['sending', 'printed', 'uncertain'].includes(row.state)
  }

  /** Cancels what waits of a job. */
  #withdraw(jobId: string, reason: string): void {
    for (const row of this.#tickets.ofJob.all(jobId))
      if (row.kind !== 'void' && ['held', 'queued', 'parked'].includes(row.state)) this.door.withdraw(row, reason)
  }
}

/** The role of a ticket in its job: receipts and labels of an order are extras to its kitchen tickets. */
function kindOf(doc: StoredDoc, part: TicketPart, parts: readonly TicketPart[]): TicketKind {
  if (!isJobDoc(doc)) return 'local'
  const isExtra = ({ paper = 'kitchen' }: TicketPart): boolean => 'order' in doc && paper !== 'kitchen'
  // Without a kitchen ticket these decide the result.
  return isExtra(part) && !parts.every(isExtra) ? 'extra' : 'order'
}

function isJobDoc(doc: StoredDoc): doc is JobDoc {
  return 'order' in doc || 'print' in doc
}

function isSlipOf(kind: StoredDoc['kind'] | 'invalid'): kind is JobDoc['kind'] {
  return ['order', 'fire', 'reprint', 'note', 'receipt', 'label'].includes(kind)
}
