// How many HTTP connections the API holds, in all and of one address; /mqtt is counted by the broker from its upgrade on.
import type { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { ConnectionPlaces } from '#shared/connection-places.ts'
import { networkOf } from '#shared/network-of.ts'

export interface ConnectionCapLimits {
  maxConnections: number
  maxConnectionsOfAddress: number
}

/**
 * Only the socket is known when a connection comes; the client behind a proxy is in its requests. So a trusted proxy may hold
 * all places, and the caps behind it must be set in the proxy.
 */
export function connectionCaps(
  { maxConnections, maxConnectionsOfAddress: most }: ConnectionCapLimits,
  proxies: TrustedProxies | undefined,
): ConnectionPlaces {
  return new ConnectionPlaces({
    most: maxConnections,
    sharesOf: (address) => (proxies?.has(address) === true ? [] : [{ name: networkOf(address), most }]),
  })
}
