// The printer families that the gateway knows, as data. Anything unknown is generic-80.
import { codePageCharacters } from '#shared/escpos/code-page-characters.ts'
import { type PrinterProfile, printerProfile } from '#shared/printer-profile.ts'
import type { PrinterSettings } from '#shared/printer-settings.ts'

/** Epson's numbers, safe on its own models and on most clones. Central European, Cyrillic, Greek and Turkish pages wander between makers. */
const EPSON_PAGES = [
  { page: 16, encoding: 'windows1252' },
  { page: 19, encoding: 'cp858' },
  { page: 18, encoding: 'cp852' },
  { page: 17, encoding: 'cp866' },
  { page: 14, encoding: 'cp737' },
  { page: 13, encoding: 'cp857' },
]
/** Clones agree on these two only. */
const CLONE_PAGES = EPSON_PAGES.slice(0, 2)

const EPSON_THERMAL: PrinterProfile = {
  id: 'epson-thermal-203',
  vendor: 'Epson',
  models: ['TM-T20II', 'TM-T20III', 'TM-T20IV', 'TM-T82', 'TM-T82II', 'TM-T82III', 'TM-m30', 'TM-m30II', 'TM-m30III'],
  language: 'escpos',
  dialect: 'ntp-epson',
  columns: 48,
  dots: 576,
  dpi: 203,
  codePages: EPSON_PAGES,
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
  idleCloseMs: 90_000,
}

const GENERIC_80: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'generic-80',
  vendor: 'Generic',
  models: ['POS-80', '80 mm ESC/POS'],
  codePages: CLONE_PAGES,
  beep: 'esc-b',
  clearsBuffer: false,
  speed: { mmPerSec: 100 },
}

/** 76 mm paper, two colours. 33 columns are safe for both fonts (7x9 has 40). */
const EPSON_IMPACT: PrinterProfile = {
  ...EPSON_THERMAL,
  id: 'epson-impact',
  models: ['TM-U220A', 'TM-U220B', 'TM-U220IIB', 'TM-U230'],
  columns: 33,
  dots: 400,
  dpi: 144,
  codePages: [
    { page: 16, encoding: 'windows1252' },
    { page: 19, encoding: 'cp858' },
  ],
  beep: 'none',
  image: 'column8',
  color: 'red',
  symbols: 'none',
  speed: { linesPerSec: 4.7 },
}

const ALL: readonly PrinterProfile[] = [
  EPSON_THERMAL,
  {
    ...EPSON_THERMAL,
    id: 'epson-thermal-180',
    models: ['TM-T88V', 'TM-T88VI', 'TM-T88VII', 'TM-T70II'],
    columns: 42,
    dots: 512,
    dpi: 180,
    speed: { mmPerSec: 200 },
  },
  EPSON_IMPACT,
  { ...EPSON_IMPACT, id: 'epson-impact-no-cutter', models: ['TM-U220D', 'TM-U220IID'], cut: 'none' },
  {
    ...GENERIC_80,
    id: 'xprinter-80',
    vendor: 'Xprinter',
    models: ['XP-N160', 'XP-N160II', 'XP-Q200', 'XP-Q800'],
    codePages: EPSON_PAGES.slice(0, 4),
    speed: { mmPerSec: 160 },
  },
  GENERIC_80,
  {
    ...GENERIC_80,
    id: 'generic-58',
    models: ['POS-58', '58 mm ESC/POS'],
    columns: 32,
    dots: 384,
    // Many have no cutter: they ignore the cut, and the feed before it brings the ticket out to the tear bar.
    cut: 'gs-v-1',
    speed: { mmPerSec: 70 },
  },
  {
    ...EPSON_THERMAL,
    id: 'bematech',
    vendor: 'Bematech',
    models: ['MP-4200 TH', 'MP-2500 TH'],
    dialect: 'eb-bematech',
    columns: 42,
    codePages: [
      { page: 5, encoding: 'cp858' },
      { page: 4, encoding: 'cp860' },
      { page: 6, encoding: 'cp866' },
    ],
    cut: 'esc-m',
    beep: 'esc-paren-a',
    symbols: 'none',
    image: 'column24',
  },
  {
    ...EPSON_THERMAL,
    id: 'elgin',
    vendor: 'Elgin',
    models: ['i9', 'i8', 'i7'],
    dialect: 'eb-elgin',
    codePages: [
      { page: 1, encoding: 'windows1252' },
      { page: 5, encoding: 'cp858' },
    ],
    beep: 'esc-paren-a',
  },
  {
    ...EPSON_THERMAL,
    id: 'daruma',
    vendor: 'Daruma',
    models: ['DR800', 'DR700'],
    dialect: 'eb-daruma',
    codePages: [
      { page: 3, encoding: 'windows1252' },
      { page: 2, encoding: 'cp850' },
    ],
    // FS means something else to a Daruma.
    cancelKanji: false,
    cut: 'esc-m',
    beep: 'none',
    symbols: 'none',
    image: 'none',
  },
]

/** All profiles, checked against the schema. */
export const PROFILES: readonly PrinterProfile[] = ALL.map((profile) => printerProfile.parse(profile))

const FALLBACK_ID = 'generic-80'

/** The profile with this id. An unknown id gives generic-80, which prints readably on nearly every ESC/POS printer. */
export function profileById(id: string): PrinterProfile {
  const profile = PROFILES.find((candidate) => candidate.id === id) ?? PROFILES.find((it) => it.id === FALLBACK_ID)
  if (profile === undefined) throw new Error(`There is no printer profile "${FALLBACK_ID}"`)
  return profile
}

// A cache of values that never change: encoders are kept by profile object, so equal settings must give the same one.
const adapted = new Map<string, PrinterProfile>()
const MAX_ADAPTED = 200

/**
 * The profile of one printer: its family's, with the columns and code pages that the technician found. Equal inputs give the same object.
 * Code pages that nobody knows are left out; when none is left, the family's stand.
 */
export function profileFor(
  profileId: string,
  settings: Pick<PrinterSettings, 'columns' | 'codePages'>,
): PrinterProfile {
  const family = profileById(profileId)
  if (settings.columns === null && settings.codePages === null) return family
  const key = JSON.stringify([family.id, settings.columns, settings.codePages])
  const known = adapted.get(key)
  if (known !== undefined) return known
  const rows = settings.codePages?.filter((row) => isCodePage(row.encoding)) ?? []
  const profile = {
    ...family,
    columns: settings.columns ?? family.columns,
    codePages: rows.length === 0 ? family.codePages : rows,
  }
  if (adapted.size >= MAX_ADAPTED) adapted.clear()
  adapted.set(key, profile)
  return profile
}

function isCodePage(encoding: string): boolean {
  try {
    codePageCharacters(encoding)
    return true
  } catch {
    return false
  }
}
