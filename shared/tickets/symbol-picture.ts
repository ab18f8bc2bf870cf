// Draws QR codes and barcodes as pictures, for printers without commands for them. Pure.
import { barsOf, plainCode128 } from '#shared/escpos/code-128.ts'
import { qrModules } from '#shared/escpos/qr-code.ts'
import { type Bitmap, rowBytes } from './bitmap.ts'
import type { TicketSymbol } from './line-layout.ts'
import { qrData, type SizedSymbol } from './symbols.ts'

/** The code in black on white, without a quiet zone: the paper around it is white. Null if a code of this kind cannot hold the data. */
export function symbolPicture(symbol: TicketSymbol, { moduleDots, heightDots }: SizedSymbol): Bitmap | null {
  if (symbol.what === 'barcode') return barcodePicture(symbol.data, moduleDots, heightDots)
  const modules = qrModules(qrData(symbol.data), 'M')
  return modules === null ? null : qrPicture(modules, moduleDots)
}

function qrPicture(modules: readonly (readonly boolean[])[], moduleDots: number): Bitmap {
  const side = modules.length * moduleDots
  const bitmap = white(side, side)
  modules.forEach((row, y) => {
    row.forEach((black, x) => {
      if (black) fill(bitmap, { left: x * moduleDots, top: y * moduleDots, width: moduleDots, height: moduleDots })
    })
  })
  return bitmap
}

function barcodePicture(data: string, moduleDots: number, heightDots: number): Bitmap | null {
  const values = plainCode128(data)
  if (values === null) return null
  const widths = barsOf(values).map((modules) => modules * moduleDots)
  const bitmap = white(
    widths.reduce((sum, width) => sum + width, 0),
    heightDots,
  )
  let x = 0
  widths.forEach((width, i) => {
    if (i % 2 === 0) fill(bitmap, { left: x, top: 0, width, height: heightDots })
    x += width
  })
  return bitmap
}

function white(widthDots: number, heightDots: number): Bitmap {
  return { widthDots, heightDots, rows: new Uint8Array(rowBytes({ widthDots }) * heightDots) }
}

function fill(
  bitmap: Bitmap,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  const bytes = rowBytes(bitmap)
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) {
      const at = y * bytes + (x >> 3)
      bitmap.rows[at] = (bitmap.rows[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
}
