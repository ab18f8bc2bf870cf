// ESC/POS families of other makers as data. Sources: Citizen command reference, Bixolon SRP-350 command manuals, SII RP-F10 reference, escpos-buffer's models. Not verified on hardware: speeds, idle times, buzzers.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { CODE_PAGE_NUMBERS } from './code-page-numbers.ts'
import { EPSON_THERMAL } from './printer-profiles-epson.ts'

export const GENERIC_80: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'generic-80',
  vendor: 'Generic',
  models: ['POS-80', '80 mm ESC/POS'],
  codePages: CODE_PAGE_NUMBERS.any,
  beep: 'esc-b',
  clearsBuffer: false,
  speed: { mmPerSec: 100 },
}

const BRAZILIAN: PrinterProfile = { ...EPSON_THERMAL, clearsBuffer: false, idleCloseMs: null }

export const OTHER_PROFILES: readonly PrinterProfile[] = [
  {
    ...EPSON_THERMAL,
    id: 'bixolon-350',
    vendor: 'Bixolon',
    models: ['SRP-350II', 'SRP-350III', 'SRP-350plusII', 'SRP-350plusIII'],
    codePages: CODE_PAGE_NUMBERS.bixolon,
    columns: 42,
    dots: 512,
    dpi: 180,
    beep: 'none',
    speed: { mmPerSec: 200 },
    // Some keep the connection of a vanished client for 30 s.
    idleCloseMs: 30_000,
  },
  {
    ...EPSON_THERMAL,
    id: 'citizen-ct-s',
    vendor: 'Citizen',
    models: ['CT-S310II', 'CT-S601II', 'CT-S651II', 'CT-S801II', 'CT-S851II', 'CT-D150', 'CT-E351', 'CT-E651'],
    codePages: CODE_PAGE_NUMBERS.citizen,
    beep: 'none',
    speed: { mmPerSec: 150 },
  },
  {
    ...EPSON_THERMAL,
    id: 'seiko-rp',
    vendor: 'Seiko Instruments',
    models: ['RP-D10', 'RP-E10', 'RP-E11', 'RP-F10', 'RP-G10'],
    codePages: CODE_PAGE_NUMBERS.seiko,
    beep: 'none',
    clearsBuffer: false,
    speed: { mmPerSec: 200 },
    idleCloseMs: 300_000,
  },
  {
    ...GENERIC_80,
    id: 'xprinter-80',
    vendor: 'Xprinter',
    models: ['XP-N160', 'XP-N160II', 'XP-Q200', 'XP-Q800'],
    codePages: CODE_PAGE_NUMBERS.xprinter,
    speed: { mmPerSec: 160 },
  },
  GENERIC_80,
  // Printers sold in China: the same, with the characters of GB18030.
  { ...GENERIC_80, id: 'generic-80-chinese', models: [], kanji: 'gb18030' },
  {
    ...GENERIC_80,
    id: 'generic-58',
    models: ['POS-58', '58 mm ESC/POS'],
    columns: 32,
    dots: 384,
    // Many have no cutter. They ignore the cut, and the feed before it moves the ticket to the tear bar.
    cut: 'gs-v-1',
    speed: { mmPerSec: 70 },
  },
  {
    ...BRAZILIAN,
    id: 'bematech',
    vendor: 'Bematech',
    models: ['MP-4200 TH', 'MP-2500 TH'],
    dialect: 'eb-bematech',
    columns: 42,
    codePages: CODE_PAGE_NUMBERS.bematech,
    cut: 'esc-m',
    beep: 'esc-paren-a',
    // Its code commands are documented for its own command set only (GS k Q), not for ESC/POS.
    symbols: 'picture',
    image: 'column24',
  },
  {
    ...BRAZILIAN,
    id: 'elgin',
    vendor: 'Elgin',
    models: ['i9', 'i8', 'i7'],
    dialect: 'eb-elgin',
    codePages: CODE_PAGE_NUMBERS.elgin,
    beep: 'esc-paren-a',
  },
  {
    ...BRAZILIAN,
    id: 'daruma',
    vendor: 'Daruma',
    models: ['DR800', 'DR700'],
    dialect: 'eb-daruma',
    codePages: CODE_PAGE_NUMBERS.daruma,
    // FS has another meaning on a Daruma.
    cancelKanji: false,
    cut: 'esc-m',
    // BEL: documented for DR700 M and H.
    beep: 'bel',
    symbols: 'none',
    // No document of its picture command was found.
    image: 'none',
  },
]
