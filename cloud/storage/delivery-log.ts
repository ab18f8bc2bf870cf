// What clients see of deliveries and ask for again: lists, attempts, redelivery, and the recovery of all that failed.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { asId, type DeliveryId, type EventId, type WebhookId } from '#shared/ids.ts'
import { Signal } from '#shared/signal.ts'
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import type { Db, RelayDatabase, Tx } from './database.ts'
import type { EndpointOwner } from './endpoint-store.ts'
import { subjectIds } from './event-store.ts'
import type { IdRange } from './id-range.ts'
import type { DeliveriesTable, DeliveryAttemptsTable, WebhookRecoveriesTable } from './schema-webhooks.ts'
import { storedEventTypes } from './type-hops.ts'

export type DeliveryRow = Selectable<DeliveriesTable>
type Recovery = Selectable<WebhookRecoveriesTable>

const STATES = ['pending', 'retrying', 'delivered', 'failed'] as const

export interface DeliveryFilter {
  endpointId: WebhookId
  state?: DeliveryRow['state'] | undefined
  type?: WebhookEventType | undefined
  range: IdRange<'dlv'>
}

/** Deliveries of the events of one order or SKU. */
interface SubjectFilter extends Omit<DeliveryFilter, 'endpointId'> {
  /** A serviceOrderId or a umsId. */
  subjectId: string
  endpointId?: WebhookId | undefined
}

/** The first ids of a range in either direction: one seek in `deliveries_list` for each state and each type, whatever is between them. */
async function idsOf(
  on: Db | Tx,
  filter: DeliveryFilter,
  { order, limit }: { order: 'asc' | 'desc'; limit: number },
): Promise<DeliveryId[]> {
  const { endpointId, range } = filter
  const states = filter.state === undefined ? STATES : [filter.state]
  const ordered = sql`order by id ${sql.raw(order)} limit ${limit}`
  const branches: RawBuilder<unknown>[] = []
  for (const state of states) {
    const there = sql`endpoint_id = ${endpointId} and state = ${state}`
    const types = filter.type === undefined ? await storedEventTypes(on, 'deliveries', there) : [filter.type]
    for (const type of types)
      branches.push(sql`select * from (select id from deliveries where ${there} and type = ${type}
        and id >= ${range.from} and id < ${range.below} ${ordered}) as one_type`)
  }
  if (branches.length === 0) return []
  const { rows } = await sql<{ id: DeliveryId }>`${sql.join(branches, sql` union all `)} ${ordered}`.execute(on)
  return rows.map(({ id }) => id)
}

/** Whether `w` is an endpoint of the owner's. */
function isOwners({ accountId, merchantKey, environment }: EndpointOwner) {
  return sql<boolean>`w.account_id = ${accountId} and w.merchant_id = ${merchantKey} and w.environment = ${environment}`
}

/** Deliveries to the owner's endpoints. */
function ofOwner(on: Db | Tx, owner: EndpointOwner) {
  return on
    .selectFrom('deliveries as d')
    .innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
    .selectAll('d')
    .where(isOwners(owner))
}

function withPayload(on: Db | Tx, owner: EndpointOwner) {
  return ofOwner(on, owner).innerJoin('events as e', 'e.id', 'd.event_id').select('e.payload')
}

export class DeliveryLog {
  /** Fired after the commit that asked for a recovery. */
  readonly recoveryWanted = new Signal()
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first. The endpoint must be one of the caller's. */
  async list(filter: DeliveryFilter, limit: number): Promise<DeliveryRow[]> {
    const ids = await idsOf(this.#db.read, filter, { order: 'desc', limit })
    if (ids.length === 0) return []
    return this.#db.read.selectFrom('deliveries').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()
  }

  /** One delivery to an endpoint of the owner's, with the event's payload. */
  async find(owner: EndpointOwner, deliveryId: DeliveryId, on: Db | Tx = this.#db.read) {
    return (await withPayload(on, owner).where('d.id', '=', deliveryId).executeTakeFirst()) ?? null
  }

  /** The same of several, newest first; without those that are none of the owner's. */
  async findMany(owner: EndpointOwner, deliveryIds: readonly DeliveryId[]) {
    if (deliveryIds.length === 0) return []
    return withPayload(this.#db.read, owner).where('d.id', 'in', deliveryIds).orderBy('d.id', 'desc').execute()
  }

  /** What became of one event at the owner's endpoints, oldest first. */
  ofEvent(owner: EndpointOwner, eventId: EventId, on: Db | Tx = this.#db.read): Promise<DeliveryRow[]> {
    return ofOwner(on, owner).where('d.event_id', '=', eventId).orderBy('d.id').execute()
  }

  /** Newest first. By the event, and not by the delivery: one that was sent by hand is its own subject. */
  ofSubject(owner: EndpointOwner, filter: SubjectFilter, limit: number): Promise<DeliveryRow[]> {
    const { subjectId, endpointId, state, type, range } = filter
    // Cross joins: SQLite keeps their order. Without them it begins with all deliveries of the owner's endpoints.
    let found = this.#db.read
      .selectFrom('events as e')
      .crossJoin('deliveries as d')
      .crossJoin('webhook_endpoints as w')
      .selectAll('d')
      .whereRef('d.event_id', '=', 'e.id')
      .whereRef('w.id', '=', 'd.endpoint_id')
      .where(isOwners(owner))
      .where('e.subject_id', 'in', subjectIds(owner, subjectId))
      .where('e.merchant_id', '=', owner.merchantKey)
      .where('d.id', '>=', range.from)
      .where('d.id', '<', range.below)
    // In words that no index has: with all deliveries of an endpoint it would begin as well.
    if (endpointId !== undefined) found = found.where(sql`d.endpoint_id || ''`, '=', endpointId)
    if (state !== undefined) found = found.where('d.state', '=', state)
    if (type !== undefined) found = found.where('d.type', '=', type)
    return found.orderBy('d.id', 'desc').limit(limit).execute()
  }

  /** Of several deliveries, oldest first each. */
  async attemptsOf(deliveryIds: readonly DeliveryId[]): Promise<Map<DeliveryId, DeliveryAttemptsTable[]>> {
    if (deliveryIds.length === 0) return new Map()
    const rows = await this.#db.read
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', 'in', [...deliveryIds])
      .orderBy('number')
      .execute()
    return Map.groupBy(rows, (row) => row.delivery_id)
  }

  /** Oldest first. */
  attempts(deliveryId: DeliveryId): Promise<DeliveryAttemptsTable[]> {
    return this.#db.read
      .selectFrom('delivery_attempts')
      .selectAll()
      .where('delivery_id', '=', deliveryId)
      .orderBy('number')
      .execute()
  }

  /** Asks for one more attempt. */
  async askAgain(tx: Tx, deliveryId: DeliveryId, nowMs: number): Promise<void> {
    await tx.updateTable('deliveries').set({ manual_at: nowMs }).where('id', '=', deliveryId).execute()
  }

  /** Notes that the failed deliveries of the range are to be sent again. @returns how many there are now */
  async askRecovery(
    tx: Tx,
    endpointId: WebhookId,
    { range, nowMs }: { range: IdRange<'dlv'>; nowMs: number },
  ): Promise<number> {
    const { count } = await tx
      .selectFrom('deliveries')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('endpoint_id', '=', endpointId)
      .where('state', '=', 'failed')
      .where('id', '>=', range.from)
      .where('id', '<', range.below)
      .executeTakeFirstOrThrow()
    if (count > 0)
      await tx
        .insertInto('webhook_recoveries')
        .values({ endpoint_id: endpointId, after_id: range.from, before_id: range.below, created_at: nowMs })
        .execute()
    return count
  }

  /** The recovery that was asked for first. */
  async nextRecovery(): Promise<Recovery | null> {
    const row = await this.#db.read
      .selectFrom('webhook_recoveries')
      .selectAll()
      .orderBy('ordinal')
      .limit(1)
      .executeTakeFirst()
    return row ?? null
  }

  /**
   * Puts the next `limit` deliveries back: those without an attempt wait for their first one, the others begin their
   * schedule again; the numbers of their attempts continue. The recovery ends with its last piece.
   * @returns how many
   */
  recoverPiece(recovery: Recovery, limit: number, nowMs: number): Promise<number> {
    const { ordinal, endpoint_id: endpointId, after_id: from, before_id: below } = recovery
    return this.#db.unit(async (tx) => {
      const range = { from: asId<'dlv'>(from), below: asId<'dlv'>(below) }
      const ids = await idsOf(tx, { endpointId, state: 'failed', range }, { order: 'asc', limit })
      const last = ids.at(-1)
      if (last) {
        await tx
          .updateTable('deliveries')
          .set((eb) => ({
            // Without a first attempt that counted it has to wait for its place in the account's allowance, also when it was tried by hand.
            state: eb
              .case()
              .when(eb.or([eb('attempts', '=', 0), eb('counted', '=', 0)]))
              .then(sql.lit('pending' as const))
              .else(sql.lit('retrying' as const))
              .end(),
            manual_attempts: eb.ref('attempts'),
            next_at: nowMs,
            settled_at: null,
          }))
          .where('id', 'in', ids)
          .execute()
      }
      // Ids have one length: this is the next after the last.
      if (last && ids.length === limit)
        await tx
          .updateTable('webhook_recoveries')
          .set({ after_id: `${last}0` })
          .where('ordinal', '=', ordinal)
          .execute()
      else await tx.deleteFrom('webhook_recoveries').where('ordinal', '=', ordinal).execute()
      return ids.length
    })
  }
}
