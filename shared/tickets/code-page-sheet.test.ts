// The code page sheet: a row prints correctly if its number is right for the printer.
import { describe, expect, it } from 'vitest'
import { EPSON_CODE_PAGES } from '#shared/escpos/code-page-characters.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { ALL_CODE_PAGE_ROWS, codePageSheet } from './code-page-sheet.ts'
import { PROFILES, profileById } from './printer-profiles.ts'

/** What an Epson with a Chinese font prints. */
function onEpson(): string {
  const paper = new PaperInterpreter({ columns: 48, codePages: EPSON_CODE_PAGES, kanjiAtStart: true, family: 'epson' })
  paper.push(Buffer.from('\x1b@\x1c.', 'latin1'))
  paper.push(codePageSheet(profileById('epson-thermal-203'))?.bytes ?? new Uint8Array())
  return (paper.tickets[0] ?? paper.current).text()
}

describe('codePageSheet', () => {
  it('has rows that read correctly where the number matches the printer, and garbled ones where it does not', () => {
    const rows = onEpson().split('\n')
    const row = (label: string) => rows.find((each) => each.startsWith(`${label} `))?.trim()
    expect(row('16:windows1252')).toBe('16:windows1252 éñüçåß€šž')
    expect(row('18:cp852')).toContain('ąčęłőřšž')
    expect(row('46:windows1251')).toContain('щяЖЮ')
    expect(row('14:cp737')).toContain('ήωΨΩ')
    expect(row('13:cp857')).toContain('ğ')
    expect(row('8:windows1252')).not.toContain('éñ')
    expect(row('6:windows1251')).not.toContain('щяЖЮ')
  })

  it('ends with the printer’s cut and passes the firewall on every printer that has code pages', () => {
    for (const profile of PROFILES) {
      const sheet = codePageSheet(profile)
      if (profile.language === 'star-raster') expect(sheet).toBeNull()
      else expect(sheet?.lines).toBeGreaterThan(10)
    }
  })

  it.each(
    PROFILES.filter(({ language }) => language === 'escpos').map(({ id, codePages }) => [id, codePages] as const),
  )('offers each page of %s to every ESC/POS printer', (_, codePages) => {
    expect(ALL_CODE_PAGE_ROWS).toEqual(expect.arrayContaining([...codePages]))
  })
})
