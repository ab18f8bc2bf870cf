// One version: package.json's is what both programs say.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { VERSION } from '#shared/version.ts'

it('is the same in package.json and in the programs', () => {
  const file = new URL('../../package.json', import.meta.url)
  expect(VERSION).toBe(JSON.parse(readFileSync(file, 'utf8')).version)
})
