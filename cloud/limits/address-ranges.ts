// Ranges of addresses as operators write them: `10.0.0.0/8`, `fd00::/8`, `203.0.113.7`.
import { BlockList, isIP } from 'node:net'

/** Ranges in CIDR notation as one list. @throws on text that is not a range. */
export function rangesOf(cidrs: readonly string[]): BlockList {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits, rest] = cidr.split('/')
    const family = isIP(address)
    const longest = family === 4 ? 32 : 128
    const prefix = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (family === 0 || rest !== undefined || !(prefix <= longest))
      throw new Error(`${JSON.stringify(cidr)} is not an address range such as 10.0.0.0/8 or ::1/128`)
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
  }
  return list
}

/** Whether the list holds this address. An IPv4 range holds its IPv6-mapped form too. An address with a zone (fe80::1%eth0) is in no range. */
export function isInRanges(list: BlockList, address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
