// Pictures and codes on paper, as placeholders with their size.
import type { GraphicLine } from './paper-ticket.ts'

type Graphic = Omit<GraphicLine, 'kind' | 'align'>

const DEFAULT_BARCODE_HEIGHT_DOTS = 162
const DEFAULT_BARCODE_MODULE_DOTS = 3
const DEFAULT_QR_MODULE_DOTS = 3

/** Settings and stored data of symbols, which come in commands of their own before the one that prints. */
export class SymbolStore {
  barcodeHeightDots = DEFAULT_BARCODE_HEIGHT_DOTS
  barcodeModuleDots = DEFAULT_BARCODE_MODULE_DOTS
  qrModuleDots = DEFAULT_QR_MODULE_DOTS
  qrData = ''

  clear(): void {
    this.barcodeHeightDots = DEFAULT_BARCODE_HEIGHT_DOTS
    this.barcodeModuleDots = DEFAULT_BARCODE_MODULE_DOTS
    this.qrModuleDots = DEFAULT_QR_MODULE_DOTS
    this.qrData = ''
  }
}

function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) + (bytes[at + 1] ?? 0) * 256
}

function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}

/** Gives what appears on paper, or null when the command only prepares it. */
type GraphicRule = (params: Uint8Array, symbols: SymbolStore) => Graphic | null

function qrCode(params: Uint8Array, symbols: SymbolStore): Graphic | null {
  // GS ( k: cn 49 = QR code; fn 67 module size, 80 store, 81 print.
  const [symbol, fn, n] = params
  if (symbol !== 49) return null
  if (fn === 67) symbols.qrModuleDots = n ?? DEFAULT_QR_MODULE_DOTS
  if (fn === 80) symbols.qrData = latin1(params.subarray(3))
  if (fn !== 81) return null
  // Smallest version with level M that holds the bytes: 14 at 21 modules, about 14 more with each 4 modules.
  const version = Math.max(1, Math.ceil(symbols.qrData.length / 14))
  const sideDots = (17 + 4 * Math.min(40, version)) * symbols.qrModuleDots
  return { what: 'qr', widthDots: sideDots, heightDots: sideDots, data: symbols.qrData }
}

function barcode(params: Uint8Array, symbols: SymbolStore): Graphic {
  const form = params[0] ?? 0
  const data = latin1(form <= 6 ? params.subarray(1, -1) : params.subarray(2))
  const widthDots = (data.length + 3) * 11 * symbols.barcodeModuleDots
  return { what: 'barcode', widthDots, heightDots: symbols.barcodeHeightDots, data }
}

export const GRAPHIC_COMMANDS: Readonly<Record<string, GraphicRule>> = {
  'GS v 0': (params) => ({
    // params: m xL xH yL yH; m says whether a dot is doubled in width (1) or height (2).
    what: 'raster',
    widthDots: word(params, 1) * 8 * ((params[0] ?? 0) & 1 ? 2 : 1),
    heightDots: word(params, 3) * ((params[0] ?? 0) & 2 ? 2 : 1),
    data: null,
  }),
  'ESC *': (params) => ({
    what: 'bit-image',
    widthDots: word(params, 1) * (params[0] === 0 || params[0] === 32 ? 2 : 1),
    heightDots: 24,
    data: null,
  }),
  'GS k': barcode,
  'GS ( k': qrCode,
  'GS h': (params, symbols) => {
    symbols.barcodeHeightDots = params[0] ?? DEFAULT_BARCODE_HEIGHT_DOTS
    return null
  },
  'GS w': (params, symbols) => {
    symbols.barcodeModuleDots = params[0] ?? DEFAULT_BARCODE_MODULE_DOTS
    return null
  },
  'GS H': () => null,
  'GS f': () => null,
}
