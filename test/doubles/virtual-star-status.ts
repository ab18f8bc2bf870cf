// What a virtual Star printer says: the bytes of its status block and answers. Written from the specification, not from the parser.
import type { PrinterParts } from './virtual-printer-status.ts'

export const STATUS_QUERY = Uint8Array.of(0x1b, 0x06, 0x01)

/** Finds ESC ACK SOH on arrival, anywhere in the stream. */
export class StarQueryScanner {
  #matched = 0

  /** How many questions ended in this chunk. */
  push(chunk: Uint8Array): number {
    let found = 0
    for (const byte of chunk) {
      this.#matched = byte === STATUS_QUERY[this.#matched] ? this.#matched + 1 : byte === 0x1b ? 1 : 0
      if (this.#matched < STATUS_QUERY.length) continue
      this.#matched = 0
      found++
    }
    return found
  }

  reset(): void {
    this.#matched = 0
  }
}

export interface StarStatusBlockOptions {
  /** Null: a model whose status ends before the counter. */
  etbCount: number | null
  /** An ETB was reached since the last block. */
  executed: boolean
  /** The reception buffer overflowed. */
  overflowed: boolean
  lengthBytes: boolean
}

/** Seven bytes, or nine with the counter; and two of length behind it where the interface adds them. */
export function starStatusBlock(parts: PrinterParts, options: StarStatusBlockOptions): Uint8Array {
  const { etbCount, executed, overflowed, lengthBytes } = options
  const block = [
    etbCount === null ? 0b0000_1111 : 0b0010_0011,
    (etbCount === null ? 0x02 : 0x06) | bit(lengthBytes, 0x80),
    bit(executed, 0x02) | bit(parts.offline, 0x08) | bit(parts.coverOpen, 0x20),
    bit(parts.cutterError !== 'none', 0x08) | bit(parts.cutterError === 'unrecoverable', 0x20) | bit(parts.hot, 0x40),
    bit(overflowed, 0x40),
    bit(parts.paper !== 'ok', 0x04) | bit(parts.paper === 'out', 0x08),
    0,
  ]
  if (etbCount !== null) block.push(counterByte(etbCount), 0)
  return Uint8Array.from(lengthBytes ? [...block, 0, 0] : block)
}

/** Bits 0 to 2 of the count stand in bits 1 to 3, bits 3 and 4 in bits 5 and 6. */
function counterByte(count: number): number {
  return ((count & 0x07) << 1) | ((count & 0x18) << 2)
}

/** Answer to ESC GS ETX s n1 n2: the same six bytes, the counter, NUL. */
export function printEndReply({
  s,
  low,
  high,
  count,
}: {
  s: number
  low: number
  high: number
  count: number
}): Uint8Array {
  return Uint8Array.of(0x1b, 0x1d, 0x03, s, low, high, count, 0x00)
}

function bit(on: boolean, bits: number): number {
  return on ? bits : 0
}
