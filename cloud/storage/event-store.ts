// Events as they were recorded: the exact bytes that every attempt of every delivery signs and sends, kept for 30 days, in the order of commits.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { EventId, MerchantKey } from '#shared/ids.ts'
import type { WebhookEventType } from '#shared/wire/webhook-event-names.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import type { EndpointOwner } from './endpoint-store.ts'
import { msOf, positionAt } from './event-position.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { EventsTable } from './schema-webhooks.ts'
import { storedEventTypes } from './type-hops.ts'

const insert = prepared((p, words) =>
  queryBuilder.insertInto('events').values({
    position: words.nextEventPosition(p('merchant_id'), p('earliest')),
    id: p('id'),
    account_id: p('account_id'),
    merchant_id: p('merchant_id'),
    environment: p('environment'),
    type: p('type'),
    subject_id: p('subject_id'),
    sequence: p('sequence'),
    audience: p('audience'),
    test: p('test'),
    created_at: p('created_at'),
    payload: p('payload'),
  }),
)

/** Adds one event. A second one of the same subject, type and sequence fails: that is a bug of the caller. */
export async function insertEvent(tx: Tx, row: Omit<NewRow<'events'>, 'position'>): Promise<void> {
  await insert(tx, { audience: 'account', test: 0, ...row, earliest: positionAt(row.created_at) })
}

export interface EventFilter {
  type?: WebhookEventType | undefined
  /** A serviceOrderId or a umsId. */
  subjectId?: string | undefined
  /** Positions between these two, both exclusive. */
  above?: number | undefined
  below?: number | undefined
}

export type EventRow = Pick<Selectable<EventsTable>, 'position' | 'payload'>

export class EventStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** The account's own events and those for all accounts that may act on the merchant, by position. */
  async list(
    owner: EndpointOwner,
    filter: EventFilter,
    { order, limit }: { order: 'asc' | 'desc'; limit: number },
  ): Promise<EventRow[]> {
    const narrow = within(filter, order, limit)
    const found =
      filter.subjectId === undefined
        ? await this.#byType(owner, filter, { order, limit })
        : bySubject(owner, filter.subjectId, sql`${ofType(filter.type)} ${narrow}`)
    if (found === null) return []
    const { rows } = await found.execute(this.#db.read)
    if (rows.length === 0) return []
    return this.#db.read
      .selectFrom('events')
      .select(['position', 'payload'])
      .where(
        'position',
        'in',
        rows.map(({ position }) => position),
      )
      .where('merchant_id', '=', owner.merchantKey)
      .orderBy('position', order)
      .execute()
  }

  async find(owner: EndpointOwner, eventId: EventId): Promise<EventRow | null> {
    const { accountId, merchantKey, environment } = owner
    const row = await this.#db.read
      .selectFrom('events')
      .select(['position', 'payload'])
      .where('id', '=', eventId)
      .where('merchant_id', '=', merchantKey)
      .where('environment', '=', environment)
      .where((eb) => eb.or([eb('account_id', '=', accountId), eb('audience', '=', 'merchant')]))
      .executeTakeFirst()
    return row ?? null
  }

  /**
   * The newest position, also where its event has been forgotten; every event of this merchant up to it is seen by later reads.
   * On SQLite it is the newest of all merchants.
   */
  async head(merchant: MerchantKey): Promise<number> {
    const { read, words } = this.#db
    if (words.positionsByMerchant) return (await this.#positions(merchant))?.newest ?? 0
    const last = read.selectFrom('events').select('position').orderBy('position', 'desc').limit(1)
    // An old event that is still to be sent stays behind later ones that have been deleted.
    return Math.max((await last.executeTakeFirst())?.position ?? 0, await this.forgotten(merchant))
  }

  /** Everything of this merchant up to this position may have been forgotten for its age. */
  async forgotten(merchant: MerchantKey): Promise<number> {
    const { read, words } = this.#db
    if (words.positionsByMerchant) return (await this.#positions(merchant))?.forgotten ?? 0
    return (await read.selectFrom('event_stream').select('forgotten').executeTakeFirstOrThrow()).forgotten
  }

  /**
   * Whether some event has this position: of this merchant, or on SQLite of any. A place from before the database came from SQLite may be
   * that of another merchant's event. The head is a place of its own, also where that event has been forgotten.
   */
  async has(merchant: MerchantKey, position: number): Promise<boolean> {
    const { read, words } = this.#db
    const at = read.selectFrom('events').select('position').where('position', '=', position)
    const own = words.positionsByMerchant ? at.where('merchant_id', '=', merchant) : at
    if ((await own.executeTakeFirst()) !== undefined) return true
    if (!words.positionsByMerchant) return false
    if ((await this.#positions(merchant))?.newest === position) return true
    const moved = read.selectFrom('marks').select('at').where('name', '=', 'movedHead').where('at', '>=', position)
    if ((await moved.executeTakeFirst()) === undefined) return false
    return (await at.limit(1).executeTakeFirst()) !== undefined
  }

  async #positions(merchant: MerchantKey) {
    const { read } = this.#db
    const row = read.selectFrom('event_positions').select(['newest', 'forgotten']).where('merchant_id', '=', merchant)
    return row.executeTakeFirst()
  }

  /**
   * Whether the event, of an order of `orderedMs`, may have been returned before at another position: a relay that went back to an earlier state
   * records the events of orders from before again, with the same ids and in another order.
   */
  async mayBeToldAgain({ orderedMs, position }: { orderedMs: number; position: number }): Promise<boolean> {
    const between = this.#db.read
      .selectFrom('restores')
      .select('at')
      .where('location_id', '=', sql.lit(''))
      .where('at', '>', orderedMs)
      .where('at', '<=', msOf(position))
      .limit(1)
    return (await between.executeTakeFirst()) !== undefined
  }

  /** The types that there are of the account's own events or of the merchant's. */
  typesOf(kind: RawBuilder<unknown>): Promise<string[]> {
    return storedEventTypes(this.#db.read, 'events', kind)
  }

  /** One seek for each existing type and each audience, whatever is between them: a rare type costs no more than a common one. */
  async #byType(owner: EndpointOwner, filter: EventFilter, page: Page) {
    const branches: RawBuilder<unknown>[] = []
    const narrow = within(filter, page.order, page.limit)
    for (const kind of [ownEvents(owner), sharedEvents(owner)]) {
      const types = filter.type === undefined ? await this.typesOf(kind) : [filter.type]
      for (const type of types) {
        const place = this.#db.words.positionsByMerchant
          ? placeOf(kind, { type, above: filter.above ?? -1, below: filter.below ?? Number.MAX_SAFE_INTEGER }, page)
          : sql`${kind} ${ofType(type)} ${narrow}`
        branches.push(sql`select * from (select position from events where ${place}) as one_type`)
      }
    }
    if (branches.length === 0) return null
    return sql<{
      position: number
    }>`select * from (${sql.join(branches, sql` union all `)}) as found where true ${narrow}`
  }
}

type Narrow = RawBuilder<unknown>

function within({ above, below }: EventFilter, order: 'asc' | 'desc', limit: number): Narrow {
  const from = above === undefined ? sql`` : sql`and position > ${above}`
  const to = below === undefined ? sql`` : sql`and position < ${below}`
  return sql`${from} ${to} order by position ${sql.raw(order)} limit ${limit}`
}

const ofType = (type: string | undefined) => (type === undefined ? sql`` : sql`and type = ${type}`)

interface Page {
  order: 'asc' | 'desc'
  limit: number
}

/** Each with a partial index of its own, followed by the type and the position. */
function ownEvents({ accountId, merchantKey }: EndpointOwner) {
  return sql`audience = 'account' and merchant_id = ${merchantKey} and account_id = ${accountId}`
}

function sharedEvents({ merchantKey }: EndpointOwner) {
  return sql`audience = 'merchant' and merchant_id = ${merchantKey}`
}

/**
 * Positions of one type in the order of that index, and in the words of no other: with the type given as equal, PostgreSQL would go through
 * the events of all types by their position.
 */
function placeOf(
  kind: RawBuilder<unknown>,
  { type, above, below }: { type: string; above: number; below: number },
  { order, limit }: Page,
) {
  const way = sql.raw(order)
  return sql`${kind} and (type, position) > (${type}, ${above}) and (type, position) < (${type}, ${below})
    order by type ${way}, position ${way} limit ${limit}`
}

/** As `subject_id` may have it: an order by its own id; an item with its merchant, because two merchants may have the same umsId. */
export function subjectIds({ merchantKey }: Pick<EndpointOwner, 'merchantKey'>, subjectId: string): string[] {
  return [subjectId, `${merchantKey}/${subjectId}`]
}

/** A subject has few events. */
function bySubject(owner: EndpointOwner, subjectId: string, narrow: Narrow) {
  const { accountId, merchantKey } = owner
  return sql<{
    position: number
  }>`select position from events where subject_id in (${sql.join(subjectIds(owner, subjectId))})
    and merchant_id = ${merchantKey} and (account_id = ${accountId} or audience = 'merchant') ${narrow}`
}
