// The length of each ESC/POS command: the rules by which a byte stream is split into commands. Source: Epson ESC/POS reference.

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
import { starFrameAt } from './star-command-lengths.ts'

/**
 * Families of printers whose commands have the same codes as Epson's but different lengths. `star` is Line Mode and StarPRNT, which can
 * contain raster mode. `star-raster` has the same frames, for printers without characters.
 */
export type CommandFamily = 'epson' | 'daruma' | 'star' | 'star-raster'

const DLE = 0x10
const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d

// Number of parameter bytes after the two bytes of the code. Commands of variable length have rules below.
// biome-ignore format: a table reads better in rows
const ESC_FIXED: Readonly<Record<string, number>> = {
  '\x0c': 0, ' ': 1, '!': 1, $: 2, '%': 1, '-': 1, '2': 0, '3': 1, '4': 0, '5': 0, '<': 0, '=': 1, '?': 1, '@': 0,
  A: 1, B: 2, E: 1, G: 1, J: 1, K: 1, L: 0, M: 1, R: 1, S: 0, T: 1, U: 1, V: 1, W: 8, '\\': 2, a: 1, c: 2, d: 1,
  e: 1, f: 2, i: 0, j: 1, m: 0, p: 3, r: 1, t: 1, u: 1, v: 0, '{': 1,
}
// biome-ignore format: a table reads better in rows
const GS_FIXED: Readonly<Record<string, number>> = {
  '!': 1, $: 2, '/': 1, ':': 0, B: 1, E: 1, H: 1, I: 1, L: 2, P: 2, T: 1, W: 2, '\\': 2, '^': 3, a: 1, b: 1, c: 0,
  f: 1, h: 1, j: 1, r: 1, w: 1, '\xf9': 2,
}
// biome-ignore format: a table reads better in rows
const FS_FIXED: Readonly<Record<string, number>> = {
  '!': 1, '&': 0, '-': 1, '.': 0, '2': 74, '?': 2, C: 1, S: 2, W: 1, p: 2,
}
/** Daruma: bold is two codes without parameters, and the drawer command has none either. */
const DARUMA_ESC: Readonly<Record<string, number>> = { E: 0, F: 0, j: 1, w: 1, p: 0 }

const SINGLE: Readonly<Record<number, string>> = {
  7: 'BEL',
  9: 'HT',
  10: 'LF',
  11: 'VT',
  12: 'FF',
  13: 'CR',
  24: 'CAN',
}

function codeName(prefix: string, code: number): string {
  // Controls after Epson's prefixes have no common names, except for two.
  return `${prefix} ${code < 0x20 && code !== 0x0c ? hexName(code) : byteName(code)}`
}

/**
 * Frames the command at `at`: a byte below 0x20, or 0x7F; any byte in Star's raster mode. `length` may exceed `bytes`: then more input is
 * needed. Null if there is not enough input to determine the length.
 */
export function frameAt(
  bytes: Uint8Array,
  at: number,
  { family, inRasterMode }: { family: CommandFamily; inRasterMode: boolean },
): Frame | null {
  if (isStar(family)) return starFrameAt(bytes, at, inRasterMode)
  const first = bytes[at] ?? 0
  if (first !== ESC && first !== GS && first !== FS && first !== DLE) return frameControl(first, family)
  const code = bytes[at + 1]
  if (code === undefined) return null
  if (first === DLE) return frameDle(bytes, at, code)
  const variable =
    first === ESC ? frameEsc(bytes, at, code) : first === GS ? frameGs(bytes, at, code) : frameFs(bytes, at, code)
  if (variable === null) return null
  if (variable !== undefined) {
    return variable.length > LONGEST_COMMAND_BYTES ? unknownFrame(variable.name, variable.paramsAt) : variable
  }
  const char = String.fromCharCode(code)
  const prefix = first === ESC ? 'ESC' : first === GS ? 'GS' : 'FS'
  const name = codeName(prefix, code)
  const own = family === 'daruma' && first === ESC ? DARUMA_ESC[char] : undefined
  const params = own ?? (first === ESC ? ESC_FIXED : first === GS ? GS_FIXED : FS_FIXED)[char]
  return params === undefined ? unknownFrame(name, 2) : knownFrame(name, 2 + params)
}

export function isStar(family: CommandFamily): boolean {
  return family === 'star' || family === 'star-raster'
}

function frameControl(first: number, family: CommandFamily): Frame {
  if (family === 'daruma' && first === 0x0e) return knownFrame('SO', 1, 1)
  if (family === 'daruma' && first === 0x14) return knownFrame('DC4', 1, 1)
  const name = SINGLE[first]
  return name === undefined ? unknownFrame(hexName(first), 1) : knownFrame(name, 1, 1)
}

/** Real-time commands: DLE EOT, DLE ENQ, DLE DC4. Before anything else a DLE is a stray byte. */
function frameDle(bytes: Uint8Array, at: number, code: number): Frame | null {
  if (code === 0x05) return knownFrame('DLE ENQ', 3)
  const n = bytes[at + 2]
  if (code === 0x04) {
    if (n === undefined) return null
    return knownFrame('DLE EOT', n === 7 || n === 8 || n === 18 ? 4 : 3)
  }
  if (code === 0x14) {
    if (n === undefined) return null
    const length: Readonly<Record<number, number>> = { 1: 5, 2: 5, 3: 8, 7: 4, 8: 10 }
    return knownFrame('DLE DC4', length[n] ?? 3)
  }
  return unknownFrame('DLE', 1)
}

type Variable = Frame | null | undefined

/** `( x pL pH data`, which has the same structure after ESC, GS and FS. */
function frameParenthesis(bytes: Uint8Array, at: number, prefix: string): Frame | null {
  const x = bytes[at + 2]
  const length = wordAt(bytes, at + 3)
  return x === undefined || length === null ? null : knownFrame(codeName(`${prefix} (`, x), 5 + length, 5)
}

function frameEsc(bytes: Uint8Array, at: number, code: number): Variable {
  if (code === 0x28) return frameParenthesis(bytes, at, 'ESC')
  if (code === 0x2a) {
    // ESC * m nL nH: a column has one byte in the 8-dot modes, three in the 24-dot modes.
    const m = bytes[at + 2]
    const columns = wordAt(bytes, at + 3)
    if (m === undefined || columns === null) return null
    return knownFrame('ESC *', 5 + columns * (m === 32 || m === 33 ? 3 : 1))
  }
  if (code === 0x44) return frameTo(0, bytes, { at, name: 'ESC D', head: 2, most: 33 })
  if (code === 0x26) return frameUserCharacters(bytes, at)
  return undefined
}

/** ESC & y c1 c2 [x d1..d(y*x)] for each character from c1 to c2. */
function frameUserCharacters(bytes: Uint8Array, at: number): Frame | null {
  const y = bytes[at + 2]
  const first = bytes[at + 3]
  const last = bytes[at + 4]
  if (y === undefined || first === undefined || last === undefined) return null
  let length = 5
  for (let character = first; character <= last; character++) {
    const x = bytes[at + length]
    if (x === undefined) return null
    length += 1 + x * y
  }
  return knownFrame('ESC &', length)
}

function frameGs(bytes: Uint8Array, at: number, code: number): Variable {
  const sub = bytes[at + 2]
  if (code === 0x28) return frameParenthesis(bytes, at, 'GS')
  switch (code) {
    case 0x38: // GS 8 L p1 p2 p3 p4: graphics with a 32-bit length
      return frameLongGraphics(bytes, at)
    case 0x2a: {
      const y = bytes[at + 3]
      return sub === undefined || y === undefined ? null : knownFrame('GS *', 4 + sub * y * 8)
    }
    case 0x43: // GS C 0 m n | GS C 1 aL aH bL bH n r | GS C 2 nL nH | GS C ; sa ; sb ; sn ; sr ; sc ;
      if (sub === undefined) return null
      if (sub === 0x3b) return frameCounterText(bytes, at)
      return knownFrame('GS C', 3 + (sub === 0x30 ? 2 : sub === 0x31 ? 6 : sub === 0x32 ? 2 : 0))
    case 0x44:
      return frameBitmapFile(bytes, at)
    case 0x51: // GS Q 0 m xL xH yL yH
      return frameBlock(bytes, at, 'GS Q')
    case 0x56:
      // GS V 65.. and 97.. have a feed parameter; the older forms do not.
      if (sub === undefined) return null
      return knownFrame('GS V', [65, 66, 97, 98, 103, 104].includes(sub) ? 4 : 3)
    case 0x67: // GS g 0 m nL nH | GS g 2 m nL nH: maintenance counters
      return sub === undefined ? null : knownFrame('GS g', 6)
    case 0x6b:
      return frameBarcode(bytes, at, sub)
    case 0x76:
      return frameBlock(bytes, at, 'GS v 0')
    case 0x7a: // GS z 0 t1 t2
      return knownFrame('GS z', 5)
    default:
      return undefined
  }
}

/** GS v 0 m xL xH yL yH d..., x in bytes and y in dots. */
function frameBlock(bytes: Uint8Array, at: number, name: string): Frame | null {
  const width = wordAt(bytes, at + 4)
  const height = wordAt(bytes, at + 6)
  return width === null || height === null ? null : knownFrame(name, 8 + width * height, 3)
}

/** GS k m data NUL (m up to 6), or GS k m n data. */
function frameBarcode(bytes: Uint8Array, at: number, sub: number | undefined): Frame | null {
  if (sub === undefined) return null
  if (sub <= 6) return frameTo(0, bytes, { at, name: 'GS k', head: 3, most: 255 })
  const n = bytes[at + 3]
  return n === undefined ? null : knownFrame('GS k', 4 + n)
}

function frameLongGraphics(bytes: Uint8Array, at: number): Frame | null {
  const low = wordAt(bytes, at + 3)
  const high = wordAt(bytes, at + 5)
  return low === null || high === null ? null : knownFrame('GS 8 L', 7 + low + high * 65_536, 3)
}

function frameCounterText(bytes: Uint8Array, at: number): Frame | null {
  let separators = 0
  for (let i = 2; i < 40; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return null
    if (byte === 0x3b) separators++
    if (separators === 6) return knownFrame('GS C', i + 1)
  }
  return knownFrame('GS C', 40)
}

/** GS D m fn a kc1 kc2 b c, then a Windows BMP file, which contains its own size. */
function frameBitmapFile(bytes: Uint8Array, at: number): Frame | null {
  const low = wordAt(bytes, at + 11)
  const high = wordAt(bytes, at + 13)
  return low === null || high === null ? null : knownFrame('GS D', 9 + low + high * 65_536)
}

function frameFs(bytes: Uint8Array, at: number, code: number): Variable {
  if (code === 0x28) return frameParenthesis(bytes, at, 'FS')
  if (code === 0x67) {
    // FS g 1 m a1..a4 nL nH data (write to user memory) | FS g 2 m a1..a4 nL nH (read)
    const sub = bytes[at + 2]
    const size = wordAt(bytes, at + 8)
    if (sub === undefined || size === null) return null
    return knownFrame('FS g', 10 + (sub === 0x31 || sub === 1 ? size : 0))
  }
  if (code === 0x71) return frameStoredImages(bytes, at, { name: 'FS q', head: 3 })
  return undefined
}
