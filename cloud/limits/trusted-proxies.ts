// The client of a connection: its own address, or, behind a trusted proxy, the address in the proxy's header.
import type { BlockList } from 'node:net'
import { networkOf } from '#shared/network-of.ts'
import { isInRanges, rangesOf } from './address-ranges.ts'

/** The client of a connection. */
export interface Client {
  address: string
  /** The name that limits count by (`networkOf`). Null: a trusted proxy itself, which represents many and is never limited. */
  countedAs: string | null
}

export class TrustedProxies {
  readonly #ranges: BlockList

  /** @throws when an entry is not an address or a range */
  constructor(ranges: readonly string[]) {
    this.#ranges = rangesOf(ranges)
  }

  has(address: string | undefined): boolean {
    return address !== undefined && isInRanges(this.#ranges, address)
  }

  /** An address that is known for what it is, such as that of an HTTP request or a PROXY header. */
  known(address: string | undefined): Client {
    return { address: address ?? '', countedAs: this.has(address) ? null : networkOf(address) }
  }

  /**
   * The right-most address that is no trusted proxy, without its port; the left-most one if all are. Used by HTTP and MQTT, because
   * fastify's `request.ip` keeps the port; but for that it says the same (trusted-proxies.test.ts).
   * @param peer the other end of the socket
   * @param forwardedFor X-Forwarded-For: used only as far as trusted proxies have written it
   */
  clientOf(peer: string | undefined, forwardedFor: string | readonly string[] | undefined): Client {
    const header = typeof forwardedFor === 'string' ? forwardedFor : (forwardedFor?.join(',') ?? '')
    let nearest = peer
    for (const hop of hopsOf(header).reverse()) {
      if (!this.has(nearest)) break
      nearest = hop
    }
    return this.known(nearest)
  }
}

/** The form of some proxies: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5})$/

function hopsOf(header: string): string[] {
  return header
    .split(',')
    .map((hop) => hop.trim())
    .map((hop) => {
      const [, ipv6, ipv4] = WITH_PORT.exec(hop) ?? []
      return ipv6 ?? ipv4 ?? hop
    })
    .filter((hop) => hop !== '')
}
