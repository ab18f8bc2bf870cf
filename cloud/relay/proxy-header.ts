// The PROXY header, in which a TCP proxy sends the client's address: version 2 (binary) and version 1 (a line of text, the only one of nginx).
// https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
import { isIP, type Socket } from 'node:net'
import type { Clock } from '#shared/clock.ts'

/** The beginning of a connection. `client` null: the proxy's own connection (a health check), or the client is not known. */
export type ProxyHeader =
  | { state: 'more' }
  | { state: 'bad'; fault: string }
  | { state: 'whole'; bytes: number; client: string | null }

const V2_SIGNATURE = Buffer.from([0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a])
const V2_FIXED_BYTES = 16
/** With a client's certificate in it haproxy writes some hundred bytes. The length field could be 64 kB. */
const V2_MOST_BYTES = 4_096
const V1_START = Buffer.from('PROXY ')
/** Including the line's end: the longest that the specification allows. */
const V1_MOST_BYTES = 107

/** By the byte of family and protocol: TCP over IPv4 and IPv6. Of others nothing is read, as the specification asks. */
const V2_ADDRESSES: Readonly<Record<number, { bytes: number; text: (at: Buffer) => string }>> = {
  17: { bytes: 12, text: (at) => at.subarray(0, 4).join('.') },
  33: { bytes: 36, text: ipv6Text },
}

/** Pure: `bytes` is all that has come so far. */
export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsAlike(bytes, V2_SIGNATURE)) return bytes.length < V2_FIXED_BYTES ? { state: 'more' } : readVersion2(bytes)
  if (startsAlike(bytes, V1_START)) return readVersion1(bytes)
  return { state: 'bad', fault: 'no PROXY header' }
}

function readVersion2(bytes: Buffer): ProxyHeader {
  const version = bytes.readUInt8(12) >> 4
  const command = bytes.readUInt8(12) & 0x0f
  const length = bytes.readUInt16BE(14)
  const whole = V2_FIXED_BYTES + length
  if (version !== 2) return { state: 'bad', fault: 'another version' }
  if (command > 1) return { state: 'bad', fault: 'unknown command' }
  if (whole > V2_MOST_BYTES) return { state: 'bad', fault: 'too long' }
  const addresses = command === 0 ? undefined : V2_ADDRESSES[bytes.readUInt8(13)]
  if (addresses && length < addresses.bytes) return { state: 'bad', fault: 'too short for its addresses' }
  if (bytes.length < whole) return { state: 'more' }
  // What follows the addresses, such as TLS names, is skipped.
  return { state: 'whole', bytes: whole, client: addresses?.text(bytes.subarray(V2_FIXED_BYTES)) ?? null }
}

function readVersion1(bytes: Buffer): ProxyHeader {
  const end = bytes.subarray(0, V1_MOST_BYTES).indexOf('\r\n')
  if (end === -1) return bytes.length < V1_MOST_BYTES ? { state: 'more' } : { state: 'bad', fault: 'too long' }
  const whole = end + 2
  const [, family = '', from = '', to = '', fromPort = '', toPort = '', ...rest] = bytes
    .toString('latin1', 0, end)
    .split(' ')
  if (family === 'UNKNOWN') return { state: 'whole', bytes: whole, client: null }
  const version = family === 'TCP4' ? 4 : family === 'TCP6' ? 6 : -1
  const isGood =
    rest.length === 0 &&
    [from, to].every((each) => isIP(each) === version && !each.includes('%')) &&
    [fromPort, toPort].every(isPort)
  return isGood ? { state: 'whole', bytes: whole, client: from } : { state: 'bad', fault: 'a line that cannot be read' }
}

function isPort(text: string): boolean {
  return /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535
}

/** Whether one of the two is the beginning of the other. */
function startsAlike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length)
  return bytes.compare(start, 0, length, 0, length) === 0
}

function ipv6Text(at: Buffer): string {
  return Array.from({ length: 8 }, (_, group) => at.readUInt16BE(group * 2).toString(16)).join(':')
}

/**
 * Removes the header from a new connection; what follows it is left in the socket for the next reader.
 * @param limits.withinMs a proxy writes the header at once: later it is `too slow`
 * @returns null when the connection ended before
 */
export function takeProxyHeader(
  socket: Socket,
  limits: { clock: Pick<Clock, 'after'>; withinMs: number },
): Promise<{ client: string | null } | { fault: string } | null> {
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    const finish = (outcome: { client: string | null } | { fault: string } | null): void => {
      cancel()
      socket.off('readable', read).off('end', ended).off('error', ended).off('close', ended)
      resolve(outcome)
    }
    const ended = (): void => finish(null)
    const read = (): void => {
      const chunk: Buffer | null = socket.read()
      if (chunk === null) return
      bytes = Buffer.concat([bytes, chunk])
      const header = readProxyHeader(bytes)
      if (header.state === 'more') return
      finish(header.state === 'bad' ? { fault: header.fault } : { client: header.client })
      if (header.state === 'whole' && bytes.length > header.bytes) socket.unshift(bytes.subarray(header.bytes))
    }
    const cancel = limits.clock.after(limits.withinMs, () => finish({ fault: 'too slow' }))
    socket.on('readable', read).on('end', ended).on('error', ended).on('close', ended)
  })
}
