// /v1/gateways: the boxes in the kitchens. Claim codes of live locations are made by the operator: no scope of the specification fits them.
import { type App, principalOf } from '#cloud/api/app.ts'
import { type AnswerOnceDeps, answerOnce } from '#cloud/api/idempotency.ts'
import type { Authorize } from '#cloud/auth/authorize.ts'
import { locationOf } from '#cloud/orders/plan-order.ts'
import { makeClaimCode } from '#cloud/pairing/claim-codes.ts'
import { type ListDeps, listGateways } from '#cloud/pairing/list-gateways.ts'
import type { ClaimStore } from '#cloud/storage/claim-store.ts'
import type { LocationStore } from '#cloud/storage/location-store.ts'
import { toIso } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
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

  app.route({
    method: 'POST',
    url: '/v1/test/gateway/claim-code',
    config: {
      access,
      sandboxOnly: true,
      doc: {
        operationId: 'makeSandboxClaimCode',
        summary: 'Make a claim code, to pair a box of your own with a sandbox location',
        tag: 'Sandbox',
        errors: ['location.unknown', 'gateway.too_many_codes', 'request.idempotency_mismatch'],
      },
    },
    schema: { body: makeClaimCodeSchema, response: { 200: claimCode } },
    handler: async (request, reply) => {
      const principal = principalOf(request)
      const { merchantId, locationId: wanted, name } = request.body
      const merchant = await deps.authorize(principal, merchantId)
      const locationId = await locationOf(deps.locations, merchant, wanted)
      const asked = { locationId, name, madeBy: principal.accountId }
      return answerOnce(
        deps,
        request,
        reply,
        async (tx) => {
          const made = await makeClaimCode(tx, deps, asked)
          if (made === null) throw new ServiceError('gateway.too_many_codes')
          return { answer: { claimCode: made.code, locationId, expiresAt: toIso(made.expiresAtMs) } }
        },
        { secret: true },
      )
    },
  })
}
