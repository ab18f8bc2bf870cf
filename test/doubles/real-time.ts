// Finds real-time commands on arrival, as a printer's interface does: anywhere in the stream, also inside images and while offline.

export interface RealTimeCommand {
  name: 'DLE EOT' | 'DLE ENQ' | 'DLE DC4'
  /** n of DLE EOT n and DLE ENQ n; fn of DLE DC4 fn. */
  n: number
}

/** A streaming scanner: chunks may be split anywhere. It does not remove the bytes from the stream. */
export class RealTimeScanner {
  /** How much of `10 04|05|14` the last bytes matched. */
  #state: 'none' | 'dle' | RealTimeCommand['name'] = 'none'

  push(chunk: Uint8Array): RealTimeCommand[] {
    const found: RealTimeCommand[] = []
    for (const byte of chunk) {
      if (this.#state === 'none' || this.#state === 'dle') {
        this.#state = this.#state === 'dle' ? afterDle(byte) : byte === 0x10 ? 'dle' : 'none'
        continue
      }
      if (isDefined(this.#state, byte)) {
        found.push({ name: this.#state, n: byte })
        this.#state = 'none'
      } else {
        this.#state = byte === 0x10 ? 'dle' : 'none'
      }
    }
    return found
  }

  reset(): void {
    this.#state = 'none'
  }
}

function afterDle(byte: number): 'none' | 'dle' | RealTimeCommand['name'] {
  if (byte === 0x04) return 'DLE EOT'
  if (byte === 0x05) return 'DLE ENQ'
  if (byte === 0x14) return 'DLE DC4'
  return byte === 0x10 ? 'dle' : 'none'
}

/** Returns whether the ESC/POS reference defines the value. Others are not commands. */
function isDefined(name: RealTimeCommand['name'], n: number): boolean {
  if (name === 'DLE EOT') return (n >= 1 && n <= 4) || n === 7 || n === 8 || n === 18
  if (name === 'DLE ENQ') return n <= 2
  return n === 1 || n === 2 || n === 3 || n === 7 || n === 8
}
