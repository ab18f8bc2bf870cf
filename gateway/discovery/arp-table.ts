// The kernel's table of hardware addresses (/proc/net/arp) of recent contacts.
import { readFileSync } from 'node:fs'

export const ARP_FILE = '/proc/net/arp'

/** Hardware address (lower case, colons) by IPv4 address; empty where there is no such table. */
export function readArpTable(file: string): ReadonlyMap<string, string> {
  try {
    return parseArpTable(readFileSync(file, 'utf8'))
  } catch {
    return new Map()
  }
}

/** Only complete entries: an address without an answer has zeros there. */
export function parseArpTable(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split('\n').slice(1)) {
    const [address = '', , flags = '', mac = ''] = line.trim().split(/\s+/)
    const isComplete = (Number.parseInt(flags, 16) & 0x2) !== 0
    if (isComplete && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) && !/^(00:){5}00$/.test(mac))
      found.set(address, mac.toLowerCase())
  }
  return found
}
