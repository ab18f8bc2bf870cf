// POST /gw/v1/claim: a box in a restaurant becomes a gateway. Not part of /v1: only gateways call it, and the code is their only proof.
import { type ClaimDeps, claimGateway } from '#cloud/pairing/claim-gateway.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { CLAIM_PATH, claimAnswer, claimRequest } from '#shared/wire/gateway-claim.ts'
import type { App } from './app.ts'
import { ClaimThrottle, type ClaimThrottleDeps } from './claim-throttle.ts'

/** @param deps.brokerHasOwnList an external broker: a password made here would not open it */
export function claimRoutes(
  app: App,
  deps: ClaimDeps & ClaimThrottleDeps & { log: Logger; brokerHasOwnList?: boolean },
): void {
  const throttle = new ClaimThrottle(deps)
  app.route({
    method: 'POST',
    url: CLAIM_PATH,
    config: { access: 'public' },
    bodyLimit: 4_096,
    schema: { body: claimRequest, response: { 200: claimAnswer } },
    // biome-ignore lint/complexity/useMaxParams: Fastify's own parameters
    preParsing: (request, _reply, _payload, done) => {
      try {
        throttle.admit(request.client.address)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
    handler: async (request, reply) => {
      if (deps.brokerHasOwnList === true)
        throw new ServiceError('gateway.claim_refused', {
          message:
            'This relay uses a broker with its own list of passwords: pair by the file that `gateways add` prints.',
        })
      const pairing = await claimGateway(deps, request.body)
      if (pairing === null) {
        throttle.wasWrong()
        throw new ServiceError('gateway.claim_refused')
      }
      deps.log.info({ gatewayId: pairing.gatewayId, app: request.body.app }, 'a gateway was claimed')
      // It contains the gateway's password.
      return reply.header('cache-control', 'no-store').send(pairing)
    },
  })
}
