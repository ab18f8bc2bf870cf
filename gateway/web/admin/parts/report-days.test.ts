// Days of the restaurant's calendar, and how the rows of the report are called in each language.
import { describe, expect, it } from 'vitest'
import { dayOf, daysOf, hourWords, minutesWords, percentWords, weekdayWords } from './report-days.ts'

const LATE_EVENING = Date.UTC(2026, 10, 25, 3, 30)

describe('a day', () => {
  it('is that of the restaurant, wherever the viewer is', () => {
    expect(dayOf(LATE_EVENING, 'America/New_York')).toBe('2026-11-24')
    expect(dayOf(LATE_EVENING, 'Asia/Tokyo')).toBe('2026-11-25')
  })

  it.each([
    ['today', '2026-03-01', '2026-03-01'],
    ['yesterday', '2026-02-28', '2026-02-28'],
    ['week', '2026-02-23', '2026-03-01'],
    ['month', '2026-01-31', '2026-03-01'],
    ['year', '2025-03-02', '2026-03-01'],
    ['own', '2024-01-01', '2024-02-01'],
  ] as const)('%s is from %s to %s', (period, from, to) => {
    expect(daysOf(period, '2026-03-01', { from: '2024-01-01', to: '2024-02-01' })).toEqual({ from, to })
  })
})

describe('words', () => {
  it('name weekdays from Monday on', () => {
    expect([1, 7].map((day) => weekdayWords(day, 'en'))).toEqual(['Monday', 'Sunday'])
    expect(weekdayWords(1, 'es')).toBe('lunes')
  })

  it('count minutes and seconds as a kitchen does, with hours only where there are any', () => {
    expect([0, 59_600, 307_000, 3_727_000].map(minutesWords)).toEqual(['0:00', '1:00', '5:07', '1:02:07'])
  })

  it('write hours and shares as the language does', () => {
    expect(hourWords(8, 'en')).toBe('08:00')
    expect(percentWords(0.094, 'en')).toBe('9%')
  })
})
