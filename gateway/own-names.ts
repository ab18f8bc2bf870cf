// What this machine is called in its networks, as browsers may write it. Read anew each time, because addresses come by DHCP.
import { hostname, networkInterfaces } from 'node:os'

/** What a Host header may say, in lower case. @param listenHost the address that the page listens on */
export function ownNames(listenHost: string): ReadonlySet<string> {
  const name = hostname().toLowerCase()
  const addresses = allAddresses().map(({ address }) => address.toLowerCase())
  return new Set(['localhost', name, `${name}.local`, listenHost.toLowerCase(), ...addresses])
}

/** Where a phone in this network finds the page; names after addresses, because many phones know no `.local`. */
export function pageUrls(listenHost: string, port: number): string[] {
  const addresses = allAddresses().flatMap(({ family, internal, address }) =>
    family === 'IPv4' && !internal ? address : [],
  )
  const isEverywhere = listenHost === '0.0.0.0' || listenHost === '::'
  const names = isEverywhere ? [...addresses, `${hostname()}.local`] : [listenHost]
  return names.map((name) => `http://${name.includes(':') ? `[${name}]` : name}${port === 80 ? '' : `:${port}`}/`)
}

function allAddresses() {
  return Object.values(networkInterfaces()).flatMap((list) => list ?? [])
}
