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
    ['en', 'are you open on Christmas Day', 'We are closed on Christmas Day.'],
    ['en', 'how late are you open tonight', 'We are open now, until 10 PM. We are open today from 11:30 AM to 10 PM.'],
    [
      'en',
      'what are your opening hours',
      'We are open now, until 10 PM. We are open Tuesday to Thursday from 11:30 AM to 10 PM, Friday to Saturday from 6 PM to 2 AM.',
    ],
    ['en', 'is there a place to park my car', null],
    ['en', 'are you close to the station', null],
    ['en', 'are you open on Christmas Eve', 'We are open on Christmas Eve from 11 AM to 3 PM.'],
    ['es', '¿abren el domingo?', 'El domingo está cerrado.'],
    ['es', '¿a qué hora cierran mañana?', 'Mañana abrimos de las 11:30 de la mañana a las 10 de la noche.'],
    ['es', 'una mesa para dos', null],
  ] as const)('in %s: "%s"', (language, question, expected) => {
    expect(hoursAnswer(question, now, language)).toBe(expected)
  })
})

describe('days that differ', () => {
  const closed = (day: string, name: string) => ({ day, name, open: [] })
  const where = (iso: string, holidays: ReturnType<typeof closed>[], hours = {}) => ({
    ...at(iso),
    profile: receptionistProfile.parse({ holidays, hours }),
  })

  test('are closed also where no hours of the week are set; on all others it is open', () => {
    const christmas = [closed('2026-12-25', 'Christmas')]
    const then = where('2026-12-25T17:00:00Z', christmas)
    expect([isOpen(then), hoursNow(then, 'en')]).toEqual([false, 'We are closed now.'])
    const before = where('2026-12-24T17:00:00Z', christmas)
    expect([isOpen(before), hoursNow(before, 'en')]).toEqual([true, ''])
    expect(hoursAnswer('are you open on christmas', before, 'en')).toBe('We are closed on Christmas.')
    expect(hoursAnswer('are you open tomorrow', before, 'en')).toBe('We are closed tomorrow.')
    expect(hoursAnswer('are you open on Sunday', before, 'en')).toBeNull()
    expect(hoursAnswer('when do you open', before, 'en')).toBeNull()
  })

  test('that last a week and longer are followed by a date, and not by a weekday that is nearer', () => {
    const days = Array.from({ length: 9 }, (_, index) => closed(`2026-12-0${index + 1}`, 'Holiday'))
    const away = where('2026-12-01T17:00:00Z', days, { tuesday: noonToTen, thursday: noonToTen })
    expect(hoursNow(away, 'en')).toBe('We are closed now. We open on Thursday, December 10 at 11:30 AM.')
    expect(hoursNow(away, 'es')).toContain('Abrimos el jueves, 10 de diciembre a las 11:30')
    const sixDays = where('2026-12-04T17:00:00Z', days, { thursday: noonToTen })
    expect(hoursNow(sixDays, 'en')).toBe('We are closed now. We open on Thursday at 11:30 AM.')
  })

  test.each([
    ['a name without letters', '🎄', 'when do you open'],
    ['a name that is a word of every question', 'May', 'may I ask when you open'],
    ['a part of a word', 'Eid', 'when do you open, Eida asks'],
    ['a day that is over', 'Christmas', 'when do you open at Christmas'],
  ])('are not meant by %s', (_, name, question) => {
    const day = name === 'Christmas' ? '2025-12-25' : '2026-12-25'
    const now = where('2026-11-24T20:00:00Z', [closed(day, name)], { tuesday: noonToTen })
    expect(hoursAnswer(question, now, 'en')).toBe(
      'We are open now, until 10 PM. We are open on Tuesday from 11:30 AM to 10 PM.',
    )
  })

  test('are the next one of their name, and the one that was named whole', () => {
    const holidays = [
      closed('2025-12-25', 'Christmas'),
      { day: '2026-12-25', name: 'Christmas', open: noonToTen },
      closed('2027-12-25', 'Christmas'),
      closed('2026-12-24', 'Christmas Eve'),
    ]
    const now = where('2026-11-24T20:00:00Z', holidays as never, { tuesday: noonToTen })
    expect(hoursAnswer('are you open on Christmas', now, 'en')).toBe('We are open on Christmas from 11:30 AM to 10 PM.')
    expect(hoursAnswer('are you open on Christmas Eve', now, 'en')).toBe('We are closed on Christmas Eve.')
  })

  test.each(['2026-13-45', '2026-02-29', '2026-00-10'])('cannot be %s', (day) => {
    expect(receptionistProfile.safeParse({ holidays: [closed(day, 'X')] }).success).toBe(false)
  })
})

test.each([
  ['¿a qué hora abren por la mañana?', 'Ahora está abierto'],
  ['¿abren mañana por la mañana?', 'Mañana abrimos'],
  ['¿abren mañana?', 'Mañana abrimos'],
  ['¿abren pasado mañana?', 'Ahora está abierto'],
])('"la mañana" is the morning and "mañana" is tomorrow: %s', (question, begins) => {
  const said = hoursAnswer(question, at('2026-11-24T20:00:00Z'), 'es')
  expect(said?.startsWith(begins)).toBe(true)
})
