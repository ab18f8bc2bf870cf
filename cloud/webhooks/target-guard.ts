// Keeps webhooks away from our own network: checks at registration, and again at every connection on the address that is connected to.
import { type BlockList, isIP } from 'node:net'
import { buildConnector } from 'undici'
import { isInRanges, rangesOf } from '#cloud/limits/address-ranges.ts'
import { type Cancel, type Clock, systemClock } from '#shared/clock.ts'
import { hostResolver, type Resolve } from './resolve-host.ts'

type Environment = 'sandbox' | 'live'

/** A person at the dashboard and an API key are clients. */
export type ChosenBy = 'client' | 'operator'

interface Target {
  protocol: string
  /** True if its port may be used at public addresses. */
  isListed: boolean
  environment: Environment
}

/** The connection was refused: a webhook may not reach this address or port. */
export class BlockedAddressError extends Error {
  readonly code = 'BLOCKED_ADDRESS'
  constructor() {
    super('the address or its port may not be reached by webhooks')
    this.name = 'BlockedAddressError'
  }
}

/** Why a URL may not be called. */
export interface TargetFault {
  key: 'spaces' | 'absolute' | 'scheme' | 'password' | 'https' | 'not-public' | 'port'
  /** For the person who chose the URL, in English. */
  message: string
}

/** https, and its usual alternative port; http for the sandbox. No mail, SSH or databases. */
export const WEBHOOK_PORTS: readonly number[] = [80, 443, 8443]

export interface TargetGuardOptions {
  /** Ranges that are allowed although they are not public, at any port and over plain http, for the sandbox. */
  allowCidrs: readonly string[]
  /** Ports at public addresses. Default: WEBHOOK_PORTS. */
  ports?: readonly number[]
  /**
   * Who chooses the targets. Default: clients. The operator, who connects channels and points of sale with the command line, may use any
   * port, and `allowCidrs` in live too.
   */
  chosenBy?: ChosenBy
  resolve?: Resolve
  /** Limits the name resolution at registration. Default: the system's clock. */
  clock?: Clock
}

/** A name server that does not answer must not block a request for longer. */
const REGISTRATION_LOOKUP_MS = 5_000

export class TargetGuard {
  readonly #options: TargetGuardOptions
  readonly #policy: AddressPolicy
  readonly #ports: ReadonlySet<number>
  readonly #isOperators: boolean
  readonly #resolve: Resolve
  readonly #clock: Clock

  /** @throws if an entry of `allowCidrs` is not an address range */
  constructor(options: TargetGuardOptions) {
    const { allowCidrs, ports = WEBHOOK_PORTS, chosenBy = 'client', resolve, clock } = options
    this.#options = options
    this.#ports = new Set(ports)
    this.#isOperators = chosenBy === 'operator'
    this.#clock = clock ?? systemClock
    this.#policy = new AddressPolicy(allowCidrs)
    this.#resolve = resolve ?? hostResolver()
  }

  /** The guard for targets chosen by a client or by the operator. Never allows more than this one. */
  for(chosenBy: ChosenBy): TargetGuard {
    if (chosenBy === 'operator' || !this.#isOperators) return this
    return new TargetGuard({ ...this.#options, chosenBy })
  }

  /** Why an endpoint of this URL may not be registered, as text for its owner. Null if it may. */
  async refusal(text: string, environment: Environment): Promise<string | null> {
    return (await this.fault(text, environment))?.message ?? null
  }

  /**
   * The same with a key, for pages in other languages. A name that does not resolve now is accepted: it may later, and every delivery is
   * checked again.
   */
  async fault(text: string, environment: Environment): Promise<TargetFault | null> {
    const url = targetOf(text)
    if (!(url instanceof URL)) return url
    const hostname = bareHost(url.hostname)
    const addresses = isIP(hostname) ? [hostname] : await this.#addressesOf(hostname)
    const isPlainLive = url.protocol === 'http:' && environment === 'live'
    const isListed = this.#isListed(url)
    if (addresses === null) return isPlainLive ? HTTPS_ONLY : isListed ? null : this.#portRefusal()
    const target = { protocol: url.protocol, isListed, environment }
    if (addresses.some((address) => this.#allows(address, target))) return null
    if (!addresses.some((address) => this.#policy.isPublic(address))) return NOT_PUBLIC
    return isPlainLive ? HTTPS_ONLY : this.#portRefusal()
  }

  /**
   * Connects like undici's own connector, but only to allowed addresses. Node skips the lookup if the host is an address, so such a host is
   * checked here. A name is resolved once, and exactly the checked addresses are used (a second lookup could return others).
   */
  connector(environment: Environment, connectTimeoutMs: number): buildConnector.connector {
    const connect = (target: Target) =>
      buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        // With one address family at a time, a host with broken IPv6 would never be reached over IPv4.
        autoSelectFamily: true,
        lookup: (hostname, options, callback) => {
          this.#resolve(bareHost(hostname)).then(
            (found) => {
              const allowed = found.filter(({ address }) => this.#allows(address, target))
              const [first] = allowed
              if (first === undefined) callback(new BlockedAddressError(), [])
              else if (options.all) callback(null, allowed)
              else callback(null, first.address, first.family)
            },
            (error: NodeJS.ErrnoException) => callback(error, []),
          )
        },
      })
    // The lookup function gets neither protocol nor port, so there is a connector for each case.
    const kinds = [true, false].flatMap((isListed) =>
      ['https:', 'http:'].map((protocol) => ({ protocol, isListed, environment })),
    )
    const dials = kinds.map((target) => ({ target, dial: connect(target) }))
    return (options, callback) => {
      const hostname = bareHost(options.hostname)
      const isListed = this.#isListed(options)
      const chosen = dials.find(({ target }) => target.protocol === options.protocol && target.isListed === isListed)
      if (!chosen || (isIP(hostname) && !this.#allows(hostname, chosen.target))) {
        callback(new BlockedAddressError(), null)
        return
      }
      chosen.dial(options, callback)
    }
  }

  #allows(address: string, { protocol, isListed, environment }: Target): boolean {
    if ((environment === 'sandbox' || this.#isOperators) && this.#policy.isOpened(address)) return true
    return isListed && (protocol === 'https:' || environment === 'sandbox') && this.#policy.isPublic(address)
  }

  /** True if its port may be used at public addresses. */
  #isListed({ protocol, port }: { protocol: string; port: string }): boolean {
    return this.#isOperators || this.#ports.has(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
  }

  #portRefusal(): TargetFault {
    return { key: 'port', message: `The port of the URL must be one of ${[...this.#ports].join(', ')}.` }
  }

  /** Null if it does not resolve in time. */
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

const HTTPS_ONLY: TargetFault = { key: 'https', message: 'The URL of a live endpoint must begin with https://.' }
const NOT_PUBLIC: TargetFault = {
  key: 'not-public',
  message: 'The host of the URL has no public address; webhooks are sent to public addresses only.',
}

/** The parsed URL, or why it cannot be used for an endpoint. */
function targetOf(text: string): URL | TargetFault {
  // The parser would silently drop line breaks and tabs.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (/[\s\u0000-\u001f\u007f]/.test(text))
    return { key: 'spaces', message: 'The URL must not contain spaces or control characters.' }
  const url = URL.parse(text)
  if (url === null)
    return { key: 'absolute', message: 'The URL must be absolute, such as https://example.com/webhooks.' }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { key: 'scheme', message: 'The URL must begin with https://, or in the sandbox with http://.' }
  if (url.username !== '' || url.password !== '')
    return {
      key: 'password',
      message: 'The URL must not contain a user name or a password: verify the signature instead.',
    }
  return url
}

/** In the form for resolving and comparing: `localhost.` is localhost, which a hosts file has only without the dot. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$|\.+$/g, '')
}

// IANA special-purpose registry, IPv4: private, local, reserved and documentation ranges.
const CLOSED_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

// IPv6 uses an allow-list: global unicast is 2000::/3. A list of closed ranges accepted [::127.0.0.1] when it was tried.
const GLOBAL_V6 = '2000::/3'
// Inside it: protocol assignments with Teredo, documentation, 6to4 (which contains an IPv4 address).
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** The addresses that a webhook may reach: global unicast only, and ranges that the operator has allowed. */
export class AddressPolicy {
  readonly #closedV4 = rangesOf(CLOSED_V4)
  readonly #globalV6 = rangesOf([GLOBAL_V6])
  readonly #closedV6 = rangesOf(CLOSED_V6)
  readonly #opened: BlockList

  /** @param allowCidrs ranges that the operator allows although they are not public */
  constructor(allowCidrs: readonly string[]) {
    this.#opened = rangesOf(allowCidrs)
  }

  /** True for an address (no brackets) that the operator has allowed. An IPv4 range includes its IPv6-mapped form. */
  isOpened(address: string): boolean {
    return isInRanges(this.#opened, address)
  }

  /** True for a public address. */
  isPublic(address: string): boolean {
    const family = isIP(address)
    if (family === 0 || address.includes('%')) return false
    if (family === 4) return !this.#closedV4.check(address, 'ipv4')
    return this.#globalV6.check(address, 'ipv6') && !this.#closedV6.check(address, 'ipv6')
  }
}
