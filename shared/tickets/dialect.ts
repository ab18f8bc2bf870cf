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
  kanji: { on(mode: KanjiMode): Uint8Array; off: Uint8Array } | null
  /** True when the printer draws QR codes and barcodes (symbols.ts). */
  readonly drawsSymbols: boolean
  /** Names of the commands (as the tokenizer gives them) that a document in this dialect may contain. */
  readonly allowed: ReadonlySet<string>
}

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d

// Commands that a ticket is made of, without what only the transport may send (ESC @, FS ., GS a, GS r, GS I, GS ( H).
export const EPSON_DOCUMENT_COMMANDS: readonly string[] = [
  'LF',
  'ESC !',
  'ESC -',
  'ESC 2',
  'ESC 3',
  'ESC E',
  'ESC M',
  'ESC a',
  'ESC d',
  'ESC m',
  'ESC r',
  'ESC t',
  'ESC B',
  'ESC ( A',
  'GS !',
  'GS B',
  'GS V',
]

/** ESC t n: the text that follows is in code page n. */
export function selectCodePage(page: number): Uint8Array {
  return Uint8Array.of(ESC, 0x74, page)
}

/** FS & ... FS . around the text; before Shift-JIS also FS C 1, since printers start with JIS codes. */
export const EPSON_KANJI: NonNullable<Dialect['kanji']> = {
  on: (mode) => (mode === 'shift-jis' ? Uint8Array.of(FS, 0x26, FS, 0x43, 1) : Uint8Array.of(FS, 0x26)),
  off: Uint8Array.of(FS, 0x2e),
}
export const EPSON_KANJI_COMMANDS: readonly string[] = ['FS &', 'FS C', 'FS .']

/** ESC d n: prints what waits and feeds n lines. */
export function feedLines(count: number): Uint8Array {
  return Uint8Array.of(ESC, 0x64, count)
}

// Lines between the print head and the cutter or the tear bar.
const FEED_TO_CUTTER_LINES = 5
const FEED_TO_TEAR_BAR_LINES = 6

/** The end of a ticket: brings the last line out and cuts. Neither library's cut is used: one sends ESC @ after it, the other does not feed. */
export function cutBytes(cut: PrinterProfile['cut']): Uint8Array {
  switch (cut) {
    case 'gs-v-66': // GS V 66 0: feed to the cutter and cut, one command
      return Uint8Array.of(GS, 0x56, 66, 0)
    case 'gs-v-1':
      return Uint8Array.of(...feedLines(FEED_TO_CUTTER_LINES), GS, 0x56, 1)
    case 'esc-m':
      return Uint8Array.of(...feedLines(FEED_TO_CUTTER_LINES), ESC, 0x6d)
    case 'none':
      return feedLines(FEED_TO_TEAR_BAR_LINES)
    case 'esc-d': // Star: ESC d 3, feed to the cutter and cut partially
      return Uint8Array.of(ESC, 0x64, 3)
    case 'star-raster': // ESC FF NUL: end of page, feeds and cuts as set at the page's start
      return Uint8Array.of(ESC, 0x0c, 0)
  }
}

/** So many beeps of a tenth of a second, nine at most; empty for none, and for a printer without buzzer. */
export function beepBytes(beep: PrinterProfile['beep'], times: number): Uint8Array {
  if (times <= 0) return new Uint8Array(0)
  const count = Math.min(9, times)
  switch (beep) {
    case 'esc-paren-a': // ESC ( A fn 97: n = 100 selects the buzzer, then times, on and off in 100 ms
      return Uint8Array.of(ESC, 0x28, 0x41, 5, 0, 97, 100, count, 1, 1)
    case 'esc-b':
      return Uint8Array.of(ESC, 0x42, count, 2)
    case 'esc-paren-a-48': // ESC ( A fn 48: pattern 55, n times
      return Uint8Array.of(ESC, 0x28, 0x41, 4, 0, 48, 55, count, 10)
    case 'bel':
      return new Uint8Array(count).fill(0x07)
    case 'star-em': // ESC GS EM DC1 1 on off in 20 ms, then ESC GS EM DC2 1 times 0 (Star's own CUPS driver, mC-Print)
      return Uint8Array.of(ESC, GS, 0x19, 0x11, 0x31, 5, 5, ESC, GS, 0x19, 0x12, 0x31, count, 0)
    case 'none':
      return new Uint8Array(0)
  }
}
