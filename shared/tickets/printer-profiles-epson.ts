// Epson's printer families as data. Sources: Epson's ESC/POS reference and the TM-T88III, TM-U220, TM-U230, TM-L90 specifications. Not verified on hardware: speeds, idle times.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { CODE_PAGE_NUMBERS } from './code-page-numbers.ts'

export const EPSON_THERMAL: PrinterProfile = {
  id: 'epson-thermal-203',
  vendor: 'Epson',
  models: ['TM-T20II', 'TM-T20III', 'TM-T20IV', 'TM-T82', 'TM-T82II', 'TM-T82III', 'TM-m30', 'TM-m30II', 'TM-m30III'],
  language: 'escpos',
  dialect: 'ntp-epson',
  columns: 48,
  dots: 576,
  dpi: 203,
  codePages: CODE_PAGE_NUMBERS.epson,
  cancelKanji: true,
  kanji: null,
  image: 'raster',
  maxBandRows: 24,
  cut: 'gs-v-66',
  beep: 'esc-paren-a',
  drawer: 'esc-p',
  color: 'none',
  symbols: 'epson',
  media: { kind: 'roll' },
  statusPort: null,
  clearsBuffer: true,
  speed: { mmPerSec: 150 },
  paceBytesPerSec: null,
  // TM-T20II: resets after 90 s. UB-E02: closes after 5 min. The shorter time is safe for both.
  idleCloseMs: 90_000,
}

const EPSON_180: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'epson-thermal-180',
  models: ['TM-T88V', 'TM-T88VI', 'TM-T88VII', 'TM-T70II'],
  columns: 42,
  dots: 512,
  dpi: 180,
  speed: { mmPerSec: 200 },
}

/**
 * 76 mm paper, two colours, 9-pin head: `dots` are half dots. Font A (9x9) has 33 columns, font B (7x9) 40; a DIP switch changes them to 35
 * and 42. Pictures only in columns of 8 dots: ESC * 0.
 */
const EPSON_IMPACT: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'epson-impact',
  models: ['TM-U220A', 'TM-U220B', 'TM-U220IIB', 'TM-U230'],
  columns: 33,
  dots: 400,
  dpi: 144,
  codePages: CODE_PAGE_NUMBERS.epsonImpact,
  beep: 'none',
  image: 'column8',
  color: 'red',
  symbols: 'none',
  // Documented for U230 and U590, unknown for U220. The printer's answer decides.
  clearsBuffer: true,
  speed: { linesPerSec: 4.7 },
}

/** 58 mm labels. The printer must learn the length of the labels once (Epson's utility); without it, it does not find their edges. */
const EPSON_LABEL: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'epson-label',
  models: ['TM-L90', 'TM-L100'],
  columns: 32,
  dots: 384,
  cut: 'label',
  drawer: 'none',
  media: { kind: 'label', heightMm: 40 },
  speed: { mmPerSec: 90 },
}

export const EPSON_PROFILES: readonly PrinterProfile[] = [
  EPSON_THERMAL,
  EPSON_180,
  // Japanese models start with JIS codes and have two-column characters of their own.
  { ...EPSON_180, id: 'epson-thermal-180-japan', models: [], kanji: 'shift-jis' },
  {
    ...EPSON_180,
    id: 'epson-legacy',
    models: ['TM-T88II', 'TM-T88III', 'TM-T88IV'],
    // QR codes exist from the TM-T88V on. A buzzer is only an option at the drawer's connector.
    codePages: CODE_PAGE_NUMBERS.epsonLegacy,
    symbols: 'picture',
    beep: 'none',
    speed: { mmPerSec: 120 },
  },
  EPSON_IMPACT,
  { ...EPSON_IMPACT, id: 'epson-impact-no-cutter', models: ['TM-U220D', 'TM-U220IID'], cut: 'none' },
  { ...EPSON_IMPACT, id: 'epson-impact-40', models: [], columns: 40 },
  { ...EPSON_IMPACT, id: 'epson-impact-40-no-cutter', models: [], columns: 40, cut: 'none' },
  EPSON_LABEL,
  { ...EPSON_LABEL, id: 'epson-label-25', models: [], media: { kind: 'label', heightMm: 25 } },
  { ...EPSON_LABEL, id: 'epson-label-60', models: [], media: { kind: 'label', heightMm: 60 } },
  // Linerless and receipt rolls in the same printers: a normal cut after each ticket.
  {
    ...EPSON_THERMAL,
    id: 'epson-linerless',
    models: ['TM-L90 LFC', 'TM-L100 LFC'],
    drawer: 'none',
    speed: { mmPerSec: 90 },
  },
]
