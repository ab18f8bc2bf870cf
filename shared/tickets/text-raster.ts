// The interface for drawing text that a printer has no characters for. shared/raster implements it with real fonts.
import type { Bitmap } from './bitmap.ts'
import type { TicketLine } from './line-layout.ts'

/** One line of a ticket to draw, as wide as the paper. */
export interface RasterRequest {
  /**
   * Its runs contain sanitized Unicode text in logical order; bidi controls are allowed. Align, scales, bold, underline and alarm are
   * applied.
   */
  line: TicketLine
  columns: number
  /** Printable width of the paper in dots. */
  dots: number
  /** Size of a font A cell in dots, so that drawn text uses the same columns as other text. */
  cell: { widthDots: number; heightDots: number }
}

export interface DrawOptions {
  /** Time zone of the merchant, which determines the shapes of Chinese characters. */
  timeZone?: string
}

export interface TextRaster {
  /**
   * Draws each line of a ticket, in order, none wider than `dots`. A character that no font has is drawn as an empty box (call `missing`
   * first), and so is a word that breaks the engine; `undrawn` of the bitmap counts them. Rejects only if nothing can be drawn: then the
   * ticket is printed with transliterated text.
   */
  draw(requests: readonly RasterRequest[], options?: DrawOptions): Promise<readonly Bitmap[]>
  /**
   * Of these visible characters (sanitized), those that cannot be drawn completely, with their missing code points in order. Rejects if the
   * fonts cannot be read.
   */
  missing(graphemes: Iterable<string>): Promise<ReadonlyMap<string, string>>
}
