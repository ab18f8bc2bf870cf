// The order of the styles: of two rules with equal specificity, the later one applies.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the rules of a link come after those of a text, which it is too: otherwise it is not underlined', () => {
  const theme = readFileSync(new URL('theme.ts', import.meta.url), 'utf8')
  const textAt = theme.indexOf('/Text.css')
  expect(textAt).toBeGreaterThan(0)
  expect(theme.indexOf('/Anchor.css')).toBeGreaterThan(textAt)
})
