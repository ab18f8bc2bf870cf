// Why a display cannot sign in, or an order could not be changed, in the display's language.
import { expect, it } from 'vitest'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { en } from './messages/en.ts'
import { messagesOf } from './messages/words.tsx'
import { refusalCode, refusalWords, signInWords } from './refusal-words.ts'

it('uses the code of an answer, never its English text', () => {
  expect(refusalCode({ code: 'wrong-code', message: 'This code is not known.' })).toBe('wrong-code')
  for (const body of [null, 'no object', {}, { code: 7 }]) expect(refusalCode(body)).toBe('unknown')
})

it('every language has a text for each reason of a refused sign-in', async () => {
  const reasons = ['wrong-code', 'invalid', 'throttled', 'no-answer', 'https', 'toString']
  for (const reason of reasons) {
    const all = await Promise.all(LANGUAGE_IDS.map(async (id) => signInWords(reason, await messagesOf(id))))
    expect(new Set(all).size, reason).toBe(LANGUAGE_IDS.length)
    expect(
      all.every((words) => words.length > 5),
      reason,
    ).toBe(true)
  }
})

it('a reason without a text is shown by its code', () => {
  expect(signInWords('https', en)).toBe('The kitchen box does not let this screen in (https).')
  expect(refusalWords({ number: '7', reason: undefined }, en)).toBe(
    'Order 7 could not be changed: it was voided or finished meanwhile.',
  )
})
