// Asks by mDNS which devices offer raw printing (_pdl-datastream._tcp, _printer._tcp).
import { createSocket } from 'node:dgram'
import makeMdns from 'multicast-dns'
import type { Clock } from '#shared/clock.ts'
import { isInNetwork } from '#shared/ipv4.ts'
import { cleanText, type Sighting } from './found-printer.ts'
import type { LocalNetwork } from './local-networks.ts'

const MDNS_PORT = 5353
const MDNS_GROUP = '224.0.0.251'
/** Raw bytes on a port, as we send them; LPR, which such printers also offer. */
const RAW_SERVICE = '_pdl-datastream._tcp.local'
const SERVICES = [RAW_SERVICE, '_printer._tcp.local']

export interface MdnsOptions {
  network: LocalNetwork
  clock: Clock
  windowMs: number
  signal: AbortSignal
  onSighting: (sighting: Sighting) => void
}

/** One record of an answer, as far as we read it. */
export interface MdnsRecord {
  name: string
  type: string
  data?: unknown
}

/**
 * Asks from a port of our own, so answers come straight back (RFC 6762, 6.7) and a local mDNS daemon keeps its port.
 * Resolves when the window is over.
 */
export async function browseMdns({ network, clock, windowMs, signal, onSighting }: MdnsOptions): Promise<void> {
  const socket = createSocket('udp4')
  const mdns = makeMdns({ socket, port: MDNS_PORT, bind: false, multicast: false })
  const ended = new AbortController()
  const end = (): void => ended.abort()
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  mdns.on('error', end)
  mdns.on('response', (response, { address }) => {
    if (!isInNetwork(network.cidr, address) || address === network.address) return
    for (const sighting of sightingsOf([...(response.answers ?? []), ...(response.additionals ?? [])], address))
      onSighting(sighting)
  })
  socket.bind(0, network.address, () => {
    try {
      socket.setMulticastInterface(network.address)
    } catch {
      // The network has gone since it was listed: nothing is to be found there.
      end()
      return
    }
    const questions = SERVICES.map((name) => ({ name, type: 'PTR' as const }))
    mdns.query({ questions }, { address: MDNS_GROUP, port: MDNS_PORT })
  })
  await clock.sleep(windowMs, ended.signal)
  signal.removeEventListener('abort', end)
  end()
  mdns.destroy()
}

/** The printers in one answer; all have the address of its sender. At most 8: nobody has more in one box. */
export function sightingsOf(records: readonly MdnsRecord[], address: string): Sighting[] {
  const instances = records.filter(({ name, type }) => type === 'PTR' && SERVICES.includes(name.toLowerCase()))
  return instances.slice(0, 8).flatMap(({ name: service, data }) => {
    if (typeof data !== 'string') return []
    const port = portOf(records.find((record) => record.type === 'SRV' && sameName(record.name, data))?.data)
    const facts = factsOf(records.find((record) => record.type === 'TXT' && sameName(record.name, data))?.data)
    const isRaw = service.toLowerCase() === RAW_SERVICE
    return [
      {
        method: 'mdns',
        address,
        port: isRaw ? (port ?? 9100) : 9100,
        claimedMac: null,
        model: cleanText(
          facts.get('ty') ?? facts.get('usb_mdl') ?? (facts.get('product') ?? '').replaceAll(/[()]/g, ''),
        ),
        name: cleanText(data.slice(0, Math.max(0, data.length - service.length - 1))),
      } as const,
    ]
  })
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function portOf(data: unknown): number | null {
  const port = typeof data === 'object' && data !== null && 'port' in data ? data.port : null
  return typeof port === 'number' && port > 0 && port <= 65_535 ? port : null
}

/** `key=value` strings of a TXT record; keys in lower case. */
function factsOf(data: unknown): ReadonlyMap<string, string> {
  const strings = (Array.isArray(data) ? data : [data]).filter((one) => one instanceof Uint8Array)
  return new Map(
    strings.slice(0, 64).map((one) => {
      const text = new TextDecoder().decode(one)
      const at = text.indexOf('=')
      return at < 0 ? [text.toLowerCase(), ''] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)]
    }),
  )
}
