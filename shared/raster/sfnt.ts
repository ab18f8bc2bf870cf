// Reads font files (WOFF to plain sfnt), and writes them with our own family name, so that each text selects its font exactly.
import { inflate, inflateSync } from 'node:zlib'

/** The tables of one font file, by tag. */
export interface FontTables {
  /** First four bytes of an sfnt: TrueType outlines or `OTTO`. */
  flavor: number
  tables: ReadonlyMap<string, Uint8Array>
}

const WOFF = 0x774f4646
const TRUE_TYPE = 0x00010000
const OPEN_TYPE = 0x4f54544f
const APPLE_TRUE_TYPE = 0x74727565
const SMALL_TABLE_BYTES = 8 * 1024
// Limit for an unpacked table: larger than in any font that is used for receipts.
const MAX_TABLE_BYTES = 64 * 1024 * 1024

/**
 * Reads a .ttf, .otf or .woff (version 1) file.
 * @param only tags of the tables to unpack; default: all
 * @throws Error for an invalid or damaged file
 */
export async function readFont(file: Uint8Array, only?: readonly string[]): Promise<FontTables> {
  const view = viewOf(file)
  const signature = view.getUint32(0)
  if (signature === WOFF) return readWoff(file, view, only)
  if (signature !== TRUE_TYPE && signature !== OPEN_TYPE && signature !== APPLE_TRUE_TYPE)
    throw new Error('Not a TrueType, OpenType or WOFF font')
  const tables = new Map<string, Uint8Array>()
  for (let i = 0; i < view.getUint16(4); i++) {
    const at = 12 + i * 16
    tables.set(tagAt(view, at), slice(file, view.getUint32(at + 8), view.getUint32(at + 12)))
  }
  return { flavor: signature, tables }
}

async function readWoff(file: Uint8Array, view: DataView, only?: readonly string[]): Promise<FontTables> {
  const read = async (at: number): Promise<[string, Uint8Array]> => {
    const [offset, packedLength, length] = [view.getUint32(at + 4), view.getUint32(at + 8), view.getUint32(at + 12)]
    if (length > MAX_TABLE_BYTES) throw new Error('A table of the font is too large')
    const packed = slice(file, offset, packedLength)
    return [tagAt(view, at), packedLength === length ? packed : await inflated(packed, length)]
  }
  const places = Array.from({ length: view.getUint16(12) }, (_, i) => 44 + i * 20)
  const wanted = places.filter((at) => only?.includes(tagAt(view, at)) ?? true)
  return { flavor: view.getUint32(4), tables: new Map(await Promise.all(wanted.map(read))) }
}

/** Unpacks small tables synchronously: switching to another thread takes longer. Rejects if the data is damaged or longer than declared. */
async function inflated(packed: Uint8Array, length: number): Promise<Uint8Array> {
  const options = { maxOutputLength: Math.max(1, length) }
  if (packed.length < SMALL_TABLE_BYTES) return inflateSync(packed, options)
  return new Promise((resolve, reject) => {
    inflate(packed, options, (error, bytes) => (error ? reject(error) : resolve(bytes)))
  })
}

/** The font as an sfnt file with `family` (ASCII) as its only name. */
export function writeFont({ flavor, tables }: FontTables, family: string): Uint8Array {
  const named = new Map([...tables, ['name', nameTable(family)]])
  const sorted = [...named].sort(([a], [b]) => (a < b ? -1 : 1))
  const size = 12 + sorted.length * 16 + sorted.reduce((sum, [, table]) => sum + padded(table.length), 0)
  const file = new Uint8Array(size)
  const view = viewOf(file)
  view.setUint32(0, flavor)
  view.setUint16(4, sorted.length)
  let at = 12 + sorted.length * 16
  sorted.forEach(([tag, table], i) => {
    const entry = 12 + i * 16
    for (let k = 0; k < 4; k++) view.setUint8(entry + k, tag.charCodeAt(k))
    view.setUint32(entry + 8, at)
    view.setUint32(entry + 12, table.length)
    file.set(table, at)
    at += padded(table.length)
  })
  return file
}

/** Family and PostScript name, for Windows, in English. */
function nameTable(name: string): Uint8Array {
  const ids = [1, 4, 6]
  const table = new Uint8Array(6 + ids.length * 12 + name.length * 2)
  const view = viewOf(table)
  view.setUint16(2, ids.length)
  view.setUint16(4, 6 + ids.length * 12)
  ids.forEach((id, i) => {
    for (const [k, value] of [3, 1, 0x409, id, name.length * 2, 0].entries()) view.setUint16(6 + i * 12 + k * 2, value)
  })
  for (let i = 0; i < name.length; i++) view.setUint16(6 + ids.length * 12 + i * 2, name.charCodeAt(i))
  return table
}

function slice(file: Uint8Array, offset: number, length: number): Uint8Array {
  if (offset + length > file.length) throw new Error('The font file is cut off')
  return file.subarray(offset, offset + length)
}

function tagAt(view: DataView, at: number): string {
  return String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))
}

/** A view of the bytes, at their offset in the buffer. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function padded(length: number): number {
  return (length + 3) & ~3
}
