// A black and white picture in the form that printers take.

/** Rows from top to bottom, `ceil(widthDots / 8)` bytes each, leftmost dot in the highest bit, 1 = black. Bits beyond the width are 0. */
export interface Bitmap {
  widthDots: number
  heightDots: number
  rows: Uint8Array
  /** Number of words or characters that could not be drawn and are shown as boxes. */
  undrawn?: number
}

/** Number of bytes in one row. */
export function rowBytes({ widthDots }: Pick<Bitmap, 'widthDots'>): number {
  return Math.ceil(widthDots / 8)
}
