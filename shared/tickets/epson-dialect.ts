// Epson's commands: styles from node-thermal-printer, the rest written by us.
import { PrinterTypes } from 'node-thermal-printer'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { type Dialect, EPSON_KANJI, EPSON_STYLE_COMMANDS, selectCodePage } from './dialect.ts'
import { characterSize, libraryCommands } from './library-commands.ts'

const GS = 0x1d
const IMPACT_STYLE_COMMANDS: readonly string[] = ['ESC !', 'ESC -', 'ESC E', 'ESC a', 'ESC r', 'ESC t']

/**
 * The dialect `ntp-epson`. Two-colour impact printers (TM-U220) have neither GS ! nor GS B: size is set with ESC !, and red replaces
 * inverse.
 */
export function epsonDialect(profile: PrinterProfile): Dialect {
  const commands = libraryCommands(PrinterTypes.EPSON, profile.columns)
  const impact = profile.color === 'red'
  const nothing = new Uint8Array(0)
  return {
    family: 'epson',
    // Set explicitly, not left to the DIP switch: a line of 40 columns would wrap in font A.
    start: impact ? Uint8Array.of(0x1b, 0x21, impactFont(profile)) : nothing,
    bold: (on) => (on ? commands.boldOn : commands.boldOff),
    underline: (on) => (on ? commands.underlineOn : commands.underlineOff),
    inverse: (on) => (impact ? nothing : on ? commands.inverseOn : commands.inverseOff),
    // ESC r n. No library has it.
    red: (on) => (impact ? Uint8Array.of(0x1b, 0x72, on ? 1 : 0) : nothing),
    // GS ! n. node-thermal-printer's setTextSize(height, width) puts the height where the printer expects the width.
    size: (width, height) =>
      impact
        ? withFont(commands.sizes[characterSize(width, height)], impactFont(profile))
        : Uint8Array.of(GS, 0x21, ((width - 1) << 4) | (height - 1)),
    sizeResetsStyle: impact,
    align: (align) => commands[align],
    codePage: selectCodePage,
    kanji: profile.kanji === null ? null : EPSON_KANJI,
    drawsSymbols: profile.symbols !== 'none',
    commands: impact ? IMPACT_STYLE_COMMANDS : EPSON_STYLE_COMMANDS,
  }
}

/** Most columns for which font A (9 x 9) of a 9-pin printer has room. More need font B (7 x 9). Source: TM-U220 specification. */
const MOST_COLUMNS_OF_FONT_A = 35

/** Bit 0 of ESC ! n. */
function impactFont({ columns }: Pick<PrinterProfile, 'columns'>): 0 | 1 {
  return columns > MOST_COLUMNS_OF_FONT_A ? 1 : 0
}

/** ESC ! n with the bit of the font. The library always selects font A. */
function withFont(mode: Uint8Array, font: 0 | 1): Uint8Array {
  return Uint8Array.of(...mode.subarray(0, 2), (mode[2] ?? 0) | font)
}
