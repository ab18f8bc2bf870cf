// The names of this machine in its networks, as browsers may write them. Read again each time, because addresses come by DHCP.
import { hostname, networkInterfaces } from 'node:os'

/** The allowed values of a Host header, in lower case. @param listenHost the address that the page listens on */
export function ownNames(listenHost: string): ReadonlySet<string> {
  const name = hostname().toLowerCase()
  const addresses = allAddresses().map(({ address }) => address.toLowerCase())
  // 0.0.0.0 is a place to listen at, and a name under which pages from elsewhere try to reach a machine.
  const listens = isEverywhere(listenHost) ? [] : [listenHost.toLowerCase()]
  return new Set(['localhost', name, `${name}.local`, ...listens, ...addresses])
}

/** Addresses at which a phone in this network reaches the page; names after IP addresses, because many phones cannot resolve `.local`. */
export function pageUrls(listenHost: string, scheme: 'http' | 'https', port: number): string[] {
  const names = isEverywhere(listenHost) ? [...networkAddresses(), `${hostname()}.local`] : [listenHost]
  const usual = scheme === 'http' ? 80 : 443
  return names.map((name) => `${scheme}://${inUrl(name)}${port === usual ? '' : `:${port}`}/`)
}

/** Where a program on this machine finds the page, by plain http. */
export function urlHere(listenHost: string, port: number): string {
  return `http://${inUrl(isEverywhere(listenHost) ? '127.0.0.1' : listenHost)}:${port}`
}

/**
 * What a certificate of the box's own making names. Of the IPv6 addresses only this machine's own: the others change by the day, and the
 * certificate would with them.
 */
export function certificateNames(listenHost: string): string[] {
  const name = hostname().toLowerCase()
  const listens = isEverywhere(listenHost) ? [] : [listenHost.toLowerCase()]
  return [...new Set([name, `${name}.local`, ...listens, ...networkAddresses(), 'localhost', '127.0.0.1', '::1'])]
}

function networkAddresses(): string[] {
  return allAddresses().flatMap(({ family, internal, address }) => (family === 'IPv4' && !internal ? address : []))
}

function inUrl(name: string): string {
  return name.includes(':') ? `[${name}]` : name
}

function isEverywhere(listenHost: string): boolean {
  return listenHost === '0.0.0.0' || listenHost === '::'
}

function allAddresses() {
  return Object.values(networkInterfaces()).flatMap((list) => list ?? [])
}
