// Keeps webhooks away from our own network: at registration, and again at every connection on the address that is really dialled.
import { isIP } from 'node:net'
import { buildConnector } from 'undici'
import { type Cancel, type Clock, systemClock } from '#shared/clock.ts'
import { AddressPolicy } from './address-policy.ts'
import { hostResolver, type Resolve } from './resolve-host.ts'

type Environment = 'sandbox' | 'live'

/** The connection was not made: the address is one that a webhook may not reach. */
export class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS'
  constructor() {
    super('the address may not be reached by webhooks')
    this.name = 'BlockedAddressError'
  }
}

export interface TargetGuardOptions {
  /** Ranges that are opened although they are not public, and may be reached over plain http. */
  allowCidrs: readonly string[]
  resolve?: Resolve
  /** Bounds the look-up at registration; the system's if absent. */
  clock?: Clock
}

/** A name server that does not answer must not hold a request for longer. */
const REGISTRATION_LOOKUP_MS = 5_000

export class TargetGuard {
  readonly #policy: AddressPolicy
  readonly #resolve: Resolve
  readonly #clock: Clock

  /** @throws when an entry of `allowCidrs` is not an address range. */
  constructor({ allowCidrs, resolve, clock }: TargetGuardOptions) {
    this.#clock = clock ?? systemClock
    this.#policy = new AddressPolicy(allowCidrs)
    this.#resolve = resolve ?? hostResolver()
  }

  /**
   * Why an endpoint of this URL may not be registered, in words for its owner; null when it may. A name that does not resolve now is
   * let through: it may tomorrow, and every delivery is checked again.
   */
  async refusal(text: string, environment: Environment): Promise<string | null> {
    const url = targetOf(text)
    if (typeof url === 'string') return url
    const hostname = bareHost(url.hostname)
    const addresses = isIP(hostname) ? [hostname] : await this.#addressesOf(hostname)
    if (addresses === null) return url.protocol === 'http:' && environment === 'live' ? HTTPS_ONLY : null
    if (addresses.some((address) => this.#allows(address, url.protocol, environment))) return null
    return addresses.some((address) => this.#policy.allows(address)) ? HTTPS_ONLY : NOT_PUBLIC
  }

  /**
   * Connects like undici's own connector, but only to allowed addresses. Node skips the look-up when the host is an address, so such a
   * host is checked here; a name is resolved once, and exactly the checked addresses are dialled (a second look-up could answer otherwise).
   */
  connector(environment: Environment, connectTimeoutMs: number): buildConnector.connector {
    const connect = (protocol: string) =>
      buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        // With one family at a time a host whose IPv6 is broken would never be reached over IPv4.
        autoSelectFamily: true,
        lookup: (hostname, options, callback) => {
          this.#resolve(hostname).then(
            (found) => {
              const allowed = found.filter(({ address }) => this.#allows(address, protocol, environment))
              const [first] = allowed
              if (first === undefined) callback(new BlockedAddressError(), [])
              else if (options.all) callback(null, allowed)
              else callback(null, first.address, first.family)
            },
            (error: NodeJS.ErrnoException) => callback(error, []),
          )
        },
      })
    const overHttps = connect('https:')
    const overHttp = connect('http:')
    return (options, callback) => {
      const hostname = bareHost(options.hostname)
      if (isIP(hostname) && !this.#allows(hostname, options.protocol, environment)) {
        callback(new BlockedAddressError(), null)
        return
      }
      const dial = options.protocol === 'https:' ? overHttps : overHttp
      dial(options, callback)
    }
  }

  #allows(address: string, protocol: string, environment: Environment): boolean {
    // Plain http in live only to what the operator has opened by name.
    if (protocol !== 'https:' && environment === 'live') return this.#policy.isOpened(address)
    return this.#policy.allows(address)
  }

  /** Null when it does not resolve, or not in time. */
  async #addressesOf(hostname: string): Promise<string[] | null> {
    let cancel: Cancel = () => {}
    const late = new Promise<null>((resolve) => {
      cancel = this.#clock.after(REGISTRATION_LOOKUP_MS, () => resolve(null))
    })
    const found = this.#resolve(hostname).then(
      (all) => all.map(({ address }) => address),
      () => null,
    )
    const addresses = await Promise.race([found, late])
    cancel()
    return addresses
  }
}

const HTTPS_ONLY = 'The URL of a live endpoint must begin with https://.'
const NOT_PUBLIC = 'The host of the URL has no public address; webhooks are sent to public addresses only.'

/** The parsed URL, or why it cannot be one of an endpoint. */
function targetOf(text: string): URL | string {
  // The parser would silently drop line breaks and tabs.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\s\u0000-\u001f\u007f]/.test(text)) return 'The URL must not contain spaces or control characters.'
  const url = URL.parse(text)
  if (url === null) return 'The URL must be absolute, such as https://example.com/webhooks.'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'The URL must begin with https://.'
  if (url.username !== '' || url.password !== '')
    return 'The URL must not contain a user name or a password: verify the signature instead.'
  return url
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
