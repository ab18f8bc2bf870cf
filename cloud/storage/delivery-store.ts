// Deliveries: one row carries one event to one endpoint. States: pending (not tried by the schedule) -> delivered | retrying | failed; retrying -> delivered | failed; failed -> retrying | pending by a recovery.
import { type RawBuilder, sql } from 'kysely'
import { type DeliveryId, type EventId, newId, type WebhookId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { type ClaimedDelivery, type ClaimRequest, claimFor, type Quota } from './delivery-claim.ts'
import { waitingDeliveries } from './outbox-parts.ts'
import { queryBuilder } from './query-builder.ts'
import { WaitingRows } from './waiting-rows.ts'

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
  /** The event's type. */
  type: string
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
    type: p('type'),
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
  /** The fault is ours: it says nothing about the endpoint. */
  ours: boolean
}

/** An endpoint is disabled once it has failed for this long without one success, and this often. */
const SICK_AFTER_MS = 5 * 24 * 3_600_000
const SICK_FAILURES = 20
/** Deliveries changed in one commit when an endpoint is disabled: a few milliseconds. */
const PIECE = 500

export type NextState = { state: 'delivered' } | { state: 'failed' } | { state: 'retrying'; nextAtMs: number }

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

// biome-ignore lint/suspicious/noExplicitAny: a parameter stands for a value of any column type
const manuallyTried = (p: (name: string) => any) =>
  queryBuilder
    .updateTable('deliveries')
    .set((eb) => ({
      // A wish that came while this attempt was under way stays.
      manual_at: sql<number | null>`case when manual_at <> ${p('manualAt')} then manual_at end`,
      attempts: p('number'),
      manual_attempts: eb('manual_attempts', '+', 1),
      lease_until: null,
      last_status: p('status'),
      last_error: p('error'),
    }))
    .where('ordinal', '=', p('ordinal'))
    .returning('ordinal')

const takenByHand = prepared((p) => manuallyTried(p).set({ state: 'delivered', settled_at: p('nowMs') }))
/** State and schedule stay as they are. */
const failedByHand = prepared(manuallyTried)

const insertAttempt = prepared((p) =>
  queryBuilder.insertInto('delivery_attempts').values({
    id: p('id'),
    delivery_id: p('deliveryId'),
    number: p('number'),
    trigger: p('trigger'),
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
    .set({ last_delivery_at: p('nowMs'), failing_since: null, failures: 0 })
    .where('id', '=', p('endpointId')),
)

const endpointFailed = prepared((p) =>
  queryBuilder
    .updateTable('webhook_endpoints')
    .set((eb) => ({
      failing_since: sql<number>`coalesce(failing_since, ${p('nowMs')})`,
      failures: eb('failures', '+', 1),
    }))
    .where('id', '=', p('endpointId'))
    .returning(['failing_since as sinceMs', 'failures', 'status']),
)

/** @returns true when this failure was the one too many, and the endpoint is disabled now */
async function failEndpoint(tx: Tx, endpointId: WebhookId, nowMs: number): Promise<boolean> {
  const [endpoint] = await endpointFailed(tx, { endpointId, nowMs })
  if (!endpoint || endpoint.status === 'disabled') return false
  const { sinceMs, failures } = endpoint
  if (sinceMs === null || nowMs - sinceMs < SICK_AFTER_MS || failures < SICK_FAILURES) return false
  await tx
    .updateTable('webhook_endpoints')
    .set({ status: 'disabled', disabled_reason: 'failing' })
    .where('id', '=', endpointId)
    .execute()
  return true
}

const newerThan = prepared((p) =>
  queryBuilder
    .selectFrom('deliveries')
    .select(['ordinal', 'endpoint_id as endpointId'])
    .where('ordinal', '>', p('ordinal'))
    .orderBy('ordinal')
    .limit(NEWER_PAGE),
)

/** The endpoints in a partial index, by seeking from each to the next: SQLite's `distinct` would read every row. */
function hop(index: string, within: RawBuilder<unknown>, due: RawBuilder<unknown> = sql``) {
  const from = sql`deliveries indexed by ${sql.ref(index)}`
  return sql<{ endpointId: WebhookId }>`
    with recursive hop(id) as (
      select min(endpoint_id) from ${from} where ${within}
      union all
      select (select min(endpoint_id) from ${from} where ${within} and endpoint_id > hop.id)
        from hop where hop.id is not null
    )
    select id as "endpointId" from hop where id is not null
      and exists (select 1 from ${from} where endpoint_id = hop.id and ${within} ${due})`
}

export class DeliveryStore {
  /** Fired after the commit that made deliveries ready to be sent. */
  readonly changed = new Signal()
  /** Fired after the commit that made older deliveries of an endpoint ready: by hand or by a recovery. */
  readonly askedFor = new Signal<WebhookId>()
  /** Fired after the commit that disabled an endpoint: its open deliveries are to be ended. */
  readonly disabled = new Signal<WebhookId>()
  /** The times of deliveries that wait. */
  readonly waiting: WaitingRows
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
    const endpoints = async (state: 'pending' | 'retrying') => {
      const found = await hop(`deliveries_${state}`, sql`state = ${sql.lit(state)}`).execute(db.read)
      return found.rows.map(({ endpointId }) => endpointId)
    }
    this.waiting = new WaitingRows(db, waitingDeliveries(endpoints))
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

  /**
   * Endpoints with an untried delivery, a retry that is due, or an attempt asked for by hand. Costs as much as there are such endpoints,
   * however many deliveries wait.
   */
  async endpointsDue(nowMs: number): Promise<WebhookId[]> {
    const untried = await hop('deliveries_pending', sql`state = ${PENDING}`).execute(this.#db.read)
    const retrying = await hop('deliveries_retrying', sql`state = ${RETRYING}`, sql`and next_at <= ${nowMs}`).execute(
      this.#db.read,
    )
    const asked = await hop('deliveries_manual', sql`manual_at is not null`).execute(this.#db.read)
    return [...untried.rows, ...retrying.rows, ...asked.rows].map((row) => row.endpointId)
  }

  /**
   * Takes deliveries under lease, in the order in which they are to be sent. On disk when the promise resolves.
   * @param quotas of the endpoints asked for; one without is passed over
   */
  claim(
    requests: readonly ClaimRequest[],
    quotas: ReadonlyMap<WebhookId, Quota>,
    times: { nowMs: number; leaseUntilMs: number },
  ): Promise<ClaimedDelivery[]> {
    return this.#db.unit(async (tx) => {
      const claimed: ClaimedDelivery[] = []
      for (const request of requests) {
        const quota = quotas.get(request.endpointId)
        if (quota) claimed.push(...(await claimFor(tx, request, quota, times)))
      }
      return claimed
    })
  }

  /**
   * Records an attempt and what follows from it; the endpoint's health with it, all in one unit.
   * A delivery that was deleted meanwhile, with its endpoint, is passed over.
   * @param next of an attempt by hand only `delivered` says anything: the schedule is left alone
   * @returns whether the endpoint was disabled by this failure
   */
  settle(delivery: ClaimedDelivery, attempt: AttemptRecord, next: NextState, nowMs: number): Promise<boolean> {
    const { ordinal, id: deliveryId, endpointId, manualAt } = delivery
    const { number, status, error } = attempt
    const taken = next.state === 'delivered'
    return this.#db.unit(async (tx) => {
      const settled =
        manualAt === null
          ? await settleDelivery(tx, {
              ...{ ordinal, number, status, error },
              state: next.state,
              nextAtMs: next.state === 'retrying' ? next.nextAtMs : nowMs,
              settledAt: next.state === 'retrying' ? null : nowMs,
            })
          : await (taken ? takenByHand : failedByHand)(tx, { ordinal, number, status, error, manualAt, nowMs })
      if (settled.length === 0) return false
      const trigger = manualAt === null ? 'schedule' : 'manual'
      await insertAttempt(tx, { ...attempt, id: newId('att', attempt.atMs), deliveryId, trigger })
      if (taken) await endpointAnswered(tx, { endpointId, nowMs })
      return taken || attempt.ours ? false : failEndpoint(tx, endpointId, nowMs)
    })
  }

  /**
   * Ends the open deliveries of an endpoint that is disabled, in pieces; they can be sent again by a recovery. Those in flight are left to
   * their own end. Stops when the endpoint is enabled again.
   */
  async failDisabled(endpointId: WebhookId, nowMs: number): Promise<void> {
    while (await this.#db.unit((tx) => failPiece(tx, endpointId, nowMs)));
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
    await this.#db.unit((tx) =>
      // The condition of the partial index deliveries_leased: those that wait are not read.
      tx.updateTable('deliveries').set({ lease_until: null }).where('lease_until', 'is not', null).execute(),
    )
  }
}

/** @returns true when there may be more */
async function failPiece(tx: Tx, endpointId: WebhookId, nowMs: number): Promise<boolean> {
  const endpoint = await tx
    .selectFrom('webhook_endpoints')
    .select('status')
    .where('id', '=', endpointId)
    .executeTakeFirst()
  if (endpoint?.status !== 'disabled') return false
  const rows = await tx
    .selectFrom('deliveries')
    .select('ordinal')
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', OPEN)
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', nowMs)]))
    .limit(PIECE)
    .execute()
  for (const { ordinal } of rows) await failOne(tx, { ordinal, nowMs })
  return rows.length === PIECE
}

const failOne = prepared((p) =>
  queryBuilder
    .updateTable('deliveries')
    .set({
      state: 'failed',
      last_error: 'endpoint_disabled',
      lease_until: null,
      settled_at: p('nowMs'),
    })
    .where('ordinal', '=', p('ordinal')),
)
