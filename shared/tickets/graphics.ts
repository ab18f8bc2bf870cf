// Encodes pictures for each printer family, in small bands so that a broken connection leaves little of one behind. Pure.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { cellHeightDots } from './line-height.ts'

const ESC = 0x1b
const GS = 0x1d
const LF = 0x0a

/** The dot grid in which a picture is drawn. */
export interface PictureGrid {
  /** Maximum width of a picture. */
  dots: number
  /** Size of a font A cell in dots of this grid: drawn text uses the same columns as the printer's own text. */
  cell: { widthDots: number; heightDots: number }
}

/** The picture grid of this printer. Null if it prints no pictures. */
export function pictureGrid({
  image,
  dots,
  columns,
}: Pick<PrinterProfile, 'image' | 'dots' | 'columns'>): PictureGrid | null {
  if (image === 'none') return null
  // 9-pin heads: `dots` counts half dots; ESC * 0 prints whole ones, 80 per inch.
  const impact = image === 'column8'
  const width = impact ? Math.floor(dots / 2) : dots
  return { dots: width, cell: { widthDots: Math.floor(width / columns), heightDots: cellHeightDots({ image }) } }
}

/** Names of the commands for these pictures, for the output firewall. */
export function pictureCommands({ image, language }: Pick<PrinterProfile, 'image' | 'language'>): readonly string[] {
  switch (image) {
    case 'raster':
      return ['GS v 0']
    case 'column24':
      return ['ESC *', 'ESC 3', 'ESC J', 'ESC 2']
    case 'column8':
      return language === 'star-line' ? ['ESC K', 'ESC J'] : ['ESC *', 'ESC J']
    case 'star-column24':
      return ['ESC k', 'ESC 0', 'ESC z']
    case 'star-raster':
      return language === 'starprnt' ? ['ESC GS S'] : []
    case 'none':
      return []
  }
}

/**
 * The picture at the alignment of its line; the printer feeds past it. Wider pictures lose their right edge. Empty for a printer without
 * pictures, and for one that prints pictures only (see star-raster-document.ts).
 */
export function pictureBytes(
  bitmap: Bitmap,
  profile: Pick<PrinterProfile, 'image' | 'language' | 'dots' | 'columns' | 'maxBandRows'>,
): Uint8Array {
  const grid = pictureGrid(profile)
  if (grid === null || bitmap.heightDots === 0 || bitmap.widthDots === 0) return new Uint8Array(0)
  const picture = cropped(bitmap, grid.dots)
  switch (profile.image) {
    case 'raster':
      return joined(bands(picture, profile.maxBandRows).map(rasterBand))
    case 'column24':
      // As in escpos-buffer's drivers of the Brazilian makers: the feed is at least as high as what was printed.
      return joined([
        Uint8Array.of(ESC, 0x33, 16),
        ...bands(picture, 24).map((band) => Uint8Array.of(...columnBand(band, 33, 3), ESC, 0x4a, 0)),
        Uint8Array.of(ESC, 0x32),
      ])
    case 'column8':
      return profile.language === 'star-line' ? starImpactBands(picture) : impactBands(picture)
    case 'star-column24':
      return starLineBands(picture)
    case 'star-raster':
      return profile.language === 'starprnt'
        ? joined(bands(picture, profile.maxBandRows).map(starprntBand))
        : new Uint8Array(0)
    case 'none':
      return new Uint8Array(0)
  }
}

/** The left part of a picture, at most `dots` wide, without bits beyond its width. */
export function cropped(bitmap: Bitmap, dots: number): Bitmap {
  const widthDots = Math.min(bitmap.widthDots, dots)
  const from = rowBytes(bitmap)
  const to = rowBytes({ widthDots })
  const lastMask = widthDots % 8 === 0 ? 0xff : (0xff00 >> (widthDots % 8)) & 0xff
  const rows = new Uint8Array(to * bitmap.heightDots)
  for (let y = 0; y < bitmap.heightDots; y++) {
    rows.set(bitmap.rows.subarray(y * from, y * from + to), y * to)
    const last = y * to + to - 1
    rows[last] = (rows[last] ?? 0) & lastMask
  }
  return { widthDots, heightDots: bitmap.heightDots, rows }
}

function bands(bitmap: Bitmap, heightDots: number): Bitmap[] {
  const bytes = rowBytes(bitmap)
  const result: Bitmap[] = []
  for (let y = 0; y < bitmap.heightDots; y += heightDots) {
    const height = Math.min(heightDots, bitmap.heightDots - y)
    const rows = bitmap.rows.slice(y * bytes, (y + height) * bytes)
    result.push({ widthDots: bitmap.widthDots, heightDots: height, rows })
  }
  return result
}

/** GS v 0 0 xL xH yL yH rows. */
function rasterBand(band: Bitmap): Uint8Array {
  const bytes = rowBytes(band)
  const { heightDots } = band
  const head = [GS, 0x76, 0x30, 0, bytes & 0xff, bytes >> 8, heightDots & 0xff, heightDots >> 8]
  return Uint8Array.of(...head, ...withoutRealTime(band.rows))
}

/** ESC GS S 1 xL xH yL yH 0 rows: StarPRNT's raster picture. */
function starprntBand(band: Bitmap): Uint8Array {
  const bytes = rowBytes(band)
  const { heightDots } = band
  const head = [ESC, GS, 0x53, 1, bytes & 0xff, bytes >> 8, heightDots & 0xff, heightDots >> 8, 0]
  return Uint8Array.of(...head, ...withoutRealTime(band.rows))
}

/** ESC * m nL nH columns. A band of fewer rows is filled with white below. */
function columnBand(band: Bitmap, mode: number, bytesPerColumn: number): Uint8Array {
  const { widthDots } = band
  const data = withoutRealTime(columnsOf(band, bytesPerColumn))
  return Uint8Array.of(ESC, 0x2a, mode, widthDots & 0xff, widthDots >> 8, ...data)
}

/** TM-U220: ESC * 0 (80 dots to the inch), then ESC J 16: the 8 dots just printed, in steps of 1/144 inch. */
function impactBands(picture: Bitmap): Uint8Array {
  return joined(bands(picture, 8).map((band) => Uint8Array.of(...columnBand(band, 0, 1), ESC, 0x4a, 16)))
}

/** SP700: ESC K n 0 columns, then ESC J 8: the 8 dots just printed, in steps of 1/72 inch. */
function starImpactBands(picture: Bitmap): Uint8Array {
  const narrow = cropped(picture, 255)
  return joined(
    bands(narrow, 8).map((band) => {
      const data = withoutRealTime(columnsOf(band, 1))
      return Uint8Array.of(ESC, 0x4b, narrow.widthDots, 0, ...data, ESC, 0x4a, 8)
    }),
  )
}

/** Star line mode: ESC k n1 n2 and 24 rows, LF; between ESC 0 and ESC z 1 a line is 3 mm (24 dots) instead of 4, so that bands touch. */
function starLineBands(picture: Bitmap): Uint8Array {
  const bytes = rowBytes(picture)
  const lines = bands(picture, 24).map((band) => {
    const rows = new Uint8Array(bytes * 24)
    rows.set(band.rows)
    return Uint8Array.of(ESC, 0x6b, bytes & 0xff, bytes >> 8, ...withoutRealTime(rows), LF)
  })
  return joined([Uint8Array.of(ESC, 0x30), ...lines, Uint8Array.of(ESC, 0x7a, 1)])
}

/** Column by column from left to right, the top dot in the highest bit of the first byte. */
function columnsOf(band: Bitmap, bytesPerColumn: number): Uint8Array {
  const bytes = rowBytes(band)
  const columns = new Uint8Array(band.widthDots * bytesPerColumn)
  for (let y = 0; y < band.heightDots; y++) {
    for (let x = 0; x < band.widthDots; x++) {
      if (((band.rows[y * bytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0) continue
      const at = x * bytesPerColumn + (y >> 3)
      columns[at] = (columns[at] ?? 0) | (0x80 >> (y & 7))
    }
  }
  return columns
}

// The second byte of a command that printers obey on arrival, wherever it stands: DLE EOT, ENQ, DC4; Star's ESC ACK.
const AFTER_DLE: ReadonlySet<number> = new Set([0x04, 0x05, 0x14])
const DLE = 0x10
const ACK = 0x06

/**
 * The same dots but one: where two bytes of a picture would read as a real-time command, one white dot of the second turns black.
 * A printer obeys those commands on arrival, also inside pictures: DLE DC4 opens the drawer.
 */
export function withoutRealTime(data: Uint8Array): Uint8Array {
  const safe = data.slice()
  for (let i = 1; i < safe.length; i++) {
    const byte = safe[i] ?? 0
    const before = safe[i - 1]
    // 04 -> 06 would do behind DLE; 24, 25, 34 and 26 are safe behind both.
    if ((before === DLE && AFTER_DLE.has(byte)) || (before === ESC && byte === ACK)) safe[i] = byte | 0x20
  }
  return safe
}

/** One byte string of all parts. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
