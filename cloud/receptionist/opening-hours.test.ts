// Opening hours on the restaurant's own clock, and what a caller who asks hears.
import { describe, expect, test } from 'vitest'
import { type HoursAt, hoursAnswer, hoursNow, isOpen } from './opening-hours.ts'
import { receptionistProfile } from './profile.ts'

const noonToTen = [{ from: '11:30', to: '22:00' }]
const late = [{ from: '18:00', to: '02:00' }]
const profile = receptionistProfile.parse({
  hours: { tuesday: noonToTen, wednesday: noonToTen, thursday: noonToTen, friday: late, saturday: late },
  holidays: [
    { day: '2026-12-24', name: 'Christmas Eve', open: [{ from: '11:00', to: '15:00' }] },
    { day: '2026-12-25', name: 'Christmas Day', open: [] },
  ],
})
/** New York is five hours behind UTC in winter. */
const at = (iso: string, timeZone = 'America/New_York'): HoursAt => ({
  profile,
  timeZone,
  nowMs: new Date(iso).getTime(),
})

test.each([
  ['2026-11-24T16:29:00Z', false, 'Tuesday 11:29'],
  ['2026-11-24T16:30:00Z', true, 'Tuesday 11:30'],
  ['2026-11-25T02:59:00Z', true, 'Tuesday 21:59'],
  ['2026-11-25T03:00:00Z', false, 'Tuesday 22:00'],
  ['2026-11-28T06:59:00Z', true, 'Saturday 1:59, in the hours of Friday'],
  ['2026-11-28T07:00:00Z', false, 'Saturday 2:00'],
  ['2026-11-29T06:00:00Z', true, 'Sunday 1:00, in the hours of Saturday'],
  ['2026-11-29T17:00:00Z', false, 'Sunday noon'],
  ['2026-12-24T17:00:00Z', true, 'Christmas Eve at noon'],
  ['2026-12-24T21:00:00Z', false, 'Christmas Eve at 4 PM.'],
  ['2026-12-25T23:30:00Z', false, 'Christmas Day, a Friday'],
])('at %s it is open: %s (%s)', (iso, open) => {
  expect(isOpen(at(iso))).toBe(open)
})

test('without hours it is always open, and nothing is said of them', () => {
  const none = { ...at('2026-11-24T16:29:00Z'), profile: receptionistProfile.parse({}) }
  expect([isOpen(none), hoursNow(none, 'en'), hoursAnswer('are you open', none, 'en')]).toEqual([true, '', null])
})

test('a caller hears until when it is open, or when it opens next', () => {
  expect(hoursNow(at('2026-11-24T20:00:00Z'), 'en')).toBe('We are open now, until 10 PM.')
  expect(hoursNow(at('2026-11-24T15:00:00Z'), 'en')).toBe('We are closed now. We open today at 11:30 AM.')
  expect(hoursNow(at('2026-11-23T15:00:00Z'), 'en')).toBe('We are closed now. We open tomorrow at 11:30 AM.')
  expect(hoursNow(at('2026-11-29T15:00:00Z'), 'en')).toBe('We are closed now. We open on Tuesday at 11:30 AM.')
  expect(hoursNow(at('2026-11-29T15:00:00Z'), 'es')).toBe(
    'Ahora está cerrado. Abrimos el martes a las 11:30 de la mañana.',
  )
})

describe('the answer to', () => {
  const now = at('2026-11-24T20:00:00Z')
  test.each([
    ['en', 'are you open on Sunday?', 'We are closed on Sunday.'],
    ['en', 'what time do you close on fridays', 'We are open on Friday from 6 PM to 2 AM.'],
    ['en', 'are you open tomorrow', 'We are open tomorrow from 11:30 AM to 10 PM.'],
    ['en', 'are you open on Christmas Day', 'We are closed Christmas Day.'],
    ['en', 'how late are you open tonight', 'We are open now, until 10 PM. We are open today from 11:30 AM to 10 PM.'],
    [
      'en',
      'what are your opening hours',
      'We are open now, until 10 PM. We are open Tuesday to Thursday from 11:30 AM to 10 PM, Friday to Saturday from 6 PM to 2 AM.',
    ],
    ['en', 'is there a place to park my car', null],
    ['en', 'are you close to the station', null],
    ['es', '¿abren el domingo?', 'El domingo está cerrado.'],
    ['es', '¿a qué hora cierran mañana?', 'Mañana abrimos de las 11:30 de la mañana a las 10 de la noche.'],
    ['es', 'una mesa para dos', null],
  ] as const)('in %s: "%s"', (language, question, expected) => {
    expect(hoursAnswer(question, now, language)).toBe(expected)
  })
})
