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

export interface TextRaster {
  /**
   * Draws each line, in order; none is wider than `dots`. A character that no font has is drawn as its replacement box.
   * Rejects only when drawing is impossible altogether: then the ticket is printed with transliterated text.
   */
  draw(requests: readonly RasterRequest[]): Promise<readonly Bitmap[]>
}
