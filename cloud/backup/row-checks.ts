// Rows of a relay's database that contradict each other, on both engines: each check is a query that returns a line for each fault.
import { EVENTS_KEPT_MS } from '#cloud/storage/webhook-history.ts'

/** Of one check: enough to see what it is. */
export const MOST_LINES = 50
/** Orders so young have all their events: a day less than those are kept. */
export const COMPARED_MS = EVENTS_KEPT_MS - 86_400_000

interface Words {
  /** A number that a JSON text has under this key. */
  numberIn(json: string, key: string): string
  /** The parameter: what is older may have been deleted in order. */
  since: string
}

export function rowChecks({ numberIn, since }: Words): readonly string[] {
  const billed = numberIn('l.after', 'calls')
  return [
    `select 'gateway ' || g.id || ': job ' || d.id || ' has number ' || d.seq || ', only ' || g.last_seq || ' were given out' as line
      from dispatches d join gateways g on g.id = d.gateway_id and g.stream = d.stream where d.seq > g.last_seq`,
    `select 'gateway ' || id || ': has ' || acked_seq || ' jobs, only ' || last_seq || ' were given out' as line
      from gateways where acked_seq > last_seq`,
    `select 'order ' || o.id || ': is printed, and has no order.printed' as line from orders o
      where o.printed_at is not null and o.queued_at >= ${since} and not exists (select 1 from events e where e.subject_id = o.id and e.type = 'order.printed')`,
    `select 'order ' || o.id || ': its ticket is printed, and its print job ' || d.id || ' is ' || d.state as line
      from orders o join dispatches d on d.id = o.print_job_id where o.print_state = 'printed' and d.state <> 'printed'`,
    `select 'order ' || o.id || ': stands at event ' || o.sequence || ', has ' || count(e.id) || ' events up to ' || coalesce(max(e.sequence), 0) as line
      from orders o left join events e on e.subject_id = o.id and e.test = 0 where o.queued_at >= ${since} group by o.id
      having count(e.id) <> o.sequence or coalesce(max(e.sequence), 0) <> o.sequence`,
    `select 'usage of ' || day || ': key ' || key_id || ' of account ' || account_id || ' has ' || calls || ' calls' as line
      from usage_days where calls < 0 or not exists (select 1 from accounts a where a.id = usage_days.account_id)`,
    `select 'invoice ' || i.id || ': is for ' || ${billed} || ' calls, the days of ' || i.month || ' have ' || coalesce(sum(u.calls), 0) as line
      from invoices i join audit_log l on l.subject = i.id and l.action = 'invoice.issue'
      left join usage_days u on u.account_id = i.account_id and u.environment = 'live' and substr(u.day, 1, 7) = i.month
      group by i.id, l.ordinal having ${billed} <> coalesce(sum(u.calls), 0)`,
  ]
}

/** @param count of all, also of those that are not in `lines` */
export function shortened(lines: readonly string[], count: number): string[] {
  if (count <= MOST_LINES) return [...lines]
  return [...lines.slice(0, MOST_LINES), `and ${count - MOST_LINES} more of this kind`]
}
