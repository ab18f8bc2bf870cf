// Documents for Star printers without characters (TSP100): every line is a picture, sent row by row. Source: Star Line Mode Command Specifications, raster commands.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import { cutBytes } from './document-frame.ts'
import { cropped, joined, pictureGrid, withoutRealTime } from './graphics.ts'
import type { TicketLine } from './line-layout.ts'
import { symbolPicture } from './symbol-picture.ts'
import { sizeOfSymbol } from './symbols.ts'

const ESC = 0x1b
/** ESC * r A enters raster mode. ESC * r P 0 NUL: the page is as long as the ticket. */
const START = Uint8Array.of(ESC, 0x2a, 0x72, 0x41, ESC, 0x2a, 0x72, 0x50, 0x30, 0)
/** An empty line: 1/6 inch at 203 dpi. */
const BLANK_LINE_DOTS = 34

/**
 * The whole document.
 * @throws Error for a line with text that was not drawn: this printer cannot print it
 */
export function starRasterDocument(lines: readonly TicketLine[], profile: PrinterProfile): Uint8Array {
  const rows = new RowWriter()
  const dots = pictureGrid(profile)?.dots ?? profile.dots
  for (const line of lines) {
    const bitmap = line.bitmap ?? codeOf(line, profile)
    if (bitmap !== null) rows.draw(cropped(bitmap, dots), line.align, dots)
    else if (line.runs.every((run) => run.text.trim() === '')) rows.feed(BLANK_LINE_DOTS)
    else throw new Error(`Printer profile "${profile.id}" prints pictures only, and this text was not drawn`)
  }
  return joined([START, ...rows.parts(), cutBytes(profile)])
}

function codeOf({ symbol }: TicketLine, profile: PrinterProfile): Bitmap | null {
  const size = symbol === undefined ? null : sizeOfSymbol(symbol, profile)
  return symbol === undefined || size === null ? null : symbolPicture(symbol, size)
}

/** `b nL nH data` for a row of dots. Consecutive white rows are one ESC * r Y n NUL. */
class RowWriter {
  readonly #parts: Uint8Array[] = []
  #whiteRows = 0

  draw(bitmap: Bitmap, align: TicketLine['align'], dots: number): void {
    const bytes = rowBytes(bitmap)
    const indent = indentBytes(bitmap, align, dots)
    for (let y = 0; y < bitmap.heightDots; y++) {
      const row = bitmap.rows.subarray(y * bytes, (y + 1) * bytes)
      const length = usedBytes(row)
      if (length === 0) {
        this.#whiteRows++
        continue
      }
      this.#flush()
      const data = new Uint8Array(indent + length)
      data.set(row.subarray(0, length), indent)
      this.#parts.push(Uint8Array.of(0x62, data.length & 0xff, data.length >> 8, ...withoutRealTime(data)))
    }
  }

  feed(dots: number): void {
    this.#whiteRows += dots
  }

  parts(): readonly Uint8Array[] {
    this.#flush()
    return this.#parts
  }

  #flush(): void {
    if (this.#whiteRows === 0) return
    const digits = new TextEncoder().encode(String(this.#whiteRows))
    this.#parts.push(Uint8Array.of(ESC, 0x2a, 0x72, 0x59, ...digits, 0))
    this.#whiteRows = 0
  }
}

/** White bytes to the left of an aligned picture. */
function indentBytes({ widthDots }: Bitmap, align: TicketLine['align'], dots: number): number {
  const free = Math.max(0, dots - widthDots)
  return align === 'left' ? 0 : (align === 'right' ? free : Math.floor(free / 2)) >> 3
}

/** Length of the row in bytes, without white at its end. */
function usedBytes(row: Uint8Array): number {
  let length = row.length
  while (length > 0 && row[length - 1] === 0) length--
  return length
}
