// After the fire: what the database, the gateways and the webhook receiver say of every order. One sentence for each fault; none is as it should be.
import { sql } from 'kysely'
import type { Db } from '#cloud/storage/database.ts'
import type { FireSite } from './fire-site.ts'

/** The same fault of many orders is told so often. */
const MOST_OF_A_KIND = 5

/** Everything that waits is done: on paper, reported, and told to the client. */
export async function isQuiet(db: Db): Promise<boolean> {
  const { rows } = await sql<{ open: number }>`select
    (select count(*) from dispatches where state in ('queued', 'sent', 'accepted'))
    + (select count(*) from deliveries where state in ('pending', 'retrying')) as open`.execute(db)
  return rows[0]?.open === 0
}

/** What is not done, in words: when `isQuiet` does not come. */
export async function whatWaits(db: Db): Promise<string> {
  const { rows: jobs } = await sql`select state, location_id, gateway_id, count(*), min(ordinal), max(available_at)
    from dispatches where state in ('queued', 'sent', 'accepted') group by 1, 2, 3 limit 20`.execute(db)
  const { rows: deliveries } =
    await sql`select state, attempts, last_error, lease_by, count(*), max(next_at), max(lease_until)
    from deliveries where state in ('pending', 'retrying') group by 1, 2, 3, 4 limit 20`.execute(db)
  const { rows: gateways } = await sql`select id, location_id, presence, session_epoch, acked_seq, last_seq, relay_id
    from gateways limit 20`.execute(db)
  return JSON.stringify({ nowMs: Date.now(), jobs, deliveries, gateways }, null, 1)
}

export async function judgeFire(site: FireSite, db: Db): Promise<string[]> {
  const kinds = [
    site.relays.flatMap(({ fell }) => fell),
    site.client.refused,
    await judgeOrders(site, db),
    site.kitchen.faults,
    await judgePaper(site, db),
    await judgeEvents(db),
    await judgeWebhooks(site, db),
  ]
  return kinds.flatMap((faults) => {
    const rest = faults.length - MOST_OF_A_KIND
    return rest > 0 ? [...faults.slice(0, MOST_OF_A_KIND), `... and ${rest} more`] : faults
  })
}

/** Every order that was accepted is exactly one row, and nothing else is. */
async function judgeOrders({ client }: FireSite, db: Db): Promise<string[]> {
  const rows = await db.selectFrom('orders').select(['id', 'client_order_id']).execute()
  const idsOf = Map.groupBy(rows, (row) => row.client_order_id)
  const faults = client.orders.flatMap(({ orderId, serviceOrderId }) => {
    const ids = (idsOf.get(orderId) ?? []).map(({ id }) => id)
    return ids.length === 1 && ids[0] === serviceOrderId
      ? []
      : [`order ${orderId} was answered with ${serviceOrderId} and is stored as ${ids.join(', ') || 'nothing'}`]
  })
  const known = new Set(client.orders.map(({ orderId }) => orderId))
  const strangers = rows.filter((row) => !known.has(row.client_order_id))
  return [...faults, ...strangers.map(({ id }) => `order ${id} is stored and was never sent`)]
}

/** One job an order, and each at its gateway. */
async function judgePaper({ kitchen }: FireSite, db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('orders as o')
    .leftJoin('dispatches as d', 'd.order_id', 'o.id')
    .select(['o.id', 'o.status', 'o.print_state', 'd.id as jobId', 'd.state'])
    .orderBy('o.id')
    .execute()
  const jobsOf = Map.groupBy(rows, ({ id }) => id)
  return [...jobsOf].flatMap(([orderId, jobs]) => {
    const [job] = jobs
    if (jobs.length !== 1 || job === undefined) return [`order ${orderId} has ${jobs.length} jobs`]
    const { status, print_state, jobId, state } = job
    if (jobId === null || !kitchen.jobs.has(jobId)) return [`job ${jobId} of order ${orderId} never came to a gateway`]
    const said = [status, print_state, state].join(', ')
    return said === 'printed, printed, printed' ? [] : [`order ${orderId} is on paper, and stands as ${said}`]
  })
}

/** 1, 2, ... for each order, one of them `order.printed`. */
async function judgeEvents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select(['subject_id', 'type', 'sequence'])
    .orderBy('subject_id')
    .orderBy('position')
    .execute()
  const orders = await db.selectFrom('orders').select('id').execute()
  const eventsOf = Map.groupBy(rows, (row) => row.subject_id)
  return orders.flatMap(({ id }) => {
    const said = (eventsOf.get(id) ?? []).map(({ type, sequence }) => `${sequence} ${type}`).join(', ')
    return said === '1 order.accepted, 2 order.printed' ? [] : [`order ${id} has the events ${said || 'none'}`]
  })
}

/** Each event at least once, and the first time in order; but where a first attempt failed, which then waits for its retry. */
async function judgeWebhooks({ webhooks }: FireSite, db: Db): Promise<string[]> {
  const orders = await db.selectFrom('orders').select('id').execute()
  const failed = await db
    .selectFrom('delivery_attempts as a')
    .innerJoin('deliveries as d', 'd.id', 'a.delivery_id')
    .select('d.subject_id')
    .where('a.error', 'is not', null)
    .distinct()
    .execute()
  const mayTurn = new Set(failed.map((row) => row.subject_id))
  const faults = orders.flatMap(({ id }) => {
    const came = webhooks.firstOf.get(id) ?? []
    const inOrder = mayTurn.has(id) ? came.toSorted((a, b) => a - b) : came
    return inOrder.join() === '1,2' ? [] : [`of order ${id} the client heard the events ${came.join() || 'none'}`]
  })
  return [...webhooks.faults, ...faults]
}
