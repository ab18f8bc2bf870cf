// Keeps webhooks away from our own network: at registration, and again at every connection on the address that is really dialled.
import { type BlockList, isIP } from 'node:net'
import { buildConnector } from 'undici'
import { isInRanges, rangesOf } from '#cloud/limits/address-ranges.ts'
import { type Cancel, type Clock, systemClock } from '#shared/clock.ts'
import { hostResolver, type Resolve } from './resolve-host.ts'

type Environment = 'sandbox' | 'live'

/** A person at the dashboard and a key are clients. */
export type ChosenBy = 'client' | 'operator'

interface Target {
  protocol: string
  /** Its port is one that may be reached at public addresses. */
  isListed: boolean
  environment: Environment
}

/** The connection was not made: the address, or its port, is one that a webhook may not reach. */
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

/** https, and where it is usually put when 443 is taken; http is for the sandbox. No mail, no shell, no database. */
export const WEBHOOK_PORTS: readonly number[] = [80, 443, 8443]

export interface TargetGuardOptions {
  /** Ranges that are opened although they are not public, at any port and over plain http: for the sandbox. */
  allowCidrs: readonly string[]
  /** Ports of public addresses; WEBHOOK_PORTS if absent. */
  ports?: readonly number[]
  /**
   * Who chooses the targets; clients if absent. The operator, who connects channels and points of sale by the command line, may use any
   * port, and `allowCidrs` in live too: they are the operator's own.
   */
  chosenBy?: ChosenBy
  resolve?: Resolve
  /** Limits the name resolution at registration; the system's clock if absent. */
  clock?: Clock
}

/** A name server that does not answer must not hold a request for longer. */
const REGISTRATION_LOOKUP_MS = 5_000

export class TargetGuard {
  readonly #options: TargetGuardOptions
  readonly #policy: AddressPolicy
  readonly #ports: ReadonlySet<number>
  readonly #isOperators: boolean
  readonly #resolve: Resolve
  readonly #clock: Clock

  /** @throws when an entry of `allowCidrs` is not an address range. */
  constructor(options: TargetGuardOptions) {
    const { allowCidrs, ports = WEBHOOK_PORTS, chosenBy = 'client', resolve, clock } = options
    this.#options = options
    this.#ports = new Set(ports)
    this.#isOperators = chosenBy === 'operator'
    this.#clock = clock ?? systemClock
    this.#policy = new AddressPolicy(allowCidrs)
    this.#resolve = resolve ?? hostResolver()
  }

  /** The guard for a target that was chosen by these. It is never wider than this one. */
  for(chosenBy: ChosenBy): TargetGuard {
    if (chosenBy === 'operator' || !this.#isOperators) return this
    return new TargetGuard({ ...this.#options, chosenBy })
  }

  /** Why an endpoint of this URL may not be registered, in words for its owner; null when it may. */
  async refusal(text: string, environment: Environment): Promise<string | null> {
    return (await this.fault(text, environment))?.message ?? null
  }

  /** The same with a key, for pages in other languages. A name that does not resolve now is let through: it may tomorrow, and every delivery is checked again. */
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
   * Connects like undici's own connector, but only to allowed addresses. Node skips the look-up when the host is an address, so such a
   * host is checked here; a name is resolved once, and exactly the checked addresses are dialled (a second look-up could return others).
   */
  connector(environment: Environment, connectTimeoutMs: number): buildConnector.connector {
    const connect = (target: Target) =>
      buildConnector({
        timeout: connectTimeoutMs,
        allowH2: false,
        // With one family at a time a host whose IPv6 is broken would never be reached over IPv4.
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
    // The look-up of a name gets neither protocol nor port, so there is a connector for each case.
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

  /** Whether its port may be reached at public addresses. */
  #isListed({ protocol, port }: { protocol: string; port: string }): boolean {
    return this.#isOperators || this.#ports.has(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port))
  }

  #portRefusal(): TargetFault {
    return { key: 'port', message: `The port of the URL must be one of ${[...this.#ports].join(', ')}.` }
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

const HTTPS_ONLY: TargetFault = { key: 'https', message: 'The URL of a live endpoint must begin with https://.' }
const NOT_PUBLIC: TargetFault = {
  key: 'not-public',
  message: 'The host of the URL has no public address; webhooks are sent to public addresses only.',
}

/** The parsed URL, or why it cannot be one of an endpoint. */
function targetOf(text: string): URL | TargetFault {
  // The parser would silently drop line breaks and tabs.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
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

// IANA special-purpose registry, IPv4: everything here is private, local, reserved or a documentation example.
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

// IPv6 is an allow-list: global unicast is 2000::/3. A list of closed ranges let [::127.0.0.1] through when it was tried.
const GLOBAL_V6 = '2000::/3'
// Inside it: protocol assignments with Teredo, documentation, 6to4 (which carries an IPv4 address).
const CLOSED_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

/** Which addresses a webhook may reach: global unicast only, and whatever the operator has opened. */
export class AddressPolicy {
  readonly #closedV4 = rangesOf(CLOSED_V4)
  readonly #globalV6 = rangesOf([GLOBAL_V6])
  readonly #closedV6 = rangesOf(CLOSED_V6)
  readonly #opened: BlockList

  /** @param allowCidrs ranges that the operator opens although they are not public. */
  constructor(allowCidrs: readonly string[]) {
    this.#opened = rangesOf(allowCidrs)
  }

  /** True for an address (no brackets) that the operator has opened by name. An IPv4 range opens its IPv6-mapped form too. */
  isOpened(address: string): boolean {
    return isInRanges(this.#opened, address)
  }

  /** True for an address that everybody can reach. */
  isPublic(address: string): boolean {
    const family = isIP(address)
    if (family === 0 || address.includes('%')) return false
    if (family === 4) return !this.#closedV4.check(address, 'ipv4')
    return this.#globalV6.check(address, 'ipv6') && !this.#closedV6.check(address, 'ipv6')
  }
}
