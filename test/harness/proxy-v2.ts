// A PROXY header of version 2 as haproxy and Caddy write it, for tests that play a proxy.
import { isIPv4 } from 'node:net'

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')

/** @param from the client's address. @param tlvs what stands behind the addresses */
export function proxyV2(from: string, tlvs: Buffer = Buffer.alloc(0)): Buffer {
  const v4 = isIPv4(from)
  const address = v4 ? Buffer.from(from.split('.').map(Number)) : ipv6Bytes(from)
  const addresses = Buffer.concat([address, Buffer.alloc(address.length, 1), Buffer.from([0xdc, 0x04, 0x07, 0x5b])])
  const head = Buffer.from([0x21, v4 ? 0x11 : 0x21, 0, 0])
  head.writeUInt16BE(addresses.length + tlvs.length, 2)
  return Buffer.concat([SIGNATURE, head, addresses, tlvs])
}

/** That of a health check. */
export const PROXY_V2_LOCAL = Buffer.concat([SIGNATURE, Buffer.from([0x20, 0, 0, 0])])

function ipv6Bytes(text: string): Buffer {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0')
  const bytes = Buffer.alloc(16)
  for (const [at, group] of [...head, ...zeros, ...tail].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2)
  return bytes
}
