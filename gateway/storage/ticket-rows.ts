// The SQL of jobs and tickets, prepared once, and their mapping from columns. No rules: those stand in ticket-door.ts.
import type { Statement } from 'better-sqlite3'
import type { Confirmation, ConfirmMethod } from '#shared/print-job.ts'
import type { PaperType } from '#shared/printer-settings.ts'
import type { StoredDoc } from '#shared/tickets/local-doc.ts'
import type { GatewayDatabase } from './database.ts'
import type { SettledTicket } from './job-result.ts'
import type { TicketKind, TicketState } from './ticket-states.ts'

export interface TicketRow {
  position: number
  ticket_id: string
  job_id: string
  printer_id: string
  kind: TicketKind
  content: string
  digest: string
  state: TicketState
  attempts: number
  possible_duplicate: number
  paper: PaperType
  urgent: number
  moved_from: string | null
  moved_at_ms: number | null
  not_before_ms: number | null
  started_at_ms: number | null
  attempted_at_ms: number | null
  connected_at_ms: number | null
  first_byte_at_ms: number | null
  last_byte_at_ms: number | null
  settled_at_ms: number | null
  confirmation: Confirmation | null
  method: ConfirmMethod | null
  reason: string | null
  unprintable: number | null
}

export interface JobRow {
  job_id: string
  stream: string
  kind: StoredDoc['kind'] | 'invalid'
  settled_at_ms: number | null
  cancelled_at_ms: number | null
  cancel_outcome: 'cancelled' | 'too_late' | null
  scrubbed_at_ms: number | null
  service_order_id: string | null
}

export interface HeadRow extends TicketRow {
  doc: string
  doc_digest: string
  cancelled_at_ms: number | null
  /** Name of the printer that it was meant for. */
  moved_from_name: string | null
}

/** A row of the attempts table. */
export interface AttemptRow {
  ticket_id: string
  attempt: number
  printer_id: string
  started_at_ms: number | null
  connected_at_ms: number | null
  first_byte_at_ms: number | null
  last_byte_at_ms: number | null
  ended_at_ms: number
  outcome: 'printed' | 'failed' | 'uncertain' | 'retry' | 'parked'
  method: ConfirmMethod | null
  reason: string | null
  detail: string | null
}

/** Columns of a ticket that an attempt or its end may change. */
export interface TicketChange {
  position: number
  jobId: string
  from: TicketState
  state: TicketState
  attempts: number
  possibleDuplicate: number
  startedAtMs: number | null
  attemptedAtMs: number | null
  connectedAtMs: number | null
  firstByteAtMs: number | null
  lastByteAtMs: number | null
  settledAtMs: number | null
  confirmation: Confirmation | null
  method: ConfirmMethod | null
  reason: string | null
  unprintable: number | null
}

type Bind = Record<string, string | number | null>

/** Stream of the jobs that the gateway makes for itself; the relay never hears of them. */
export const LOCAL_STREAM = 'local'

/** Something of the job still waits, or it is for the displays alone. */
const CAN_EXPIRE = `(kind = 'board' or exists (select 1 from tickets t
  where t.job_id = jobs.job_id and t.kind in ('order', 'local') and t.state in ('held', 'queued', 'parked')))`

export class TicketRows {
  readonly insertJob: Statement<[Bind]>
  readonly insertTicket: Statement<[Bind]>
  readonly job: Statement<[string], JobRow>
  readonly doc: Statement<[string], { doc: string; digest: string }>
  /** The ticket that its printer is on or must print next. */
  readonly head: Statement<[string], HeadRow>
  readonly ticket: Statement<[number], TicketRow>
  readonly change: Statement<[TicketChange]>
  readonly insertAttempt: Statement<[AttemptRow]>
  readonly lastAttemptAt: Statement<[string], { outcome: AttemptRow['outcome'] }>
  readonly requeueAtEnd: Statement<[number]>
  readonly ofJob: Statement<[string], TicketRow>
  readonly ofJobWithPrinter: Statement<[string], TicketRow & { printer_name: string | null }>
  readonly openOfJob: Statement<[string], { n: number }>
  readonly settleJob: Statement<[number, string]>
  readonly cancelJob: Statement<[number, string, string | null, string]>
  readonly inSending: Statement<[], TicketRow>
  readonly dueHeld: Statement<[number, number], TicketRow>
  readonly expired: Statement<[number, number], { job_id: string }>
  readonly nextDue: Statement<[], { fire: number | null; expiry: number | null }>
  readonly putAhead: Statement<[string, number]>
  readonly isAhead: Statement<[string], { n: number }>
  readonly voidOfOrder: Statement<[string, string], { n: number }>
  readonly dropVoid: Statement<[string]>
  readonly unroutedJobs: Statement<[], { job_id: string }>
  readonly deleteTicket: Statement<[number]>
  readonly setPrinter: Statement<[string, number]>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.insertJob = sql.prepare(
      `insert into jobs (job_id, stream, seq, kind, service_order_id, doc, digest, possible_duplicate, not_before_ms, expires_at_ms, received_at_ms,
         settled_at_ms, cancelled_at_ms, cancel_outcome, accepted_at_ms)
       values (@jobId, @stream, @seq, @kind, @serviceOrderId, @doc, @digest, @possibleDuplicate, @notBeforeMs, @expiresAtMs, @receivedAtMs,
         @settledAtMs, @cancelledAtMs, @cancelOutcome, @acceptedAtMs)`,
    )
    this.insertTicket = sql.prepare(
      `insert into tickets (ticket_id, job_id, printer_id, kind, content, digest, state, possible_duplicate, not_before_ms, paper, urgent, moved_from, moved_at_ms)
       values (@ticketId, @jobId, @printerId, @kind, @content, @digest, @state, @possibleDuplicate, @notBeforeMs, @paper, @urgent, @movedFrom, @movedAtMs)`,
    )
    this.job = sql.prepare(
      'select job_id, stream, kind, settled_at_ms, cancelled_at_ms, cancel_outcome, scrubbed_at_ms, service_order_id from jobs where job_id = ?',
    )
    this.doc = sql.prepare('select doc, digest from jobs where job_id = ?')
    this.head = sql.prepare(
      `select t.*, j.doc, j.digest as doc_digest, j.cancelled_at_ms, p.name as moved_from_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.moved_from
       where t.printer_id = ? and t.state in ('queued', 'sending') order by t.urgent desc, t.position limit 1`,
    )
    this.ticket = sql.prepare('select * from tickets where position = ?')
    this.change = sql.prepare(
      `update tickets set state = @state, attempts = @attempts, possible_duplicate = @possibleDuplicate, started_at_ms = @startedAtMs,
         attempted_at_ms = @attemptedAtMs, connected_at_ms = @connectedAtMs, first_byte_at_ms = @firstByteAtMs, last_byte_at_ms = @lastByteAtMs,
         settled_at_ms = @settledAtMs, confirmation = @confirmation, method = @method, reason = @reason, unprintable = @unprintable
       where position = @position and state = @from`,
    )
    this.insertAttempt = sql.prepare(
      `insert into attempts (ticket_id, attempt, printer_id, started_at_ms, connected_at_ms, first_byte_at_ms, last_byte_at_ms, ended_at_ms,
         outcome, method, reason, detail)
       values (@ticket_id, @attempt, @printer_id, @started_at_ms, @connected_at_ms, @first_byte_at_ms, @last_byte_at_ms, @ended_at_ms,
         @outcome, @method, @reason, @detail)`,
    )
    this.lastAttemptAt = sql.prepare(
      'select outcome from attempts where printer_id = ? order by attempt_id desc limit 1',
    )
    this.requeueAtEnd = sql.prepare(
      `update tickets set state = 'queued', position = (select max(position) + 1 from tickets) where position = ? and state = 'held'`,
    )
    this.ofJob = sql.prepare('select * from tickets where job_id = ? order by position')
    this.ofJobWithPrinter = sql.prepare(
      `select t.*, p.name as printer_name from tickets t left join printers p on p.printer_id = t.printer_id
       where t.job_id = ? and t.kind = 'order' order by t.ticket_id`,
    )
    this.openOfJob = sql.prepare(
      `select count(*) as n from tickets where job_id = ? and kind in ('order', 'local') and state in ('held', 'queued', 'sending', 'parked')`,
    )
    this.settleJob = sql.prepare('update jobs set settled_at_ms = ? where job_id = ?')
    this.cancelJob = sql.prepare(
      'update jobs set cancelled_at_ms = ?, cancel_outcome = ?, cancel_reason = ? where job_id = ?',
    )
    this.inSending = sql.prepare(
      `select * from tickets where state in ('queued', 'sending') and state = 'sending' order by position`,
    )
    this.dueHeld = sql.prepare(
      `select * from tickets where state = 'held' and not_before_ms <= ? order by not_before_ms, position limit ?`,
    )
    this.expired = sql.prepare(
      `select job_id from jobs where expires_at_ms is not null and settled_at_ms is null and expires_at_ms <= ?
         and ${CAN_EXPIRE} limit ?`,
    )
    this.nextDue = sql.prepare(
      `select (select min(not_before_ms) from tickets where state = 'held') as fire,
         (select min(expires_at_ms) from jobs where expires_at_ms is not null and settled_at_ms is null
            and ${CAN_EXPIRE}) as expiry`,
    )
    this.putAhead = sql.prepare('insert or ignore into cancelled_ahead (job_id, at_ms) values (?, ?)')
    this.isAhead = sql.prepare('select 1 as n from cancelled_ahead where job_id = ?')
    this.voidOfOrder = sql.prepare(
      `select 1 as n from jobs j join jobs same on same.service_order_id = j.service_order_id join tickets t on t.job_id = same.job_id
       where j.job_id = ? and t.printer_id = ? and t.kind = 'void' limit 1`,
    )
    this.dropVoid = sql.prepare(`delete from tickets where ticket_id = ? and kind = 'void' and state = 'queued'`)
    this.unroutedJobs = sql.prepare(
      `select job_id from tickets where printer_id = '' and state in ('queued', 'held') group by job_id order by min(position)`,
    )
    this.deleteTicket = sql.prepare('delete from tickets where position = ?')
    this.setPrinter = sql.prepare('update tickets set printer_id = ? where position = ?')
  }
}

/** The columns as they are, for a change of some of them. */
export function unchanged(row: TicketRow): TicketChange {
  return {
    position: row.position,
    jobId: row.job_id,
    from: row.state,
    state: row.state,
    attempts: row.attempts,
    possibleDuplicate: row.possible_duplicate,
    startedAtMs: row.started_at_ms,
    attemptedAtMs: row.attempted_at_ms,
    connectedAtMs: row.connected_at_ms,
    firstByteAtMs: row.first_byte_at_ms,
    lastByteAtMs: row.last_byte_at_ms,
    settledAtMs: row.settled_at_ms,
    confirmation: row.confirmation,
    method: row.method,
    reason: row.reason,
    unprintable: row.unprintable,
  }
}

export function settledTicketOf(row: TicketRow & { printer_name: string | null }): SettledTicket {
  return {
    ticketId: row.ticket_id,
    printerId: row.printer_id,
    printerName: row.printer_name,
    state: row.state,
    attempts: row.attempts,
    possibleDuplicate: row.possible_duplicate === 1,
    startedAtMs: row.started_at_ms,
    connectedAtMs: row.connected_at_ms,
    firstByteAtMs: row.first_byte_at_ms,
    lastByteAtMs: row.last_byte_at_ms,
    settledAtMs: row.settled_at_ms,
    confirmation: row.confirmation,
    method: row.method,
    reason: row.reason,
    unprintable: row.unprintable,
  }
}
