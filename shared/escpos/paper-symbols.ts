// QR codes and barcodes on paper: settings and data are sent in separate commands before the one that prints.
import { barsOf } from './code-128.ts'
import type { Graphic } from './print-head.ts'
import { type QrLevel, qrSide } from './qr-code.ts'

const LEVELS: readonly QrLevel[] = ['L', 'M', 'Q', 'H']
const DEFAULTS = {
  barcodeHeightDots: 162,
  barcodeModuleDots: 3,
  qrModuleDots: 3,
  qrLevel: 'L',
  isCaptioned: false,
} as const
const QUIET_CAPTION_DOTS = 24

/** The settings and data from the preceding commands. */
export class SymbolStore {
  barcodeHeightDots: number = DEFAULTS.barcodeHeightDots
  barcodeModuleDots: number = DEFAULTS.barcodeModuleDots
  /** Whether the readable text is printed with the barcode. */
  isCaptioned: boolean = DEFAULTS.isCaptioned
  qrModuleDots: number = DEFAULTS.qrModuleDots
  qrLevel: QrLevel = DEFAULTS.qrLevel
  qrData = new Uint8Array(0)

  clear(): void {
    Object.assign(this, DEFAULTS)
    this.qrData = new Uint8Array(0)
  }

  /** 0 to 3: L, M, Q, H. */
  setLevel(n: number): void {
    this.qrLevel = LEVELS[n] ?? 'L'
  }

  /** The stored data as a QR code. Null if there is none, or too much for a QR code. */
  qrCode(): Graphic | null {
    const { qrData: bytes, qrLevel: level, qrModuleDots: moduleDots } = this
    const side = qrSide(bytes.length, level)
    if (side === null || bytes.length === 0) return null
    const sideDots = side * moduleDots
    const drawing = { kind: 'qr', bytes, level, moduleDots } as const
    return { what: 'qr', widthDots: sideDots, heightDots: sideDots, data: readable(bytes), caption: null, drawing }
  }

  /** A CODE 128 barcode. */
  code128(values: readonly number[], data: string): Graphic {
    const widths = barsOf(values)
    const modules = widths.reduce((sum, width) => sum + width, 0)
    const { barcodeModuleDots: moduleDots, barcodeHeightDots: barsDots } = this
    const drawing = { kind: 'bars', widths, moduleDots, barsDots } as const
    return { ...this.#barcode(data), widthDots: modules * moduleDots, drawing }
  }

  /** Any other kind of barcode: an approximate width, and its data. */
  otherBarcode(data: string): Graphic {
    const widthDots = (data.length + 3) * 11 * this.barcodeModuleDots
    return { ...this.#barcode(data), widthDots, drawing: { kind: 'box' } }
  }

  #barcode(data: string): Pick<Graphic, 'what' | 'heightDots' | 'data' | 'caption'> {
    const captionDots = this.isCaptioned ? QUIET_CAPTION_DOTS : 0
    return {
      what: 'barcode',
      heightDots: this.barcodeHeightDots + captionDots,
      data,
      caption: this.isCaptioned ? data : null,
    }
  }
}

/** The data as a phone decodes it: UTF-8, or one character a byte if it is not valid UTF-8. */
function readable(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return latin1(bytes)
  }
}

export function latin1(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
}
