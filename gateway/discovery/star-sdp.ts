// Star's discovery protocol over UDP 22222, a query by broadcast. Pure.
import { fieldText, macOf, type Sighting } from './found-printer.ts'

export const SDP_PORT = 22_222

/** 28 bytes: `STR_BCAST` in 16, the version in 8, their number, a free id. */
export const SDP_QUERY: Uint8Array = Buffer.concat([
  Buffer.from('STR_BCAST\0\0\0\0\0\0\0RQ1.0.0\0', 'latin1'),
  Uint8Array.of(0x00, 0x1c, 0x64, 0x31),
])

const MAC_AT = 78
const MODEL_AT = 204
const SHORTEST = 268

/**
 * A printer's answer of 302 bytes: `STR_BCAST`, version `RS`, MAC at 78, model at 204 as `TSP143 (STR_T-001)`. Its own address is
 * at 88, but the sender's is the one that it really answers from.
 * @returns null for anything else, such as the query of another program
 */
export function readSdpReply(message: Uint8Array, address: string): Sighting | null {
  const head = new TextDecoder('latin1').decode(message.subarray(0, 18))
  if (message.length < SHORTEST || !head.startsWith('STR_BCAST') || !head.endsWith('RS')) return null
  return {
    method: 'star',
    address,
    port: 9100,
    claimedMac: macOf(message.subarray(MAC_AT, MAC_AT + 6)),
    model: fieldText(message, MODEL_AT, 64),
    name: null,
  }
}
