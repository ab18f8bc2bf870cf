// Prepared SQL of jobs, tickets, attempts and absences, and the conversion of their rows (digest checks, the chain of backup printers). State changes are in ticket-door.ts.
import type { Statement } from 'better-sqlite3'
import type { EpochMs } from '#shared/clock.ts'
import { type StoredDoc, storedDoc } from '#shared/tickets/local-doc.ts'
import type { TicketPart } from '#shared/tickets/route.ts'
import type { ScreenWork } from '#shared/tickets/ticket-marks.ts'
import { digestOf, type GatewayDatabase } from './database.ts'
import type { AttemptRow, SettledTicket, TicketKind, TicketRow } from './ticket-states.ts'

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

/** A ticket with the fields for a slip. */
export interface ListedRow extends TicketRow {
  doc: string
  doc_digest: string
  printer_name: string | null
  received_at_ms: number
}

/** Values by parameter name. */
export type Bind = Record<string, string | number | null>

/** Stream of the jobs that the gateway creates for itself; the relay never gets them. */
export const LOCAL_STREAM = 'local'

/** Something of the job still waits, or it is for displays only. */
const CAN_EXPIRE = `(kind = 'board' or exists (select 1 from tickets t
  where t.job_id = jobs.job_id and t.kind in ('order', 'local') and t.state in ('held', 'queued', 'parked')))`

/** Tickets that wait away from the printer that they were meant for: their index is named, or SQLite would read all that ever were. */
const AWAY = `tickets indexed by tickets_away where moved_from is not null and state in ('queued', 'sending')`

/**
 * Number of attempts through which the doubt about a printer is followed back: more than a printer can leave in doubt while a policy waits.
 */
const DOUBTED_ATTEMPTS = 1_000

export class JobRows {
  readonly insert: Statement<[Bind]>
  readonly find: Statement<[string], JobRow>
  readonly doc: Statement<[string], { doc: string; digest: string }>
  readonly settle: Statement<[number, string]>
  readonly cancel: Statement<[number, string, string | null, string]>
  readonly expired: Statement<[number, number], { job_id: string }>
  readonly nextDue: Statement<[], { fire: number | null; expiry: number | null }>
  readonly putAhead: Statement<[string, number]>
  readonly isAhead: Statement<[string], { n: number }>
  /** Jobs with tickets that came before any printer was set up. */
  readonly unrouted: Statement<[], { job_id: string }>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.insert = sql.prepare(
      `insert into jobs (job_id, stream, seq, kind, service_order_id, doc, digest, possible_duplicate, not_before_ms, expires_at_ms, received_at_ms,
         settled_at_ms, cancelled_at_ms, cancel_outcome, accepted_at_ms)
       values (@jobId, @stream, @seq, @kind, @serviceOrderId, @doc, @digest, @possibleDuplicate, @notBeforeMs, @expiresAtMs, @receivedAtMs,
         @settledAtMs, @cancelledAtMs, @cancelOutcome, @acceptedAtMs)`,
    )
    this.find = sql.prepare(
      'select job_id, stream, kind, settled_at_ms, cancelled_at_ms, cancel_outcome, scrubbed_at_ms, service_order_id from jobs where job_id = ?',
    )
    this.doc = sql.prepare('select doc, digest from jobs where job_id = ?')
    this.settle = sql.prepare('update jobs set settled_at_ms = ? where job_id = ?')
    this.cancel = sql.prepare(
      'update jobs set cancelled_at_ms = ?, cancel_outcome = ?, cancel_reason = ? where job_id = ?',
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
    this.unrouted = sql.prepare(
      `select job_id from tickets where printer_id = '' and state in ('queued', 'held') group by job_id order by min(position)`,
    )
  }
}

/** New tickets and their states are written by TicketDoor alone: it has those two statements. */
export class TicketRows {
  readonly at: Statement<[number], TicketRow>
  readonly find: Statement<[string], TicketRow>
  /** The ticket that its printer is on or must print next. */
  readonly head: Statement<[string], HeadRow>
  readonly ofJob: Statement<[string], TicketRow>
  readonly ofJobWithPrinter: Statement<[string], SettledTicket>
  readonly openOfJob: Statement<[string], { n: number }>
  /** Jobs with open tickets of an order, except those of this stream. */
  readonly openJobsBut: Statement<[string], { job_id: string }>
  readonly markOpen: Statement<[]>
  /** Number of tickets of a job whose ids have this prefix. */
  readonly reprints: Statement<[{ jobId: string; prefix: string }], { n: number }>
  readonly voidOfOrder: Statement<[string, string], { n: number }>
  readonly inSending: Statement<[], TicketRow>
  readonly dueHeld: Statement<[number, number], TicketRow>
  /** Everything at a printer that may still print, in printing order. */
  readonly openAt: Statement<[string], TicketRow>
  readonly waitingAt: Statement<[string], ListedRow>
  /** The intended printers of the tickets that are here; VOID slips stay at the printer with the paper that they call off. */
  readonly meantFor: Statement<[{ printerId: string }], { printer_id: string }>
  /** The printers where tickets wait that were moved from this one since then. */
  readonly holders: Statement<[{ printerId: string; sinceMs: number }], { printer_id: string }>
  readonly movedFrom: Statement<[string, number], ListedRow>
  /** This printer if it exists, otherwise the default one. */
  readonly thereOrDefault: Statement<[string], { printer_id: string }>
  /** Puts a held ticket after all others. Returns its new position. */
  readonly putLast: Statement<[number], { position: number }>
  readonly moveTo: Statement<[{ position: number; to: string; nowMs: number }]>
  readonly setPrinter: Statement<[string, number]>
  readonly delete: Statement<[number]>
  readonly dropVoid: Statement<[string]>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.at = sql.prepare('select * from tickets where position = ?')
    this.find = sql.prepare('select * from tickets where ticket_id = ?')
    this.head = sql.prepare(
      `select t.*, j.doc, j.digest as doc_digest, j.cancelled_at_ms, p.name as moved_from_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.moved_from
       where t.printer_id = ? and t.state in ('queued', 'sending') order by t.urgent desc, t.position limit 1`,
    )
    this.ofJob = sql.prepare('select * from tickets where job_id = ? order by position')
    this.ofJobWithPrinter = sql.prepare(
      `select t.*, p.name as printer_name from tickets t left join printers p on p.printer_id = t.printer_id
       where t.job_id = ? and t.kind = 'order' order by t.ticket_id`,
    )
    this.openOfJob = sql.prepare(
      `select count(*) as n from tickets where job_id = ? and kind in ('order', 'local') and state in ('held', 'queued', 'sending', 'parked')`,
    )
    this.openJobsBut = sql.prepare(
      `select distinct t.job_id from tickets t join jobs j on j.job_id = t.job_id
       where t.state in ('held', 'queued', 'sending', 'parked') and t.kind = 'order' and j.stream <> ?`,
    )
    this.markOpen = sql.prepare(
      `update tickets set possible_duplicate = 1 where state in ('held', 'queued', 'sending', 'parked')`,
    )
    this.reprints = sql.prepare(
      'select count(*) as n from tickets where job_id = @jobId and substr(ticket_id, 1, length(@prefix)) = @prefix',
    )
    this.voidOfOrder = sql.prepare(
      `select 1 as n from jobs j join jobs same on same.service_order_id = j.service_order_id join tickets t on t.job_id = same.job_id
       where j.job_id = ? and t.printer_id = ? and t.kind = 'void' limit 1`,
    )
    this.inSending = sql.prepare(
      `select * from tickets where state in ('queued', 'sending') and state = 'sending' order by position`,
    )
    this.dueHeld = sql.prepare(
      `select * from tickets where state = 'held' and not_before_ms <= ? order by not_before_ms, position limit ?`,
    )
    this.openAt = sql.prepare(
      `select * from tickets where printer_id = ? and state in ('held', 'queued', 'sending', 'parked') order by position`,
    )
    const listed = `select t.*, j.doc, j.digest as doc_digest, j.received_at_ms, p.name as printer_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.printer_id`
    this.waitingAt = sql.prepare(
      `${listed} where t.printer_id = ? and t.state in ('queued', 'sending') and t.state = 'queued' and t.kind in ('order', 'extra', 'reprint')
       order by t.position`,
    )
    // Each printer by one step in the index, whatever waits there; only a printer's own tickets are in no such index.
    this.meantFor = sql.prepare(
      `with recursive away (id) as (
         select min(moved_from) from ${AWAY}
         union all select (select min(moved_from) from ${AWAY} and moved_from > away.id) from away where away.id is not null
       )
       select @printerId as printer_id where exists (select 1 from tickets
         where printer_id = @printerId and moved_from is null and state in ('queued', 'sending') and kind in ('order', 'extra', 'reprint'))
       union all select id from away where exists (select 1 from ${AWAY}
         and moved_from = away.id and printer_id = @printerId and kind in ('order', 'extra', 'reprint'))`,
    )
    this.holders = sql.prepare(
      `with recursive holder (id) as (
         select min(printer_id) from ${AWAY} and moved_from = @printerId
         union all select (select min(printer_id) from ${AWAY} and moved_from = @printerId and printer_id > holder.id)
           from holder where holder.id is not null
       )
       select id as printer_id from holder where exists (select 1 from ${AWAY}
         and moved_from = @printerId and printer_id = holder.id and state = 'queued' and moved_at_ms >= @sinceMs)`,
    )
    this.movedFrom = sql.prepare(`${listed} where t.moved_from = ? and t.moved_at_ms >= ? order by t.position`)
    this.thereOrDefault = sql.prepare(
      'select printer_id from printers order by printer_id = ? desc, is_default desc, created_at_ms limit 1',
    )
    this.putLast = sql.prepare(
      `update tickets set position = (select max(position) + 1 from tickets) where position = ? and state = 'held' returning position`,
    )
    // Back at its intended printer, it has no backup mark.
    this.moveTo = sql.prepare(
      `update tickets set moved_from = nullif(coalesce(moved_from, printer_id), @to), moved_at_ms = @nowMs, printer_id = @to
       where position = @position and state in ('held', 'queued', 'parked')`,
    )
    this.setPrinter = sql.prepare('update tickets set printer_id = ? where position = ?')
    this.delete = sql.prepare('delete from tickets where position = ?')
    this.dropVoid = sql.prepare(`delete from tickets where ticket_id = ? and kind = 'void' and state = 'queued'`)
  }
}

export class AttemptRows {
  readonly insert: Statement<[AttemptRow]>
  readonly lastAt: Statement<[string], { outcome: AttemptRow['outcome'] }>
  /** Printers that got bytes of a ticket, the last one first. */
  readonly papersOf: Statement<[string], { printer_id: string }>
  /** When the first ticket without proof after the last proven one of a printer ended. Stopping the gateway does not count. */
  readonly doubtSince: Statement<[{ printerId: string }], { since: number | null }>

  constructor({ sqlite: sql }: GatewayDatabase) {
    this.insert = sql.prepare(
      `insert into attempts (ticket_id, attempt, printer_id, started_at_ms, connected_at_ms, first_byte_at_ms, last_byte_at_ms, ended_at_ms,
         outcome, method, reason, detail)
       values (@ticket_id, @attempt, @printer_id, @started_at_ms, @connected_at_ms, @first_byte_at_ms, @last_byte_at_ms, @ended_at_ms,
         @outcome, @method, @reason, @detail)`,
    )
    this.lastAt = sql.prepare('select outcome from attempts where printer_id = ? order by attempt_id desc limit 1')
    this.papersOf = sql.prepare(
      `select printer_id from attempts where ticket_id = ? and outcome <> 'failed' group by printer_id order by max(attempt_id) desc`,
    )
    this.doubtSince = sql.prepare(
      `with last as materialized (select attempt_id, outcome, reason, ended_at_ms from attempts
         where printer_id = @printerId order by attempt_id desc limit ${DOUBTED_ATTEMPTS})
       select min(ended_at_ms) as since from last
       where outcome in ('retry', 'uncertain', 'parked') and reason not in ('interrupted', 'shutdown')
         and attempt_id > coalesce((select max(attempt_id) from last where outcome = 'printed'), 0)`,
    )
  }
}

/** Which printers are absent, and which printer has their tickets meanwhile. One row per absence, until the printer prints again. */
export class AbsenceRows {
  readonly #since: Statement<[string], { since_ms: number }>
  readonly #target: Statement<[string], { target: string }>
  readonly #sentTo: Statement<[string], { printer_id: string }>
  readonly #begin: Statement<[string, number]>
  readonly #send: Statement<[string, string]>
  readonly #end: Statement<[string]>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.#since = sql.prepare('select since_ms from absences where printer_id = ?')
    this.#target = sql.prepare(
      `select t.printer_id as target from absences a join printers p on p.printer_id = a.printer_id
         join printers t on t.printer_id =
           coalesce(a.target, case when json_valid(p.settings) then p.settings ->> '$.backupPrinterId' end)
       where a.printer_id = ?`,
    )
    this.#sentTo = sql.prepare('select printer_id from absences where target = ?')
    this.#begin = sql.prepare('insert or ignore into absences (printer_id, since_ms) values (?, ?)')
    this.#send = sql.prepare('update absences set target = ? where printer_id = ?')
    this.#end = sql.prepare('delete from absences where printer_id = ?')
  }

  /** When its tickets began to go elsewhere; null while it has them itself. */
  sinceMs(printerId: string): EpochMs | null {
    return this.#since.get(printerId)?.since_ms ?? null
  }

  /** The printer that has this one's tickets now: itself, or where they were sent, and on where that one's were; itself in a circle. */
  printerFor(printerId: string): string {
    // Nearly always: the target is only looked up for an absent printer.
    if (this.sinceMs(printerId) === null) return printerId
    const asked = new Set<string>()
    for (let id = printerId; ; ) {
      if (asked.has(id)) return printerId
      asked.add(id)
      const next = this.#target.get(id)?.target
      if (next === undefined) return id
      id = next
    }
  }

  /** Absent printers whose tickets were sent to this one. */
  sentTo(printerId: string): string[] {
    return this.#sentTo.all(printerId).map(({ printer_id }) => printer_id)
  }

  /** From now on its tickets go to `target`. Call it in the transaction that moves them. */
  begin(printerId: string, target: string, nowMs: EpochMs): void {
    this.#begin.run(printerId, nowMs)
    this.#send.run(target, printerId)
  }

  /** The absence continues, its tickets go to another printer. */
  sendTo(printerId: string, target: string): void {
    this.#send.run(target, printerId)
  }

  end(printerId: string): void {
    this.#end.run(printerId)
  }
}

/** What is stored of a ticket's part of its job: the printer has a column of its own. */
export type TicketContent = Omit<TicketPart, 'printerId'>

export interface ClaimedTicket {
  ticketId: string
  jobId: string
  printerId: string
  position: number
  kind: TicketKind
  /** 1 = first. Attempts of which no byte went out are not counted. */
  attempt: number
  /** An earlier copy may be on paper: this one has the banner. */
  possibleDuplicate: boolean
  /** Not null: displays were faster than its printer, and it is marked. */
  screenWork: ScreenWork | null
  /** Name of the printer that it was meant for, when it went to another one. */
  backupFrom: string | null
  /** When the kitchen should have had it: ordered, fired or sent, relay time. */
  dueAtMs: EpochMs
  /** Null when the stored row is damaged: it must not be printed. */
  content: { doc: StoredDoc; part: TicketPart } | null
}

/** A document with its stored text: equal text needs no second parse. */
export interface KnownDoc {
  text: string
  doc: StoredDoc
}

/** @param known the document that was stored last */
export function claimedTicketOf(row: HeadRow, attempt: number, known: KnownDoc | null = null): ClaimedTicket {
  const content = contentOf(row, known)
  return {
    ticketId: row.ticket_id,
    jobId: row.job_id,
    printerId: row.printer_id,
    position: row.position,
    kind: row.kind,
    attempt,
    possibleDuplicate: row.possible_duplicate === 1,
    screenWork: null,
    backupFrom: row.moved_from === null ? null : (row.moved_from_name ?? row.moved_from),
    dueAtMs: Math.max(content === null ? 0 : sentAtMs(content.doc), row.not_before_ms ?? 0),
    content,
  }
}

/** The order of the ticket; undefined if it is not of an order. */
export function serviceOrderIdOf({ content }: Pick<ClaimedTicket, 'content'>): string | undefined {
  return content !== null && 'order' in content.doc ? content.doc.order.serviceOrderId : undefined
}

function sentAtMs(doc: StoredDoc): EpochMs {
  if (doc.kind === 'fire') return doc.firedAtMs
  if ('order' in doc) return Math.max(doc.order.queuedAtMs, doc.order.fireAtMs ?? 0)
  return 'print' in doc ? doc.print.queuedAtMs : doc.queuedAtMs
}

/** The hash of the parts of a ticket that may never change. */
export function ticketDigest(ticketId: string, kind: TicketKind, content: string): string {
  return digestOf(ticketId, kind, content)
}

/** A stored document, or null when it is damaged. */
export function docOf(doc: string, digest: string): StoredDoc | null {
  if (digestOf(doc) !== digest) return null
  const parsed = storedDoc.safeParse(parseOrNull(doc))
  return parsed.success ? parsed.data : null
}

function contentOf(row: HeadRow, known: KnownDoc | null): ClaimedTicket['content'] {
  const doc = known?.text === row.doc ? known.doc : docOf(row.doc, row.doc_digest)
  const part = partOf(row)
  if (!doc || !part) return null
  const items = 'order' in doc ? doc.order.items.length : 0
  return part.items.every((index) => index < items) ? { doc, part: { ...part, printerId: row.printer_id } } : null
}

function partOf(row: TicketRow): TicketContent | null {
  if (ticketDigest(row.ticket_id, row.kind, row.content) !== row.digest) return null
  return parseOrNull(row.content) as TicketContent | null
}

/** Null when it is damaged. */
export function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
