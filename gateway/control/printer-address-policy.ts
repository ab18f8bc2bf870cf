// The allowed addresses of printers: in a private network, at a port that is not another service's; elsewhere only if the settings or somebody at the console allow it.
//
// The address of a name is checked when the printer is set up and again for each connection: a name server may return another one then.
import { BlockList, isIP, isIPv4, SocketAddress } from 'node:net'
import { broadcastOf } from '#gateway/discovery/local-networks.ts'
import type { AllowedAddressStore } from '#gateway/storage/allowed-address-store.ts'
import { isInNetwork } from '#shared/ipv4.ts'
import type { Logger } from '#shared/log.ts'
import { NEVER_A_PRINTER, PRIVATE_NETWORKS } from '#shared/printer-places.ts'
import type { PrinterAddress } from '#shared/wire/gateway-config.ts'
import type { NoteAnswer } from './answers.ts'
import type { AllowedRange, Interfaces } from './cloud-address-policy.ts'
import { ControlRefusal } from './control-refusal.ts'

export interface PrinterAddressPolicyOptions {
  /** This machine's own addresses, as they are now. */
  interfaces: () => Interfaces
  /** What the settings allow. */
  ranges: readonly AllowedRange[]
  /** Printers that the settings name. */
  named: readonly PrinterAddress[]
  store: AllowedAddressStore
  /** IP addresses that a host name leads to, or any other spelling of an address; empty: to none now. Never rejects. */
  resolve: (host: string) => Promise<readonly string[]>
  log: Logger
}

export type AddressTrouble = keyof typeof WORDS

/** Below, everything is the port of another service. */
const FIRST_PORT = 1_024
/** Above: ports that would take a ticket's text for commands, and ports of other devices' pages. */
const OTHER_SERVICES = new Set([
  ...[1_433, 1_521, 1_883, 2_049, 2_375, 2_376, 2_379, 3_128, 3_306, 3_389, 5_432, 5_900, 5_985, 6_379, 6_443],
  ...[8_000, 8_080, 8_081, 8_443, 8_883, 9_090, 9_200, 9_443, 11_211, 27_017],
])

/** RFC 6761: this machine, even if no name server returns it. */
const OWN_NAME = /(?:^|\.)localhost\.?$/i

const OWN_NETWORKS = networks([...PRIVATE_NETWORKS, 'fc00::/7'])
/** The rest is `elsewhere`. */
const NEVER = {
  itself: networks([...NEVER_A_PRINTER.itself, '::1/128']),
  'link-local': networks([...NEVER_A_PRINTER['link-local'], 'fe80::/10']),
  group: networks([...NEVER_A_PRINTER.group, 'ff00::/8']),
  nobody: networks([...NEVER_A_PRINTER.nobody, '::/128']),
}

const WORDS = {
  itself: 'is this box itself',
  'link-local': 'is link-local, as of a device that got no address from DHCP',
  group: 'is for multicast or broadcast, which reaches many devices',
  nobody: 'is the address of no device (unspecified or reserved)',
  elsewhere: 'is in no private network (10.x, 172.16-31.x, 192.168.x, fc00::/7), but on the internet',
  port: 'has a port of another service: printers listen on 9100, print servers from 1024 on',
}

export class PrinterAddressPolicy {
  readonly #options: PrinterAddressPolicyOptions
  /** Where a name led that was refused last, by host and port. */
  readonly #refused = new Map<string, string>()

  constructor(options: PrinterAddressPolicyOptions) {
    this.#options = options
  }

  /**
   * A person wants to set up or identify a printer there.
   * @param address host as it was typed; a device file is always allowed
   * @throws ControlRefusal with the problem of the address, and who may allow it
   */
  async check(address: PrinterAddress): Promise<void> {
    if (address.host.startsWith('/') || this.#isAllowed(address)) return
    const found = OWN_NAME.test(address.host) ? ['127.0.0.1'] : await this.#options.resolve(address.host)
    for (const ip of found) {
      const trouble = this.#troubleOf(ip, address.port)
      if (trouble) throw refusalOf(address, ip, trouble)
    }
  }

  /** Allowed at the console. On disk when it returns. */
  allow({ host, port }: PrinterAddress): void {
    if (host.startsWith('/')) return
    this.#options.store.add({ host, port })
    this.#options.log.warn({ host, port }, 'the address of a printer was allowed at the console')
  }

  /** Where none of these printers is set up any more, the rule applies again. */
  keepOnly(printers: readonly PrinterAddress[]): void {
    this.#options.store.keepOnly(printers)
  }

  /** Whether a connection to this IP address may be made for a printer that is set up at the other one. */
  allows(address: PrinterAddress, ip: string): boolean {
    const key = keyOf(address)
    const isAllowed = this.#isAllowed(address) || this.#troubleOf(ip, address.port) === null
    if (isAllowed) this.#refused.delete(key)
    else if (this.#refused.get(key) !== ip) {
      this.#refused.set(key, ip)
      this.#options.log.warn({ ...address, ip }, 'no connection is made: a printer may not have that address')
    }
    return isAllowed
  }

  /** Why no connection is made to a printer, for people. */
  notesOf({ host, port }: PrinterAddress): NoteAnswer[] {
    const address = { host, port }
    const ip = isIP(host) === 0 ? this.#refused.get(keyOf(address)) : host
    if (ip === undefined || host.startsWith('/') || this.#isAllowed(address)) return []
    const trouble = this.#troubleOf(ip, port)
    if (trouble === null) return []
    const text = `No connection is made to ${shown(address)}: it ${why(address, ip, trouble)}. ${WAY_OUT}`
    return [{ key: `not-allowed-${trouble}`, values: { address: ip, port: String(port) }, text }]
  }

  #isAllowed(address: PrinterAddress): boolean {
    const { named, store } = this.#options
    return named.some(({ host, port }) => host === address.host && port === address.port) || store.has(address)
  }

  #troubleOf(typed: string, port: number): AddressTrouble | null {
    const { interfaces, ranges } = this.#options
    const ip = plainAddress(typed)
    if (ranges.some(({ cidr, fromPort, toPort }) => isInNetwork(cidr, ip) && port >= fromPort && port <= toPort))
      return null
    const ours = Object.values(interfaces()).flatMap((list) => list ?? [])
    if (ours.some(({ family, cidr }) => family === 'IPv4' && broadcastOf(cidr) === ip)) return 'group'
    if (ours.some(({ address }) => plainAddress(address) === ip)) return 'itself'
    if (!OWN_NETWORKS.check(ip, familyOf(ip))) return kindOf(ip)
    return port < FIRST_PORT || OTHER_SERVICES.has(port) ? 'port' : null
  }
}

/** Whether a note of a printer means that no connection is made to its address. */
export function isRefusedAddress({ key }: Pick<NoteAnswer, 'key'>): boolean {
  return key.startsWith('not-allowed-')
}

/** Of an address in no private network. */
function kindOf(ip: string): AddressTrouble {
  const kinds = ['itself', 'link-local', 'group', 'nobody'] as const
  return kinds.find((kind) => NEVER[kind].check(ip, familyOf(ip))) ?? 'elsewhere'
}

const WAY_OUT =
  'Give the printer another address, or whoever administers the box allows this one: GATEWAY_ALLOWED_PRINTERS in its settings, or --allow-address with printers add, printers set or printers identify.'

function shown({ host, port }: PrinterAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function why({ host }: PrinterAddress, ip: string, trouble: AddressTrouble): string {
  return `${ip === host ? '' : `leads to ${ip}, which `}${WORDS[trouble]}`
}

function refusalOf(address: PrinterAddress, ip: string, trouble: AddressTrouble): ControlRefusal {
  const said = { key: `address.${trouble}`, values: { address: ip, port: address.port } }
  return new ControlRefusal('refused', `${shown(address)} ${why(address, ip, trouble)}. ${WAY_OUT}`, { said })
}

/** IPv4 in its own form, also if it is within an IPv6 address; IPv6 in one spelling. */
function plainAddress(ip: string): string {
  const [bare = ''] = ip.split('%')
  if (isIP(bare) !== 6) return bare
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

function networks(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [network = '', bits = ''] = cidr.split('/')
    list.addSubnet(network, Number(bits), familyOf(network))
  }
  return list
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv4(ip) ? 'ipv4' : 'ipv6'
}

function keyOf({ host, port }: PrinterAddress): string {
  return `${host} ${port}`
}
