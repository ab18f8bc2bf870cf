// The gateways of all accounts, for operators.
import { sql } from 'kysely'
import type { AccountId, GatewayId } from '#shared/ids.ts'
import type { RelayDatabase } from './database.ts'

export interface FleetGateway {
  gatewayId: GatewayId
  name: string
  accountId: AccountId
  accountName: string
  merchantId: string
  location: string
  presence: 'online' | 'offline' | 'unknown'
  version: string | null
  lastSeenAtMs: number | null
}

/** How many gateways have a version, and how many of them are connected. */
export interface FleetVersion {
  /** Null: never reported. */
  version: string | null
  gateways: number
  online: number
}

export interface FleetFilter {
  /** Only those that are not connected. */
  isSilent: boolean
  /** Only those whose last reported version is this one. */
  version: string | null
  after: GatewayId | null
  limit: number
}

export class FleetStore {
  readonly #db: RelayDatabase

  constructor(db: RelayDatabase) {
    this.#db = db
  }

  /** Newest first, without revoked and simulated ones. */
  async page({ isSilent, version, after, limit }: FleetFilter): Promise<FleetGateway[]> {
    let query = this.#db.read
      .selectFrom('gateways as g')
      .innerJoin('locations as l', 'l.id', 'g.location_id')
      .innerJoin('merchants as m', 'm.id', 'l.merchant_id')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select(['g.id as gatewayId', 'g.name', 'a.id as accountId', 'a.name as accountName'])
      .select(['m.public_id as merchantId', 'l.name as location', 'g.presence'])
      .select(['g.app_version as version', 'g.last_seen_at as lastSeenAtMs'])
      .where('g.revoked_at', 'is', null)
      .where('g.simulated', '=', 0)
      .orderBy('g.id', 'desc')
      .limit(limit)
    if (isSilent) query = query.where('g.presence', '!=', 'online')
    if (version !== null) query = query.where('g.app_version', '=', version)
    if (after !== null) query = query.where('g.id', '<', after)
    return query.execute()
  }

  /** Those with the most gateways first. */
  async versions(): Promise<FleetVersion[]> {
    const rows = await this.#db.read
      .selectFrom('gateways')
      .select((e) => ['app_version as version', e.fn.countAll<number>().as('gateways')])
      .select(sql<number>`sum(case when presence = 'online' then 1 else 0 end)`.as('online'))
      .where('revoked_at', 'is', null)
      .where('simulated', '=', 0)
      .groupBy('app_version')
      .execute()
    return rows
      .map(({ version, gateways, online }) => ({ version, gateways: Number(gateways), online: Number(online) }))
      .sort((a, b) => b.gateways - a.gateways)
  }
}
