// POST /gw/v1/claim: a box in a restaurant becomes a gateway. Not part of /v1: only gateways call it, and the code is their only proof.
import { KeyedBuckets } from '#cloud/limits/keyed-buckets.ts'
import { ALONE, type Fleet } from '#cloud/limits/leased-buckets.ts'
import { type Rates, shareOf } from '#cloud/limits/token-bucket.ts'
import type { TrustedProxies } from '#cloud/limits/trusted-proxies.ts'
import { type ClaimDeps, claimGateway } from '#cloud/pairing/claim-gateway.ts'
import type { Clock } from '#shared/clock.ts'
import { ServiceError } from '#shared/errors.ts'
import type { Logger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import { CLAIM_PATH, claimAnswer, claimRequest } from '#shared/wire/gateway-claim.ts'
import type { App } from './app.ts'

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

/** A technician types a code twice, a box whose answer was lost repeats it a few times. */
const OF_ADDRESS: Rates = { steadyPerMinute: 10, burstPerMinute: 20 }
/**
 * More wrong codes than people type, all addresses together. Nothing is refused because of it: an attacker with a few dozen addresses could block
 * pairing for everybody. A code has 50 bits and is valid for 15 minutes: a thousand guesses a second would find one of a thousand open
 * codes in 36 years.
 */
const WRONG_OF_ALL: Rates = { steadyPerMinute: 30, burstPerMinute: 60 }
const ALL = 'all addresses'

interface ClaimThrottleDeps {
  clock: Clock
  /** A trusted proxy itself is never slowed down. */
  proxies: TrustedProxies
  /** This relay among those on one database; absent: it is alone. */
  replica?: { readonly fleet: Fleet }
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/**
 * How often claims may be tried from one address, and an alarm when wrong codes come from many. In memory: a restart resets it, and of several
 * relays each counts its part.
 */
export class ClaimThrottle {
  readonly #proxies: TrustedProxies
  readonly #fleet: Fleet
  readonly #networks: KeyedBuckets
  readonly #wrong: KeyedBuckets
  readonly #alarms: SampledLog

  constructor({ clock, log, proxies, replica }: ClaimThrottleDeps) {
    this.#proxies = proxies
    this.#fleet = replica?.fleet ?? ALONE
    this.#networks = new KeyedBuckets({ clock, rates: OF_ADDRESS })
    this.#wrong = new KeyedBuckets({ clock, rates: WRONG_OF_ALL })
    this.#alarms = new SampledLog(log, clock, 1)
  }

  /** Counts an attempt of this address. @throws ServiceError rate_limit.exceeded (429) with Retry-After */
  admit(address: string): void {
    const { countedAs } = this.#proxies.known(address)
    if (countedAs === null) return
    const { ok, retryAfterSeconds } = this.#networks.take(countedAs, shareOf(OF_ADDRESS, this.#fleet.relays))
    if (ok) return
    const message = 'Too many claims from this address. Wait for Retry-After seconds.'
    throw new ServiceError('rate_limit.exceeded', { message, retryAfterSeconds })
  }

  /** The code was wrong. Many of them are logged for the operator, once a minute. */
  wasWrong(): void {
    const rates = shareOf(WRONG_OF_ALL, this.#fleet.relays)
    if (this.#wrong.take(ALL, rates).ok) return
    const detail = { aMinute: rates.steadyPerMinute }
    this.#alarms.warn(ALL, detail, 'many wrong claim codes: somebody is guessing; pairing goes on')
  }
}
