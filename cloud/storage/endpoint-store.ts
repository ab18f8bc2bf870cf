// Webhook endpoints: where a merchant's events are sent. Secrets are stored only as ciphertext.
import { sql } from 'kysely'
import type { AccountId, MerchantKey, WebhookId } from '#shared/ids.ts'
import { prepared, type RelayDatabase, type Tx } from './database.ts'
import { holding, holdRow } from './hold.ts'
import type { ClockStep } from './outbox-rows.ts'
import { queryBuilder } from './query-builder.ts'
import type { WebhookEndpointsTable } from './schema-webhooks.ts'

/** The owner of endpoints: one account at one merchant in one environment. */
export interface EndpointOwner {
  accountId: AccountId
  /** The relay's own id of the merchant. */
  merchantKey: MerchantKey
  environment: 'sandbox' | 'live'
}

/** The fields of an endpoint that decide whether an event goes there. */
export interface Subscriber {
  id: WebhookId
  /** Event types, or `*`. */
  events: readonly string[]
  enabled: boolean
}

const subscribersOfAccount = prepared((p) =>
  queryBuilder
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'status'])
    .where('merchant_id', '=', p('merchantKey'))
    .where('environment', '=', p('environment'))
    .where('account_id', '=', p('accountId')),
)

/**
 * Events about the merchant go to its owner, and to accounts with a grant that has the scope of events: endpoints of an account without
 * the grant get no more. It is checked when an event is recorded, and again before each attempt.
 */
const hearsMerchant = queryBuilder
  .selectFrom('webhook_endpoints as w')
  .where(({ or, exists, selectFrom }) =>
    or([
      exists(
        selectFrom('merchants as m')
          .select('m.id')
          .whereRef('m.id', '=', 'w.merchant_id')
          .whereRef('m.account_id', '=', 'w.account_id'),
      ),
      exists(
        selectFrom('merchant_grants as g')
          .select('g.account_id')
          .whereRef('g.account_id', '=', 'w.account_id')
          .whereRef('g.merchant_id', '=', 'w.merchant_id')
          .where(sql<boolean>`(g.scopes is null or g.scopes like '%"webhooks:manage"%')`),
      ),
    ]),
  )

const subscribersOfMerchant = prepared((p) =>
  hearsMerchant
    .select(['w.id', 'w.events', 'w.status'])
    .where('w.merchant_id', '=', p('merchantKey'))
    .where('w.environment', '=', p('environment')),
)

const oneThatHears = prepared((p) => hearsMerchant.select('w.id').where('w.id', '=', p('id')))

/**
 * The endpoints that an event may go to, disabled ones included.
 * @param audience `account`: those of the account alone; `merchant`: those of every account that may act on the merchant
 */
export async function subscribersOf(
  tx: Tx,
  { accountId, merchantKey, environment }: EndpointOwner,
  audience: 'account' | 'merchant',
): Promise<Subscriber[]> {
  const rows =
    audience === 'account'
      ? await subscribersOfAccount(tx, { accountId, merchantKey, environment })
      : await subscribersOfMerchant(tx, { merchantKey, environment })
  // Sorted here: with an ORDER BY on an index of bound values SQLite compiles the query again each time, 4 us instead of 1.
  if (rows.length > 1) rows.sort((a, b) => (a.id < b.id ? -1 : 1))
  return rows.map((row) => ({ id: row.id, events: JSON.parse(row.events), enabled: row.status === 'enabled' }))
}

/** One endpoint of the owner's, as the transaction sees it. */
export async function endpointOf(
  tx: Tx,
  owner: EndpointOwner,
  endpointId: WebhookId,
): Promise<WebhookEndpointsTable | null> {
  const [row] = await endpointById(tx, { id: endpointId })
  if (!row || row.account_id !== owner.accountId || row.merchant_id !== owner.merchantKey) return null
  return row.environment === owner.environment ? row : null
}

export class EndpointStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Adds the row unless the account already has `limit` endpoints of this kind at the merchant. @returns false when it has. */
  async insert(tx: Tx, row: WebhookEndpointsTable, limit: number): Promise<boolean> {
    await holdRow(tx, 'merchants', row.merchant_id)
    const { count } = await tx
      .selectFrom('webhook_endpoints')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('merchant_id', '=', row.merchant_id)
      .where('account_id', '=', row.account_id)
      .where('environment', '=', row.environment)
      .where('kind', '=', row.kind)
      .executeTakeFirstOrThrow()
    if (count >= limit) return false
    await tx.insertInto('webhook_endpoints').values(row).execute()
    return true
  }

  /** The id must be one of the caller's. */
  async change(tx: Tx, endpointId: WebhookId, change: Partial<WebhookEndpointsTable>): Promise<void> {
    await tx.updateTable('webhook_endpoints').set(change).where('id', '=', endpointId).execute()
  }

  /** Oldest first. */
  list(owner: EndpointOwner): Promise<WebhookEndpointsTable[]> {
    return this.#owned(owner).orderBy('created_at').orderBy('id').execute()
  }

  async find(owner: EndpointOwner, endpointId: WebhookId): Promise<WebhookEndpointsTable | null> {
    return (await this.#owned(owner).where('id', '=', endpointId).executeTakeFirst()) ?? null
  }

  /** The endpoint for the delivery worker, of any account; null when it was deleted meanwhile. */
  async byId(endpointId: WebhookId): Promise<WebhookEndpointsTable | null> {
    const rows = await endpointById(this.#db.read, { id: endpointId })
    return rows[0] ?? null
  }

  /** Whether it may still get the events about the merchant. */
  async hearsMerchant(endpointId: WebhookId): Promise<boolean> {
    return (await oneThatHears(this.#db.read, { id: endpointId })).length > 0
  }

  /** The account that pays for what is sent to it, and its kind, which never changes; null when it was deleted meanwhile. */
  async accountOf(
    endpointId: WebhookId,
  ): Promise<(Pick<EndpointOwner, 'accountId' | 'environment'> & Pick<WebhookEndpointsTable, 'kind'>) | null> {
    const rows = await endpointAccount(this.#db.read, { id: endpointId })
    return rows[0] ?? null
  }

  /** The secret of the newest endpoint, sealed as it is stored; null when there is none. Ids are in the order of time. */
  async newestSealed(): Promise<string | null> {
    const row = await this.#db.read
      .selectFrom('webhook_endpoints')
      .select('secret_enc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.secret_enc ?? null
  }

  /** Endpoints of all owners whose last attempt failed. */
  async failing(): Promise<WebhookId[]> {
    const rows = await this.#db.read
      .selectFrom('webhook_endpoints')
      .select('id')
      .where('failing_since', 'is not', null)
      .execute()
    return rows.map((row) => row.id)
  }

  /**
   * The clock was set by so much: what fails has failed for as long as before, and from no later than now on.
   * @param isOurs the others are counted by the clocks of the relays that they fall to
   */
  async moveFailing({ byMs, nowMs }: ClockStep, isOurs: (id: WebhookId) => boolean): Promise<void> {
    const ids = (await this.failing()).filter(isOurs)
    for (let from = 0; from < ids.length; from += MOVE_PIECE)
      await this.#db.unit((tx) =>
        tx
          .updateTable('webhook_endpoints')
          .set({ failing_since: this.#db.words.smaller(sql`failing_since + ${byMs}`, sql`${nowMs}`) })
          .where('failing_since', 'is not', null)
          .where('id', 'in', ids.slice(from, from + MOVE_PIECE))
          .execute(),
      )
  }

  /**
   * Removes the endpoint, its deliveries and their attempts. It is disabled first and emptied in pieces, because a long
   * history in one transaction would hold up every order; after a crash in between it is disabled and can be deleted again.
   * @returns false when the owner has no such endpoint.
   */
  async delete(owner: EndpointOwner, endpointId: WebhookId): Promise<boolean> {
    if (!(await this.find(owner, endpointId))) return false
    await this.#db.unit((tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({ status: 'disabled', disabled_reason: 'owner' })
        .where('id', '=', endpointId)
        .execute(),
    )
    while (await this.#deletePiece(endpointId));
    await this.#db.unit(async (tx) => {
      await tx.deleteFrom('webhook_listeners').where('endpoint_id', '=', endpointId).execute()
      await tx.deleteFrom('webhook_endpoints').where('id', '=', endpointId).execute()
    })
    return true
  }

  async #deletePiece(endpointId: WebhookId): Promise<boolean> {
    const { numDeletedRows } = await this.#db.unit((tx) =>
      tx
        .deleteFrom('deliveries')
        .where('ordinal', 'in', (eb) =>
          eb.selectFrom('deliveries').select('ordinal').where('endpoint_id', '=', endpointId).limit(DELETE_PIECE),
        )
        .executeTakeFirstOrThrow(),
    )
    return numDeletedRows > 0n
  }

  #owned(owner: EndpointOwner) {
    return this.#db.read
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('account_id', '=', owner.accountId)
      .where('merchant_id', '=', owner.merchantKey)
      .where('environment', '=', owner.environment)
  }
}

/** Endpoints changed in one transaction: a few milliseconds. */
const MOVE_PIECE = 500

/** Deliveries deleted in one transaction: a few milliseconds. */
const DELETE_PIECE = 500

const endpointById = holding((p) => queryBuilder.selectFrom('webhook_endpoints').selectAll().where('id', '=', p('id')))
const endpointAccount = prepared((p) =>
  queryBuilder
    .selectFrom('webhook_endpoints')
    .select(['account_id as accountId', 'environment', 'kind'])
    .where('id', '=', p('id')),
)
