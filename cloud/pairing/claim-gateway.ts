// A box claims a code: from then on it is a gateway of the code's location.
//
// The code, the gateway and its password are one transaction, so of two boxes with one code one succeeds. That box may claim again
// while the code is valid (its attempt id proves its identity): it gets a new password, and the one whose answer was lost becomes invalid.

import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { RelayDatabase, Tx } from '#cloud/storage/database.ts'
import type { DispatchStore } from '#cloud/storage/dispatch-store.ts'
import type { GatewayCredentialStore } from '#cloud/storage/gateway-credential-store.ts'
import type { GatewayStore } from '#cloud/storage/gateway-store.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantStore } from '#cloud/storage/merchant-store.ts'
import type { Clock } from '#shared/clock.ts'
import { newGatewayToken, sha256Hex } from '#shared/gateway-token.ts'
import { type GatewayId, type LocationId, newId } from '#shared/ids.ts'
import type { ClaimAnswer, ClaimRequest } from '#shared/wire/gateway-claim.ts'
import { shardOf, topicsFor } from '#shared/wire/gateway-link.ts'

export interface ClaimDeps {
  db: RelayDatabase
  claims: ClaimStore
  gateways: GatewayStore
  dispatches: DispatchStore
  credentials: GatewayCredentialStore
  locations: LocationStore
  merchants: MerchantStore
  /** Where gateways reach the broker. */
  brokerUrl: () => string
  /** PEM of the authority that signed the broker's certificate, when it is a private one. */
  brokerCa?: string | undefined
  /** Lets the gateway in at a broker that keeps its own list. */
  admit?: (credential: { gatewayId: string; token: string }) => Promise<void>
  /** @throws ServiceError when the account of this location may have no more */
  mayAdd?: (tx: Tx, locationId: LocationId) => Promise<void>
  clock: Clock
}

/** The pairing, or null: unknown, expired, or claimed by another box; the answer does not reveal which. @throws ServiceError of `mayAdd`: the code stays valid */
export async function claimGateway(deps: ClaimDeps, request: ClaimRequest): Promise<ClaimAnswer | null> {
  const claimed = await deps.db.unit((tx) => claimInUnit(tx, deps, request))
  if (claimed === null) return null
  const { gatewayId, locationId, token } = claimed
  await deps.admit?.({ gatewayId, token })
  const place = await deps.locations.find(locationId)
  if (place === null) throw new Error(`location ${locationId} of a claim code is gone`)
  const { name: merchantName, timeZone } = await deps.merchants.byKey(place.merchant_id)
  return {
    gatewayId,
    token,
    brokerUrl: deps.brokerUrl(),
    topics: topicsFor(gatewayId, shardOf(gatewayId)),
    ...(deps.brokerCa === undefined ? {} : { ca: deps.brokerCa }),
    merchantName,
    timeZone,
  }
}

interface Claimed {
  gatewayId: GatewayId
  locationId: LocationId
  token: string
}

async function claimInUnit(tx: Tx, deps: ClaimDeps, request: ClaimRequest): Promise<Claimed | null> {
  const nowMs = deps.clock.now()
  const codeHash = sha256Hex(request.code)
  const attemptHash = sha256Hex(request.attempt)
  const row = await deps.claims.find(codeHash, tx)
  if (row === null || row.expires_at <= nowMs) return null
  const { token, tokenHash } = newGatewayToken()
  const locationId = row.location_id
  if (row.gateway_id !== null) {
    const gateway = row.attempt_hash === attemptHash ? await deps.gateways.byId(row.gateway_id, tx) : null
    if (gateway === null || gateway.revoked) return null
    await deps.credentials.replace(tx, gateway.gatewayId, tokenHash)
    return { gatewayId: gateway.gatewayId, locationId, token }
  }
  const gatewayId = newId('gw', nowMs)
  const shard = shardOf(gatewayId)
  const gateway = { id: gatewayId, locationId, name: row.gateway_name, tokenHash, shard, createdAtMs: nowMs }
  // First, so that a box that comes again is not one more.
  await endFormerSelves(tx, deps, { locationId, stream: request.stream, gatewayId })
  await deps.mayAdd?.(tx, locationId)
  await deps.gateways.insert(tx, { ...gateway, hardware: request.hw })
  await deps.claims.markClaimed(tx, { codeHash, attemptHash, gatewayId, nowMs })
  await recordAudit(tx, {
    at: nowMs,
    actor: 'gateway',
    account_id: null,
    action: 'gateway.claim',
    subject: gatewayId,
    before: null,
    after: JSON.stringify({ name: row.gateway_name, location: locationId, app: request.app, hw: request.hw }),
  })
  return { gatewayId, locationId, token }
}

/**
 * The same box was a gateway of this location before and was unpaired: that gateway is revoked. Its open jobs are sent again to the new one,
 * which recognises them by their ids and prints none of them twice.
 */
async function endFormerSelves(
  tx: Tx,
  { gateways, dispatches, clock }: ClaimDeps,
  { locationId, stream, gatewayId }: { locationId: LocationId; stream: string; gatewayId: GatewayId },
): Promise<void> {
  const former = (await gateways.ofLocation(locationId, tx)).filter(
    (one) => one.stream === stream && one.gatewayId !== gatewayId && !one.simulated,
  )
  for (const { gatewayId: formerId } of former) {
    await gateways.revoke(tx, formerId, clock.now())
    await dispatches.giveUpCancels(tx, formerId, clock.now())
    await dispatches.requeueAfterLostStream(tx, formerId)
  }
}
