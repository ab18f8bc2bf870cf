// Makes shared/tickets/letter-widths.ts: how many columns the letters of the built-in fonts take, measured in the fonts themselves.
import { codePageCharacters, EPSON_CODE_PAGES, STAR_CODE_PAGES } from '#shared/escpos/code-page-characters.ts'
import { glyphsOf } from '#shared/raster/character-map.ts'
import { fontBox, LATIN_SIZE, sizeInLine } from '#shared/raster/font-box.ts'
import { baseFonts, type FontSource } from '#shared/raster/raster-files.ts'
import { readFont, viewOf } from '#shared/raster/sfnt.ts'
import { isEmoji, isWide } from '#shared/tickets/display-width.ts'

const COLUMN_DOTS = 12
/** Widths are stored in eighths of a column, each as one digit of base 36. */
const PARTS = 8
const MOST = 35
const ROW = 64

/** Their letters have always stood in columns of their own: Thai fits them, Arabic and Hebrew words are narrower than their letters. */
const IN_COLUMNS =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Thai}]/u
/** Whole words of Arabic as one sign, such as \ufdfa: as wide as they are. */
const WORD_SIGN = /[\ufb50-\ufdfc\ufdfe\ufdff]/
/** What shapers hang onto a letter or leave out. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Zs}]/u
/** Signs that belong to no script: whole columns, since they are also among the two-column characters of printers. */
const SIGN = /\p{Script=Common}/u

export async function letterWidthsFile(): Promise<string> {
  const widths = await letterWidths()
  const rows: string[] = []
  for (let first = 0; first <= 0x1ffff; first += ROW) {
    const digits = Array.from({ length: ROW }, (_, i) => (widths.get(first + i) ?? 0).toString(36)).join('')
    if (/[^0]/.test(digits)) rows.push(`  [0x${first.toString(16)}, '${digits}'],`)
  }
  return [
    '// How wide the letters of the built-in fonts are drawn. Made by `node scripts/make-letter-widths.ts`: not to be edited.',
    '',
    `/** Widths in eighths of a column for ${ROW} code points from \`first\`, one base-36 digit each. 0: not measured here. */`,
    'export const LETTER_WIDTHS: readonly (readonly [first: number, eighths: string])[] = [',
    ...rows,
    ']',
    '',
  ].join('\n')
}

async function letterWidths(): Promise<Map<number, number>> {
  const { scripts, symbols } = await baseFonts()
  // What printers print in one column is drawn in one column.
  const pages = new Set([...EPSON_CODE_PAGES.values(), ...STAR_CODE_PAGES.values()])
  const printed = new Set([...pages].flatMap((name) => codePageCharacters(name)))
  const widths = new Map<number, number>()
  for (const source of [...scripts, ...symbols]) {
    for (const [point, columns] of await columnsOf(source)) {
      const character = String.fromCodePoint(point)
      if (widths.has(point) || printed.has(character) || NO_WIDTH.test(character)) continue
      if (IN_COLUMNS.test(character) && !WORD_SIGN.test(character)) continue
      if (isWide(character) || isEmoji(character)) continue
      const eighths = SIGN.test(character)
        ? columns > 1.25
          ? 2 * PARTS
          : PARTS
        : Math.max(1, Math.ceil(columns * PARTS))
      widths.set(point, Math.min(MOST, eighths))
    }
  }
  return widths
}

/** Columns of each character that the font has. */
async function columnsOf(source: FontSource): Promise<Map<number, number>> {
  const font = await readFont(await source.read(), ['cmap', 'head', 'hhea', 'hmtx'])
  const [head, hhea, hmtx] = ['head', 'hhea', 'hmtx'].map((tag) => viewOf(font.tables.get(tag) ?? new Uint8Array()))
  if (head === undefined || hhea === undefined || hmtx === undefined) throw new Error(`${source.name} has no widths`)
  const { size } = source.standsAmongLatin ? LATIN_SIZE : sizeInLine(fontBox(font))
  const [em, last] = [head.getUint16(18), hhea.getUint16(34) - 1]
  const columns = new Map<number, number>()
  for (const [point, glyph] of glyphsOf(font)) {
    columns.set(point, ((hmtx.getUint16(Math.min(glyph, last) * 4) / em) * size) / COLUMN_DOTS)
  }
  return columns
}
