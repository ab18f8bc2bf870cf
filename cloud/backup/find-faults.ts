// What is wrong with a database of the relay: damage that SQLite finds, and rows that contradict each other. One line per fault, with ids.
import type Database from 'better-sqlite3'
import { saysDamage } from '#cloud/storage/find-damage.ts'
import { EVENTS_KEPT_MS } from '#cloud/storage/webhook-history.ts'
import { copiedAt } from './file-facts.ts'

/** Of one check: enough to see what it is. */
const MOST_LINES = 50
/** Orders so young have all their events: a day less than those are kept. */
const COMPARED_MS = EVENTS_KEPT_MS - 86_400_000

/** Each gives lines. `:since`: what is older may have been deleted in order. */
const CHECKS: readonly string[] = [
  `select 'gateway ' || g.id || ': job ' || d.id || ' has number ' || d.seq || ', only ' || g.last_seq || ' were given out' as line
      from dispatches d join gateways g on g.id = d.gateway_id and g.stream = d.stream where d.seq > g.last_seq`,
  `select 'gateway ' || id || ': has ' || acked_seq || ' jobs, only ' || last_seq || ' were given out' as line
      from gateways where acked_seq > last_seq`,
  `select 'order ' || o.id || ': is printed, and has no order.printed' as line from orders o
      where o.printed_at is not null and o.queued_at >= :since and not exists (select 1 from events e where e.subject_id = o.id and e.type = 'order.printed')`,
  `select 'order ' || o.id || ': its ticket is printed, and its print job ' || d.id || ' is ' || d.state as line
      from orders o join dispatches d on d.id = o.print_job_id where o.print_state = 'printed' and d.state <> 'printed'`,
  `select 'order ' || o.id || ': stands at event ' || o.sequence || ', has ' || count(e.id) || ' events up to ' || coalesce(max(e.sequence), 0) as line
      from orders o left join events e on e.subject_id = o.id and e.test = 0 where o.queued_at >= :since group by o.id
      having count(e.id) <> o.sequence or coalesce(max(e.sequence), 0) <> o.sequence`,
  `select 'usage of ' || day || ': key ' || key_id || ' of account ' || account_id || ' has ' || calls || ' calls' as line
      from usage_days where calls < 0 or not exists (select 1 from accounts a where a.id = usage_days.account_id)`,
  `select 'invoice ' || i.id || ': is for ' || json_extract(l.after, '$.calls') || ' calls, the days of ' || i.month || ' have ' || coalesce(sum(u.calls), 0) as line
      from invoices i join audit_log l on l.subject = i.id and l.action = 'invoice.issue'
      left join usage_days u on u.account_id = i.account_id and u.environment = 'live' and substr(u.day, 1, 7) = i.month
      group by i.id having json_extract(l.after, '$.calls') <> coalesce(sum(u.calls), 0)`,
]

/**
 * Damage that SQLite finds in its own pages and indexes. Reads the whole file, also the pages that no table uses, and tells all: what the
 * relay looks for beside its work ends at the first, table by table (`storage/find-damage.ts`).
 */
export function damageOf(db: Database.Database): string[] {
  const lines = integrityOf(db)
  return lines.filter((line) => line !== 'ok').map((line) => `file: ${line.replaceAll('\n', ' ')}`)
}

function integrityOf(db: Database.Database): string[] {
  try {
    return db.prepare(`pragma integrity_check(${MOST_LINES})`).pluck().all() as string[]
  } catch (error) {
    if (saysDamage(error)) return [error.message]
    throw error
  }
}

/** Everything. @param nowMs what is older than the events that are kept is not compared with them */
export function findFaults(db: Database.Database, nowMs: number): string[] {
  const damage = damageOf(db)
  // Rows of a damaged file say anything.
  if (damage.length > 0) return damage
  // Since a copy was made nothing has been deleted in it.
  const since = (copiedAt(db) ?? nowMs) - COMPARED_MS
  // As it stands at one moment: a relay that writes meanwhile makes no fault.
  return db.transaction(() => [...strangers(db), ...CHECKS.flatMap((sql) => linesOf(db, sql, since))])()
}

function strangers(db: Database.Database): string[] {
  const rows = db.pragma('foreign_key_check') as { table: string; rowid: number | null; parent: string }[]
  const lines = rows.map(
    ({ table, rowid, parent }) => `${table}: row ${rowid ?? '?'} names a row of ${parent} that is not there`,
  )
  return shortened(lines, lines.length)
}

function linesOf(db: Database.Database, sql: string, since: number): string[] {
  const takes = sql.includes(':since') ? [{ since }] : []
  const lines: string[] = []
  let count = 0
  for (const { line } of db.prepare(sql).iterate(...takes) as IterableIterator<{ line: string }>) {
    if (count < MOST_LINES) lines.push(line)
    count++
  }
  return shortened(lines, count)
}

function shortened(lines: readonly string[], count: number): string[] {
  if (count <= MOST_LINES) return [...lines]
  return [...lines.slice(0, MOST_LINES), `and ${count - MOST_LINES} more of this kind`]
}
