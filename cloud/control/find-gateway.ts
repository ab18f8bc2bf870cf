// Gateways and locations that an input names, as those of its merchant.
import type { Db, Tx } from '#cloud/storage/database.ts'
import type { Gateway } from '#cloud/storage/gateway-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import type { LocationsTable } from '#cloud/storage/schema-gateways.ts'
import type { GatewayId, LocationId } from '#shared/ids.ts'
import type { ControlContext } from './context.ts'
import { ControlRefusal } from './control-refusal.ts'

type Looking = Pick<ControlContext, 'gateways' | 'locations'>
interface Wanted<T> {
  merchant: Pick<MerchantRecord, 'key'>
  id: T
}

/**
 * A gateway of one of the merchant's locations, also a revoked one. In a unit its row is held.
 * @throws ControlRefusal not-found: also for one of another merchant, and for a simulated kitchen
 */
export async function requireGateway(
  on: Tx | Db,
  { gateways, locations }: Looking,
  { merchant, id }: Wanted<GatewayId>,
): Promise<{ gateway: Gateway; location: LocationsTable }> {
  const gateway = await gateways.byId(id, on)
  const location = gateway === null || gateway.simulated ? null : await locations.find(gateway.locationId, on)
  if (gateway !== null && location?.merchant_id === merchant.key) return { gateway, location }
  throw new ControlRefusal('not-found', `There is no gateway ${id}.`, { said: { key: 'gateway.unknown' } })
}

/** @throws ControlRefusal not-found: also for one of another merchant */
export async function requireLocation(
  on: Tx | Db,
  { locations }: Looking,
  { merchant, id }: Wanted<LocationId>,
): Promise<LocationsTable> {
  const location = await locations.find(id, on)
  if (location?.merchant_id === merchant.key) return location
  throw new ControlRefusal('not-found', `There is no location ${id}.`, { said: { key: 'location.unknown' } })
}
