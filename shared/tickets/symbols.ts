// QR codes and barcodes in Epson's commands, as large as the paper allows. Pure. The libraries' own count characters where bytes are meant.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { TicketSymbol } from './line-layout.ts'

const GS = 0x1d

/** Commands that a document with symbols may hold. */
export const SYMBOL_COMMANDS: readonly string[] = ['GS k', 'GS ( k', 'GS h', 'GS w']

// Bytes that a QR code of version 1, 2, ... holds at error correction M.
// biome-ignore format: a table reads better in rows
const QR_CAPACITY_M = [
  14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
  711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538,
]
const QR_QUIET_MODULES = 8
const QR_MODULE_DOTS = { most: 8, least: 3 } as const
const BARCODE_HEIGHT_DOTS = 80
/** Start, check and stop of CODE 128, and its quiet zones. */
const BARCODE_OVERHEAD_MODULES = 11 + 11 + 13 + 20
const BARCODE_MODULE_DOTS = { most: 3, least: 2 } as const

export interface SizedSymbol {
  /** Dots of the smallest bar or square. */
  moduleDots: number
  heightDots: number
}

/** How large the symbol is on this paper, or null when it does not fit or the printer draws none: then its data are printed as text. */
export function sizeOfSymbol(
  symbol: TicketSymbol,
  { dots, symbols }: Pick<PrinterProfile, 'dots' | 'symbols'>,
): SizedSymbol | null {
  if (symbols === 'none') return null

  if (symbol.what === 'barcode') {
    const moduleDots = fitting(dots, symbol.data.length * 11 + BARCODE_OVERHEAD_MODULES, BARCODE_MODULE_DOTS)
    return moduleDots === null ? null : { moduleDots, heightDots: BARCODE_HEIGHT_DOTS }
  }
  const bytes = qrData(symbol.data).length
  const version = QR_CAPACITY_M.findIndex((capacity) => capacity >= bytes) + 1
  if (version === 0) return null
  const side = 17 + 4 * version
  const moduleDots = fitting(dots, side + QR_QUIET_MODULES, QR_MODULE_DOTS)
  return moduleDots === null ? null : { moduleDots, heightDots: side * moduleDots }
}

/** The symbol, printed; the printer feeds past it by itself. */
export function symbolBytes(symbol: TicketSymbol, { moduleDots, heightDots }: SizedSymbol): Uint8Array {
  return symbol.what === 'qr' ? qrBytes(symbol.data, moduleDots) : barcodeBytes(symbol.data, moduleDots, heightDots)
}

function fitting(dots: number, modules: number, { most, least }: { most: number; least: number }): number | null {
  const size = Math.min(most, Math.floor(dots / modules))
  return size < least ? null : size
}

/** GS ( k: model 2, module size, error correction M, store, print. */
function qrBytes(data: string, moduleDots: number): Uint8Array {
  const stored = qrData(data)
  return Uint8Array.of(
    ...qrCommand(65, 50, 0),
    ...qrCommand(67, moduleDots),
    ...qrCommand(69, 49),
    ...qrCommand(80, 48, ...stored),
    ...qrCommand(81, 48),
  )
}

function qrCommand(fn: number, ...params: readonly number[]): number[] {
  const length = params.length + 2
  return [GS, 0x28, 0x6b, length & 0xff, length >> 8, 49, fn, ...params]
}

/** UTF-8. A length that would read as DLE EOT or DLE ENQ on the wire is avoided with a space at the end: printers obey those anywhere. */
function qrData(data: string): Uint8Array {
  const bytes = new TextEncoder().encode(data)
  const length = bytes.length + 3
  return (length & 0xff) === 0x10 && length > 0xff ? new TextEncoder().encode(`${data} `) : bytes
}

/** GS h, GS w, GS k 73: CODE 128 in code set B. Code set C would write digits as control bytes. */
function barcodeBytes(data: string, moduleDots: number, heightDots: number): Uint8Array {
  const codes = new TextEncoder().encode(`{B${data.replaceAll('{', '{{')}`)
  return Uint8Array.of(GS, 0x68, heightDots, GS, 0x77, moduleDots, GS, 0x6b, 73, codes.length, ...codes)
}
