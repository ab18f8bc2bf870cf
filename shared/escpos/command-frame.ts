// The frame (start and length) of one command in a byte stream, and the helpers with which the rules of all makers are written.

/** The bytes of one command. If no rule describes its code, `known` is false and only the code is framed. */
export interface Frame {
  name: string
  length: number
  /** Offset of the parameters from the first byte. */
  paramsAt: number
  known: boolean
}

/** A larger length is treated as invalid: no printer can hold it, and a stream must not make us buffer without limit. */
export const LONGEST_COMMAND_BYTES = 4_194_304

/** Little-endian 16-bit value at `at`. Null if the bytes have not arrived yet. */
export function wordAt(bytes: Uint8Array, at: number): number | null {
  const low = bytes[at]
  const high = bytes[at + 1]
  return low === undefined || high === undefined ? null : low + high * 256
}

export function knownFrame(name: string, length: number, paramsAt = 2): Frame {
  return { name, length, paramsAt, known: true }
}

export function unknownFrame(name: string, length: number): Frame {
  return { name, length, paramsAt: length, known: false }
}

// biome-ignore format: a table reads better in rows
const CONTROL_NAMES: Readonly<Record<number, string>> = {
  3: 'ETX', 4: 'EOT', 5: 'ENQ', 6: 'ACK', 7: 'BEL', 9: 'HT', 10: 'LF', 11: 'VT', 12: 'FF', 13: 'CR', 14: 'SO', 15: 'SI',
  17: 'DC1', 18: 'DC2', 19: 'DC3', 20: 'DC4', 22: 'SYN', 23: 'ETB', 24: 'CAN', 25: 'EM', 26: 'SUB', 28: 'FS', 29: 'GS',
  30: 'RS', 32: 'SP',
}

/** The notation of manuals for one byte of a command: `LF`, `A`, `0xf9`. */
export function byteName(byte: number): string {
  if (byte > 0x20 && byte < 0x7f) return String.fromCharCode(byte)
  return CONTROL_NAMES[byte] ?? hexName(byte)
}

export function hexName(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`
}

/** Frames parameters that end with `terminator`. After `most` bytes without one the command ends anyway. Null: more input is needed. */
export function frameTo(
  terminator: number,
  bytes: Uint8Array,
  { at, name, head, most }: { at: number; name: string; head: number; most: number },
): Frame | null {
  for (let i = 0; i < most; i++) {
    const byte = bytes[at + head + i]
    if (byte === undefined) return null
    if (byte === terminator) return knownFrame(name, head + i + 1)
  }
  return knownFrame(name, head + most)
}

/** Frames the images of `FS q n [xL xH yL yH d1..d(x*y*8)]`. The list begins `head` bytes after `at`. */
export function frameStoredImages(
  bytes: Uint8Array,
  at: number,
  { name, head }: { name: string; head: number },
): Frame | null {
  const images = bytes[at + head - 1]
  if (images === undefined) return null
  let length = head
  for (let image = 0; image < images && length < LONGEST_COMMAND_BYTES; image++) {
    const width = wordAt(bytes, at + length)
    const height = wordAt(bytes, at + length + 2)
    if (width === null || height === null) return null
    length += 4 + width * height * 8
  }
  return knownFrame(name, length, head - 1)
}
