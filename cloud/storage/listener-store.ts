// Listeners: endpoints whose deliveries are sent through a stream that a program has opened, at most one at a time. The current stream is
// stored here, so that it may be at any relay of the database.
import { sql } from 'kysely'
import type { AccountId, DeliveryId, MerchantKey, WebhookId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { type ClaimedDelivery, claimUncounted } from './delivery-claim.ts'
import type { DeliveryRow } from './delivery-log.ts'
import { type AttemptRecord, settleIn } from './delivery-store.ts'
import { holding, holdRow } from './hold.ts'
import { isFree, type NextState } from './outbox-rows.ts'
import { queryBuilder } from './query-builder.ts'
import { ofDeadRelays } from './replica-store.ts'
import type { WebhookEndpointsTable, WebhookListenersTable } from './schema-webhooks.ts'

const CLAIM = { name: 'listener_claim' } as const
const RESULT = { name: 'listener_result' } as const
/** In `expires_at`: it is being deleted, and no stream of it opens any more. */
const GOING = -1
/** `ready` says how many wait; beyond this it is not counted on. */
const COUNTED = 1_000

/** A listener with what its routes need of its endpoint. */
export interface Listener {
  endpointId: WebhookId
  accountId: AccountId
  environment: 'sandbox' | 'live'
  merchantKey: MerchantKey
  /** The public `M-...` id. */
  merchantId: string
  likeId: WebhookId | null
}

/** What is true of a stream that this relay has. */
export interface StreamLook {
  endpointId: WebhookId
  /** The stream that the listener has now; null: none. */
  streamId: string | null
  /** Something of it can be sent. */
  isDue: boolean
}

/** The result of a delivery, as reported by the listening program. */
export interface ListenerResult {
  deliveryId: DeliveryId
  /** Of the attempt. */
  number: number
  attempt: Omit<AttemptRecord, 'number' | 'atMs' | 'ours'>
  /** The program asks for the next attempt at once: nobody knows whether this one arrived. */
  goesAgain: boolean
}

/**
 * `unknown`: no such delivery of this listener. `unexpected`: the attempt was not sent, or is over without a result. `repeated`: its result was
 * recorded before.
 */
export type RecordedResult =
  | { kind: 'unknown' | 'unexpected'; state: null }
  | { kind: 'repeated'; state: DeliveryRow['state'] }
  | {
      kind: 'recorded'
      state: DeliveryRow['state']
      delivery: Pick<DeliveryRow, 'ordinal' | 'event_id' | 'type' | 'subject_id'>
      atMs: number
    }

const listenerRow = holding((p) =>
  queryBuilder.selectFrom('webhook_listeners').selectAll().where('endpoint_id', '=', p('id')),
)

const deliveryRow = holding((p) =>
  queryBuilder
    .selectFrom('deliveries')
    .selectAll()
    .where('id', '=', p('deliveryId'))
    .where('endpoint_id', '=', p('id')),
)

const attemptRow = prepared((p) =>
  queryBuilder
    .selectFrom('delivery_attempts')
    .select('number')
    .where('delivery_id', '=', p('deliveryId'))
    .where('number', '=', p('number')),
)

export class ListenerStore {
  /** Fired after the commit that opened a stream of this listener, recorded a result of it, or took it away. */
  readonly changed = new Signal<WebhookId>()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /**
   * Adds the endpoint and what it has as a listener, unless the account has `most` in this environment. One that nobody listens to and for which
   * nothing waits gives its place up.
   * @returns false when all are in use
   */
  async insert(
    tx: Tx,
    endpoint: WebhookEndpointsTable,
    { likeId, expiresMs, most }: { likeId: WebhookId | null; expiresMs: number; most: number },
  ): Promise<boolean> {
    const { id, account_id, environment, created_at } = endpoint
    await holdRow(tx, 'accounts', account_id)
    const { count } = await tx
      .selectFrom('webhook_listeners')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', account_id)
      .where('environment', '=', environment)
      .where('expires_at', '<>', GOING)
      .executeTakeFirstOrThrow()
    if (count >= most && !(await giveUp(tx, { accountId: account_id, environment }))) return false
    await tx.insertInto('webhook_endpoints').values(endpoint).execute()
    const nobody = { stream_id: null, stream_by: null, connected_at: null }
    const row = {
      endpoint_id: id,
      account_id,
      environment,
      like_id: likeId,
      ...nobody,
      expires_at: expiresMs,
      created_at,
    }
    await tx.insertInto('webhook_listeners').values(row).execute()
    return true
  }

  /** A listener of this account in this environment; null: there is none, or it is being deleted. */
  async find(
    { accountId, environment }: Pick<Listener, 'accountId' | 'environment'>,
    endpointId: WebhookId,
  ): Promise<Listener | null> {
    const row = await this.#db.read
      .selectFrom('webhook_listeners as l')
      .innerJoin('webhook_endpoints as w', 'w.id', 'l.endpoint_id')
      .innerJoin('merchants as m', 'm.id', 'w.merchant_id')
      .select(['m.id as merchantKey', 'm.public_id as merchantId', 'l.like_id as likeId'])
      .where('l.endpoint_id', '=', endpointId)
      .where('l.account_id', '=', accountId)
      .where('l.environment', '=', environment)
      .where('l.expires_at', '<>', GOING)
      .executeTakeFirst()
    return row === undefined ? null : { endpointId, accountId, environment, ...row }
  }

  /** By endpoint; without those that are no listeners. */
  async rowsOf(
    endpointIds: readonly WebhookId[],
    on: Db | Tx = this.#db.read,
  ): Promise<Map<WebhookId, WebhookListenersTable>> {
    if (endpointIds.length === 0) return new Map()
    const rows = await on.selectFrom('webhook_listeners').selectAll().where('endpoint_id', 'in', endpointIds).execute()
    return new Map(rows.map((row) => [row.endpoint_id, row]))
  }

  /**
   * Makes this stream the current one of the listener; `changed` notifies the previous one. Unanswered deliveries of that one can be sent
   * again at once.
   * @returns false: the listener was deleted
   */
  async openStream(endpointId: WebhookId, streamId: string, nowMs: number): Promise<boolean> {
    return this.#db.unit(async (tx) => {
      const [row] = await listenerRow(tx, { id: endpointId })
      if (row === undefined || row.expires_at === GOING) return false
      const open = { stream_id: streamId, stream_by: this.#db.replicaId, connected_at: nowMs }
      await tx.updateTable('webhook_listeners').set(open).where('endpoint_id', '=', endpointId).execute()
      await freeLeases(tx, endpointId)
      return true
    })
  }

  /** The stream has ended: another one may come until `expiresMs`. No effect when the listener has another one already. */
  async endStream(endpointId: WebhookId, streamId: string, expiresMs: number): Promise<void> {
    await this.#db.unit(async (tx) => {
      const [row] = await listenerRow(tx, { id: endpointId })
      if (row?.stream_id !== streamId) return
      const none = { stream_id: null, stream_by: null, expires_at: expiresMs }
      await tx.updateTable('webhook_listeners').set(none).where('endpoint_id', '=', endpointId).execute()
      await freeLeases(tx, endpointId)
    })
  }

  /** Streams of relays that are dead have ended. On SQLite those of all: call it before any is open. */
  async endDead(expiresMs: number): Promise<void> {
    await this.#db.unit((tx) =>
      tx
        .updateTable('webhook_listeners')
        .set({ stream_id: null, stream_by: null, expires_at: expiresMs })
        .where('stream_id', 'is not', null)
        .where(ofDeadRelays(this.#db, 'stream_by'))
        .execute(),
    )
  }

  /** How many deliveries wait for the listener, counted up to 1,000. */
  async waiting(endpointId: WebhookId): Promise<number> {
    const { rows } = await sql<{ count: number }>`select count(*) as "count" from (select 1 from deliveries
      where endpoint_id = ${endpointId} and (state = 'pending' or state = 'retrying') limit ${sql.lit(COUNTED)}) as w`.execute(
      this.#db.read,
    )
    return Number(rows[0]?.count ?? 0)
  }

  /** In one statement for all streams of the relay; those that were deleted are missing. */
  async look(endpointIds: readonly WebhookId[], nowMs: number): Promise<StreamLook[]> {
    if (endpointIds.length === 0) return []
    const waits = (condition: string, due: ReturnType<typeof sql>) => sql`exists (select 1 from deliveries as d
      where d.endpoint_id = l.endpoint_id and ${sql.raw(condition)} and ${due} and ${isFree('d', nowMs)})`
    const isDue = sql`${waits(`d.state = 'pending'`, sql`d.next_at is not null`)}
      or ${waits(`d.state = 'retrying'`, sql`d.next_at <= ${nowMs}`)}
      or ${waits(`d.manual_at is not null`, sql`d.state <> 'pending'`)}`
    const { rows } = await sql<{ endpointId: WebhookId; streamId: string | null; isDue: 0 | 1 }>`
      select l.endpoint_id as "endpointId", l.stream_id as "streamId", case when ${isDue} then 1 else 0 end as "isDue"
      from webhook_listeners as l where l.endpoint_id in (${sql.join(endpointIds)})`.execute(this.#db.read)
    return rows.map((row) => ({ ...row, isDue: row.isDue === 1 }))
  }

  /** Of deliveries that were sent, those whose attempt is over, or that were deleted. By ordinal. */
  async over(sent: readonly Pick<ClaimedDelivery, 'ordinal' | 'attempts'>[]): Promise<number[]> {
    if (sent.length === 0) return []
    const ordinals = sent.map(({ ordinal }) => ordinal)
    const rows = await this.#db.read
      .selectFrom('deliveries')
      .select(['ordinal', 'attempts'])
      .where('ordinal', 'in', ordinals)
      .execute()
    const made = new Map(rows.map(({ ordinal, attempts }) => [ordinal, attempts]))
    return sent
      .filter(({ ordinal, attempts }) => (made.get(ordinal) ?? Number.POSITIVE_INFINITY) > attempts)
      .map(({ ordinal }) => ordinal)
  }

  /**
   * Takes deliveries under lease for this stream, in the order in which they are to be sent. They do not count for the hour of the account.
   * @returns null: the listener has another stream, or none
   */
  claim(
    { endpointId, streamId, limit }: { endpointId: WebhookId; streamId: string; limit: number },
    { nowMs, leaseUntilMs }: { nowMs: number; leaseUntilMs: number },
  ): Promise<ClaimedDelivery[] | null> {
    return this.#db.unit(async (tx) => {
      const [row] = await listenerRow(tx, { id: endpointId })
      if (row?.stream_id !== streamId) return null
      // Half of the window, so that a large recovery does not hold up what is new.
      const request = { endpointId, limit, retries: Math.ceil(limit / 2), retriesFirst: true }
      return claimUncounted(tx, request, { nowMs, leaseUntilMs, by: this.#db.replicaId })
    }, CLAIM)
  }

  /**
   * Records what came of an attempt, once. One that goes again waits as if it were new: the later events of its order come after it. Whether
   * its lease was given back meanwhile makes no difference, as long as nothing else came of it: the receiver was told, and telling it again
   * would be one time too many.
   * @param leaseMs of a claim: so long before its end the attempt was sent
   */
  record(
    endpointId: WebhookId,
    { deliveryId, number, attempt, goesAgain }: ListenerResult,
    { nowMs, leaseMs }: { nowMs: number; leaseMs: number },
  ): Promise<RecordedResult> {
    return this.#db.unit(async (tx): Promise<RecordedResult> => {
      await holdRow(tx, 'webhook_endpoints', endpointId)
      const [row] = await deliveryRow(tx, { deliveryId, id: endpointId })
      if (row === undefined) return { kind: 'unknown', state: null }
      if (number <= row.attempts) {
        const [before] = await attemptRow(tx, { deliveryId, number })
        return before === undefined ? { kind: 'unexpected', state: null } : { kind: 'repeated', state: row.state }
      }
      if (number !== row.attempts + 1 || !wasSent(row)) return { kind: 'unexpected', state: null }
      const manualAt = row.state === 'pending' ? null : row.manual_at
      const atMs = row.lease_until === null ? nowMs - attempt.durationMs : row.lease_until - leaseMs
      const next = nextAfter(attempt.error, goesAgain, nowMs)
      const record = { ...attempt, number, atMs, ours: true }
      await settleIn(
        tx,
        { ordinal: row.ordinal, id: deliveryId, endpointId, manualAt },
        { attempt: record, next, nowMs },
      )
      await ready(tx, { ordinal: row.ordinal, next, manualAt, nowMs })
      // A failed attempt by hand leaves the state as it was.
      const scheduled = next.state === 'retrying' ? ('pending' as const) : next.state
      const state = manualAt !== null && attempt.error !== null ? row.state : scheduled
      return { kind: 'recorded', state, delivery: row, atMs }
    }, RESULT)
  }

  /** Listeners that nobody came back to in time: no stream of them opens from now on. */
  async takeExpired(nowMs: number): Promise<WebhookId[]> {
    const found = await this.#db.read
      .selectFrom('webhook_listeners')
      .select('endpoint_id')
      .where('stream_id', 'is', null)
      .where('expires_at', '<=', nowMs)
      .execute()
    if (found.length === 0) return []
    const ids = found.map(({ endpoint_id }) => endpoint_id)
    const rows = await this.#db.unit((tx) =>
      tx
        .updateTable('webhook_listeners')
        .set({ expires_at: GOING })
        .where('endpoint_id', 'in', ids)
        // Somebody may have come meanwhile.
        .where('stream_id', 'is', null)
        .where('expires_at', '<=', nowMs)
        .returning('endpoint_id')
        .execute(),
    )
    return rows.map(({ endpoint_id }) => endpoint_id)
  }
}

/** It was handed out at least once for the attempt that comes next: a claim says so, and a result takes it back. */
function wasSent({ counted }: DeliveryRow): boolean {
  return counted === 1
}

function nextAfter(error: string | null, goesAgain: boolean, nowMs: number): NextState {
  if (error === null) return { state: 'delivered' }
  return goesAgain ? { state: 'retrying', nextAtMs: nowMs } : { state: 'failed' }
}

/** The next attempt is not handed out yet. One that goes again waits as `pending`, which holds the later events of its order. */
async function ready(
  tx: Tx,
  { ordinal, next, manualAt, nowMs }: { ordinal: number; next: NextState; manualAt: number | null; nowMs: number },
): Promise<void> {
  const goesAgain = next.state === 'retrying'
  await tx
    .updateTable('deliveries')
    .set({ counted: 0 })
    .$if(goesAgain && manualAt === null, (update) => update.set({ state: 'pending' }))
    .$if(goesAgain && manualAt !== null, (update) => update.set({ manual_at: nowMs }))
    .where('ordinal', '=', ordinal)
    .execute()
}

/** The idle listener that goes first is deleted with the next round of those that have expired. @returns false: there is none */
async function giveUp(
  tx: Tx,
  { accountId, environment }: Pick<Listener, 'accountId' | 'environment'>,
): Promise<boolean> {
  const idle = await tx
    .selectFrom('webhook_listeners as l')
    .select('l.endpoint_id as id')
    .where('l.account_id', '=', accountId)
    .where('l.environment', '=', environment)
    .where('l.stream_id', 'is', null)
    .where('l.expires_at', '<>', GOING)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries as d')
            .select('d.ordinal')
            .whereRef('d.endpoint_id', '=', 'l.endpoint_id')
            .where(({ or, eb }) =>
              or([eb('d.state', '=', sql.lit('pending' as const)), eb('d.state', '=', sql.lit('retrying' as const))]),
            ),
        ),
      ),
    )
    .orderBy('l.expires_at')
    .limit(1)
    .executeTakeFirst()
  if (idle === undefined) return false
  // A stream that opens now wins.
  const [gone] = await tx
    .updateTable('webhook_listeners')
    .set({ expires_at: GOING })
    .where('endpoint_id', '=', idle.id)
    .where('stream_id', 'is', null)
    .returning('endpoint_id')
    .execute()
  return gone !== undefined
}

async function freeLeases(tx: Tx, endpointId: WebhookId): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ lease_until: null })
    .where('endpoint_id', '=', endpointId)
    .where('lease_until', 'is not', null)
    .execute()
}
