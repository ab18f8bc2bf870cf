// Walk 5/10: comes from gateway/link/cloud-link.ts, goes on to gateway/queue/printer-worker.ts. Takes jobs from the relay onto the gateway's own disk: T2.
import type { BoardDoc } from '#gateway/storage/board-rows.ts'
import type { GatewayDatabase } from '#gateway/storage/database.ts'
import type { IdentityStore } from '#gateway/storage/identity-store.ts'
import type { CancelOutcome, JobStore, NewJob } from '#gateway/storage/job-store.ts'
import type { PrinterStore } from '#gateway/storage/printer-store.ts'
import type { RoutingStore } from '#gateway/storage/routing-store.ts'
import { LOCAL_STREAM } from '#gateway/storage/ticket-rows.ts'
import type { Clock, EpochMs } from '#shared/clock.ts'
import { newId } from '#shared/ids.ts'
import { type Logger, logWalk } from '#shared/log.ts'
import type { SiteFacts } from '#shared/site-facts.ts'
import type { StoredDoc } from '#shared/tickets/local-doc.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import { routeJob } from '#shared/tickets/route-job.ts'
import { type JobDoc, type JobMessage, jobDoc } from '#shared/wire/gateway-link.ts'

export interface OrderIntakeDeps {
  db: GatewayDatabase
  identity: IdentityStore
  jobs: JobStore
  printers: PrinterStore
  routing: Pick<RoutingStore, 'rules'>
  clock: Clock
  log: Logger
  /** For the log; empty while unpaired. */
  site?: Pick<SiteFacts, 'gatewayId'>
}

/** The position of the stream: the last accepted job, and whether one is missing before the offered ones. */
export interface StreamPosition {
  last: number
  gap: boolean
  /** Why the missing one was refused, in words: its document cannot be read, and may have been changed on its way. */
  unreadable?: string
}

export class OrderIntake {
  readonly #deps: OrderIntakeDeps
  /** The last document without a proof that could not be read: when the same comes again, it is no damage. */
  #lastUnreadable = ''

  constructor(deps: OrderIntakeDeps) {
    this.#deps = deps
  }

  /**
   * Accepts a batch in one durable transaction. Only `last + 1` is accepted; what is at or below `last` was accepted before, what comes after a
   * gap is left for the resend, jobs of another stream are ignored. A document that cannot be read is stored as a failed job with its
   * report, so that it never stalls the stream. When this returns, accepted jobs survive a power cut.
   * @param isSealed the jobs are certainly as the relay sent them, by their digests; otherwise a document that cannot be read must come twice
   */
  accept(jobs: readonly JobMessage[], isSealed = true): StreamPosition {
    const { db, identity, jobs: store } = this.#deps
    const startedMs = this.#deps.clock.monotonicMs()
    const taken: NewJob[] = []
    const position: StreamPosition = { last: identity.lastSeq(), gap: false }
    const stream = identity.stream()
    for (const job of jobs) {
      if (job.stream !== stream || job.seq <= position.last) continue
      if (job.seq > position.last + 1) {
        position.gap = true
        break
      }
      const read = this.#read(job)
      if ('refused' in read.what && !isSealed && this.#isFirstSight(job)) {
        position.gap = true
        position.unreadable = read.what.refused
        break
      }
      taken.push(read)
      position.last = job.seq
    }
    if (taken.length === 0) return position
    const notes = db.transaction(() => {
      identity.setLastSeq(position.last)
      return taken.map((job) => store.insert(job))
    })
    this.#log(taken, notes, this.#deps.clock.monotonicMs() - startedMs)
    return position
  }

  /** The relay took the job of this number back before it was accepted: the number is passed over. */
  skip(seq: number): StreamPosition {
    const { identity } = this.#deps
    const last = identity.lastSeq()
    if (seq === last + 1) identity.setLastSeq(seq)
    return { last: seq === last + 1 ? seq : last, gap: seq > last + 1 }
  }

  /**
   * Cancels a job: `cancelled` when nothing of it is on paper, `too_late` when something is or may be (a VOID slip prints there),
   * `unknown_job` when it has not arrived; then it will not print when it does. Another call gives the same answer.
   * @param isOrderVoided the whole order is voided: a reprint on paper gets a VOID slip as well, if the order has none there yet
   * @param reason printed on the VOID slip
   */
  cancel(jobId: string, isOrderVoided = false, reason?: string): CancelOutcome {
    const outcome = this.#deps.jobs.cancel(jobId, isOrderVoided, reason)
    this.#deps.log.info({ printJobId: jobId, outcome }, 'cancel asked for by the relay')
    return outcome
  }

  /**
   * Accepts an order that was created here in one durable commit: routed, printed and shown like the relay's, but not part of its stream, so that
   * the relay gets nothing of it.
   */
  acceptOwn(jobId: string, doc: Extract<StoredDoc, { kind: 'order' }>, expiresAtMs: EpochMs): void {
    const { jobs, log } = this.#deps
    const tickets = this.#route(doc)
    const facts = { stream: LOCAL_STREAM, seq: 0, possibleDuplicate: false, notBeforeMs: null, expiresAtMs }
    jobs.insert({ jobId, ...facts, what: { doc, tickets } })
    log.info(
      { printJobId: jobId, serviceOrderId: doc.order.serviceOrderId, tickets: tickets.length },
      'order of our own taken',
    )
  }

  /**
   * Fires a course of an order here, in one durable commit or the caller's: its tickets are queued, and it will be reported to the relay.
   * @returns false when it was fired before
   */
  fireCourse({ order, isTest, isWithoutPaper }: BoardDoc, course: number): boolean {
    const { jobs, db, log } = this.#deps
    const orderId = order.serviceOrderId
    if (jobs.courses.of(orderId).some((fired) => fired.course === course)) return false
    const firedAtMs = jobs.door.time.now()
    return db.transaction(() => {
      // The relay does not have test orders.
      if (isWithoutPaper)
        return jobs.courses.put({ orderId, course, atMs: firedAtMs, jobId: null, isKnownToRelay: isTest })
      const jobId = newId('pj', firedAtMs)
      const doc: StoredDoc = { kind: 'fire', order, course, firedAtMs, ...(isTest ? { isTest } : {}) }
      const facts = { stream: LOCAL_STREAM, seq: 0, possibleDuplicate: false, notBeforeMs: null, expiresAtMs: null }
      jobs.insert({ jobId, ...facts, what: { doc, tickets: this.#route(doc) } })
      db.afterCommit(() => log.info({ printJobId: jobId, serviceOrderId: orderId, course }, 'course fired here'))
      return true
    })
  }

  /** At start: tickets that came before any printer was set up go to the printers that there are now. */
  assignUnrouted(): void {
    const first = this.#deps.printers.all()[0]
    if (first) this.#deps.jobs.assignUnrouted(first.printerId, (doc) => this.#route(doc))
  }

  /** By today's printers, their settings and the restaurant's rules. */
  #route(doc: JobDoc): TicketPart[] {
    const { jobs, printers, routing } = this.#deps
    const fired = doc.kind === 'reprint' ? jobs.courses.of(doc.order.serviceOrderId) : []
    return routeJob(doc, printers.all(), { rules: routing.rules(), fired: fired.map(({ course }) => course) })
  }

  /** False when this document, byte for byte, was the last unreadable one and was for this job too. */
  #isFirstSight({ jobId, doc }: JobMessage): boolean {
    const seen = JSON.stringify([jobId, doc])
    const isNew = seen !== this.#lastUnreadable
    this.#lastUnreadable = seen
    return isNew
  }

  #read(job: JobMessage): NewJob {
    const parsed = jobDoc.safeParse(job.doc)
    return {
      jobId: job.jobId,
      stream: job.stream,
      seq: job.seq,
      possibleDuplicate: job.possibleDuplicate,
      notBeforeMs: job.notBefore,
      expiresAtMs: job.expiresAt,
      what: parsed.success
        ? { doc: parsed.data, tickets: this.#route(parsed.data) }
        : { refused: refusal(parsed.error.issues) },
    }
  }

  #log(taken: readonly NewJob[], notes: readonly ('stored' | 'known')[], ms: number): void {
    const { log, site } = this.#deps
    taken.forEach((job, index) => {
      const ids = { printJobId: job.jobId, gatewayId: site?.gatewayId, seq: job.seq }
      if ('refused' in job.what) {
        log.warn({ ...ids, reason: job.what.refused }, 'the job cannot be read; reported as failed')
        return
      }
      const { doc } = job.what
      const serviceOrderId = 'order' in doc ? doc.order.serviceOrderId : undefined
      const traceparent = 'traceparent' in doc ? doc.traceparent : undefined
      const tickets = job.what.tickets.length
      const words =
        notes[index] === 'known' ? 'job was here before, not taken twice' : 'job taken, its tickets are queued'
      logWalk(log, { walk: '5/10', serviceOrderId, ...ids, traceparent, tickets, ms }, words)
    })
  }
}

/** The position of the error in the document, without the value, which may be customer data. */
function refusal(issues: readonly { path: PropertyKey[]; code: string }[]): string {
  const places = issues.slice(0, 5).map((issue) => `${issue.path.join('.') || 'document'}: ${issue.code}`)
  return `invalid document (${places.join('; ')})`.slice(0, 300)
}
