// Which addresses the cloud may make this box connect to: printers of its own private networks, and those that its technician has allowed. Pure.
//
// An attacker who takes over the cloud must not be able to reach through the box into the rest of the network, or into the box itself.
import { isInNetwork, isIpv4 } from '#shared/ipv4.ts'
import { FIRST_PRINTER_PORT, LAST_PRINTER_PORT, placeTrouble } from '#shared/printer-places.ts'
import type { ConfigRefusal, PrinterAddress } from '#shared/wire/gateway-config.ts'

/** What a technician allows beyond the rule. */
export interface AllowedRange {
  /** Such as `10.20.0.0/16`. */
  cidr: string
  fromPort: number
  toPort: number
}

/** This machine's addresses, from node:os. */
export type Interfaces = Readonly<
  Record<string, readonly { address: string; family: string; cidr: string | null }[] | undefined>
>

/** Null when the address may be used. */
export function addressRefusal(
  { host, port }: PrinterAddress,
  { interfaces, allowed }: { interfaces: Interfaces; allowed: readonly AllowedRange[] },
): ConfigRefusal | null {
  if (!isIpv4(host)) return 'address-forbidden'
  if (allowed.some(({ cidr, fromPort, toPort }) => isInNetwork(cidr, host) && port >= fromPort && port <= toPort))
    return null
  const ours = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter(({ family }) => family === 'IPv4')
  const trouble = placeTrouble({ host, port })
  const isNever = trouble !== null && trouble !== 'elsewhere' && trouble !== 'port'
  if (isNever || ours.some(({ address }) => address === host)) return 'address-forbidden'
  const isOurs = ours.some(({ cidr }) => cidr !== null && isInNetwork(cidr, host))
  if (!isOurs || trouble === 'elsewhere') return 'address-elsewhere'
  return trouble === null ? null : 'port-forbidden'
}

/** The ports of printers in a network. */
export function rangeOfPrinters(cidr: string): AllowedRange {
  return { cidr, fromPort: FIRST_PRINTER_PORT, toPort: LAST_PRINTER_PORT }
}

/** `10.20.0.0/16` or `10.20.0.0/16:9100-9200`, with commas between; null when it is not of that form. */
export function readAllowedRanges(text: string): AllowedRange[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const ranges = parts.map((part) => {
    const [, network = '', bits = '', from = String(FIRST_PRINTER_PORT), to = from] =
      /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})(?::(\d{1,5})(?:-(\d{1,5}))?)?$/.exec(part) ?? []
    const toPort = part.includes(':') ? Number(to) : LAST_PRINTER_PORT
    const isRight = isIpv4(network) && Number(bits) <= 32 && Number(from) >= 1 && toPort <= 65_535
    return isRight && Number(from) <= toPort
      ? { cidr: `${network}/${Number(bits)}`, fromPort: Number(from), toPort }
      : null
  })
  const good = ranges.filter((range) => range !== null)
  return good.length === ranges.length ? good : null
}
