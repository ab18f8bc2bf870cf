// Which addresses discovery may contact: private networks that this machine is directly attached to, at most a /24 of each. Pure.
import type { NetworkInterfaceInfo } from 'node:os'
import { ipv4Number, isInNetwork, isIpv4 } from '#shared/ipv4.ts'
import { PRIVATE_NETWORKS } from '#shared/printer-places.ts'

/** A part of a directly attached network. */
export interface LocalNetwork {
  /** Such as `192.168.1.0/24`. */
  cidr: string
  /** Our own address in it. */
  address: string
  broadcast: string
  /** Every other address in it, at most 254. */
  hosts: readonly string[]
}

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>

const MOST_NETWORKS = 4

/**
 * The networks to search.
 * @param only CIDRs of at most 256 addresses that replace the machine's own choice; each must be in a network of ours
 */
export function localNetworks(interfaces: Interfaces, only: readonly string[] = []): LocalNetwork[] {
  const ours = Object.values(interfaces)
    .flatMap((list) => list ?? [])
    .filter((one) => one.family === 'IPv4')
  const wanted =
    only.length > 0
      ? only.flatMap((cidr) => partOf(cidr, ours))
      : ours
          // Only these are scanned by themselves.
          .filter(({ address }) => PRIVATE_NETWORKS.some((cidr) => isInNetwork(cidr, address)))
          .map(({ address, cidr }) => networkOf(address, Math.max(24, bitsOf(cidr)), address))
  const unique = new Map(wanted.map((network) => [network.cidr, network]))
  return [...unique.values()].filter(({ hosts }) => hosts.length > 0).slice(0, MOST_NETWORKS)
}

/** Whether the text is an IPv4 network of at most 256 addresses. */
export function isSmallNetwork(cidr: string): boolean {
  const [address = '', bits = ''] = cidr.split('/')
  return isIpv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) >= 24 && Number(bits) <= 32
}

/** The last address of such a network as `192.168.1.10/24`, which is everybody in it; null: it has none. */
export function broadcastOf(cidr: string | null): string | null {
  const [address = '', bits = ''] = cidr?.split('/') ?? []
  if (!isIpv4(address) || Number(bits) > 30) return null
  const size = 2 ** (32 - Number(bits))
  return textOf(Math.floor(ipv4Number(address) / size) * size + size - 1)
}

function partOf(cidr: string, ours: readonly NetworkInterfaceInfo[]): LocalNetwork[] {
  if (!isSmallNetwork(cidr)) return []
  const [start = '', bits = ''] = cidr.split('/')
  const own = ours.find((one) => isInNetwork(`${one.address}/${bitsOf(one.cidr)}`, start))
  return own ? [networkOf(start, Number(bits), own.address)] : []
}

function networkOf(inside: string, bits: number, own: string): LocalNetwork {
  const size = 2 ** (32 - bits)
  const first = Math.floor(ipv4Number(inside) / size) * size
  const last = first + size - 1
  const hosts: string[] = []
  for (let host = size > 2 ? first + 1 : first; host <= (size > 2 ? last - 1 : last); host++)
    if (textOf(host) !== own) hosts.push(textOf(host))
  return { cidr: `${textOf(first)}/${bits}`, address: own, broadcast: textOf(last), hosts }
}

function bitsOf(cidr: string | null): number {
  return Number(cidr?.split('/')[1] ?? 32)
}

function textOf(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}
