// Pictures as printers receive them: rows or columns of dots. Sizes are untrusted, so they are bounded before anything is allocated.

/** Rows from top to bottom, the leftmost dot in the highest bit; 1 = black. */
export interface Picture {
  /** Visible dots of a row, which may have more. */
  widthDots: number
  heightDots: number
  rows: Uint8Array
  /** Bytes from one row to the next. */
  rowBytes: number
  /** Size of one picture dot in paper dots. */
  dotWidth: number
  dotHeight: number
}

export interface DotSize {
  dotWidth: number
  dotHeight: number
}

/** Maximum length of a ticket: 5 metres. Further rows are dropped. */
export const MOST_ROWS = 40_000

/** A picture from rows of `rowBytes` bytes. Columns beyond `mostDots` paper dots are cut off. */
export function pictureOfRows(
  data: Uint8Array,
  { rowBytes, mostDots, size }: { rowBytes: number; mostDots: number; size: DotSize },
): Picture {
  const heightDots = rowBytes === 0 ? 0 : Math.min(MOST_ROWS, Math.floor(data.length / rowBytes))
  const rows = data.slice(0, heightDots * rowBytes)
  return croppedPicture({ widthDots: rowBytes * 8, heightDots, rows, rowBytes, ...size }, mostDots)
}

/** A picture from columns of `columnBytes` bytes, left to right, the top dot in the highest bit of the first byte. */
export function pictureOfColumns(
  data: Uint8Array,
  { columnBytes, mostDots, size }: { columnBytes: number; mostDots: number; size: DotSize },
): Picture {
  const columns = columnBytes === 0 ? 0 : Math.floor(data.length / columnBytes)
  const widthDots = Math.min(columns, Math.floor(mostDots / size.dotWidth))
  const heightDots = columnBytes * 8
  const rowBytes = Math.ceil(widthDots / 8)
  const rows = new Uint8Array(rowBytes * heightDots)
  for (let x = 0; x < widthDots; x++) {
    for (let i = 0; i < columnBytes; i++) {
      const byte = data[x * columnBytes + i] ?? 0
      for (let bit = 0; byte !== 0 && bit < 8; bit++) {
        if ((byte & (0x80 >> bit)) === 0) continue
        const at = (i * 8 + bit) * rowBytes + (x >> 3)
        rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
      }
    }
  }
  return { widthDots, heightDots, rows, rowBytes, ...size }
}

/** The picture, cut to a width of `mostDots` paper dots. Shares the rows: a stored picture may be printed thousands of times. */
export function croppedPicture(picture: Picture, mostDots: number): Picture {
  return { ...picture, widthDots: Math.min(picture.widthDots, Math.floor(mostDots / picture.dotWidth)) }
}

/** True if the dot is black. */
export function isBlack({ rowBytes, rows }: Picture, x: number, y: number): boolean {
  return ((rows[y * rowBytes + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
}
