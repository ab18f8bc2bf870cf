// A tar archive in memory (ustar), for the diagnostics bundle: what every machine can open.

export interface TarEntry {
  /** At most 100 plain characters. */
  name: string
  bytes: Uint8Array
}

const BLOCK = 512

/** @param modifiedMs of every entry */
export function tarOf(entries: readonly TarEntry[], modifiedMs: number): Uint8Array {
  const parts = entries.flatMap(({ name, bytes }) => [
    header(name, bytes.length, Math.floor(modifiedMs / 1_000)),
    bytes,
    new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK),
  ])
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)])
}

function header(name: string, size: number, modified: number): Uint8Array {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, 100, 'latin1')
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${Math.max(0, modified).toString(8).padStart(11, '0')}\0`, 136)
  // The sum is made with spaces in its own place.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
