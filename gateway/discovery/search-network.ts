// One search of one network: makers' own protocols and mDNS together, then, if wanted, the connect-only scan.
import type { Clock } from '#shared/clock.ts'
import { ENPC_PORT, ENPC_QUERY, readEnpcReply } from './epson-enpc.ts'
import type { Sighting } from './found-printer.ts'
import type { LocalNetwork } from './local-networks.ts'
import { browseMdns } from './mdns-browse.ts'
import { scanPort } from './port-scan.ts'
import { readSdpReply, SDP_PORT, SDP_QUERY } from './star-sdp.ts'
import { surveyUdp } from './udp-survey.ts'

export interface Search {
  clock: Clock
  signal: AbortSignal
  /** False: only questions that printers are made to answer. */
  scan: boolean
  /** Addresses that are not knocked at: their printers are set up and may be printing. */
  known: ReadonlySet<string>
  /** Whether the kernel has a hardware address for it, so a device is present. An answer may be forged under any address. */
  isThere: (address: string) => boolean
  onSighting: (sighting: Sighting) => void
}

const RAW_PORT = 9100
/** Epson's own guide lets a printer take two seconds to answer. */
const ANSWER_WINDOW_MS = 2_000

/** Resolves when it is over, or soon after the abort. */
export async function searchNetwork(network: LocalNetwork, search: Search): Promise<void> {
  const { clock, signal, scan, known, isThere, onSighting } = search
  const told = new Set<string>()
  const saw = (sighting: Sighting | null): void => {
    if (!sighting) return
    told.add(sighting.address)
    onSighting(sighting)
  }
  const common = { network, clock, windowMs: ANSWER_WINDOW_MS, signal }
  await Promise.all([
    surveyUdp(
      { port: ENPC_PORT, query: ENPC_QUERY },
      { ...common, onReply: (...reply) => saw(readEnpcReply(...reply)) },
    ),
    surveyUdp({ port: SDP_PORT, query: SDP_QUERY }, { ...common, onReply: (...reply) => saw(readSdpReply(...reply)) }),
    browseMdns({ ...common, onSighting: saw }),
  ])
  if (!scan || signal.aborted) return
  // Last: devices that have answered, and are present, need no connection attempt.
  const hosts = network.hosts.filter((host) => !known.has(host) && !(told.has(host) && isThere(host)))
  const onOpen = (address: string): void =>
    saw({ method: 'port-9100', address, port: RAW_PORT, claimedMac: null, model: null, name: null })
  await scanPort({ hosts, port: RAW_PORT, clock, signal, onOpen })
}
