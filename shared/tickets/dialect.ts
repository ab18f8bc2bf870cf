// The seam to the ESC/POS libraries: style bytes of one family of printers. A command that a library gets wrong is written by us.
import type { CommandFamily } from '#shared/escpos/command-lengths.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'

export interface Dialect {
  /** How the tokenizer must read this dialect's commands. */
  readonly family: CommandFamily
  /** Written first in every document, after the transport's ESC @. */
  readonly start: Uint8Array
  /** Each of these is empty when the printer cannot do it. */
  bold(on: boolean): Uint8Array
  underline(on: boolean): Uint8Array
  inverse(on: boolean): Uint8Array
  red(on: boolean): Uint8Array
  /** 1 or 2 times the normal size. */
  size(widthScale: number, heightScale: number): Uint8Array
  /** True when `size` switches bold and underline off, so that they must be sent again. */
  readonly sizeResetsStyle: boolean
  align(align: 'left' | 'center' | 'right'): Uint8Array
  /** The text that follows is in this code page. */
  codePage(page: number): Uint8Array
  /** Text of the printer's own two-column characters begins, or ends. Null where it has none. */
  kanji: { on(mode: KanjiMode): Uint8Array; off(mode: KanjiMode): Uint8Array } | null
  /** True when the printer draws QR codes and barcodes (symbols.ts). */
  readonly drawsSymbols: boolean
  /** Names (as the tokenizer gives them) of this dialect's style commands; cuts, beeps, pictures and codes have theirs in their own files. */
  readonly commands: readonly string[]
}

const ESC = 0x1b
const FS = 0x1c

/** What a ticket's text is made of on most printers, without what only the transport may send (ESC @, FS ., GS a, GS r, GS I, GS ( H). */
export const EPSON_STYLE_COMMANDS: readonly string[] = ['ESC -', 'ESC E', 'ESC M', 'ESC a', 'ESC t', 'GS !', 'GS B']

/** ESC t n: the text that follows is in code page n. */
export function selectCodePage(page: number): Uint8Array {
  return Uint8Array.of(ESC, 0x74, page)
}

/** FS & ... FS . around the text; for Shift-JIS also FS C 1 ... FS C 0, since that counts whether Kanji mode is on or not: accents would be Kanji. */
export const EPSON_KANJI: NonNullable<Dialect['kanji']> = {
  on: (mode) => (mode === 'shift-jis' ? Uint8Array.of(FS, 0x26, FS, 0x43, 1) : Uint8Array.of(FS, 0x26)),
  off: (mode) => (mode === 'shift-jis' ? Uint8Array.of(FS, 0x43, 0, FS, 0x2e) : Uint8Array.of(FS, 0x2e)),
}

/** Whether its commands are Star's. */
export function isStar({ language }: Pick<PrinterProfile, 'language'>): boolean {
  return language !== 'escpos'
}
