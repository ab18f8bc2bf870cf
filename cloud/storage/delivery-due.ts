// Which webhook endpoints have something to send now: read twice a second by each relay, also when nothing waits.
import { type RawBuilder, sql } from 'kysely'
import type { WebhookId } from '#shared/ids.ts'
import { type Db, wordsOf } from './database.ts'

// Literals, not parameters: SQLite uses a partial index only when the query has the same condition as the index.
const PENDING = sql.lit('pending' as const)
const RETRYING = sql.lit('retrying' as const)

interface Hop {
  /** Of its common table expression. */
  as: string
  index: string
  within: RawBuilder<unknown>
  due?: RawBuilder<unknown>
}

/** The endpoints in a partial index, by seeking from each to the next: SQLite's `distinct` would read every row. */
export function hop(
  on: Db,
  { as, index, within, due = sql`` }: Hop,
): { walk: RawBuilder<unknown>; found: RawBuilder<unknown> } {
  const from = sql`deliveries ${wordsOf(on).indexedBy(index)}`
  const at = sql.ref(as)
  return {
    walk: sql`${at}(id) as (
      select min(endpoint_id) from ${from} where ${within}
      union all
      select (select min(endpoint_id) from ${from} where ${within} and endpoint_id > ${at}.id)
        from ${at} where ${at}.id is not null
    )`,
    found: sql`select id as "endpointId" from ${at} where id is not null
      and exists (select 1 from ${from} where endpoint_id = ${at}.id and ${within} ${due})`,
  }
}

/** This late, deliveries assigned to another relay are sent by any relay that finds them: the other may have ended, or have no place for them. */
export const OVERDUE_MS = 5_000
const OVERDUE_PAGE = 500

/** Those of the endpoints that have waited longer, and of which nothing is being sent now. */
async function overdue(on: Db, ids: readonly WebhookId[], nowMs: number): Promise<WebhookId[]> {
  const waits = (within: RawBuilder<unknown>, column: 'next_at' | 'manual_at') => sql`exists (select 1 from deliveries
    where endpoint_id = w.id and ${within} and ${sql.ref(column)} <= ${nowMs - OVERDUE_MS})`
  const { rows } = await sql<{ id: WebhookId }>`select w.id from webhook_endpoints as w where w.id in (${sql.join(ids)})
    and w.id not in (select endpoint_id from deliveries where lease_until is not null and lease_until > ${nowMs})
    and (${waits(sql`state = ${PENDING}`, 'next_at')} or ${waits(sql`state = ${RETRYING}`, 'next_at')}
      or ${waits(sql`manual_at is not null`, 'manual_at')})`.execute(on)
  return rows.map(({ id }) => id)
}

/**
 * Endpoints with an untried delivery, a retry that is due, or an attempt by hand. One statement, since it runs twice a second;
 * its cost depends on the number of such endpoints, however many deliveries wait.
 * @param whose `others` are left to the relay that each is assigned to, until something of it has waited for 5 s and none of it is being sent;
 *   `skip` are left out
 */
export async function endpointsDue(
  read: Db,
  nowMs: number,
  whose: (id: WebhookId) => 'ours' | 'others' | 'skip',
): Promise<WebhookId[]> {
  const hops = [
    hop(read, { as: 'hop_untried', index: 'deliveries_pending', within: sql`state = ${PENDING}` }),
    hop(read, {
      as: 'hop_retrying',
      index: 'deliveries_retrying',
      within: sql`state = ${RETRYING}`,
      due: sql`and next_at <= ${nowMs}`,
    }),
    hop(read, { as: 'hop_asked', index: 'deliveries_manual', within: sql`manual_at is not null` }),
  ]
  const walks = sql.join(hops.map(({ walk }) => walk))
  const found = sql.join(
    hops.map(({ found: of }) => sql`select "endpointId" from (${of}) as f`),
    sql` union all `,
  )
  const { rows } = await sql<{ endpointId: WebhookId }>`with recursive ${walks} ${found}`.execute(read)
  const due = Map.groupBy(new Set(rows.map(({ endpointId }) => endpointId)), whose)
  const ours = due.get('ours') ?? []
  const others = due.get('others') ?? []
  return others.length === 0 ? ours : [...ours, ...(await overdue(read, others.slice(0, OVERDUE_PAGE), nowMs))]
}
