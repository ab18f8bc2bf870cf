// Epson's ENPC over UDP 3289, a discovery query by broadcast, which many printers of other makers answer too. Pure.
import { fieldText, macOf, type Sighting } from './found-printer.ts'

export const ENPC_PORT = 3289

/** `EPSONQ`, device type 3, device number 0, function 0000 (identify), result 0000, length 0000. */
export const ENPC_QUERY: Uint8Array = Buffer.from('EPSONQ\x03\0\0\0\0\0\0\0', 'latin1')

const REPLY = 'EPSONq'
const MAC_AT = 14
const NAME_AT = 56
const SHORTEST = MAC_AT + 6

/**
 * A printer's answer: `EPSONq`, MAC at 14, model name at 56 (as in the 184 bytes that TM printers and their clones send).
 * @returns null for anything else
 */
export function readEnpcReply(message: Uint8Array, address: string): Sighting | null {
  if (message.length < SHORTEST || new TextDecoder('latin1').decode(message.subarray(0, 6)) !== REPLY) return null
  return {
    method: 'epson',
    address,
    port: 9100,
    claimedMac: macOf(message.subarray(MAC_AT, MAC_AT + 6)),
    model: fieldText(message, NAME_AT, 64),
    name: null,
  }
}
