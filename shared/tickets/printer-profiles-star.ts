// Star's printer families as data. Sources: Star Line Mode Command Specifications, STAR Graphic Mode Command Specifications, Star's CUPS drivers. Not verified on hardware: speeds, idle times, dots of the SP700.
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { CODE_PAGE_NUMBERS } from './code-page-numbers.ts'
import { EPSON_THERMAL } from './printer-profiles-epson.ts'

const STAR_LINE: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'star-line',
  vendor: 'Star',
  models: ['TSP650', 'TSP650II', 'TSP654II', 'TSP700II', 'TSP743II'],
  language: 'star-line',
  dialect: 'ntp-star',
  codePages: CODE_PAGE_NUMBERS.star,
  // Only Asian models have two-column characters, enabled by a memory switch, not by FS.
  cancelKanji: false,
  image: 'star-column24',
  cut: 'esc-d',
  // The buzzer is at the drawer's connector. With a drawer there, set no beeps.
  beep: 'star-em',
  // BEL opens the drawer.
  drawer: 'bel',
  symbols: 'star',
  clearsBuffer: false,
  speed: { mmPerSec: 180 },
  idleCloseMs: 300_000,
}

/** 76 mm paper, red and black. 7x9 half dots give 42 columns. `dots` are half dots. */
const STAR_IMPACT: PrinterProfile = {
  ...STAR_LINE,
  id: 'star-impact',
  models: ['SP742', 'SP747'],
  columns: 42,
  dots: 420,
  dpi: 144,
  codePages: CODE_PAGE_NUMBERS.starImpact,
  image: 'column8',
  beep: 'none',
  color: 'red',
  symbols: 'none',
  speed: { linesPerSec: 4 },
}

export const STAR_PROFILES: readonly PrinterProfile[] = [
  STAR_LINE,
  STAR_IMPACT,
  { ...STAR_IMPACT, id: 'star-impact-no-cutter', models: ['SP712', 'SP717'], cut: 'none' },
  {
    ...STAR_LINE,
    id: 'starprnt',
    models: ['mC-Print3', 'mC-Print31', 'TSP100IV', 'TSP143IV'],
    language: 'starprnt',
    dialect: 'starprnt',
    image: 'star-raster',
    speed: { mmPerSec: 200 },
  },
  {
    ...STAR_LINE,
    id: 'starprnt-58',
    models: ['mC-Print2', 'mC-Print21', 'mPOP'],
    language: 'starprnt',
    dialect: 'starprnt',
    image: 'star-raster',
    columns: 32,
    dots: 384,
    speed: { mmPerSec: 100 },
  },
  {
    ...STAR_LINE,
    id: 'star-raster',
    // Models I to III have no characters at all. The LAN models report their status on port 9101.
    models: ['TSP100', 'TSP143', 'TSP143II', 'TSP143III', 'TSP143IIILAN', 'TSP143IIIW'],
    language: 'star-raster',
    dialect: 'star-raster',
    image: 'star-raster',
    cut: 'star-raster',
    beep: 'none',
    symbols: 'picture',
    statusPort: 9101,
    speed: { mmPerSec: 125 },
  },
]
