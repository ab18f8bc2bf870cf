// Interface to the ESC/POS libraries: style bytes of one printer family. Commands that a library gets wrong are written by us.
import type { CommandFamily } from '#shared/escpos/command-lengths.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'

export interface Dialect {
  /** How the tokenizer reads the commands of this dialect. */
  readonly family: CommandFamily
  /** Written first in every document, after the transport's ESC @. */
  readonly start: Uint8Array
  /** Each of these returns no bytes if the printer does not support it. */
  bold(on: boolean): Uint8Array
  underline(on: boolean): Uint8Array
  inverse(on: boolean): Uint8Array
  red(on: boolean): Uint8Array
  /** Scales are 1 or 2. */
  size(widthScale: number, heightScale: number): Uint8Array
  /** True if `size` turns bold and underline off, so that they must be sent again. */
  readonly sizeResetsStyle: boolean
  align(align: 'left' | 'center' | 'right'): Uint8Array
  /** Selects the code page of the text that follows. */
  codePage(page: number): Uint8Array
  /** Starts and ends text in the printer's own two-column characters. Null if it has none. */
  kanji: { on(mode: KanjiMode): Uint8Array; off(mode: KanjiMode): Uint8Array } | null
  /** True if the printer draws QR codes and barcodes itself (symbols.ts). */
  readonly drawsSymbols: boolean
  /**
   * Names of this dialect's style commands, as the tokenizer reports them. Cuts, beeps, pictures and codes list theirs in their own files.
   */
  readonly commands: readonly string[]
}

const ESC = 0x1b
const FS = 0x1c

/** Style commands of most printers, without those that only the transport may send (ESC @, FS ., GS a, GS r, GS I, GS ( H). */
export const EPSON_STYLE_COMMANDS: readonly string[] = ['ESC -', 'ESC E', 'ESC M', 'ESC a', 'ESC t', 'GS !', 'GS B']

/** ESC t n selects code page n. */
export function selectCodePage(page: number): Uint8Array {
  return Uint8Array.of(ESC, 0x74, page)
}

/** FS & ... FS . around the text. Shift-JIS adds FS C 1 ... FS C 0, which applies even outside Kanji mode: accents would become Kanji. */
export const EPSON_KANJI: NonNullable<Dialect['kanji']> = {
  on: (mode) => (mode === 'shift-jis' ? Uint8Array.of(FS, 0x26, FS, 0x43, 1) : Uint8Array.of(FS, 0x26)),
  off: (mode) => (mode === 'shift-jis' ? Uint8Array.of(FS, 0x43, 0, FS, 0x2e) : Uint8Array.of(FS, 0x2e)),
}

/** Returns whether the printer uses Star's commands. */
export function isStar({ language }: Pick<PrinterProfile, 'language'>): boolean {
  return language !== 'escpos'
}
