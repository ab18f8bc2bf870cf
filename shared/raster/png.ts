// Reads PNG pictures as blackness on white paper. All sizes are limited, since the files are untrusted.
import { inflate } from 'node:zlib'

/** 0 = white, 255 = black, row by row. */
export interface GreyPicture {
  width: number
  height: number
  black: Uint8Array
}

const MAX_FILE_BYTES = 2_000_000
const MAX_SIDE = 4_096
const MAX_PIXELS = 4_000_000
const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

interface Header {
  width: number
  height: number
  /** Bits per sample. */
  depth: number
  /** 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGB and alpha. */
  color: number
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/**
 * Reads a PNG.
 * @throws Error with a message for people if the file is no PNG, damaged, interlaced or too large (2 MB, 4096 dots a side, 4 million dots)
 */
export async function readPng(file: Uint8Array): Promise<GreyPicture> {
  if (file.length > MAX_FILE_BYTES) throw new Error('The picture is larger than 2 MB')
  if (SIGNATURE.some((byte, i) => file[i] !== byte)) throw new Error('The picture is no PNG file')
  const chunks = chunksOf(file)
  const header = readHeader(chunks.find(({ type }) => type === 'IHDR')?.data)
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data ?? new Uint8Array()
  const alpha = chunks.find(({ type }) => type === 'tRNS')?.data ?? new Uint8Array()
  const packed = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data))
  const samples = SAMPLES[header.color] ?? 0
  const rowBytes = Math.ceil((header.width * samples * header.depth) / 8)
  const raw = await inflated(packed, (rowBytes + 1) * header.height)
  if (raw.length < (rowBytes + 1) * header.height) throw new Error('The picture is cut off')
  const rows = unfiltered(raw, rowBytes, Math.max(1, (samples * header.depth) >> 3))
  return { width: header.width, height: header.height, black: blackOf(rows, header, { rowBytes, palette, alpha }) }
}

function readHeader(data: Uint8Array | undefined): Header {
  if (data === undefined || data.length < 13) throw new Error('The picture has no size')
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [width, height, depth, color] = [view.getUint32(0), view.getUint32(4), view.getUint8(8), view.getUint8(9)]
  if (width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS)
    throw new Error('The picture is larger than 4096 dots a side or 4 million dots')
  const isKnown = SAMPLES[color] !== undefined && [1, 2, 4, 8, 16].includes(depth) && (depth <= 8 || color !== 3)
  if (!isKnown || (depth < 8 && color !== 0 && color !== 3)) throw new Error('The picture has an unknown colour format')
  if (view.getUint8(12) !== 0) throw new Error('The picture is interlaced: save it without interlacing')
  return { width, height, depth, color }
}

function chunksOf(file: Uint8Array): { type: string; data: Uint8Array }[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  const chunks: { type: string; data: Uint8Array }[] = []
  for (let at = 8; at + 12 <= file.length; ) {
    const length = view.getUint32(at)
    if (at + 12 + length > file.length) throw new Error('The picture is cut off')
    chunks.push({
      type: String.fromCharCode(...file.subarray(at + 4, at + 8)),
      data: file.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  return chunks
}

function inflated(packed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    inflate(packed, { maxOutputLength: maxBytes }, (error, bytes) => {
      if (error) reject(new Error('The picture is damaged', { cause: error }))
      else resolve(bytes)
    })
  })
}

/** Undoes the row filters: each row is stored as differences to its neighbours, by one of five filters. */
function unfiltered(raw: Uint8Array, rowBytes: number, step: number): Uint8Array {
  const height = Math.floor(raw.length / (rowBytes + 1))
  const rows = new Uint8Array(rowBytes * height)
  for (let row = 0; row < height; row++) {
    const predicted = PREDICTIONS[raw[row * (rowBytes + 1)] ?? 0]
    if (predicted === undefined) throw new Error('The picture is damaged')
    const source = row * (rowBytes + 1) + 1
    const target = row * rowBytes
    for (let i = 0; i < rowBytes; i++) {
      const left = i < step ? 0 : (rows[target + i - step] ?? 0)
      const up = row === 0 ? 0 : (rows[target + i - rowBytes] ?? 0)
      const upLeft = row === 0 || i < step ? 0 : (rows[target + i - rowBytes - step] ?? 0)
      rows[target + i] = (raw[source + i] ?? 0) + predicted(left, up, upLeft)
    }
  }
  return rows
}

/** By the number of the row's filter. */
const PREDICTIONS: readonly ((left: number, up: number, upLeft: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, up) => up,
  (left, up) => (left + up) >> 1,
  (left, up, upLeft) => {
    const [toLeft, toUp, toBoth] = [Math.abs(up - upLeft), Math.abs(left - upLeft), Math.abs(left + up - 2 * upLeft)]
    return toLeft <= toUp && toLeft <= toBoth ? left : toUp <= toBoth ? up : upLeft
  },
]

function blackOf(
  rows: Uint8Array,
  header: Header,
  { rowBytes, palette, alpha }: { rowBytes: number; palette: Uint8Array; alpha: Uint8Array },
): Uint8Array {
  const { width, height, color } = header
  const samples = SAMPLES[color] ?? 1
  const black = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * rowBytes, (y + 1) * rowBytes)
    const sample = (x: number, k: number) => sampleAt(row, x * samples + k, header)
    for (let x = 0; x < width; x++) {
      const index = sample(x, 0)
      const [red, green, blue, cover] =
        color === 3
          ? [palette[index * 3] ?? 0, palette[index * 3 + 1] ?? 0, palette[index * 3 + 2] ?? 0, alpha[index] ?? 255]
          : color === 0 || color === 4
            ? [index, index, index, color === 4 ? sample(x, 1) : 255]
            : [index, sample(x, 1), sample(x, 2), color === 6 ? sample(x, 3) : 255]
      const light = (red * 299 + green * 587 + blue * 114) / 1000
      black[y * width + x] = Math.round(((255 - light) * cover) / 255)
    }
  }
  return black
}

/** A sample as 0 to 255; for a palette, its index. */
function sampleAt(row: Uint8Array, n: number, { depth, color }: Header): number {
  if (depth === 8) return row[n] ?? 0
  if (depth === 16) return row[n * 2] ?? 0
  const bit = n * depth
  const value = ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
  return color === 3 ? value : Math.round((value * 255) / ((1 << depth) - 1))
}
