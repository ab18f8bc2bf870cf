// The code page sheet as printers print it: a row whose number means what it says reads right.
import { describe, expect, it } from 'vitest'
import { EPSON_CODE_PAGES } from '#shared/escpos/code-page-characters.ts'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { codePageSheet } from './code-page-sheet.ts'
import { PROFILES, profileById } from './printer-profiles.ts'

/** What an Epson prints, whose own font has Chinese. */
function onEpson(): string {
  const paper = new PaperInterpreter({ columns: 48, codePages: EPSON_CODE_PAGES, kanjiAtStart: true, family: 'epson' })
  paper.push(Buffer.from('\x1b@\x1c.', 'latin1'))
  paper.push(codePageSheet(profileById('epson-thermal-203'))?.bytes ?? new Uint8Array())
  return (paper.tickets[0] ?? paper.current).text()
}

describe('codePageSheet', () => {
  it('has rows that read right where the number is the printer’s, and wrong ones where it is not', () => {
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

  it('ends in the printer’s cut and passes the firewall on every printer that has code pages', () => {
    for (const profile of PROFILES) {
      const sheet = codePageSheet(profile)
      if (profile.language === 'star-raster') expect(sheet).toBeNull()
      else expect(sheet?.lines).toBeGreaterThan(10)
    }
  })
})
