// The seam to whoever draws text that a printer has no characters for (shared/raster does it with real fonts).
import type { Bitmap } from './bitmap.ts'
import type { TicketLine } from './line-layout.ts'

/** One line of a ticket, to be drawn as wide as the paper. */
export interface RasterRequest {
  /** Its runs hold sanitised Unicode text in logical order, bidi controls allowed; align, scales, bold, underline and alarm count. */
  line: TicketLine
  columns: number
  /** Printable dots of the paper. */
  dots: number
  /** Dots of a cell of font A: text that is drawn stands in the same grid as text that is not. */
  cell: { widthDots: number; heightDots: number }
}

export interface DrawOptions {
  /** Of the merchant: where it tells in whose shapes Chinese characters are written. */
  timeZone?: string
}

export interface TextRaster {
  /**
   * Draws each line of a ticket, in order; none is wider than `dots`. What no font has is drawn as an empty box: ask `missing` first. So is a word that breaks the engine; the bitmap tells how many.
   * Rejects only when drawing is impossible altogether: then the ticket is printed with transliterated text.
   */
  draw(requests: readonly RasterRequest[], options?: DrawOptions): Promise<readonly Bitmap[]>
  /**
   * Of sanitised characters as a reader sees them: those that cannot be drawn whole, with the code points that are missing, in order.
   * Rejects when the fonts cannot be read at all.
   */
  missing(graphemes: Iterable<string>): Promise<ReadonlyMap<string, string>>
}
