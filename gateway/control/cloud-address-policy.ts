// Which addresses the cloud may make this box connect to: printers of its own private networks, and what its technician has allowed. Pure.
//
// Whoever takes over the cloud must not be able to reach through the box into the rest of the network, or into the box itself.
import { isIn, isIpv4 } from '#gateway/discovery/local-networks.ts'
import type { ConfigRefusal, PrinterAddress } from '#shared/wire/gateway-config.ts'

/** What a technician allows beyond the rule. */
export interface AllowedRange {
  /** Such as `10.20.0.0/16`. */
  cidr: string
  fromPort: number
  toPort: number
}

/** This machine's addresses, as node:os tells them. */
export type Interfaces = Readonly<
  Record<string, readonly { address: string; family: string; cidr: string | null }[] | undefined>
>

/** Raw printing; some print servers count up for their further connectors. */
const FIRST_PORT = 9_100
const LAST_PORT = 9_109
export const PRIVATE = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']
/** This machine, nobody in particular, link-local with the metadata services of clouds, groups, everybody. */
const NEVER = ['0.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/3']

/** Null when the address may be used. */
export function addressRefusal(
  { host, port }: PrinterAddress,
  { interfaces, allowed }: { interfaces: Interfaces; allowed: readonly AllowedRange[] },
): ConfigRefusal | null {
  if (!isIpv4(host)) return 'address-forbidden'
  if (allowed.some(({ cidr, fromPort, toPort }) => isIn({ cidr }, host) && port >= fromPort && port <= toPort))
    return null
  const ours = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
  if (NEVER.some((cidr) => isIn({ cidr }, host)) || ours.some(({ address }) => address === host))
    return 'address-forbidden'
  const isOurs = ours.some(({ cidr }) => cidr !== null && isIn({ cidr }, host))
  if (!isOurs || !PRIVATE.some((cidr) => isIn({ cidr }, host))) return 'address-elsewhere'
  return port >= FIRST_PORT && port <= LAST_PORT ? null : 'port-forbidden'
}

/** The ports of printers in a network. */
export function rangeOfPrinters(cidr: string): AllowedRange {
  return { cidr, fromPort: FIRST_PORT, toPort: LAST_PORT }
}

/** `10.20.0.0/16` or `10.20.0.0/16:9100-9200`, with commas between; null when it is not of that form. */
export function readAllowedRanges(text: string): AllowedRange[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const ranges = parts.map((part) => {
    const [, network = '', bits = '', from = String(FIRST_PORT), to = from] =
      /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})(?::(\d{1,5})(?:-(\d{1,5}))?)?$/.exec(part) ?? []
    const toPort = part.includes(':') ? Number(to) : LAST_PORT
    const isRight = isIpv4(network) && Number(bits) <= 32 && Number(from) >= 1 && toPort <= 65_535
    return isRight && Number(from) <= toPort
      ? { cidr: `${network}/${Number(bits)}`, fromPort: Number(from), toPort }
      : null
  })
  const good = ranges.filter((range) => range !== null)
  return good.length === ranges.length ? good : null
}
