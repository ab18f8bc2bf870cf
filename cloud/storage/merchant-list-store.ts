// The merchants that an account may act on, a page at a time, with their kitchens and channels.
import type { ExpressionBuilder } from 'kysely'
import type { AccountId, MerchantKey } from '#shared/ids.ts'
import type { Cursor } from './cursor.ts'
import type { Db, RelayDatabase } from './database.ts'
import type { RelaySchema } from './schema.ts'
import type { MerchantsTable } from './schema-accounts.ts'
import type { ChannelsTable } from './schema-catalog.ts'

export interface ListedLocation {
  locationId: string
  name: string
  gatewayOnline: boolean
  printers: { online: number; total: number }
}

export interface ListedMerchant {
  row: MerchantsTable
  /** The default one first. */
  locations: ListedLocation[]
  channels: Pick<ChannelsTable, 'channel_id' | 'platform' | 'name' | 'status'>[]
}

export class MerchantListStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first, own and (live) granted ones. Reads `limit + 1`, for pageOfRows. */
  async page(
    accountId: AccountId,
    environment: 'sandbox' | 'live',
    { limit, after }: { limit: number; after: Cursor | null },
  ): Promise<ListedMerchant[]> {
    const read = this.#db.read
    let query = read
      .selectFrom('merchants')
      .selectAll()
      .where('environment', '=', environment)
      .where((e) => {
        const granted = e(
          'id',
          'in',
          e.selectFrom('merchant_grants').select('merchant_id').where('account_id', '=', accountId),
        )
        const own = e('account_id', '=', accountId)
        return environment === 'live' ? e.or([own, granted]) : own
      })
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1)
    if (after !== null) {
      query = query.where((e) =>
        e.or([
          e('created_at', '<', after.at),
          e.and([e('created_at', '=', after.at), e('id', '<', after.id as MerchantKey)]),
        ]),
      )
    }
    const rows = await query.execute()
    if (rows.length === 0) return []
    const keys = rows.map((row) => row.id)
    const [locations, channels] = await Promise.all([locationsOf(read, keys), channelsOf(read, keys)])
    return rows.map((row) => ({
      row,
      locations: locations.get(row.id) ?? [],
      channels: channels.get(row.id) ?? [],
    }))
  }
}

async function locationsOf(read: Db, keys: MerchantKey[]): Promise<Map<MerchantKey, ListedLocation[]>> {
  const gatewaysHere = (e: ExpressionBuilder<RelaySchema & { l: RelaySchema['locations'] }, 'l'>) =>
    e.selectFrom('gateways as g').whereRef('g.location_id', '=', 'l.id').where('g.revoked_at', 'is', null)
  const rows = await read
    .selectFrom('locations as l')
    .select(['l.id', 'l.merchant_id', 'l.name'])
    .select((e) => [
      gatewaysHere(e)
        .where('g.presence', '=', 'online')
        .select((g) => g.fn.countAll<number>().as('n'))
        .as('gateways_online'),
      gatewaysHere(e)
        .innerJoin('printers as p', 'p.gateway_id', 'g.id')
        .select((p) => p.fn.countAll<number>().as('n'))
        .as('printers_total'),
      // A printer behind a disconnected gateway is not online, whatever its last report.
      gatewaysHere(e)
        .innerJoin('printers as p', 'p.gateway_id', 'g.id')
        .where('g.presence', '=', 'online')
        .where('p.state', '=', 'online')
        .select((p) => p.fn.countAll<number>().as('n'))
        .as('printers_online'),
    ])
    .where('l.merchant_id', 'in', keys)
    .orderBy('l.is_default', 'desc')
    .orderBy('l.id')
    .execute()
  const listed = rows.map((row) => ({
    merchant: row.merchant_id,
    location: {
      locationId: row.id,
      name: row.name,
      gatewayOnline: (row.gateways_online ?? 0) > 0,
      printers: { online: row.printers_online ?? 0, total: row.printers_total ?? 0 },
    },
  }))
  return grouped(
    listed,
    ({ merchant }) => merchant,
    ({ location }) => location,
  )
}

async function channelsOf(read: Db, keys: MerchantKey[]) {
  const rows = await read
    .selectFrom('channels')
    .select(['merchant_id', 'channel_id', 'platform', 'name', 'status'])
    .where('merchant_id', 'in', keys)
    .orderBy('channel_id')
    .execute()
  return grouped(
    rows,
    (row) => row.merchant_id,
    ({ merchant_id: _, ...channel }) => channel,
  )
}

function grouped<R, T>(rows: readonly R[], keyOf: (row: R) => MerchantKey, toValue: (row: R) => T) {
  const groups = new Map<MerchantKey, T[]>()
  for (const [key, members] of Map.groupBy(rows, keyOf)) groups.set(key, members.map(toValue))
  return groups
}
