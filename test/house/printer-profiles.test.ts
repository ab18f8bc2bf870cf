// docs/printer-profiles.md names every profile, and no other, with what its data says.
import { expect, it } from 'vitest'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { read } from './source-files.ts'

const SYMBOLS = { epson: 'its own', star: 'its own', picture: 'drawn', none: 'as text' }

/** The cells of a profile's row, from its data. Notes such as ` (2)` are left out, except that of Star's buzzer. */
function rowOf({ id, columns, image, symbols, cut, beep }: PrinterProfile): string {
  const pictures = image === 'none' ? 'no' : image === 'column8' ? 'coarse' : 'yes'
  const cuts = cut === 'label' ? 'feeds to the peeling position' : cut === 'none' ? 'feeds to the tear bar' : 'yes'
  const beeps = beep === 'none' ? 'no' : beep === 'star-em' ? 'yes (1)' : 'yes'
  return [id, columns, pictures, SYMBOLS[symbols], cuts, beeps].join(' | ')
}

/** A row may hold several profiles; a cell then has one value for all, or one for each, with a comma between them. */
function documentedRows(): string[] {
  const rows = read('docs/printer-profiles.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => {
    const [names = '', , ...cells] = row.split('|').slice(1, -1)
    return Array.from(names.matchAll(/`([^`]+)`/g), ([, id = ''], i) => {
      const own = cells.map((cell) => cell.split(',').map((text) => text.trim().replace(/ \([2-9]\)$/, '')))
      return [id, ...own.map((values) => values[i] ?? values[0])].join(' | ')
    })
  })
}

it('lists the profiles that there are, with what each of them can do', () => {
  expect(documentedRows().toSorted()).toEqual(PROFILES.map(rowOf).toSorted())
})

it('says whose printers each profile is for', () => {
  const rows = read('docs/printer-profiles.md').split('\n')
  for (const { id, vendor } of PROFILES.filter((profile) => profile.vendor !== 'Generic')) {
    const row = rows.find((line) => line.startsWith('| `') && line.includes(`\`${id}\``))
    expect(row).toMatch(new RegExp(`\\| (${vendor} |the same\\b)`))
  }
})
