// Events as they were recorded: the exact bytes that every attempt of every delivery signs and sends, kept for 30 days.
import { sql } from 'kysely'
import type { EventId } from '#shared/ids.ts'
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '#shared/wire/webhook-event.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import type { EndpointOwner } from './endpoint-store.ts'
import type { IdRange } from './id-range.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'

const insert = prepared((p) =>
  queryBuilder.insertInto('events').values({
    id: p('id'),
    account_id: p('account_id'),
    merchant_id: p('merchant_id'),
    environment: p('environment'),
    type: p('type'),
    subject_id: p('subject_id'),
    sequence: p('sequence'),
    payload: p('payload'),
    audience: p('audience'),
    test: p('test'),
    created_at: p('created_at'),
  }),
)

/** Adds one event. A second one of the same subject, type and sequence fails: that is a bug of the caller. */
export async function insertEvent(tx: Tx, row: NewRow<'events'>): Promise<void> {
  await insert(tx, { audience: 'account', test: 0, ...row })
}

export interface EventFilter {
  type?: WebhookEventType | undefined
  /** A serviceOrderId or a umsId. */
  subjectId?: string | undefined
  range: IdRange<'evt'>
}

export interface EventRow {
  id: EventId
  payload: string
  createdAt: number
}

export class EventStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first: the account's own events and those for everybody who may act on the merchant. */
  async list(owner: EndpointOwner, filter: EventFilter, limit: number): Promise<EventRow[]> {
    const { rows } = await (filter.subjectId === undefined ? byType : bySubject)(owner, filter, limit).execute(
      this.#db.read,
    )
    if (rows.length === 0) return []
    return this.#db.read
      .selectFrom('events')
      .select(['id', 'payload', 'created_at as createdAt'])
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .orderBy('id', 'desc')
      .execute()
  }

  async find({ accountId, merchantKey, environment }: EndpointOwner, eventId: EventId): Promise<EventRow | null> {
    const row = await this.#db.read
      .selectFrom('events')
      .select(['id', 'payload', 'created_at as createdAt'])
      .where('id', '=', eventId)
      .where('merchant_id', '=', merchantKey)
      .where('environment', '=', environment)
      .where((eb) => eb.or([eb('account_id', '=', accountId), eb('audience', '=', 'merchant')]))
      .executeTakeFirst()
    return row ?? null
  }
}

/** One seek in a partial index for each type and audience, whatever lies between: a rare type costs no more than a common one. */
function byType({ accountId, merchantKey }: EndpointOwner, { type, range }: EventFilter, limit: number) {
  const types = type === undefined ? WEBHOOK_EVENT_TYPES : [type]
  const within = sql`id >= ${range.from} and id < ${range.below} order by id desc limit ${limit}`
  const branches = types.flatMap((one) => [
    sql`select * from (select id from events where audience = 'account' and merchant_id = ${merchantKey} and account_id = ${accountId}
      and type = ${one} and ${within})`,
    sql`select * from (select id from events where audience = 'merchant' and merchant_id = ${merchantKey} and type = ${one} and ${within})`,
  ])
  return sql<{ id: EventId }>`${sql.join(branches, sql` union all `)} order by id desc limit ${limit}`
}

/** A subject has few events. SKUs are named with their merchant, because two merchants may have the same umsId. */
function bySubject(owner: EndpointOwner, { type, subjectId, range }: EventFilter, limit: number) {
  const { accountId, merchantKey } = owner
  const ofType = type === undefined ? sql`` : sql`and type = ${type}`
  return sql<{
    id: EventId
  }>`select id from events where subject_id in (${subjectId}, ${`${merchantKey}/${subjectId}`}) ${ofType}
    and merchant_id = ${merchantKey} and (account_id = ${accountId} or audience = 'merchant')
    and id >= ${range.from} and id < ${range.below} order by id desc limit ${limit}`
}
