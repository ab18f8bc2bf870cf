// The characters of a font and their glyphs, from the font's own `cmap` table. Pure.
import { type FontTables, viewOf } from './sfnt.ts'

/** First and last code points of ranges, ascending. Compact, since a font may have tens of thousands of characters. */
export type CharacterRanges = Uint32Array

const MAX_CODE_POINT = 0x10ffff

/** A whole sentence as one sign, sixteen columns wide and unreadable in a line of a ticket. Its code point is printed instead. */
const UNREADABLE = 0xfdfd

/**
 * The characters of the font that are readable in a line of a ticket.
 * @throws Error without a usable `cmap` table
 */
export function charactersOf(font: FontTables): CharacterRanges {
  const glyphs = glyphsOf(font)
  glyphs.delete(UNREADABLE)
  return rangesOf(glyphs.keys())
}

/**
 * The glyph of each character of the font, by code point.
 * @throws Error without a usable `cmap` table
 */
export function glyphsOf({ tables }: FontTables): Map<number, number> {
  const cmap = tables.get('cmap')
  if (cmap === undefined) throw new Error('The font has no character map')
  const view = viewOf(cmap)
  const offsets = Array.from({ length: view.getUint16(2) }, (_, i) => view.getUint32(4 + i * 8 + 4))
  const of = (format: number) => offsets.find((offset) => view.getUint16(offset) === format)
  const full = of(12)
  if (full !== undefined) return groups(view, full)
  const basic = of(4)
  if (basic !== undefined) return segments(view, basic)
  throw new Error('The character map of the font is of an unknown format')
}

function groups(view: DataView, at: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let i = 0; i < view.getUint32(at + 12); i++) {
    const entry = at + 16 + i * 12
    const [first, last, glyph] = [view.getUint32(entry), view.getUint32(entry + 4), view.getUint32(entry + 8)]
    if (last > MAX_CODE_POINT) throw new Error('The character map of the font is damaged')
    for (let point = first; point <= last; point++) if (glyph + point > first) glyphs.set(point, glyph + point - first)
  }
  return glyphs
}

function segments(view: DataView, at: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  const doubled = view.getUint16(at + 6)
  for (let i = 0; i < doubled; i += 2) {
    const last = view.getUint16(at + 14 + i)
    const first = view.getUint16(at + 16 + doubled + i)
    const delta = view.getUint16(at + 16 + doubled * 2 + i)
    const place = at + 16 + doubled * 3 + i
    const offset = view.getUint16(place)
    for (let point = first; point <= last && point < 0xffff; point++) {
      const listed = offset === 0 ? point : view.getUint16(place + offset + (point - first) * 2)
      const glyph = listed === 0 ? 0 : (listed + delta) & 0xffff
      if (glyph !== 0) glyphs.set(point, glyph)
    }
  }
  return glyphs
}

/** Converts code points in any order to ranges. */
export function rangesOf(points: Iterable<number>): CharacterRanges {
  const pairs: number[] = []
  for (const point of [...points].sort((a, b) => a - b)) {
    const last = pairs.at(-1)
    if (last !== undefined && point <= last + 1) pairs[pairs.length - 1] = Math.max(last, point)
    else pairs.push(point, point)
  }
  return Uint32Array.from(pairs)
}

/** Parses `U+0-ff,U+131`, the format of the font packages. */
export function readRanges(text: string): CharacterRanges {
  const ranges = text.split(',').map((part): [number, number] => {
    const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-')
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)]
  })
  return Uint32Array.from(ranges.sort(([a], [b]) => a - b).flat())
}

/** Writes the format that `readRanges` parses. */
export function writeRanges(ranges: CharacterRanges): string {
  const parts: string[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const [first = 0, last = first] = [ranges[i], ranges[i + 1]]
    parts.push(`U+${first.toString(16)}${last === first ? '' : `-${last.toString(16)}`}`)
  }
  return parts.join(',')
}

/** Returns whether one of the ranges contains the character. */
export function includes(ranges: CharacterRanges, point: number): boolean {
  let low = 0
  let high = ranges.length / 2 - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    if (point < (ranges[middle * 2] ?? 0)) high = middle - 1
    else if (point > (ranges[middle * 2 + 1] ?? 0)) low = middle + 1
    else return true
  }
  return false
}
