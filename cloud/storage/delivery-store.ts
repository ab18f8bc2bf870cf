// Deliveries: one row carries one event to one endpoint. States: pending (not tried by the schedule) -> delivered | retrying | failed; retrying -> delivered | failed; failed -> retrying | pending by a recovery.
import { type RawBuilder, sql } from 'kysely'
import { type DeliveryId, type EventId, newId, type WebhookId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { type ClaimedDelivery, type ClaimRequest, claimFor, holdHours, type Quota } from './delivery-claim.ts'
import { endpointsDue, hop } from './delivery-due.ts'
import { holdRow } from './hold.ts'
import { isFree, type NextState, OutboxRows, type OutboxTable, type WaitingPart } from './outbox-rows.ts'
import { queryBuilder } from './query-builder.ts'

// Literals, not parameters: SQLite uses a partial index only when the query has the same condition as the index.
const PENDING = sql.lit('pending' as const)
const RETRYING = sql.lit('retrying' as const)
const OPEN = [PENDING, RETRYING]
const CLAIM = { name: 'webhook_claim' } as const
const SETTLE = { name: 'webhook_settle' } as const

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
  /** The headers as an inspector received them, as JSON. */
  sent?: string | null
  /** The fault is the relay's: it does not count against the endpoint. */
  ours: boolean
}

/** An endpoint is disabled once it has failed for this long without one success, and this often. */
export const SICK_AFTER_MS = 5 * 24 * 3_600_000
const SICK_FAILURES = 20
/** Deliveries changed in one commit when an endpoint is disabled: a few milliseconds. */
const PIECE = 500

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
    .returning(({ selectFrom }) => [
      'ordinal',
      'manual_at as manualAt',
      // The next event of the same subject that is untried: it could not go before this one.
      selectFrom('deliveries as next')
        .select('next.ordinal')
        .where('next.state', '=', PENDING)
        .whereRef('next.endpoint_id', '=', 'deliveries.endpoint_id')
        .whereRef('next.subject_id', '=', 'deliveries.subject_id')
        .whereRef('next.ordinal', '>', 'deliveries.ordinal')
        .orderBy('next.ordinal')
        .limit(sql.lit(1))
        .as('follower'),
    ]),
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
    sent: p('sent'),
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

function tableOf(db: RelayDatabase): OutboxTable<number> {
  const partsOf = async (state: 'pending' | 'retrying', attempts: RawBuilder<unknown>): Promise<WaitingPart[]> => {
    const index = `deliveries_${state}`
    const { walk, found } = hop(db.read, { as: 'hop', index, within: sql`state = ${sql.lit(state)}` })
    const { rows } = await sql<{ endpointId: WebhookId }>`with recursive ${walk} ${found}`.execute(db.read)
    return rows.map(({ endpointId }) => ({
      ...{ index, attempts },
      within: sql`state = ${sql.lit(state)} and endpoint_id = ${endpointId}`,
    }))
  }
  return {
    table: 'deliveries',
    key: 'ordinal',
    leased: sql`lease_until is not null`,
    rows: (ordinals) => sql`ordinal in (${sql.join(ordinals)})`,
    // First attempts too: their times are shown, and order them.
    parts: async () => [
      ...(await partsOf('retrying', sql`(attempts - manual_attempts)`)),
      ...(await partsOf('pending', sql`0`)),
    ],
  }
}

export class DeliveryStore extends OutboxRows<number> {
  /** Fired after the commit that made deliveries of this endpoint ready to be sent. Null: which one is not known, there may be some of any. */
  readonly changed = new Signal<WebhookId | null>()
  /** Fired after the commit that disabled an endpoint: its open deliveries are to be ended. */
  readonly disabled = new Signal<WebhookId>()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    super(db, tableOf(db))
    this.#db = db
  }

  /** Fires `changed`. Call it after the commit that made deliveries of these endpoints ready; one named twice is announced once. */
  announce(endpointIds: readonly WebhookId[]): void {
    for (const id of new Set(endpointIds)) this.changed.notify(id)
  }

  /** Endpoints with something to be sent now: `endpointsDue` in delivery-due.ts. */
  endpointsDue(nowMs: number, whose: Parameters<typeof endpointsDue>[2] = () => 'ours'): Promise<WebhookId[]> {
    return endpointsDue(this.#db.read, nowMs, whose)
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
      await holdHours(tx, quotas.values())
      for (const request of requests) {
        const quota = quotas.get(request.endpointId)
        if (quota) claimed.push(...(await claimFor(tx, request, { quota, ...times, by: this.#db.replicaId })))
      }
      return claimed
    }, CLAIM)
  }

  /**
   * Records an attempt and what follows from it, together with the endpoint's health, in one unit.
   * A delivery that was deleted meanwhile, with its endpoint, is skipped.
   * @param next for an attempt by hand only `delivered` matters: the schedule does not change
   * @returns whether the endpoint was disabled by this failure, and whether something of the endpoint may be sent now that could not before: an
   *   untried event of the same subject, an attempt by hand that was requested meanwhile, a retry without a delay
   */
  settle(
    delivery: ClaimedDelivery,
    attempt: AttemptRecord,
    { next, nowMs }: { next: NextState; nowMs: number },
  ): Promise<{ disabled: boolean; freesMore: boolean }> {
    return this.#db.unit(async (tx) => {
      await holdRow(tx, 'webhook_endpoints', delivery.endpointId)
      return settleIn(tx, delivery, { attempt, next, nowMs })
    }, SETTLE)
  }

  /**
   * Ends the open deliveries of an endpoint that is disabled, in pieces; they can be sent again by a recovery. Those in flight are left to
   * their own end. Stops when the endpoint is enabled again.
   */
  async failDisabled(endpointId: WebhookId, nowMs: number): Promise<void> {
    while (await this.#db.unit((tx) => failPiece(tx, endpointId, nowMs)));
  }

  /** Ends one that is held and that its endpoint may no longer get. An attempt by hand is over, too. */
  async failNotGranted(ordinal: number, nowMs: number): Promise<void> {
    const failed = { state: 'failed', last_error: 'grant_removed', lease_until: null, manual_at: null } as const
    await this.#db.unit((tx) =>
      tx
        .updateTable('deliveries')
        .set({ ...failed, settled_at: nowMs })
        .where('ordinal', '=', ordinal)
        .execute(),
    )
  }
}

/** `DeliveryStore.settle` in a unit that holds the endpoint. */
export async function settleIn(
  tx: Tx,
  delivery: Pick<ClaimedDelivery, 'ordinal' | 'id' | 'endpointId' | 'manualAt'>,
  { attempt, next, nowMs }: { attempt: AttemptRecord; next: NextState; nowMs: number },
): Promise<{ disabled: boolean; freesMore: boolean }> {
  const { ordinal, id: deliveryId, endpointId, manualAt } = delivery
  const { number, status, error } = attempt
  const taken = next.state === 'delivered'
  const settled: { ordinal: number; manualAt?: number | null; follower?: number | null }[] =
    manualAt === null
      ? await settleDelivery(tx, {
          ...{ ordinal, number, status, error },
          state: next.state,
          nextAtMs: next.state === 'retrying' ? next.nextAtMs : nowMs,
          settledAt: next.state === 'retrying' ? null : nowMs,
        })
      : await (taken ? takenByHand : failedByHand)(tx, { ordinal, number, status, error, manualAt, nowMs })
  const [row] = settled
  if (row === undefined) return { disabled: false, freesMore: true }
  const trigger = manualAt === null ? 'schedule' : 'manual'
  await insertAttempt(tx, { sent: null, ...attempt, id: newId('att', attempt.atMs), deliveryId, trigger })
  if (taken) await endpointAnswered(tx, { endpointId, nowMs })
  const disabled = taken || attempt.ours ? false : await failEndpoint(tx, endpointId, nowMs)
  const isDue = next.state === 'retrying' && next.nextAtMs <= nowMs
  const freesMore = manualAt !== null || isDue || row.manualAt !== null || row.follower !== null
  return { disabled, freesMore }
}

/** @returns true when there may be more */
async function failPiece(tx: Tx, endpointId: WebhookId, nowMs: number): Promise<boolean> {
  // Locked: enabling it meanwhile waits, and finds these ended.
  const endpoint = await tx
    .selectFrom('webhook_endpoints')
    .select('status')
    .where('id', '=', endpointId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (endpoint?.status !== 'disabled') return false
  const rows = await tx
    .selectFrom('deliveries')
    .select('ordinal')
    .where('endpoint_id', '=', endpointId)
    .where('state', 'in', OPEN)
    .where(isFree('deliveries', nowMs))
    .limit(PIECE)
    // What another relay takes now is not free any more.
    .forNoKeyUpdate()
    .skipLocked()
    .execute()
  const ordinals = rows.map(({ ordinal }) => ordinal)
  if (ordinals.length > 0)
    await tx
      .updateTable('deliveries')
      .set({ state: 'failed', last_error: 'endpoint_disabled', lease_until: null, settled_at: nowMs })
      .where('ordinal', 'in', ordinals)
      .execute()
  return rows.length === PIECE
}
