// Makes what `npm start` and the flows need in an empty relay database: a sandbox account and one paired gateway.
import { registerGateway } from '#cloud/relay/gateway-registry.ts'
import type { RelayDatabase } from '#cloud/storage/database.ts'
import { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { Clock } from '#shared/clock.ts'
import type { AccountId, GatewayId, LocationId } from '#shared/ids.ts'
import type { LinkTopics } from '#shared/wire/gateway-link.ts'
import { createSandboxAccount } from './fixtures.ts'

export interface Demo {
  accountId: AccountId
  apiKey: string
  merchantId: string
  /** The merchant's time zone, which the paired box uses. */
  timeZone: string
  /** Items that can be ordered, without modifiers. */
  umsIds: string[]
  locationId: LocationId
  /** The gateway's credentials for the broker. */
  gatewayId: GatewayId
  token: string
  topics: LinkTopics
}

/** A new account each time: call it once per database and keep what it returns, because key and token are shown this once. */
export async function provisionDemo(
  db: RelayDatabase,
  clock: Clock,
  options: { accountName?: string; gatewayName?: string } = {},
): Promise<Demo> {
  const account = await createSandboxAccount({ db, clock }, { name: options.accountName ?? 'Demo' })
  const merchant = account.merchants[0]
  const location = merchant?.locations[0]
  if (!merchant || !location) throw new Error('the fixtures have no merchant with a location')
  const gateway = await registerGateway(
    { db, gateways: new GatewayStore(db), clock },
    { locationId: location.locationId, name: options.gatewayName ?? 'Demo gateway' },
  )
  return {
    accountId: account.accountId,
    apiKey: account.apiKey,
    merchantId: merchant.merchantId,
    timeZone: merchant.timeZone,
    umsIds: merchant.umsIds,
    locationId: location.locationId,
    gatewayId: gateway.gatewayId,
    token: gateway.token,
    topics: gateway.topics,
  }
}
