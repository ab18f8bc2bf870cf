// Checks every code page number of every profile against two open databases and the makers' documents.
import { readFileSync } from 'node:fs'
import { Model } from 'escpos-buffer'
import { describe, expect, it } from 'vitest'
import { codePageRows } from '#shared/code-page-rows.ts'
import { codePageCharacters, NO_CHARACTER } from '#shared/escpos/code-page-characters.ts'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { CodePages } from './code-page.ts'
import { ALL_CODE_PAGE_ROWS } from './code-page-sheet.ts'
import { PROFILES, profileById } from './printer-profiles.ts'

interface FactTable {
  maker: string
  models: string[]
  command?: string
  pages: string
}
const SOURCES: { source: string; tables: FactTable[] }[] = JSON.parse(
  readFileSync(new URL('./code-page-facts.json', import.meta.url), 'utf8'),
)
const TABLES = SOURCES.flatMap(({ source, tables }) => tables.map((table) => ({ ...table, source })))

/** The other sources are makers' documents: what one maker says of its printer is not what an unknown printer does. */
const DATABASES = ['escpos-printer-db', 'receipt-printer-encoder']

/** The encoding that a table gives for a number, or undefined. */
const says = (table: FactTable, page: number): string | undefined =>
  codePageRows(table.pages)?.find((row) => row.page === page)?.encoding

/** The tables that apply to this profile, by maker and by the command that its numbers are for. */
function tablesOf(profile: PrinterProfile): FactTable[] {
  const ofMaker = TABLES.filter(
    ({ maker, command }) =>
      maker.startsWith(profile.vendor.split(' ')[0] ?? '') &&
      (command === 'ESC GS t') === (profile.language !== 'escpos'),
  )
  // Variants of one family (its label sizes, its Japanese models) share its numbers.
  const own = PROFILES.filter(
    ({ vendor, codePages }) => vendor === profile.vendor && same(codePages, profile.codePages),
  )
  const names = own.flatMap(({ models }) => models)
  const ofModels = ofMaker.filter(({ models }) =>
    models.some((model) => names.some((name) => name.startsWith(model) || model.startsWith(name))),
  )
  return ofModels.length > 0 ? ofModels : ofMaker
}

const same = (a: PrinterProfile['codePages'], b: PrinterProfile['codePages']) => JSON.stringify(a) === JSON.stringify(b)

/** Profiles whose numbers come from these models of escpos-buffer: the databases do not have these printers. */
const MODELS: Readonly<Record<string, ConstructorParameters<typeof Model>[0]>> = {
  bematech: 'MP-4200 TH',
  elgin: 'I9',
  daruma: 'DR800',
}
const SILENT = Object.keys(MODELS)
const KNOWN = PROFILES.filter(({ vendor }) => vendor !== 'Generic').map((profile) => [profile.id, profile] as const)

describe('code page numbers', () => {
  it.each(KNOWN)('%s: each number has a source for this maker, and no source contradicts it', (id, profile) => {
    const tables = tablesOf(profile)
    if (SILENT.includes(id))
      expect(tables, `${id} has a table in code-page-facts.json: remove it from MODELS`).toEqual([])
    else expect(tables, `${id}: no table of maker "${profile.vendor}" in code-page-facts.json`).not.toEqual([])
    for (const { page, encoding } of tables.length === 0 ? [] : profile.codePages) {
      const said = tables.map((table) => says(table, page)).filter((each) => each !== undefined)
      expect(new Set(said), `${id}, page ${page}`).toEqual(new Set([encoding]))
    }
  })

  it.each(SILENT)('of %s are those of escpos-buffer', (id) => {
    const theirs: { code: string; command: string }[] = new Model(MODELS[id]!).profile['capabilities'].codepages
    expect(profileById(id).codePages).not.toEqual([])
    for (const { page, encoding } of profileById(id).codePages)
      expect(theirs).toContainEqual({
        code: encoding.replace('windows', 'cp'),
        command: `\x1bt${String.fromCharCode(page)}`,
      })
  })

  it('of unknown printers: every ESC/POS table of the two databases agrees on each letter, except for eight letters of one printer', () => {
    const escPos = TABLES.filter(
      ({ source, command, pages }) =>
        DATABASES.includes(source) && command === undefined && codePageRows(pages)?.length !== 1,
    )
    expect(escPos.length).toBeGreaterThan(30)
    const disagreeing = (page: number, encoding: string) =>
      escPos.flatMap((table) => {
        const theirs = codePageCharacters(says(table, page) ?? encoding)
        const differing = codePageCharacters(encoding).filter((letter, byte) => letter !== theirs[byte])
        return differing.length === 0 ? [] : [`${table.models.join()}: ${differing.join('')}`]
      })
    for (const profile of PROFILES.filter(({ vendor }) => vendor === 'Generic')) {
      const found = profile.codePages.flatMap(({ page, encoding }) => disagreeing(page, encoding))
      expect(found).toEqual(['TH230,TH230Plus: ŽžÐÝÞðýþ'])
    }
  })

  it('of the SP700 are not the Windows pages, which its maker’s document does not list', () => {
    expect(profileById('star-impact').codePages.map(({ page }) => page)).toEqual([4, 5, 10])
  })

  it('Citizen and Bixolon have their own', () => {
    const pageFor = (id: string, text: string) => new CodePages(profileById(id)).pageFor(text)
    expect(pageFor('citizen-ct-s', 'İşkembe ğ')).toBe(8)
    expect(pageFor('bixolon-350', 'Μουσακάς')).toBe(29)
    // No page, or two sources that contradict each other: such a line is drawn.
    expect(new CodePages(profileById('citizen-ct-s')).has('Μουσακάς')).toBe(false)
    expect(new CodePages(profileById('bixolon-350')).has('İşkembe')).toBe(false)
    expect(new CodePages(profileById('generic-80')).has('Łódź')).toBe(false)
  })

  it.each(KNOWN.filter(([id]) => !SILENT.includes(id)))(
    '%s: what is sent reads right by each of its tables',
    (id, profile) => {
      const pages = new CodePages({ ...profile, kanji: null })
      const letters = profile.codePages.flatMap(({ encoding }) => codePageCharacters(encoding).slice(0xa0))
      for (const letter of letters.filter((each) => each !== NO_CHARACTER && pages.has(each))) {
        const page = pages.pageFor(letter)
        const [segment] = pages.encode(letter, page)
        for (const table of tablesOf(profile)) {
          const encoding = page === null ? undefined : says(table, page)
          if (encoding === undefined) continue
          expect(codePageCharacters(encoding)[segment?.bytes[0] ?? 0], `${id}, page ${page}`).toBe(letter)
        }
      }
    },
  )

  it('the sheet offers every number that two tables give for the pages that it samples', () => {
    const offered = new Set(ALL_CODE_PAGE_ROWS.map(({ page, encoding }) => `${page}:${encoding}`))
    const sampled = new Set(ALL_CODE_PAGE_ROWS.map(({ encoding }) => encoding))
    const known = TABLES.filter(({ command }) => command === undefined)
      .flatMap(({ pages }) => codePageRows(pages) ?? [])
      .filter(({ encoding }) => sampled.has(encoding))
      .map(({ page, encoding }) => `${page}:${encoding}`)
    const twice = known.filter((row, i) => known.indexOf(row) !== i)
    expect(twice.length).toBeGreaterThan(50)
    expect(twice.filter((row) => !offered.has(row))).toEqual([])
  })
})
