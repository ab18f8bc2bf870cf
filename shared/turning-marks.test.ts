// Text that would change the direction of the text next to it.
import { expect, it } from 'vitest'
import { fold } from '#shared/tickets/route.ts'
import { plainJson, withoutTurning } from './turning-marks.ts'

it('loses what turns text, and nothing else', () => {
  expect(withoutTurning('\u202etats\u202c \u2066a\u2069\u2067\u2068')).toBe('tats a')
  const kept = 'مطبخ\u200f 7 \u200e👩\u200d🍳 ñ é'
  expect(withoutTurning(kept)).toBe(kept)
})

it('is not in what a page is sent, neither as a value nor as a name of one', () => {
  const sent = { 'gr\u202eill': [{ name: '\u202etats', n: 1, none: null }] }
  expect(plainJson(JSON.stringify(sent))).toEqual({ grill: [{ name: 'tats', n: 1, none: null }] })
  expect(() => plainJson('<html>')).toThrow(SyntaxError)
})

it('makes no other station of a name: what a page shows and sends back is the one that is meant', () => {
  expect(fold('\u202eTats ')).toBe(fold('tats'))
})
