// Each maker's code page numbers, with their sources. Numbers without a source, or with conflicting sources, are left out: such lines are drawn.
import type { PrinterProfile } from '#shared/printer-profile.ts'

// code-page-numbers.test.ts compares these numbers with the sources in code-page-facts.json, two open databases and makers' documents:
//   EPD  escpos-printer-db (receipt-print-hq), state of 2026-07-27
//   RPE  @point-of-sale/receipt-printer-encoder 4.0.1
// A page is used when at least one source names it for this maker and no table of this maker says otherwise.

type Rows = PrinterProfile['codePages']

/**
 * EPD (TM-T20II to T88V, TM-m30III, TM-L90) and RPE (TM-m30II to T88VII) agree, and so does Epson's ESC/POS reference (character code
 * tables).
 */
const EPSON: Rows = [
  { page: 16, encoding: 'windows1252' },
  { page: 19, encoding: 'cp858' },
  { page: 18, encoding: 'cp852' },
  { page: 17, encoding: 'cp866' },
  { page: 14, encoding: 'cp737' },
  { page: 13, encoding: 'cp857' },
]

/** TM-T88II to IV. EPD and RPE agree on these. For page 18, EPD has cp862 (TM-T88III) and RPE cp852. */
const EPSON_LEGACY: Rows = EPSON.filter(({ page }) => page === 16 || page === 19 || page === 17)

/** Epson, TM-U220 specification, ESC t: 0 to 5 and 16 to 19. EPD lists page 0 alone for it, RPE does not have it. */
const EPSON_IMPACT: Rows = EPSON.filter(({ page }) => page >= 16 && page <= 19)

/** n of ESC GS t. EPD (SP2000, TSP600, TSP800, mC-Print) and RPE (star-line, star-prnt) agree; so do Star's Line Mode specifications. */
const STAR: Rows = [
  { page: 32, encoding: 'windows1252' },
  { page: 4, encoding: 'cp858' },
  { page: 5, encoding: 'cp852' },
  { page: 10, encoding: 'cp866' },
  { page: 15, encoding: 'cp737' },
  { page: 12, encoding: 'cp857' },
]

/** SP700. EPD (SP2000, an impact printer). The SP700's own document does not list the Windows pages. */
const STAR_IMPACT: Rows = STAR.filter(({ page }) => page === 4 || page === 5 || page === 10)

/** EPD (CT-S651) and RPE (CT-S310II); cp858 from EPD alone. No Greek page. For page 2 one source has cp850, the other cp858. */
const CITIZEN: Rows = [
  { page: 16, encoding: 'windows1252' },
  { page: 19, encoding: 'cp858' },
  { page: 6, encoding: 'cp852' },
  { page: 7, encoding: 'cp866' },
  { page: 8, encoding: 'cp857' },
]

/**
 * RPE (SRP-350III) and EPD (SRP-S300) agree on 16 to 19. The Greek page 29 is in RPE and in the constants of Bixolon's SDK (BXL_CS_PC737).
 * For page 37 RPE and the SDK have cp857, EPD cp864, so there is no Turkish page.
 */
const BIXOLON: Rows = [
  { page: 16, encoding: 'windows1252' },
  { page: 19, encoding: 'cp858' },
  { page: 18, encoding: 'cp852' },
  { page: 17, encoding: 'cp866' },
  { page: 29, encoding: 'cp737' },
]

/** EPD (RP-F10): same as Epson. RPE has no Seiko. */
const SEIKO: Rows = EPSON

/** RPE (XP-N160II, XP-T80Q). EPD has no Xprinter. */
const XPRINTER: Rows = EPSON.filter(({ page }) => page >= 16 && page <= 19)

/** escpos-buffer 4.1.0, profile `bematech`. Neither database has one. */
const BEMATECH: Rows = [
  { page: 5, encoding: 'cp858' },
  { page: 4, encoding: 'cp860' },
  { page: 6, encoding: 'cp866' },
]

/** escpos-buffer 4.1.0, profile `elgin`. Neither database has one. */
const ELGIN: Rows = [
  { page: 1, encoding: 'windows1252' },
  { page: 5, encoding: 'cp858' },
]

/** escpos-buffer 4.1.0, profile `daruma`. Neither database has one. */
const DARUMA: Rows = [
  { page: 3, encoding: 'windows1252' },
  { page: 2, encoding: 'cp850' },
]

/**
 * For printers of an unknown maker: the numbers on which the ESC/POS tables of both databases agree. Page 16 is last, for the euro sign and
 * other characters that the rest lack: several printers do not have it, and one (Wincor TH230) has eight different letters there
 * (windows1254). Page 19 is left out (Kefar KR-306: cp747).
 */
const ANY: Rows = [
  { page: 0, encoding: 'cp437' },
  { page: 3, encoding: 'cp860' },
  { page: 5, encoding: 'cp865' },
  { page: 4, encoding: 'cp863' },
  { page: 16, encoding: 'windows1252' },
]

/** Rows of ESC t (Star: ESC GS t) by maker, in order of preference. */
export const CODE_PAGE_NUMBERS = {
  epson: EPSON,
  epsonLegacy: EPSON_LEGACY,
  epsonImpact: EPSON_IMPACT,
  star: STAR,
  starImpact: STAR_IMPACT,
  citizen: CITIZEN,
  bixolon: BIXOLON,
  seiko: SEIKO,
  xprinter: XPRINTER,
  bematech: BEMATECH,
  elgin: ELGIN,
  daruma: DARUMA,
  any: ANY,
} as const satisfies Record<string, Rows>
