// How far a font's letters extend above and below the baseline, and the largest size at which nothing is cut off. Pure.
import { type FontTables, viewOf } from './sfnt.ts'

/** Extent of the tallest and the deepest glyph, as shares of the font size. */
export interface FontBox {
  top: number
  bottom: number
}

/** A size in the design grid: lines of 32 dots, columns of 12 dots. */
export interface TextSize {
  /** Font size. */
  size: number
  /** Dots from the top of the line to the baseline. */
  baseline: number
}

export const DESIGN_LINE = 32
export const DESIGN_BASELINE = 23
/** Size of letters next to those of the printer. */
export const LATIN_SIZE: TextSize = { size: 20, baseline: DESIGN_BASELINE }
/** Smaller letters are unreadable. The few glyphs that still exceed their line are cut. */
const LEAST_SIZE = 15

export function fontBox({ tables }: FontTables): FontBox {
  const head = tables.get('head')
  if (head === undefined) throw new Error('The font has no head')
  const view = viewOf(head)
  const em = view.getUint16(18)
  if (em === 0) throw new Error('The font has no size')
  const share = (units: number) => Math.round((Math.max(0, units) / em) * 100) / 100
  return { top: share(view.getInt16(42)), bottom: share(-view.getInt16(38)) }
}

/** Scripts that stack letters (Burmese, Khmer, Tibetan) are drawn smaller than others, and higher on the line. */
export function sizeInLine({ top, bottom }: FontBox): TextSize {
  const size = Math.max(LEAST_SIZE, Math.min(LATIN_SIZE.size, Math.floor(DESIGN_LINE / (top + bottom))))
  const deepest = DESIGN_LINE - Math.ceil(bottom * size)
  const highest = Math.ceil(top * size)
  return { size, baseline: Math.max(Math.min(DESIGN_BASELINE, deepest), Math.min(highest, deepest)) }
}
