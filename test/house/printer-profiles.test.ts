// docs/printer-profiles.md names every profile, and no other.
import { expect, it } from 'vitest'
import { PROFILES } from '#shared/tickets/printer-profiles.ts'
import { read } from './source-files.ts'

it('lists the profiles that there are, with their columns', () => {
  const rows = read('docs/printer-profiles.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const documented = rows.flatMap((row) => {
    const [names = '', , columns = ''] = row.split('|').slice(1)
    const numbers = columns.split(',').map((text) => text.trim())
    return Array.from(names.matchAll(/`([^`]+)`/g), ([, id = ''], i) => `${id} ${numbers[i] ?? numbers[0]}`)
  })
  expect(documented.toSorted()).toEqual(PROFILES.map(({ id, columns }) => `${id} ${columns}`).toSorted())
})
