// /v1/gateways: the boxes in the kitchens, and the codes by which they join.
import { type App, principalOf, type RouteDoc } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Principal } from '#cloud/auth/api-keys.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { locationOf } from '#cloud/orders/plan-order.ts'
import { makeClaimCode } from '#cloud/pairing/claim-codes.ts'
import { type ListDeps, listGateways } from '#cloud/pairing/list-gateways.ts'
import { recordAudit } from '#cloud/storage/audit-store.ts'
import type { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { Tx } from '#cloud/storage/database.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import type { MerchantRecord } from '#cloud/storage/merchant-store.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { LocationId } from '#shared/ids.ts'
import {
  claimCode,
  gatewaysList,
  gatewaysQuery,
  makeClaimCode as makeClaimCodeSchema,
} from '#shared/wire/api/gateways.ts'

export interface GatewayRouteDeps extends AnswerOnceDeps, ListDeps {
  authorize: Authorize
  claims: ClaimStore
  locations: LocationStore
}

const access = 'printers:control'

export function gatewayRoutes(app: App, deps: GatewayRouteDeps): void {
  app.route({
    method: 'GET',
    url: '/v1/gateways',
    config: {
      access,
      doc: {
        operationId: 'listGateways',
        summary: 'List the gateways and how they are',
        tag: 'Printing',
        errors: ['location.unknown'],
      },
    },
    schema: { querystring: gatewaysQuery, response: { 200: gatewaysList } },
    handler: async (request, reply) => {
      const { merchantId, locationId } = request.query
      const merchant = await deps.authorize(principalOf(request), merchantId)
      const wanted = locationId === undefined ? undefined : await locationOf(deps.locations, merchant, locationId)
      return reply.header('cache-control', 'no-store').send({ data: await listGateways(deps, merchant, wanted) })
    },
  })

  claimCodeRoute(app, deps, {
    url: '/v1/gateway/claim-code',
    operationId: 'makeClaimCode',
    summary: 'Make a claim code, by which a box joins a location',
    tag: 'Printing',
  })
  claimCodeRoute(app, deps, {
    url: '/v1/test/gateway/claim-code',
    operationId: 'makeSandboxClaimCode',
    summary: 'Make a claim code, to pair a box of your own with a sandbox location',
    tag: 'Sandbox',
  })
}

function claimCodeRoute(
  app: App,
  deps: GatewayRouteDeps,
  { url, ...doc }: { url: string } & Pick<RouteDoc, 'operationId' | 'summary' | 'tag'>,
): void {
  app.route({
    method: 'POST',
    url,
    config: {
      access,
      // A box gets all orders of its location, with guests: it must not give a key's holder more than the key itself.
      alsoNeeds: ['orders:read'],
      ...(doc.tag === 'Sandbox' ? { sandboxOnly: true } : {}),
      doc: {
        ...doc,
        errors: ['location.unknown', 'gateway.too_many_codes', 'request.idempotency_mismatch'],
      },
    },
    schema: { body: makeClaimCodeSchema, response: { 200: claimCode } },
    handler: async (request, reply) => {
      const principal = principalOf(request)
      const { merchantId, locationId: wanted, name } = request.body
      const merchant = await deps.authorize(principal, merchantId)
      requireOwner(principal, merchant)
      const locationId = await locationOf(deps.locations, merchant, wanted)
      return answerOnce(deps, (tx) => codeOnce(tx, deps, { principal, locationId, name }), {
        request,
        reply,
        secret: true,
      })
    },
  })
}

/** A key with only a grant cannot add a box to a merchant: the box gets the orders of all accounts there. */
function requireOwner({ accountId }: Principal, { ownerAccountId }: MerchantRecord): void {
  if (accountId === ownerAccountId) return
  throw new ServiceError('merchant.not_authorized', {
    message: 'Only a key of the account that owns the merchant may let a box join it.',
  })
}

async function codeOnce(
  tx: Tx,
  deps: GatewayRouteDeps,
  { principal, locationId, name }: { principal: Principal; locationId: LocationId; name: string },
) {
  const made = await makeClaimCode(tx, deps, { locationId, name, madeBy: principal.keyId })
  if (made === null) throw new ServiceError('gateway.too_many_codes')
  await recordAudit(tx, {
    at: deps.clock.now(),
    actor: principal.keyId,
    via: 'api',
    account_id: principal.accountId,
    action: 'gateway.code',
    subject: locationId,
    after: JSON.stringify({ name }),
  })
  return { answer: { claimCode: made.code, locationId, expiresAt: toIso(made.expiresAtMs) } }
}
