// Any character is any code point of Unicode, and a text of them is found again, as fast-check's own dangerous words are.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ANY_CHARACTER } from './any-character.ts'

const SEED = 1

it('is a whole character of every kind: control bytes, letters, pictures, and no half of one', () => {
  const tried = fc.sample(ANY_CHARACTER, { numRuns: 3_000, seed: SEED })
  expect(tried.every((character) => Array.from(character).length === 1 && character.isWellFormed())).toBe(true)
  expect(tried.some((character) => character < ' ')).toBe(true)
  expect(tried.some((character) => character.length === 2)).toBe(true)
  expect(new Set(tried).size).toBeGreaterThan(1_500)
})

it.each(['\0', 'a', '\ud7ff', '\ue000', '\u{10ffff}'])('recognises %j', (character) => {
  expect(ANY_CHARACTER.canShrinkWithoutContext(character)).toBe(true)
})

it.each(['', 'ab', '\ud800', '\udfff', 7])('recognises nothing in %j', (value) => {
  expect(ANY_CHARACTER.canShrinkWithoutContext(value)).toBe(false)
})

it('makes texts with the words that break programs', () => {
  const texts = fc.sample(fc.string({ unit: ANY_CHARACTER, minLength: 1 }), { numRuns: 3_000, seed: SEED })
  expect(texts.some((text) => text.includes('__proto__'))).toBe(true)
})
