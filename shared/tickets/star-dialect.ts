// Star's commands: line mode (TSP650II, SP700) from node-thermal-printer; StarPRNT, and what the library lacks, written by us. Source: Star Line Mode Command Specifications.
import { PrinterTypes } from 'node-thermal-printer'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Dialect } from './dialect.ts'
import { characterSize, libraryCommands } from './library-commands.ts'

const ESC = 0x1b
const GS = 0x1d
const NOTHING = new Uint8Array(0)
const ALIGNMENTS = { left: 0, center: 1, right: 2 } as const

const STYLE_COMMANDS: readonly string[] = [
  'ESC E',
  'ESC F',
  'ESC -',
  'ESC 4',
  'ESC 5',
  'ESC SP',
  'ESC z',
  'ESC GS a',
  'ESC GS t',
]

/** Shared by line mode and StarPRNT, which differ in pictures and status. */
const COMMON = {
  family: 'star',
  red: (_on: boolean) => NOTHING,
  sizeResetsStyle: false,
  codePage: (page: number) => Uint8Array.of(ESC, GS, 0x74, page),
  kanji: null,
} as const satisfies Partial<Dialect>

/** The dialect `ntp-star`. Impact printers (SP700) double the size with ESC W and ESC h, thermal ones with ESC i. */
export function starLineDialect(profile: PrinterProfile): Dialect {
  const commands = libraryCommands(PrinterTypes.STAR, profile.columns)
  const impact = profile.color === 'red'
  const alarm = (on: boolean) => (on ? commands.inverseOn : commands.inverseOff)
  return {
    ...COMMON,
    start: impact ? Uint8Array.of(ESC, 0x4d, ESC, 0x20, 0, ESC, 0x7a, 1) : THERMAL_START,
    bold: (on) => (on ? commands.boldOn : commands.boldOff),
    underline: (on) => (on ? commands.underlineOn : commands.underlineOff),
    // ESC 4 is white on black on one-colour paper, and red with a two-colour ribbon, which shifts once a line.
    inverse: (on) => (impact ? NOTHING : alarm(on)),
    red: (on) => (impact ? alarm(on) : NOTHING),
    size: (width, height) =>
      impact
        ? Uint8Array.of(ESC, 0x57, width - 1, ESC, 0x68, height - 1)
        : commands.sizes[characterSize(width, height)],
    align: (align) => commands[align],
    drawsSymbols: profile.symbols !== 'none',
    commands: [...STYLE_COMMANDS, ...(impact ? ['ESC M', 'ESC W', 'ESC h'] : ['ESC RS F', 'ESC i'])],
  }
}

/** Font A, no space between characters, lines of 4 mm: settings that ESC @ takes from the printer's memory switches. */
const THERMAL_START = Uint8Array.of(ESC, 0x1e, 0x46, 0, ESC, 0x20, 0, ESC, 0x7a, 1)

/** The dialect `starprnt` (mC-Print, TSP100IV). */
export function starprntDialect(profile: PrinterProfile): Dialect {
  return {
    ...COMMON,
    start: THERMAL_START,
    bold: (on) => Uint8Array.of(ESC, on ? 0x45 : 0x46),
    underline: (on) => Uint8Array.of(ESC, 0x2d, on ? 1 : 0),
    inverse: (on) => Uint8Array.of(ESC, on ? 0x34 : 0x35),
    size: (width, height) => Uint8Array.of(ESC, 0x69, height - 1, width - 1),
    align: (align) => Uint8Array.of(ESC, GS, 0x61, ALIGNMENTS[align]),
    drawsSymbols: profile.symbols !== 'none',
    commands: [...STYLE_COMMANDS, 'ESC RS F', 'ESC i'],
  }
}

/** The dialect `star-raster` (TSP100). It has no text commands, so this writes nothing; see star-raster-document.ts. */
export function starRasterDialect(): Dialect {
  const nothing = () => NOTHING
  return {
    ...COMMON,
    family: 'star-raster',
    start: NOTHING,
    bold: nothing,
    underline: nothing,
    inverse: nothing,
    size: nothing,
    align: nothing,
    codePage: nothing,
    drawsSymbols: true,
    commands: ['b', 'ESC * r', 'ESC FF'],
  }
}
