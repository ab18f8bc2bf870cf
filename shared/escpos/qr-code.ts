// QR codes, model 2, byte mode: the modules that a printer draws for the data of GS ( k and ESC GS y. Source: ISO/IEC 18004.

export type QrLevel = 'L' | 'M' | 'Q' | 'H'

// Error correction bytes of a block, and blocks, for versions 1 to 40.
// biome-ignore format: a table reads better in rows
const CORRECTION_BYTES: Readonly<Record<QrLevel, readonly number[]>> = {
  L: [7,10,15,20,26,18,20,24,30,18,20,24,26,30,22,24,28,30,28,28,28,28,30,30,26,28,30,30,30,30,30,30,30,30,30,30,30,30,30,30],
  M: [10,16,26,18,24,16,18,22,22,26,30,22,22,24,24,28,28,26,26,26,26,28,28,28,28,28,28,28,28,28,28,28,28,28,28,28,28,28,28,28],
  Q: [13,22,18,26,18,24,18,22,20,24,28,26,24,20,30,24,28,28,26,30,28,30,30,30,30,28,30,30,30,30,30,30,30,30,30,30,30,30,30,30],
  H: [17,28,22,16,22,28,26,26,24,28,24,28,22,24,24,30,28,28,26,28,30,24,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30,30],
}
// biome-ignore format: a table reads better in rows
const BLOCKS: Readonly<Record<QrLevel, readonly number[]>> = {
  L: [1,1,1,1,1,2,2,2,2,4,4,4,4,4,6,6,6,6,7,8,8,9,9,10,12,12,12,13,14,15,16,17,18,19,19,20,21,22,24,25],
  M: [1,1,1,2,2,4,4,4,5,5,5,8,9,9,10,10,11,13,14,16,17,17,18,20,21,23,25,26,28,29,31,33,35,37,38,40,43,45,47,49],
  Q: [1,1,2,2,4,4,6,6,8,8,8,10,12,16,12,17,16,18,21,20,23,23,25,27,29,34,34,35,38,40,43,45,48,51,53,56,59,62,65,68],
  H: [1,1,2,4,4,4,5,6,8,8,11,11,16,16,18,16,19,21,25,25,25,34,30,32,35,37,40,42,45,48,51,54,57,60,63,66,70,74,77,81],
}
const FORMAT_BITS: Readonly<Record<QrLevel, number>> = { L: 1, M: 0, Q: 3, H: 2 }

/** Modules of a side, or null when the data are too long for any QR code. */
export function qrSide(dataBytes: number, level: QrLevel): number | null {
  const version = versionFor(dataBytes, level)
  return version === null ? null : 17 + 4 * version
}

/**
 * The code of these bytes in the smallest version that holds them: rows of modules, true = black, without quiet zone.
 * @param mask 0 to 7. Printers choose one for themselves; all read alike.
 */
export function qrModules(data: Uint8Array, level: QrLevel, mask = 0): boolean[][] | null {
  const version = versionFor(data.length, level)
  if (version === null) return null
  const bits = interleaved(dataBytes(data, version, level), version, level)
  return new QrGrid(version).draw(bits, level, mask)
}

function versionFor(length: number, level: QrLevel): number | null {
  for (let version = 1; version <= 40; version++) {
    if (4 + lengthBits(version) + length * 8 <= dataCapacity(version, level) * 8) return version
  }
  return null
}

function lengthBits(version: number): number {
  return version < 10 ? 8 : 16
}

/** Modules for data and error correction. */
function rawModules(version: number): number {
  const alignments = version === 1 ? 0 : Math.floor(version / 7) + 2
  const alignmentModules = version === 1 ? 0 : (25 * alignments - 10) * alignments - 55
  return (16 * version + 128) * version + 64 - alignmentModules - (version >= 7 ? 36 : 0)
}

function of(table: readonly number[], version: number): number {
  return table[version - 1] ?? 0
}

function dataCapacity(version: number, level: QrLevel): number {
  const bytes = Math.floor(rawModules(version) / 8)
  return bytes - of(CORRECTION_BYTES[level], version) * of(BLOCKS[level], version)
}

/** Mode, length, data, end, and padding. */
function dataBytes(data: Uint8Array, version: number, level: QrLevel): number[] {
  const bits: number[] = []
  const put = (value: number, count: number): void => {
    for (let i = count - 1; i >= 0; i--) bits.push((value >> i) & 1)
  }
  put(4, 4)
  put(data.length, lengthBits(version))
  for (const byte of data) put(byte, 8)
  const capacity = dataCapacity(version, level)
  put(0, Math.min(4, capacity * 8 - bits.length))
  put(0, (8 - (bits.length % 8)) % 8)
  for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) put(pad, 8)
  const bytes: number[] = []
  for (let i = 0; i < bits.length; i += 8) bytes.push(bits.slice(i, i + 8).reduce((byte, bit) => byte * 2 + bit, 0))
  return bytes
}

/** Blocks with their error correction, column by column. */
function interleaved(data: readonly number[], version: number, level: QrLevel): number[] {
  const count = of(BLOCKS[level], version)
  const correction = of(CORRECTION_BYTES[level], version)
  const total = Math.floor(rawModules(version) / 8)
  const long = total % count
  const shortData = Math.floor(total / count) - correction
  const divisor = generator(correction)
  let at = 0
  const blocks = Array.from({ length: count }, (_, i) => {
    const own = data.slice(at, at + shortData + (i < count - long ? 0 : 1))
    at += own.length
    return { own, check: remainder(own, divisor) }
  })
  const result: number[] = []
  for (let i = 0; i <= shortData; i++) for (const { own } of blocks) if (i < own.length) result.push(own[i] ?? 0)
  for (let i = 0; i < correction; i++) for (const { check } of blocks) result.push(check[i] ?? 0)
  return result
}

/** Product in GF(256) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> i) & 1) * a
  }
  return product
}

/** Coefficients of the Reed-Solomon generator, without the leading 1. */
function generator(degree: number): number[] {
  const result: number[] = Array.from({ length: degree }, (_, i) => (i === degree - 1 ? 1 : 0))
  let root = 1
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) result[j] = multiply(result[j] ?? 0, root) ^ (result[j + 1] ?? 0)
    root = multiply(root, 2)
  }
  return result
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const result: number[] = divisor.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (result.shift() ?? 0)
    result.push(0)
    divisor.forEach((coefficient, i) => {
      result[i] = (result[i] ?? 0) ^ multiply(coefficient, factor)
    })
  }
  return result
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** One code being drawn: first the patterns that belong to every code of the version, then data around them. */
class QrGrid {
  readonly #version: number
  readonly #side: number
  /** Null: a place for data. */
  readonly #modules: (boolean | null)[][]

  constructor(version: number) {
    this.#version = version
    this.#side = 17 + 4 * version
    this.#modules = Array.from({ length: this.#side }, () => Array.from({ length: this.#side }, () => null))
  }

  draw(bytes: readonly number[], level: QrLevel, mask: number): boolean[][] {
    this.#patterns()
    this.#format(level, mask)
    this.#data(bytes, MASKS[mask] ?? (() => false))
    return this.#modules.map((row) => row.map((module) => module === true))
  }

  #set(x: number, y: number, black: boolean): void {
    const row = this.#modules[y]
    if (row !== undefined && x >= 0 && x < this.#side) row[x] = black
  }

  #patterns(): void {
    const last = this.#side - 7
    for (let i = 0; i < this.#side; i++) {
      this.#set(6, i, i % 2 === 0)
      this.#set(i, 6, i % 2 === 0)
    }
    for (const [x, y] of [
      [3, 3],
      [last + 3, 3],
      [3, last + 3],
    ] as const)
      this.#rings(x, y, 4, [1, 1, 0, 1, 0])
    const places = this.#alignments()
    const end = places.length - 1
    places.forEach((x, i) => {
      places.forEach((y, j) => {
        const finder = (i === 0 && j === 0) || (i === 0 && j === end) || (i === end && j === 0)
        if (!finder) this.#rings(x, y, 2, [1, 0, 1])
      })
    })
    if (this.#version >= 7) this.#versionBits()
  }

  /** A square of rings around a middle: `colours` from the inside out. */
  #rings(middleX: number, middleY: number, radius: number, colours: readonly number[]): void {
    for (let dy = -radius; dy <= radius; dy++) {
      for (let dx = -radius; dx <= radius; dx++) {
        this.#set(middleX + dx, middleY + dy, colours[Math.max(Math.abs(dx), Math.abs(dy))] === 1)
      }
    }
  }

  #alignments(): number[] {
    if (this.#version === 1) return []
    const count = Math.floor(this.#version / 7) + 2
    const step = Math.floor((this.#version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
    return [6, ...Array.from({ length: count - 1 }, (_, i) => this.#side - 7 - (count - 2 - i) * step)]
  }

  #versionBits(): void {
    let check = this.#version
    for (let i = 0; i < 12; i++) check = (check << 1) ^ ((check >> 11) * 0x1f25)
    const bits = (this.#version << 12) | check
    for (let i = 0; i < 18; i++) {
      const black = ((bits >> i) & 1) === 1
      const far = this.#side - 11 + (i % 3)
      this.#set(far, Math.floor(i / 3), black)
      this.#set(Math.floor(i / 3), far, black)
    }
  }

  #format(level: QrLevel, mask: number): void {
    const data = (FORMAT_BITS[level] << 3) | mask
    let check = data
    for (let i = 0; i < 10; i++) check = (check << 1) ^ ((check >> 9) * 0x537)
    const bits = ((data << 10) | check) ^ 0x5412
    for (let i = 0; i < 15; i++) {
      const black = ((bits >> i) & 1) === 1
      // One copy around the upper left finder, past the timing lines; one beside the two others.
      if (i < 8) this.#set(8, i < 6 ? i : i + 1, black)
      else this.#set(i === 8 ? 7 : 14 - i, 8, black)
      if (i < 8) this.#set(this.#side - 1 - i, 8, black)
      else this.#set(8, this.#side - 15 + i, black)
    }
    this.#set(8, this.#side - 8, true)
  }

  /** In pairs of columns from right to left, upwards and downwards in turn. */
  #data(bytes: readonly number[], isInverted: (x: number, y: number) => boolean): void {
    let bit = 0
    for (let right = this.#side - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5
      for (let step = 0; step < this.#side; step++) {
        const upwards = ((right + 1) & 2) === 0
        const y = upwards ? this.#side - 1 - step : step
        for (const x of [right, right - 1]) {
          if (this.#modules[y]?.[x] !== null) continue
          const black = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1
          this.#set(x, y, black !== isInverted(x, y))
          bit++
        }
      }
    }
  }
}
