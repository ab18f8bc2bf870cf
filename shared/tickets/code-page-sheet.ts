// The code page sheet: one row for each code page in use. The technician picks the rows that read correctly.
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import type { KanjiMode, PrinterProfile } from '#shared/printer-profile.ts'
import { CodePages } from './code-page.ts'
import { isStar } from './dialect.ts'
import { cutBytes } from './document-frame.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { joined } from './graphics.ts'
import { checkDocument } from './output-firewall.ts'
import type { RenderedTicket } from './render-ticket.ts'

type Row = PrinterProfile['codePages'][number]

/**
 * Encodings with their numbers, the most common first: those of code-page-numbers.ts, and each that two tables of code-page-facts.json
 * give.
 */
const ESC_POS_ROWS: readonly (readonly [encoding: string, ...pages: number[]])[] = [
  ['windows1252', 16, 1, 3, 6, 8, 11, 71],
  ['cp858', 19, 5, 6, 14, 53],
  ['cp850', 2, 1],
  ['cp437', 0, 50, 52],
  ['cp860', 3, 4, 55],
  ['cp865', 5, 58],
  ['cp863', 4, 57],
  ['cp852', 18, 2, 6, 13, 54],
  ['windows1250', 45, 30, 72],
  ['cp866', 17, 6, 7, 12, 59],
  ['windows1251', 46, 6, 23, 73],
  ['cp737', 14, 10, 24, 29, 64],
  ['windows1253', 47, 7, 17, 90],
  ['cp857', 13, 8, 12, 29, 61],
  ['windows1254', 48, 32, 91],
  ['cp775', 33, 31, 95],
  ['windows1257', 51, 25],
]
const STAR_ROWS: readonly (readonly [encoding: string, ...pages: number[]])[] = [
  ['windows1252', 32],
  ['cp858', 4],
  ['cp437', 1],
  ['cp852', 5],
  ['windows1250', 33],
  ['cp866', 10],
  ['windows1251', 34],
  ['cp737', 15],
  ['cp857', 12],
]
/** Letters that distinguish the pages. Each page prints those that it has. */
const SAMPLE = 'éñüçåß€ąčęłőřšžğışİжщяЖЮήωΨΩāģķ'
const SAMPLE_LENGTH = 14
/** For ESC/POS printers. */
export const ALL_CODE_PAGE_ROWS: readonly Row[] = rowsOf(ESC_POS_ROWS)
const KANJI_SAMPLES: Readonly<Record<KanjiMode, string>> = {
  gb18030: '中文菜单',
  big5: '中文菜單',
  'shift-jis': '日本語かな',
  'euc-kr': '한국어메뉴',
}
const LF = 0x0a
const LINE_MM = 25.4 / 6
const FEED_MM = 15

/**
 * The sheet for one printer: a row such as `16:windows1252 éñüçåß€` for each number with its encoding, the profile's own first, then Kanji
 * mode in its four encodings. Returns null for printers without code pages (Star's raster models).
 * @throws FirewallError
 */
export function codePageSheet(profile: PrinterProfile): RenderedTicket | null {
  if (profile.language === 'star-raster') return null
  const { dialect } = new EscposEncoder(profile)
  const rows = rowsFor(profile)
  const [first] = rows
  if (first === undefined) return null
  // The label of each row is ASCII and uses the first page. Its letters use the page of the row.
  const pageRows = rows.map((row) => {
    const [sample] = new CodePages({ id: profile.id, codePages: [row], kanji: null }).encode(sampleOf(row), row.page)
    return [dialect.codePage(row.page), ascii(`${labelOf(row)} `), sample?.bytes ?? new Uint8Array(0), lineFeed()]
  })
  const { kanji } = dialect
  const modes = Object.entries(KANJI_SAMPLES) as [KanjiMode, string][]
  const kanjiRows = modes.map(([mode, text]) => {
    const [sample] = new CodePages({ id: profile.id, codePages: [first], kanji: mode }).encode(text, null)
    if (kanji === null || sample === undefined) return []
    return [ascii(`Kanji ${mode} `), kanji.on(mode), sample.bytes, kanji.off(mode), lineFeed()]
  })
  const bytes = joined([
    dialect.start,
    dialect.codePage(first.page),
    ...['CODE PAGES', 'Pick the rows that read right.', ''].flatMap((words) => [ascii(words), lineFeed()]),
    ...pageRows.flat(),
    dialect.codePage(first.page),
    ...kanjiRows.flat(),
    cutBytes(profile),
  ])
  const kanjiMode = kanji === null ? null : (profile.kanji ?? 'gb18030')
  checkDocument(bytes, { ...profile, codePages: [...rows], kanji: kanjiMode }, dialect)
  const lines = 3 + rows.length + kanjiRows.filter((row) => row.length > 0).length
  return { bytes, heightMm: Math.ceil(lines * LINE_MM + FEED_MM), lines, unprintable: 0 }
}

/** In the form that the command line takes. */
function labelOf({ page, encoding }: Row): string {
  return `${page}:${encoding}`
}

function rowsFor(profile: PrinterProfile): Row[] {
  const known = isStar(profile) ? rowsOf(STAR_ROWS) : ALL_CODE_PAGE_ROWS
  const all = [...profile.codePages, ...known]
  return [...new Map(all.map((row) => [labelOf(row), row])).values()]
}

function rowsOf(numbers: readonly (readonly [encoding: string, ...pages: number[]])[]): Row[] {
  return numbers.flatMap(([encoding, ...pages]) => pages.map((page) => ({ page, encoding })))
}

function sampleOf({ encoding }: Row): string {
  const own = codePageCharacters(encoding)
  const telling = Array.from(SAMPLE).filter((letter) => own.includes(letter))
  // A page with other letters shows its own.
  const others = own.slice(0x80).filter((letter) => letter !== NO_CHARACTER && /\p{L}/u.test(letter))
  return (telling.length >= 4 ? telling : others).slice(0, SAMPLE_LENGTH).join('')
}

function ascii(words: string): Uint8Array {
  return Uint8Array.from(words, (character) => character.charCodeAt(0))
}

function lineFeed(): Uint8Array {
  return Uint8Array.of(LF)
}
