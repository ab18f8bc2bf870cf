// A picture of black and white dots, as printers take it.

/** Rows from top to bottom, each of `ceil(widthDots / 8)` bytes, the leftmost dot in the highest bit; 1 = black. Bits beyond the width are 0. */
export interface Bitmap {
  widthDots: number
  heightDots: number
  rows: Uint8Array
  /** So many words or characters of it stand as boxes, because they could not be drawn. */
  undrawn?: number
}

/** Bytes of one row. */
export function rowBytes({ widthDots }: Pick<Bitmap, 'widthDots'>): number {
  return Math.ceil(widthDots / 8)
}
