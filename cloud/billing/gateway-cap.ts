// How many gateways an account may have: asked where one is added, in the same unit.
import type { AccountStore } from '#cloud/storage/account-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { GatewayListStore } from '#cloud/storage/gateway-list-store.ts'
import { holdRow } from '#cloud/storage/hold.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import { gatewayOverPlan } from './plan-limits.ts'
import { planOf } from './plans.ts'

export interface GatewayCapDeps {
  accounts: Pick<AccountStore, 'find'>
  gatewayList: Pick<GatewayListStore, 'ownerOf' | 'heldBy'>
}

/** @throws ServiceError gateway.too_many (409) when the account of this location has as many as it may */
export async function mayAddGateway(tx: Tx, deps: GatewayCapDeps, locationId: LocationId): Promise<void> {
  const owner = await deps.gatewayList.ownerOf(tx, locationId)
  const { accountId, environment } = owner
  await holdRow(tx, 'accounts', accountId)
  const has = await deps.gatewayList.heldBy(tx, owner)
  const account = await deps.accounts.find(accountId)
  if (account === null) throw new Error(`account ${accountId} of location ${locationId} is gone`)
  const reason = gatewayOverPlan(planOf(account, environment), has)
  if (reason !== null) throw new ServiceError('gateway.too_many', { message: reason })
}
