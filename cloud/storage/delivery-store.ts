// Deliveries: one row carries one event to one endpoint. States: pending (never tried) -> delivered | retrying | failed; retrying -> delivered | failed.
import { sql } from 'kysely'
import { type DeliveryId, type EventId, newId, type WebhookId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { queryBuilder } from './query-builder.ts'

// Literals, not parameters: SQLite uses a partial index only when the query says the same as the index.
const PENDING = sql.lit('pending' as const)
const RETRYING = sql.lit('retrying' as const)
const OPEN = [PENDING, RETRYING]
/** Rows read at a time when looking for new deliveries. */
const NEWER_PAGE = 1_000

export interface NewDelivery {
  eventId: EventId
  endpointId: WebhookId
  subjectId: string
  /** False: the endpoint is disabled, so the delivery is kept as failed and can be sent again later. */
  enabled: boolean
  nowMs: number
}

const insert = prepared((p) =>
  queryBuilder.insertInto('deliveries').values({
    id: p('id'),
    event_id: p('eventId'),
    endpoint_id: p('endpointId'),
    subject_id: p('subjectId'),
    state: p('state'),
    attempts: 0,
    next_at: p('nowMs'),
    last_error: p('error'),
    created_at: p('nowMs'),
    settled_at: p('settledAt'),
  }),
)

/** Adds a delivery to the transaction of its event. */
export async function insertDelivery(tx: Tx, { enabled, ...row }: NewDelivery): Promise<DeliveryId> {
  const id = newId('dlv', row.nowMs)
  await insert(tx, {
    ...row,
    id,
    state: enabled ? 'pending' : 'failed',
    error: enabled ? null : 'endpoint_disabled',
    settledAt: enabled ? null : row.nowMs,
  })
  return id
}

/** A delivery under lease: everything that one attempt needs. */
export interface ClaimedDelivery {
  ordinal: number
  id: DeliveryId
  endpointId: WebhookId
  eventId: EventId
  eventType: string
  subjectId: string
  /** Attempts before this one. */
  attempts: number
  payload: string
}

export interface ClaimRequest {
  endpointId: WebhookId
  /** Deliveries that may be taken. */
  limit: number
  /** How many of them may be retries. */
  retries: number
  /** Which kind is taken first, so that neither waits for the other for ever. */
  retriesFirst: boolean
}

export interface AttemptRecord {
  /** 1 for the first attempt. */
  number: number
  atMs: number
  durationMs: number
  /** HTTP status, or null when no answer came. */
  status: number | null
  /** Class of the failure (`timeout`, `refused`, ...), null when delivered. */
  error: string | null
  /** Beginning of the answer's body. */
  response: string | null
}

export type NextState = { state: 'delivered' } | { state: 'failed' } | { state: 'retrying'; nextAtMs: number }

// biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
const claimable = (p: (name: string) => any) =>
  queryBuilder
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.ordinal', 'd.id', 'd.endpoint_id as endpointId', 'd.event_id as eventId', 'e.type as eventType'])
    .select(['d.subject_id as subjectId', 'd.attempts', 'e.payload'])
    .where('d.endpoint_id', '=', p('endpointId'))
    .where((eb) => eb.or([eb('d.lease_until', 'is', null), eb('d.lease_until', '<=', p('nowMs'))]))
    .orderBy('d.next_at')
    .orderBy('d.ordinal')
    .limit(p('limit'))

// In event order, and never two of one subject at a time: an earlier one that is untried or in flight holds the later ones.
const firstAttempts = prepared((p) =>
  claimable(p)
    .where('d.state', '=', PENDING)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as before')
            .select('before.ordinal')
            .where('before.state', '=', PENDING)
            .whereRef('before.endpoint_id', '=', 'd.endpoint_id')
            .whereRef('before.subject_id', '=', 'd.subject_id')
            .whereRef('before.ordinal', '<', 'd.ordinal'),
        ),
      ),
    ),
)

const dueRetries = prepared((p) => claimable(p).where('d.state', '=', RETRYING).where('d.next_at', '<=', p('nowMs')))

async function claimFor(tx: Tx, request: ClaimRequest, nowMs: number): Promise<ClaimedDelivery[]> {
  const { endpointId, limit, retries, retriesFirst } = request
  const late = (most: number) => (most > 0 ? dueRetries(tx, { endpointId, nowMs, limit: most }) : [])
  const fresh = (most: number) => (most > 0 ? firstAttempts(tx, { endpointId, nowMs, limit: most }) : [])
  if (!retriesFirst) {
    const taken = await fresh(limit)
    return [...taken, ...(await late(Math.min(retries, limit - taken.length)))]
  }
  const taken = await late(Math.min(retries, limit))
  return [...taken, ...(await fresh(limit - taken.length))]
}

const lease = prepared((p) =>
  queryBuilder
    .updateTable('deliveries')
    .set({ lease_until: p('leaseUntilMs') })
    .where('ordinal', '=', p('ordinal')),
)

const settleDelivery = prepared((p) =>
  queryBuilder
    .updateTable('deliveries')
    .set({
      state: p('state'),
      attempts: p('number'),
      next_at: p('nextAtMs'),
      lease_until: null,
      last_status: p('status'),
      last_error: p('error'),
      settled_at: p('settledAt'),
    })
    .where('ordinal', '=', p('ordinal'))
    .where('state', 'in', OPEN)
    .returning('ordinal'),
)

const insertAttempt = prepared((p) =>
  queryBuilder.insertInto('delivery_attempts').values({
    id: p('id'),
    delivery_id: p('deliveryId'),
    number: p('number'),
    trigger: 'schedule',
    at: p('atMs'),
    ms: p('durationMs'),
    status: p('status'),
    error: p('error'),
    response: p('response'),
  }),
)

const endpointAnswered = prepared((p) =>
  queryBuilder
    .updateTable('webhook_endpoints')
    .set({ last_delivery_at: p('nowMs'), failing_since: null })
    .where('id', '=', p('endpointId')),
)

const endpointFailed = prepared((p) =>
  queryBuilder
    .updateTable('webhook_endpoints')
    .set({ failing_since: p('nowMs') })
    .where('id', '=', p('endpointId'))
    .where('failing_since', 'is', null),
)

const newerThan = prepared((p) =>
  queryBuilder
    .selectFrom('deliveries')
    .select(['ordinal', 'endpoint_id as endpointId'])
    .where('ordinal', '>', p('ordinal'))
    .orderBy('ordinal')
    .limit(NEWER_PAGE),
)

/** The endpoints in one of the partial indexes, by seeking from each to the next: SQLite's `distinct` would read every row. */
function hop(state: typeof PENDING | typeof RETRYING, dueMs?: number) {
  const due = dueMs === undefined ? sql`` : sql`and next_at <= ${dueMs}`
  return sql<{ endpointId: WebhookId }>`
    with recursive hop(id) as (
      select min(endpoint_id) from deliveries where state = ${state}
      union all
      select (select min(endpoint_id) from deliveries where state = ${state} and endpoint_id > hop.id)
        from hop where hop.id is not null
    )
    select id as "endpointId" from hop where id is not null
      and exists (select 1 from deliveries where endpoint_id = hop.id and state = ${state} ${due})`
}

export class DeliveryStore {
  /** Fired after the commit that made deliveries ready to be sent. */
  readonly changed = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The ordinal of the newest delivery, 0 when there is none. */
  async newest(): Promise<number> {
    const row = await this.#db.read
      .selectFrom('deliveries')
      .select('ordinal')
      .orderBy('ordinal', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.ordinal ?? 0
  }

  /** Endpoints that got deliveries after `ordinal`, and the newest ordinal seen: call again with it while `more`. */
  async endpointsSince(ordinal: number): Promise<{ endpointIds: Set<WebhookId>; newest: number; more: boolean }> {
    const rows = await newerThan(this.#db.read, { ordinal })
    return {
      endpointIds: new Set(rows.map((row) => row.endpointId)),
      newest: rows.at(-1)?.ordinal ?? ordinal,
      more: rows.length === NEWER_PAGE,
    }
  }

  /** Endpoints with an untried delivery, or a retry that is due. Costs as much as there are such endpoints, however many deliveries wait. */
  async endpointsDue(nowMs: number): Promise<WebhookId[]> {
    const untried = await hop(PENDING).execute(this.#db.read)
    const retrying = await hop(RETRYING, nowMs).execute(this.#db.read)
    return [...untried.rows, ...retrying.rows].map((row) => row.endpointId)
  }

  /** Takes deliveries under lease, in the order in which they are to be sent. On disk when the promise resolves. */
  claim(requests: readonly ClaimRequest[], nowMs: number, leaseUntilMs: number): Promise<ClaimedDelivery[]> {
    return this.#db.unit(async (tx) => {
      const claimed: ClaimedDelivery[] = []
      for (const request of requests) claimed.push(...(await claimFor(tx, request, nowMs)))
      for (const { ordinal } of claimed) await lease(tx, { ordinal, leaseUntilMs })
      return claimed
    })
  }

  /**
   * Records an attempt and what follows from it; the endpoint's health with it, all in one unit.
   * A delivery that was deleted meanwhile, with its endpoint, is passed over.
   */
  settle(delivery: ClaimedDelivery, attempt: AttemptRecord, next: NextState, nowMs: number): Promise<void> {
    return this.#db.unit(async (tx) => {
      const settled = await settleDelivery(tx, {
        ordinal: delivery.ordinal,
        state: next.state,
        number: attempt.number,
        nextAtMs: next.state === 'retrying' ? next.nextAtMs : nowMs,
        status: attempt.status,
        error: attempt.error,
        settledAt: next.state === 'retrying' ? null : nowMs,
      })
      if (settled.length === 0) return
      await insertAttempt(tx, { ...attempt, id: newId('att', attempt.atMs), deliveryId: delivery.id })
      const endpoint = next.state === 'delivered' ? endpointAnswered : endpointFailed
      await endpoint(tx, { endpointId: delivery.endpointId, nowMs })
    })
  }

  /** Ends the open deliveries of an endpoint that is disabled; they can be sent again by hand. */
  async failDisabled(endpointId: WebhookId, nowMs: number): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('deliveries')
        .set({ state: 'failed', last_error: 'endpoint_disabled', lease_until: null, settled_at: nowMs })
        .where('endpoint_id', '=', endpointId)
        .where('state', 'in', OPEN)
        .execute(),
    )
  }

  /** Gives leases back, so that these deliveries can be claimed at once. */
  async release(ordinals: readonly number[]): Promise<void> {
    if (ordinals.length === 0) return
    await this.#db.unit((tx) =>
      tx
        .updateTable('deliveries')
        .set({ lease_until: null })
        .where('ordinal', 'in', [...ordinals])
        .execute(),
    )
  }

  /** Gives all leases back: for the start, when whoever held them is dead. */
  async releaseAll(): Promise<void> {
    await this.#db.unit(async (tx) => {
      for (const state of [PENDING, RETRYING]) {
        await tx
          .updateTable('deliveries')
          .set({ lease_until: null })
          .where('state', '=', state)
          .where('lease_until', 'is not', null)
          .execute()
      }
    })
  }
}
