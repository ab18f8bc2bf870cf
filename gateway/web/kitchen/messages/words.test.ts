// Texts of the display with foreign text in them, in both writing directions.
import { expect, it } from 'vitest'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { withOldDateFormat } from '#test/doubles/old-date-format.ts'
import { ar } from './ar.ts'
import { en } from './en.ts'
import { fill, messagesOf, wordsOf } from './words.tsx'

it('an English sentence isolates only right-to-left text', () => {
  expect(fill(en.printerFault, { name: 'Grill', hint: 'off' })).toBe('Printer Grill: off')
  expect(fill(en.printerFault, { name: 'شواية', hint: 'off' })).toBe('Printer \u2068شواية\u2069: off')
})

it('an Arabic sentence isolates every value: seats, times and Latin names reorder nothing', () => {
  expect(fill(ar.seats, { n: '1-4' })).toBe('مقعد \u20681-4\u2069')
  expect(fill(ar.printerFault, { name: 'Bar 2', hint: 'x' })).toBe('الطابعة \u2068Bar 2\u2069: \u2068x\u2069')
  expect(fill(ar.nothingOpen, { n: '1' })).toBe(ar.nothingOpen)
})

it('the progress of a station is one number, done before total, also in Arabic', () => {
  expect(fill(ar.doneOf, { done: '2', lines: '3' })).toContain('\u2066\u20682\u2069/\u20683\u2069\u2069')
})

it('digits are those on paper, in every language', async () => {
  for (const id of LANGUAGE_IDS) {
    const words = wordsOf(await messagesOf(id), id, 'UTC')
    expect([words.number(105), words.time(Date.UTC(2026, 10, 25, 18, 40))], id).toEqual(['105', '18:40'])
  }
})

it('questions and quotations have the punctuation of the language', async () => {
  const all = await Promise.all(LANGUAGE_IDS.map(messagesOf))
  const questions = all.map((m) =>
    fill(m.tapAgainTo, { word: '1' })
      .replace(/[\u2068\u2069]/g, '')
      .replace(/ .*/, ''),
  )
  expect(questions).toEqual(expect.arrayContaining(['1?', '¿1?', '1\u202f?', '1؟']))
  expect(ar.quotes).toEqual(['«', '»'])
})

it('the help lists the same keys of board and drawers in every language', async () => {
  for (const id of LANGUAGE_IDS) {
    const { keys, drawerKeys } = await messagesOf(id)
    // Only the names of the keys that turn pages differ.
    expect(
      keys.map(([key]) => key.replace(/^.*, \[ \]$/, '[ ]')),
      id,
    ).toEqual(en.keys.map(([key]) => key.replace(/^.*, \[ \]$/, '[ ]')))
    expect(
      drawerKeys.map(([key]) => key),
      id,
    ).toEqual(['← → ↑ ↓', 'Enter', 'Esc', '?, A, R'])
    expect(
      [...keys, ...drawerKeys].every(([, does]) => does.length > 1),
      id,
    ).toBe(true)
  }
})

it('the clock has 24 hours and begins at 00 in old browsers too', async () => {
  for (const id of LANGUAGE_IDS) {
    const m = await messagesOf(id)
    const { time } = withOldDateFormat(() => wordsOf(m, id, 'Europe/Madrid'))
    expect([time(Date.UTC(2026, 10, 25, 23, 5)), time(Date.UTC(2026, 10, 25, 17, 40))], id).toEqual(['00:05', '18:40'])
  }
})
