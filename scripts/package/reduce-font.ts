// Makes a TrueType font smaller: without unused tables, and without the outlines of unused characters. Pure.
import { createHash } from 'node:crypto'
import { glyphsOf, rangesOf } from '#shared/raster/character-map.ts'
import { type FontTables, viewOf } from '#shared/raster/sfnt.ts'

const COMPOSITE_WORDS = 0x0001
const COMPOSITE_SCALE = 0x0008
const COMPOSITE_MORE = 0x0020
const COMPOSITE_TWO_SCALES = 0x0040
const COMPOSITE_MATRIX = 0x0080

interface Glyphs {
  glyf: Uint8Array
  /** Where each glyph's bytes begin, and one more. */
  starts: Uint32Array
}

/** The outline of each character, in a word that is the same where the bytes and the width are. */
export function outlinesOf(font: FontTables): Map<number, string> {
  const glyphs = readGlyphs(font)
  const widths = widthsOf(font)
  const outlines = new Map<number, string>()
  for (const [point, glyph] of glyphsOf(font)) {
    const hash = createHash('sha1').update(bytesOf(glyphs, glyph))
    // A composite names other glyphs by numbers that mean something else in another font.
    for (const part of partsOf(glyphs, glyph)) hash.update(bytesOf(glyphs, part))
    outlines.set(point, `${widths(glyph)} ${hash.digest('base64')}`)
  }
  return outlines
}

export function withoutTables({ flavor, tables }: FontTables, tags: readonly string[]): FontTables {
  return { flavor, tables: new Map([...tables].filter(([tag]) => !tags.includes(tag))) }
}

/** The font with the outlines of these characters only, and a map of them only. Glyphs keep their numbers. */
export function withGlyphsOf(font: FontTables, points: ReadonlySet<number>): FontTables {
  const glyphs = readGlyphs(font)
  const map = new Map([...glyphsOf(font)].filter(([point]) => points.has(point)))
  const kept = new Set([0, ...map.values()])
  for (const glyph of kept) for (const part of partsOf(glyphs, glyph)) kept.add(part)
  const count = glyphs.starts.length - 1
  const loca = new Uint8Array((count + 1) * 4)
  const view = viewOf(loca)
  const parts: Uint8Array[] = []
  let at = 0
  for (let glyph = 0; glyph < count; glyph++) {
    view.setUint32(glyph * 4, at)
    const bytes = kept.has(glyph) ? bytesOf(glyphs, glyph) : new Uint8Array()
    parts.push(bytes)
    at += bytes.length
  }
  view.setUint32(count * 4, at)
  const head = Uint8Array.from(font.tables.get('head') ?? [])
  viewOf(head).setInt16(50, 1)
  const changed: [string, Uint8Array][] = [
    ['glyf', Uint8Array.from(Buffer.concat(parts))],
    ['loca', loca],
    ['head', head],
    ['cmap', characterMap(map)],
  ]
  return { flavor: font.flavor, tables: new Map([...font.tables, ...changed]) }
}

function readGlyphs({ tables }: FontTables): Glyphs {
  const [glyf, loca, head] = ['glyf', 'loca', 'head'].map((tag) => tables.get(tag))
  if (glyf === undefined || loca === undefined || head === undefined)
    throw new Error('The font has no TrueType outlines')
  const view = viewOf(loca)
  const isLong = viewOf(head).getInt16(50) === 1
  const count = loca.length / (isLong ? 4 : 2)
  const starts = Uint32Array.from({ length: count }, (_, i) =>
    isLong ? view.getUint32(i * 4) : view.getUint16(i * 2) * 2,
  )
  return { glyf, starts }
}

const bytesOf = ({ glyf, starts }: Glyphs, glyph: number): Uint8Array => glyf.subarray(starts[glyph], starts[glyph + 1])

/** Glyphs that a composite is made of. */
function partsOf(glyphs: Glyphs, glyph: number): number[] {
  const bytes = bytesOf(glyphs, glyph)
  if (bytes.length < 12) return []
  const view = viewOf(bytes)
  if (view.getInt16(0) >= 0) return []
  const parts: number[] = []
  for (let at = 10, more = true; more; ) {
    const flags = view.getUint16(at)
    parts.push(view.getUint16(at + 2))
    at += 4 + (flags & COMPOSITE_WORDS ? 4 : 2)
    at += flags & COMPOSITE_SCALE ? 2 : flags & COMPOSITE_TWO_SCALES ? 4 : flags & COMPOSITE_MATRIX ? 8 : 0
    more = (flags & COMPOSITE_MORE) !== 0
  }
  return parts
}

function widthsOf({ tables }: FontTables): (glyph: number) => number {
  const [hhea, hmtx] = [viewOf(tables.get('hhea') ?? new Uint8Array()), viewOf(tables.get('hmtx') ?? new Uint8Array())]
  const last = hhea.getUint16(34) - 1
  return (glyph) => hmtx.getUint16(Math.min(glyph, last) * 4)
}

/** Format 12: groups of code points with consecutive glyphs. */
function characterMap(map: ReadonlyMap<number, number>): Uint8Array {
  const groups: [first: number, last: number, glyph: number][] = []
  const ranges = rangesOf(map.keys())
  for (let i = 0; i < ranges.length; i += 2) {
    for (let point = ranges[i] ?? 0; point <= (ranges[i + 1] ?? 0); point++) {
      const glyph = map.get(point) ?? 0
      const group = groups.at(-1)
      if (group && group[1] === point - 1 && group[2] + point - group[0] === glyph) group[1] = point
      else groups.push([point, point, glyph])
    }
  }
  const table = new Uint8Array(12 + 16 + groups.length * 12)
  const view = viewOf(table)
  view.setUint16(2, 1)
  // Windows, full Unicode.
  view.setUint16(4, 3)
  view.setUint16(6, 10)
  view.setUint32(8, 12)
  view.setUint16(12, 12)
  view.setUint32(16, 16 + groups.length * 12)
  view.setUint32(24, groups.length)
  for (const [i, group] of groups.entries()) {
    for (const [k, value] of group.entries()) view.setUint32(28 + i * 12 + k * 4, value)
  }
  return table
}
