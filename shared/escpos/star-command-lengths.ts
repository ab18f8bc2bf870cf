// The length of each command of a Star printer: Line Mode, StarPRNT and raster mode. Source: Star Line Mode command specifications.
import {
  byteName,
  type Frame,
  frameStoredImages,
  frameTo,
  hexName,
  knownFrame,
  LONGEST_COMMAND_BYTES,
  unknownFrame,
  wordAt,
} from './command-frame.ts'

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const RS = 0x1e

/** Commands of one byte. FS, EM and SUB drive the external devices (drawers), as BEL does. */
// biome-ignore format: a table reads better in rows
const SINGLE: ReadonlySet<number> = new Set([
  0x04, 0x05, 0x07, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x11, 0x12, 0x13, 0x14, 0x17, 0x18, 0x19, 0x1a, 0x1c, 0x1e,
])

// Number of parameter bytes after the code. Commands of variable length have rules below.
// biome-ignore format: a table reads better in rows
const ESC_FIXED: Readonly<Record<string, number>> = {
  ACK: 1, BEL: 2, FF: 1, SO: 0, DC4: 0, SYN: 2, SP: 1, $: 1, '%': 1, '-': 1, '/': 1, '0': 0, '1': 0, '2': 0, '3': 1,
  '4': 0, '5': 0, '6': 0, '7': 0, ':': 0, '?': 2, '@': 0, A: 1, E: 0, F: 0, I: 1, J: 1, M: 0, N: 1, O: 0, P: 0, Q: 1,
  R: 1, U: 1, W: 1, _: 1, a: 1, d: 1, g: 0, h: 1, i: 2, l: 1, p: 0, q: 0, r: 74, s: 2, t: 2, y: 1, z: 1,
}
// biome-ignore format: a table reads better in rows
const ESC_RS_FIXED: Readonly<Record<string, number>> = {
  A: 1, C: 1, E: 1, F: 1, R: 1, a: 1, c: 2, d: 1, i: 1, m: 1, r: 1,
}
// biome-ignore format: a table reads better in rows
const ESC_GS_FIXED: Readonly<Record<string, number>> = {
  ETX: 3, BEL: 3, EM: 4, A: 2, R: 2, a: 1, t: 1,
}
/** ESC GS P n: page mode. Number of bytes after n. */
const PAGE_MODE: Readonly<Record<string, number>> = {
  '0': 0,
  '1': 0,
  '2': 1,
  '3': 8,
  '4': 2,
  '5': 2,
  '6': 0,
  '7': 0,
  '8': 0,
}
/** ESC * r x commands without number and NUL: R initializes, A enters raster mode, B leaves it, C clears the buffer. */
const RASTER_BARE: ReadonlySet<number> = new Set(['R', 'A', 'B', 'C'].map((letter) => letter.charCodeAt(0)))

/**
 * Frames the command at `at`: a byte below 0x20 or 0x7F; in raster mode (after ESC * r A) any byte except NUL, since there is no text. Null
 * if there is not enough input to determine the length.
 */
export function starFrameAt(bytes: Uint8Array, at: number, inRasterMode: boolean): Frame | null {
  const first = bytes[at] ?? 0
  if (first === ESC) return frameEsc(bytes, at)
  if (inRasterMode && (first === 0x62 || first === 0x6b)) return frameRasterRow(bytes, at, String.fromCharCode(first))
  return SINGLE.has(first) ? knownFrame(byteName(first), 1, 1) : unknownFrame(hexName(first), 1)
}

/** `b nL nH data` draws one row of dots and advances to the next row, `k` does not advance. */
function frameRasterRow(bytes: Uint8Array, at: number, name: string): Frame | null {
  const length = wordAt(bytes, at + 1)
  return length === null ? null : knownFrame(name, 3 + length, 1)
}

function frameEsc(bytes: Uint8Array, at: number): Frame | null {
  const code = bytes[at + 1]
  if (code === undefined) return null
  switch (code) {
    case GS:
      return frameEscGs(bytes, at)
    case RS:
      return frameSub(bytes, at, { prefix: 'ESC RS', fixed: ESC_RS_FIXED })
    case FS:
      return frameEscFs(bytes, at)
    case 0x2a:
      return frameRasterCommand(bytes, at)
    case 0x4b: // ESC K n1 n2: 8 dots high; ESC L: the same, finer across
    case 0x4c:
      return frameColumns(bytes, at, 1)
    case 0x58: // ESC X n1 n2: 24 dots high
      return frameColumns(bytes, at, 3)
    case 0x6b: // ESC k n1 n2: 24 rows of n bytes
      return frameColumns(bytes, at, 24)
    case 0x62: // ESC b n1 n2 n3 n4 data RS: barcode
      return frameTo(RS, bytes, { at, name: 'ESC b', head: 6, most: 255 })
    case 0x42: // ESC B, ESC D: tab positions
    case 0x44:
      return frameTo(0, bytes, { at, name: `ESC ${byteName(code)}`, head: 2, most: 17 })
    case 0x43: // ESC C n: page of n lines; ESC C 0 n: of n inches
      return bytes[at + 2] === undefined ? null : knownFrame('ESC C', bytes[at + 2] === 0 ? 4 : 3)
    case 0x23: // ESC # N , n1 n2 n3 n4 LF NUL: memory switches
      return frameTo(0, bytes, { at, name: 'ESC #', head: 2, most: 16 })
    default: {
      const name = byteName(code)
      const params = ESC_FIXED[name]
      return params === undefined ? unknownFrame(`ESC ${name}`, 2) : knownFrame(`ESC ${name}`, 2 + params)
    }
  }
}

/** The third byte selects the command. */
function frameSub(
  bytes: Uint8Array,
  at: number,
  { prefix, fixed }: { prefix: string; fixed: Readonly<Record<string, number>> },
): Frame | null {
  const sub = bytes[at + 2]
  if (sub === undefined) return null
  const name = `${prefix} ${byteName(sub)}`
  const params = fixed[byteName(sub)]
  return params === undefined ? unknownFrame(name, 3) : knownFrame(name, 3 + params, 3)
}

function frameColumns(bytes: Uint8Array, at: number, bytesPerUnit: number): Frame | null {
  const units = wordAt(bytes, at + 2)
  return units === null ? null : knownFrame(`ESC ${byteName(bytes[at + 1] ?? 0)}`, 4 + units * bytesPerUnit)
}

/** ESC * r x, alone or with a decimal number that ends with NUL. */
function frameRasterCommand(bytes: Uint8Array, at: number): Frame | null {
  const sub = bytes[at + 2]
  if (sub === undefined) return null
  if (sub !== 0x72) return unknownFrame('ESC *', 2)
  const letter = bytes[at + 3]
  if (letter === undefined) return null
  if (RASTER_BARE.has(letter)) return knownFrame('ESC * r', 4, 3)
  const framed = frameTo(0, bytes, { at, name: 'ESC * r', head: 4, most: 255 })
  return framed === null ? null : { ...framed, paramsAt: 3 }
}

/** ESC FS p n m prints a stored logo; ESC FS q n [..] stores logos. */
function frameEscFs(bytes: Uint8Array, at: number): Frame | null {
  const sub = bytes[at + 2]
  if (sub === 0x71) return believed(frameStoredImages(bytes, at, { name: 'ESC FS q', head: 4 }))
  return frameSub(bytes, at, { prefix: 'ESC FS', fixed: { p: 2 } })
}

function frameEscGs(bytes: Uint8Array, at: number): Frame | null {
  const sub = bytes[at + 2]
  if (sub === undefined) return null
  switch (sub) {
    case 0x53: {
      // ESC GS S m xL xH yL yH n data: x in bytes, y in dots
      const width = wordAt(bytes, at + 4)
      const height = wordAt(bytes, at + 6)
      return width === null || height === null ? null : believed(knownFrame('ESC GS S', 9 + width * height, 3))
    }
    case 0x79:
    case 0x78:
      return frameSymbol(bytes, at, sub === 0x79 ? 'ESC GS y' : 'ESC GS x')
    case 0x50: {
      const n = bytes[at + 3]
      if (n === undefined) return null
      const behind = PAGE_MODE[String.fromCharCode(n)]
      return behind === undefined ? unknownFrame('ESC GS P', 4) : knownFrame('ESC GS P', 4 + behind, 3)
    }
    case 0x28: // ESC GS ( x pL pH data and ESC GS ) x pL pH data: StarPRNT
    case 0x29: {
      const x = bytes[at + 3]
      const length = wordAt(bytes, at + 4)
      if (x === undefined || length === null) return null
      return knownFrame(`ESC GS ${byteName(sub)} ${byteName(x)}`, 6 + length, 6)
    }
    case 0x23: {
      // ESC GS # m N n1 n2 n3 n4 LF NUL: memory switches
      const framed = frameTo(0, bytes, { at, name: 'ESC GS #', head: 3, most: 16 })
      return framed === null ? null : { ...framed, paramsAt: 3 }
    }
    default:
      return frameSub(bytes, at, { prefix: 'ESC GS', fixed: ESC_GS_FIXED })
  }
}

/** QR code: ESC GS y S 0|1|2 n, D 1 m nL nH data, D 2 ..., P, I. PDF417: ESC GS x S 0 n p1 p2, S 1|2|3 n, D nL nH data, P, I. */
function frameSymbol(bytes: Uint8Array, at: number, name: string): Frame | null {
  const fn = bytes[at + 3]
  const sub = bytes[at + 4]
  if (fn === undefined) return null
  if (fn === 0x50 || fn === 0x49) return knownFrame(name, 4, 3)
  if (sub === undefined) return null
  const qr = name === 'ESC GS y'
  if (fn === 0x53) return knownFrame(name, !qr && sub === 0x30 ? 8 : 6, 3)
  if (fn !== 0x44) return unknownFrame(name, 4)
  if (!qr) return frameData(bytes, at, { name, lengthAt: 4 })
  // D 2 a [m nL nH data] sets the encoding of each piece explicitly.
  return sub === 0x32 ? frameManualQr(bytes, at, name) : frameData(bytes, at, { name, lengthAt: 6 })
}

function frameData(
  bytes: Uint8Array,
  at: number,
  { name, lengthAt }: { name: string; lengthAt: number },
): Frame | null {
  const length = wordAt(bytes, at + lengthAt)
  return length === null ? null : knownFrame(name, lengthAt + 2 + length, 3)
}

function frameManualQr(bytes: Uint8Array, at: number, name: string): Frame | null {
  const pieces = bytes[at + 5]
  if (pieces === undefined) return null
  let length = 6
  for (let piece = 0; piece < pieces; piece++) {
    const data = wordAt(bytes, at + length + 1)
    if (data === null) return null
    length += 3 + data
  }
  return knownFrame(name, length, 3)
}

function believed(framed: Frame | null): Frame | null {
  return framed !== null && framed.length > LONGEST_COMMAND_BYTES ? unknownFrame(framed.name, framed.paramsAt) : framed
}
