// How long each ESC/POS command is: the rules by which a byte stream is cut into commands. Source: Epson ESC/POS reference.

/** Printers whose commands share codes with Epson's but differ in length. */
export type CommandFamily = 'epson' | 'daruma'

/** Bytes of a command from its first byte. `known` is false for a code that no rule describes; then only the code itself is framed. */
export interface Frame {
  name: string
  length: number
  /** Where the parameters begin, counted from the first byte. */
  paramsAt: number
  known: boolean
}

const DLE = 0x10
const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d

/** A length above this is not believed: no printer holds it, and a stream must not make us buffer without end. */
const LONGEST_COMMAND_BYTES = 4_194_304

// Number of parameter bytes after the two bytes of the code. Commands of variable length have their own rule below.
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
/** Daruma: bold is a pair of codes without parameter, and its drawer command has none either. */
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

/** Little-endian 16 bits at `at`, or null when not all bytes are here yet. */
function word(bytes: Uint8Array, at: number): number | null {
  const low = bytes[at]
  const high = bytes[at + 1]
  return low === undefined || high === undefined ? null : low + high * 256
}

function frame(name: string, length: number, paramsAt = 2): Frame {
  return { name, length, paramsAt, known: true }
}

function unknown(name: string, length: number): Frame {
  return { name, length, paramsAt: length, known: false }
}

function codeName(prefix: string, code: number): string {
  if (code === 0x20) return `${prefix} SP`
  if (code > 0x20 && code < 0x7f) return `${prefix} ${String.fromCharCode(code)}`
  if (code === 0x0c) return `${prefix} FF`
  return `${prefix} 0x${code.toString(16).padStart(2, '0')}`
}

/**
 * The command that begins at `at` (a byte below 0x20, or 0x7F). Its `length` may reach beyond `bytes`: then more input is needed.
 * Null when even the length cannot be told yet.
 */
export function frameAt(bytes: Uint8Array, at: number, family: CommandFamily): Frame | null {
  const first = bytes[at] ?? 0
  if (first !== ESC && first !== GS && first !== FS && first !== DLE) return frameControl(first, family)
  const code = bytes[at + 1]
  if (code === undefined) return null
  if (first === DLE) return frameDle(bytes, at, code)
  const variable =
    first === ESC ? frameEsc(bytes, at, code) : first === GS ? frameGs(bytes, at, code) : frameFs(bytes, at, code)
  if (variable === null) return null
  if (variable !== undefined) {
    return variable.length > LONGEST_COMMAND_BYTES ? unknown(variable.name, variable.paramsAt) : variable
  }
  const char = String.fromCharCode(code)
  const prefix = first === ESC ? 'ESC' : first === GS ? 'GS' : 'FS'
  const name = codeName(prefix, code)
  const own = family === 'daruma' && first === ESC ? DARUMA_ESC[char] : undefined
  const params = own ?? (first === ESC ? ESC_FIXED : first === GS ? GS_FIXED : FS_FIXED)[char]
  return params === undefined ? unknown(name, 2) : frame(name, 2 + params)
}

function frameControl(first: number, family: CommandFamily): Frame {
  if (family === 'daruma' && first === 0x0e) return frame('SO', 1, 1)
  if (family === 'daruma' && first === 0x14) return frame('DC4', 1, 1)
  const name = SINGLE[first]
  return name === undefined ? unknown(`0x${first.toString(16).padStart(2, '0')}`, 1) : frame(name, 1, 1)
}

/** Real-time commands: DLE EOT, DLE ENQ, DLE DC4. A DLE before anything else is a stray byte. */
function frameDle(bytes: Uint8Array, at: number, code: number): Frame | null {
  if (code === 0x05) return frame('DLE ENQ', 3)
  const n = bytes[at + 2]
  if (code === 0x04) {
    if (n === undefined) return null
    return frame('DLE EOT', n === 7 || n === 8 || n === 18 ? 4 : 3)
  }
  if (code === 0x14) {
    if (n === undefined) return null
    const length: Readonly<Record<number, number>> = { 1: 5, 2: 5, 3: 8, 7: 4, 8: 10 }
    return frame('DLE DC4', length[n] ?? 3)
  }
  return unknown('DLE', 1)
}

type Variable = Frame | null | undefined

/** `( x pL pH data`: the same shape after ESC, GS and FS. */
function frameParenthesis(bytes: Uint8Array, at: number, prefix: string): Frame | null {
  const x = bytes[at + 2]
  const length = word(bytes, at + 3)
  return x === undefined || length === null ? null : frame(codeName(`${prefix} (`, x), 5 + length, 5)
}

function frameEsc(bytes: Uint8Array, at: number, code: number): Variable {
  if (code === 0x28) return frameParenthesis(bytes, at, 'ESC')
  if (code === 0x2a) {
    // ESC * m nL nH: a column has one byte in the 8-dot modes, three in the 24-dot modes.
    const m = bytes[at + 2]
    const columns = word(bytes, at + 3)
    if (m === undefined || columns === null) return null
    return frame('ESC *', 5 + columns * (m === 32 || m === 33 ? 3 : 1))
  }
  if (code === 0x44) return frameToNul(bytes, at, 'ESC D', 2, 33)
  if (code === 0x26) return frameUserCharacters(bytes, at)
  return undefined
}

/** Parameters end with NUL; after `most` bytes without one the command ends all the same. */
function frameToNul(bytes: Uint8Array, at: number, name: string, head: number, most: number): Frame | null {
  for (let i = 0; i < most; i++) {
    const byte = bytes[at + head + i]
    if (byte === undefined) return null
    if (byte === 0) return frame(name, head + i + 1)
  }
  return frame(name, head + most)
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
  return frame('ESC &', length)
}

function frameGs(bytes: Uint8Array, at: number, code: number): Variable {
  const sub = bytes[at + 2]
  if (code === 0x28) return frameParenthesis(bytes, at, 'GS')
  switch (code) {
    case 0x38: // GS 8 L p1 p2 p3 p4: graphics with a 32-bit length
      return frameLongGraphics(bytes, at)
    case 0x2a: {
      const y = bytes[at + 3]
      return sub === undefined || y === undefined ? null : frame('GS *', 4 + sub * y * 8)
    }
    case 0x43: // GS C 0 m n | GS C 1 aL aH bL bH n r | GS C 2 nL nH | GS C ; sa ; sb ; sn ; sr ; sc ;
      if (sub === undefined) return null
      if (sub === 0x3b) return frameCounterText(bytes, at)
      return frame('GS C', 3 + (sub === 0x30 ? 2 : sub === 0x31 ? 6 : sub === 0x32 ? 2 : 0))
    case 0x44:
      return frameBitmapFile(bytes, at)
    case 0x51: // GS Q 0 m xL xH yL yH
      return frameBlock(bytes, at, 'GS Q')
    case 0x56:
      // GS V 65.. and 97.. carry the feed; the old forms do not.
      if (sub === undefined) return null
      return frame('GS V', [65, 66, 97, 98, 103, 104].includes(sub) ? 4 : 3)
    case 0x67: // GS g 0 m nL nH | GS g 2 m nL nH: maintenance counters
      return sub === undefined ? null : frame('GS g', 6)
    case 0x6b:
      return frameBarcode(bytes, at, sub)
    case 0x76:
      return frameBlock(bytes, at, 'GS v 0')
    case 0x7a: // GS z 0 t1 t2
      return frame('GS z', 5)
    default:
      return undefined
  }
}

/** GS v 0 m xL xH yL yH d..., x in bytes and y in dots. */
function frameBlock(bytes: Uint8Array, at: number, name: string): Frame | null {
  const width = word(bytes, at + 4)
  const height = word(bytes, at + 6)
  return width === null || height === null ? null : frame(name, 8 + width * height, 3)
}

/** GS k m data NUL (m up to 6), or GS k m n data. */
function frameBarcode(bytes: Uint8Array, at: number, sub: number | undefined): Frame | null {
  if (sub === undefined) return null
  if (sub <= 6) return frameToNul(bytes, at, 'GS k', 3, 255)
  const n = bytes[at + 3]
  return n === undefined ? null : frame('GS k', 4 + n)
}

function frameLongGraphics(bytes: Uint8Array, at: number): Frame | null {
  const low = word(bytes, at + 3)
  const high = word(bytes, at + 5)
  return low === null || high === null ? null : frame('GS 8 L', 7 + low + high * 65_536, 3)
}

function frameCounterText(bytes: Uint8Array, at: number): Frame | null {
  let separators = 0
  for (let i = 2; i < 40; i++) {
    const byte = bytes[at + i]
    if (byte === undefined) return null
    if (byte === 0x3b) separators++
    if (separators === 6) return frame('GS C', i + 1)
  }
  return frame('GS C', 40)
}

/** GS D m fn a kc1 kc2 b c, then a Windows BMP file that tells its own size. */
function frameBitmapFile(bytes: Uint8Array, at: number): Frame | null {
  const low = word(bytes, at + 11)
  const high = word(bytes, at + 13)
  return low === null || high === null ? null : frame('GS D', 9 + low + high * 65_536)
}

function frameFs(bytes: Uint8Array, at: number, code: number): Variable {
  if (code === 0x28) return frameParenthesis(bytes, at, 'FS')
  if (code === 0x67) {
    // FS g 1 m a1..a4 nL nH data (write to user memory) | FS g 2 m a1..a4 nL nH (read)
    const sub = bytes[at + 2]
    const size = word(bytes, at + 8)
    if (sub === undefined || size === null) return null
    return frame('FS g', 10 + (sub === 0x31 || sub === 1 ? size : 0))
  }
  if (code === 0x71) return frameStoredImages(bytes, at)
  return undefined
}

/** FS q n [xL xH yL yH d1..d(x*y*8)] for each image. */
function frameStoredImages(bytes: Uint8Array, at: number): Frame | null {
  const images = bytes[at + 2]
  if (images === undefined) return null
  let length = 3
  for (let image = 0; image < images && length < LONGEST_COMMAND_BYTES; image++) {
    const width = word(bytes, at + length)
    const height = word(bytes, at + length + 2)
    if (width === null || height === null) return null
    length += 4 + width * height * 8
  }
  return frame('FS q', length)
}
