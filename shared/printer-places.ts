// At which addresses no box accepts a printer from the cloud: the part of its rule that a page can check at once. Pure.
import { isInNetwork } from './ipv4.ts'
import type { PrinterAddress } from './wire/gateway-config.ts'

/** RFC 1918. */
export const PRIVATE_NETWORKS = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'] as const

/** The first match decides the kind of an address. */
export const NEVER_A_PRINTER = {
  /** The box itself. */
  itself: ['127.0.0.0/8'],
  /** Also where clouds answer their machines' questions about themselves. */
  'link-local': ['169.254.0.0/16'],
  group: ['224.0.0.0/4', '255.255.255.255/32'],
  nobody: ['0.0.0.0/8', '240.0.0.0/4'],
} as const
export type NeverAPrinter = keyof typeof NEVER_A_PRINTER
const KINDS = Object.keys(NEVER_A_PRINTER) as NeverAPrinter[]

/** Raw printing; some print servers count up for their further connectors. */
export const FIRST_PRINTER_PORT = 9_100
export const LAST_PRINTER_PORT = 9_109

/** What keeps a box from a printer there that the cloud proposes, unless its own settings allow it. `elsewhere`: in no private network. */
export type PlaceTrouble = NeverAPrinter | 'elsewhere' | 'port'

/** @param address of an IPv4 host. Null: it depends on the networks of the box */
export function placeTrouble({ host, port }: PrinterAddress): PlaceTrouble | null {
  const never = KINDS.find((kind) => NEVER_A_PRINTER[kind].some((cidr) => isInNetwork(cidr, host)))
  if (never !== undefined) return never
  if (!PRIVATE_NETWORKS.some((cidr) => isInNetwork(cidr, host))) return 'elsewhere'
  return port >= FIRST_PRINTER_PORT && port <= LAST_PRINTER_PORT ? null : 'port'
}
