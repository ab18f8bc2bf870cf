// Which addresses a webhook may reach: global unicast only, and whatever the operator has opened.
import { type BlockList, isIP } from 'node:net'
import { isInRanges, rangesOf } from '#cloud/limits/address-ranges.ts'

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
