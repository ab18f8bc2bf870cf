// QR codes and barcodes in the printer's own commands, as large as the paper allows. Pure. Written by us: the libraries count characters instead of bytes.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { BLANK_LINE, type TicketLine, type TicketSymbol } from './line-layout.ts'

const ESC = 0x1b
const GS = 0x1d
const RS = 0x1e

/** Commands for symbols, for the output firewall. */
export function symbolCommands({ symbols }: Pick<PrinterProfile, 'symbols'>): readonly string[] {
  switch (symbols) {
    case 'epson':
      return ['GS k', 'GS ( k', 'GS h', 'GS w']
    case 'star':
      return ['ESC GS y', 'ESC b']
    case 'picture':
    case 'none':
      return []
  }
}

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
/** The characters of CODE 128 code set B. A printer ends the code at any other one and prints the rest as text. */
const BARCODE_DATA = /^[\x20-\x7e]+$/

export interface SizedSymbol {
  /** Size of the smallest bar or square, in dots. */
  moduleDots: number
  heightDots: number
}

/** The size of the symbol on this paper. Null if it does not fit or the printer cannot draw it: then its data is printed as text. */
export function sizeOfSymbol(
  symbol: TicketSymbol,
  { dots, symbols }: Pick<PrinterProfile, 'dots' | 'symbols'>,
): SizedSymbol | null {
  if (symbols === 'none') return null
  if (symbol.what === 'barcode') {
    if (!BARCODE_DATA.test(symbol.data)) return null
    const moduleDots = fitting(dots, symbol.data.length * 11 + BARCODE_OVERHEAD_MODULES, BARCODE_MODULE_DOTS)
    return moduleDots === null ? null : { moduleDots, heightDots: BARCODE_HEIGHT_DOTS }
  }
  const bytes = qrData(symbol.data).length
  const version = QR_CAPACITY_M.findIndex((capacity) => capacity >= bytes) + 1
  if (version === 0 || bytes === 0) return null
  const side = 17 + 4 * version
  const moduleDots = fitting(dots, side + QR_QUIET_MODULES, QR_MODULE_DOTS)
  return moduleDots === null ? null : { moduleDots, heightDots: side * moduleDots }
}

/** The symbol in the printer's commands. The printer feeds past it. For `picture` see symbol-picture.ts. */
export function symbolBytes(
  symbol: TicketSymbol,
  { moduleDots, heightDots }: SizedSymbol,
  { symbols }: Pick<PrinterProfile, 'symbols'>,
): Uint8Array {
  if (symbols === 'star') {
    return symbol.what === 'qr' ? starQr(symbol.data, moduleDots) : starBarcode(symbol.data, moduleDots, heightDots)
  }
  return symbol.what === 'qr' ? epsonQr(symbol.data, moduleDots) : epsonBarcode(symbol.data, moduleDots, heightDots)
}

/**
 * Adds blank lines around the codes that this printer draws: scanners need at least four modules of white around a code, and printers leave
 * none above and below.
 */
export function withQuietZones(
  lines: readonly TicketLine[],
  profile: Pick<PrinterProfile, 'dots' | 'symbols'>,
): readonly TicketLine[] {
  const drawn = (line: TicketLine | undefined) =>
    line?.symbol !== undefined && sizeOfSymbol(line.symbol, profile) !== null
  if (!lines.some(drawn)) return lines
  return lines.flatMap((line, i) => {
    const above = lines[i - 1]
    const isBetween = drawn(line) !== drawn(above) || drawn(line)
    const needsBlank = i > 0 && isBetween && !isBlank(line) && !isBlank(above)
    return needsBlank ? [BLANK_LINE, line] : [line]
  })
}

function isBlank(line: TicketLine | undefined): boolean {
  return line !== undefined && line.symbol === undefined && line.bitmap === undefined && line.runs.length === 0
}

function fitting(dots: number, modules: number, { most, least }: { most: number; least: number }): number | null {
  const size = Math.min(most, Math.floor(dots / modules))
  return size < least ? null : size
}

/** GS ( k: model 2, module size, error correction M, store, print. */
function epsonQr(data: string, moduleDots: number): Uint8Array {
  return Uint8Array.of(
    ...qrCommand(65, 50, 0),
    ...qrCommand(67, moduleDots),
    ...qrCommand(69, 49),
    ...qrCommand(80, 48, ...qrData(data)),
    ...qrCommand(81, 48),
  )
}

function qrCommand(fn: number, ...params: readonly number[]): number[] {
  const length = params.length + 2
  return [GS, 0x28, 0x6b, length & 0xff, length >> 8, 49, fn, ...params]
}

/** ESC GS y: S 0 model 2, S 1 error correction M, S 2 module size, D 1 store, P print. */
function starQr(data: string, moduleDots: number): Uint8Array {
  const stored = qrData(data)
  const command = [ESC, GS, 0x79] as const
  return Uint8Array.of(
    ...[...command, 0x53, 0x30, 2],
    ...[...command, 0x53, 0x31, 1],
    ...[...command, 0x53, 0x32, moduleDots],
    ...[...command, 0x44, 0x31, 0, stored.length & 0xff, stored.length >> 8, ...stored],
    ...[...command, 0x50],
  )
}

// Both makers' length fields: Epson's counts three bytes more than the data.
const QR_LENGTH_OVERHEADS = [0, 3] as const
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must be removed
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f]/g

/**
 * UTF-8 without control characters except LF. If the length would be sent as DLE EOT or DLE ENQ, spaces are appended: printers execute
 * those commands anywhere.
 */
export function qrData(data: string): Uint8Array {
  let text = data.replace(CONTROLS, '')
  for (;;) {
    const bytes = new TextEncoder().encode(text)
    const realTime = QR_LENGTH_OVERHEADS.some((more) => {
      const length = bytes.length + more
      return (length & 0xff) === 0x10 && length > 0xff
    })
    if (!realTime) return bytes
    text += ' '
  }
}

/** GS h, GS w, GS k 73: CODE 128 in code set B. Code set C would encode digits as control bytes. */
function epsonBarcode(data: string, moduleDots: number, heightDots: number): Uint8Array {
  const codes = new TextEncoder().encode(`{B${data.replaceAll('{', '{{')}`)
  return Uint8Array.of(GS, 0x68, heightDots, GS, 0x77, moduleDots, GS, 0x6b, 73, codes.length, ...codes)
}

/** ESC b 6: CODE 128 without text below, with a line feed. Modules of 2, 3 or 4 dots are numbered from 1. A % is written as %0. */
function starBarcode(data: string, moduleDots: number, heightDots: number): Uint8Array {
  const codes = new TextEncoder().encode(data.replaceAll('%', '%0'))
  return Uint8Array.of(ESC, 0x62, 0x36, 0x31, 0x30 + moduleDots - 1, heightDots, ...codes, RS)
}
