// The SQL of what people and outages do with tickets: find one, list what waits, give it to another printer. No rules.
import type { Statement } from 'better-sqlite3'
import type { GatewayDatabase } from './database.ts'
import type { TicketRow } from './ticket-rows.ts'

/** A ticket with what a slip says of it. */
export interface ListedRow extends TicketRow {
  doc: string
  doc_digest: string
  printer_name: string | null
  received_at_ms: number
}

export class MoveRows {
  readonly byId: Statement<[string], TicketRow>
  /** Everything of a printer that may still print, in printing order. */
  readonly openAt: Statement<[string], TicketRow>
  readonly waitingAt: Statement<[string], ListedRow>
  /** For which printers the tickets were meant that are here; VOID slips stay beside the paper that they call off. */
  readonly meantFor: Statement<[string], { printer_id: string }>
  readonly movedFrom: Statement<[string, number], ListedRow>
  readonly moveTo: Statement<[{ position: number; to: string; nowMs: number }]>
  /** How many tickets of a job have ids that begin so. */
  readonly reprints: Statement<[{ jobId: string; prefix: string }], { n: number }>
  /** Printers that got bytes of a ticket, the last one first. */
  readonly papersOf: Statement<[string], { printer_id: string }>
  /** When the first ticket without proof after the last good one of a printer ended. That the gateway stopped says nothing of a printer. */
  readonly doubtSince: Statement<[{ printerId: string }], { since: number | null }>
  /** This printer if it is set up, else the default one. */
  readonly thereOrDefault: Statement<[string], { printer_id: string }>

  constructor(db: GatewayDatabase) {
    const sql = db.sqlite
    this.byId = sql.prepare('select * from tickets where ticket_id = ?')
    this.openAt = sql.prepare(
      `select * from tickets where printer_id = ? and state in ('held', 'queued', 'sending', 'parked') order by position`,
    )
    const listed = `select t.*, j.doc, j.digest as doc_digest, j.received_at_ms, p.name as printer_name
       from tickets t join jobs j on j.job_id = t.job_id left join printers p on p.printer_id = t.printer_id`
    this.waitingAt = sql.prepare(
      `${listed} where t.printer_id = ? and t.state in ('queued', 'sending') and t.state = 'queued' and t.kind in ('order', 'extra', 'reprint')
       order by t.position`,
    )
    this.meantFor = sql.prepare(
      `select distinct coalesce(moved_from, printer_id) as printer_id from tickets
       where printer_id = ? and state in ('queued', 'sending') and kind in ('order', 'extra', 'reprint')`,
    )
    this.movedFrom = sql.prepare(`${listed} where t.moved_from = ? and t.moved_at_ms >= ? order by t.position`)
    // Back where it was meant for, it is nobody's backup.
    this.moveTo = sql.prepare(
      `update tickets set moved_from = nullif(coalesce(moved_from, printer_id), @to), moved_at_ms = @nowMs, printer_id = @to
       where position = @position and state in ('held', 'queued', 'parked')`,
    )
    this.papersOf = sql.prepare(
      `select printer_id from attempts where ticket_id = ? and outcome <> 'failed' group by printer_id order by max(attempt_id) desc`,
    )
    this.doubtSince = sql.prepare(
      `select min(ended_at_ms) as since from attempts
       where printer_id = @printerId and outcome in ('retry', 'uncertain', 'parked') and reason not in ('interrupted', 'shutdown')
         and attempt_id > coalesce(
           (select attempt_id from attempts where printer_id = @printerId and outcome = 'printed' order by attempt_id desc limit 1), 0)`,
    )
    this.thereOrDefault = sql.prepare(
      'select printer_id from printers order by printer_id = ? desc, is_default desc, created_at_ms limit 1',
    )
    this.reprints = sql.prepare(
      'select count(*) as n from tickets where job_id = @jobId and substr(ticket_id, 1, length(@prefix)) = @prefix',
    )
  }
}
