// IPv4 addresses as text: validation, and membership in a network. Pure.

export function isIpv4(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) && text.split('.').every((part) => Number(part) <= 255)
}

/** @param cidr such as `192.168.1.0/24`; false for what is no IPv4 address */
export function isInNetwork(cidr: string, address: string): boolean {
  const [start = '', bits = ''] = cidr.split('/')
  if (!isIpv4(address)) return false
  const size = 2 ** (32 - Number(bits))
  return Math.floor(ipv4Number(start) / size) === Math.floor(ipv4Number(address) / size)
}

/** `0.0.1.2` is 258. */
export function ipv4Number(address: string): number {
  return address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
}
