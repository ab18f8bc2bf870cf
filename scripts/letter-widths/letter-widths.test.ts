// The widths of letters are those of the fonts that draw them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { letterWidthsFile } from './letter-widths.ts'

it('shared/tickets/letter-widths.ts matches the fonts in node_modules (else: node scripts/make-letter-widths.ts)', async () => {
  const file = join(import.meta.dirname, '../../shared/tickets/letter-widths.ts')
  expect(readFileSync(file, 'utf8')).toBe(await letterWidthsFile())
})
