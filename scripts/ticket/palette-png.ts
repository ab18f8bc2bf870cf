// Writes small PNG pictures of four colours: two bits a dot.
import { crc32, deflateSync } from 'node:zlib'

export type Rgb = readonly [red: number, green: number, blue: number]

export interface PaletteImage {
  width: number
  height: number
  /** One byte a dot, row by row: its place in the palette. */
  dots: Uint8Array
  palette: readonly [Rgb, Rgb, Rgb, Rgb]
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)
const BITS = 2
const DOTS_A_BYTE = 8 / BITS
const PALETTE_COLOURS = 3

export function writePalettePng({ width, height, dots, palette }: PaletteImage): Uint8Array {
  const header = new Uint8Array(13)
  const view = new DataView(header.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  header.set([BITS, PALETTE_COLOURS], 8)
  const rowBytes = 1 + Math.ceil(width / DOTS_A_BYTE)
  // The first byte of each row stays 0: no filter.
  const rows = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowBytes + 1 + Math.floor(x / DOTS_A_BYTE)
      const shift = (DOTS_A_BYTE - 1 - (x % DOTS_A_BYTE)) * BITS
      rows[at] = (rows[at] ?? 0) | ((dots[y * width + x] ?? 0) << shift)
    }
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', new Uint8Array()),
  ])
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const bytes = Buffer.alloc(named.length + 8)
  bytes.writeUInt32BE(data.length, 0)
  bytes.set(named, 4)
  bytes.writeUInt32BE(crc32(named), named.length + 4)
  return bytes
}
