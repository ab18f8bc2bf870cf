// The width from which the bar shows the drawers' buttons: the longer a language's labels, the wider.
import { expect, it } from 'vitest'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { en } from './messages/en.ts'
import { messagesOf } from './messages/words.tsx'
import { widestWithMenu } from './top-bar.tsx'

it('English has its buttons on a tablet of 1280 pixels, and every language on a wide screen', async () => {
  expect(widestWithMenu(en)).toBeLessThan(1_280)
  for (const id of LANGUAGE_IDS) expect(widestWithMenu(await messagesOf(id)), id).toBeLessThan(1_920)
})

it('longer labels need a wider screen, and a Chinese character counts as two letters', () => {
  const words = { ...en, allDay: 'abcdefgh' }
  expect(widestWithMenu({ ...words, allDay: 'abcdefghij' })).toBe(widestWithMenu(words) + 20)
  expect(widestWithMenu({ ...words, allDay: '汇总订单' })).toBe(widestWithMenu(words))
})
