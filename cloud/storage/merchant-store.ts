// Merchants as the rest of the relay sees them.
import { sql } from 'kysely'
import type { AccountId, LocationId, MerchantKey } from '#shared/ids.ts'
import { type Db, prepared, type RelayDatabase, type Tx } from './database.ts'
import { namesOf } from './grant-store.ts'
import { holding } from './hold.ts'
import { queryBuilder } from './query-builder.ts'
import type { NewRow } from './schema.ts'
import type { MerchantsTable } from './schema-accounts.ts'

/** A merchant that `authorize` has let through, with its default location. */
export interface MerchantRecord {
  key: MerchantKey
  /** The acting account, whose orders, print jobs, endpoints and events are shown. The owner's, or one with a grant. */
  accountId: AccountId
  /** The account that the merchant belongs to. */
  ownerAccountId: AccountId
  /** `M-TEST-...` or `M-PROD-...` */
  publicId: string
  environment: 'sandbox' | 'live'
  name: string
  timeZone: string
  /** ISO 4217. */
  currency: string
  prepMinutes: number
  fireAtHorizonMs: number
  defaultLocationId: LocationId | null
  /** Stock at 0 silences an item everywhere. */
  autoSilence: boolean
  pos: 'register' | 'http'
  /** How a customer hears that the order is ready. */
  notifyReady: MerchantsTable['notify_ready']
}

const wholeRow = holding((p) => queryBuilder.selectFrom('merchants').selectAll().where('id', '=', p('key')))
/** A live merchant of another account, with the scopes of the grant. */
export interface GrantedMerchant extends MerchantRecord {
  /** Names of scopes; null: all. */
  grantScopes: readonly string[] | null
}

export class MerchantStore {
  readonly #db: RelayDatabase
  readonly #find
  readonly #findGranted
  readonly #byKey

  constructor(db: RelayDatabase) {
    this.#db = db
    // A subquery and not a join: SQLite needs 3 us for it instead of 14.
    const withLocation = () =>
      db.read
        .selectFrom('merchants as m')
        .selectAll('m')
        .select((e) =>
          e
            .selectFrom('locations as l')
            .select('l.id')
            .whereRef('l.merchant_id', '=', 'm.id')
            .where('l.is_default', '=', 1)
            .limit(1)
            .as('default_location_id'),
        )
    this.#find = prepared((p) =>
      withLocation().where('m.account_id', '=', p('account')).where('m.public_id', '=', p('publicId')),
    )
    this.#findGranted = prepared((p) =>
      withLocation()
        .innerJoin('merchant_grants as g', 'g.merchant_id', 'm.id')
        .select('g.scopes as grant_scopes')
        .where('g.account_id', '=', p('account'))
        .where('m.public_id', '=', p('publicId'))
        // Written out, so that the index of live merchants is used: an account may be granted thousands.
        .where('m.environment', '=', sql.lit('live' as const)),
    )
    this.#byKey = prepared((p) => withLocation().where('m.id', '=', p('key')))
  }

  /** The merchant of this account with this public id. */
  async find(accountId: AccountId, publicId: string): Promise<MerchantRecord | null> {
    const [row] = await this.#find(this.#db.read, { account: accountId, publicId })
    return row ? recordOf(row, accountId) : null
  }

  /** The live merchant of another account that this account was granted. */
  async findGranted(accountId: AccountId, publicId: string): Promise<GrantedMerchant | null> {
    const [row] = await this.#findGranted(this.#db.read, { account: accountId, publicId })
    return row ? { ...recordOf(row, accountId), grantScopes: namesOf(row.grant_scopes) } : null
  }

  /** By the relay's own key, acting for its owner. @throws when there is none: keys come from our own rows. */
  async byKey(key: MerchantKey): Promise<MerchantRecord> {
    const [row] = await this.#byKey(this.#db.read, { key })
    if (!row) throw new Error(`no merchant with key ${key}`)
    return recordOf(row, row.account_id)
  }

  /** Whether any account has a merchant with this public id. */
  async exists(publicId: string): Promise<boolean> {
    const row = await this.#db.read
      .selectFrom('merchants')
      .select('id')
      .where('public_id', '=', publicId)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  }

  /** Merchants with this public id: one if it is live, one an account if it is a test merchant. */
  async named(publicId: string): Promise<MerchantsTable[]> {
    return this.#db.read.selectFrom('merchants').selectAll().where('public_id', '=', publicId).execute()
  }

  /** Newest first. @param accountId null for those of all accounts */
  async list(accountId: AccountId | null): Promise<MerchantsTable[]> {
    let query = this.#db.read.selectFrom('merchants').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
    if (accountId !== null) query = query.where('account_id', '=', accountId)
    return query.execute()
  }

  /** Those of the account and the live ones that it was granted, by name. @param most maximum number */
  async reachable(accountId: AccountId, most: number): Promise<MerchantsTable[]> {
    return this.#db.read
      .selectFrom('merchants as m')
      .selectAll('m')
      .where((e) =>
        e.or([
          e('m.account_id', '=', accountId),
          e.and([
            e('m.environment', '=', 'live'),
            e('m.id', 'in', e.selectFrom('merchant_grants').select('merchant_id').where('account_id', '=', accountId)),
          ]),
        ]),
      )
      .orderBy('m.name')
      .orderBy('m.id')
      .limit(most)
      .execute()
  }

  /** Its row, held in a unit. @throws Error when there is none: keys come from our own rows */
  async row(key: MerchantKey, on: Db | Tx = this.#db.read): Promise<MerchantsTable> {
    const [row] = await wholeRow(on, { key })
    if (!row) throw new Error(`no merchant with key ${key}`)
    return row
  }

  /** What a message to one of its customers is made of. Not held: nothing of it is changed. */
  async forCustomers(
    key: MerchantKey,
    on: Db | Tx,
  ): Promise<Pick<MerchantsTable, 'account_id' | 'name' | 'notify_language'>> {
    return on
      .selectFrom('merchants')
      .select(['account_id', 'name', 'notify_language'])
      .where('id', '=', key)
      .executeTakeFirstOrThrow()
  }

  async change(
    tx: Tx,
    key: MerchantKey,
    change: Partial<
      Pick<
        MerchantsTable,
        | 'name'
        | 'time_zone'
        | 'currency'
        | 'prep_minutes'
        | 'fire_at_horizon_ms'
        | 'auto_silence'
        | 'pos'
        | 'pos_config'
        | 'notify_ready'
        | 'notify_language'
      >
    >,
  ): Promise<void> {
    await tx.updateTable('merchants').set(change).where('id', '=', key).execute()
  }

  async insert(tx: Tx, row: NewRow<'merchants'>): Promise<void> {
    await tx.insertInto('merchants').values(row).execute()
  }
}

function recordOf(
  row: MerchantsTable & { default_location_id: LocationId | null },
  accountId: AccountId,
): MerchantRecord {
  return {
    key: row.id,
    accountId,
    ownerAccountId: row.account_id,
    publicId: row.public_id,
    environment: row.environment,
    name: row.name,
    currency: row.currency,
    timeZone: row.time_zone,
    prepMinutes: row.prep_minutes,
    fireAtHorizonMs: row.fire_at_horizon_ms,
    defaultLocationId: row.default_location_id,
    autoSilence: row.auto_silence === 1,
    pos: row.pos,
    notifyReady: row.notify_ready,
  }
}
