// Plurals, numbers and times in the languages of the pages, including invalid times.
import { describe, expect, it } from 'vitest'
import type { LanguageId } from '#shared/languages.ts'
import { LANGUAGE_IDS } from '#shared/languages.ts'
import { withOldDateFormat } from '#test/doubles/old-date-format.ts'
import { formatsFor, isTimeZone, pluralOf } from './languages.ts'

describe('the language of a page', () => {
  it('has its own plurals', () => {
    const forms = { one: '# ticket waits', other: '# tickets wait' }
    expect(pluralOf('en')(1, forms)).toBe('1 ticket waits')
    expect(pluralOf('en')(12_000, forms)).toBe('12,000 tickets wait')
    expect(pluralOf('fr')(0, { one: '# bon attend', other: '# bons attendent' })).toBe('0 bon attend')
    const arabic = { zero: '0', one: '1', two: '2', few: '# تذاكر', many: '# تذكرة', other: '#' }
    expect([0, 1, 2, 3, 11, 100].map((count) => pluralOf('ar')(count, arabic))).toEqual([
      '0',
      '1',
      '2',
      '3 تذاكر',
      '11 تذكرة',
      '100',
    ])
    expect(pluralOf('zh-Hans')(1, { other: '#张小票' })).toBe('1张小票')
  })
})

describe('instants', () => {
  const NOW = Date.UTC(2026, 10, 21, 12, 0, 0)
  it('are shown in the zone of the restaurant, with milliseconds where needed', () => {
    const formats = formatsFor('en', 'America/New_York')
    expect(formats.time('2026-11-21T12:00:00.123Z')).toBe('07:00:00')
    expect(formats.exactTime('2026-11-21T12:00:00.123Z')).toBe('07:00:00.123')
  })

  it('are a dash if they are invalid, and never throw', () => {
    for (const bad of ['', 'soon', '1970-01-01T00:00:00.000Z', Number.NaN])
      expect([formatsFor('es').time(bad), formatsFor('es').ago(bad, NOW)]).toEqual(['–', '–'])
    expect(formatsFor('en', 'Moon/Base').time(NOW)).toMatch(/\d\d:00:00/)
    expect(isTimeZone('Moon/Base')).toBe(false)
  })

  it('are shown relative to now, or as just now', () => {
    const formats = formatsFor('en')
    expect(formats.ago(NOW - 5_000, NOW)).toBe('5 seconds ago')
    expect(formats.ago(NOW - 3 * 3_600_000, NOW)).toBe('3 hours ago')
    expect(formats.ago(NOW + 1_000, NOW)).toBe('now')
    expect(formatsFor('zh-Hans').ago(NOW - 2 * 86_400_000, NOW)).toBe('前天')
  })

  it('sizes have the unit that the language writes', () => {
    expect([82_600_000_000, 5_000_000, 1_500].map(formatsFor('fr').bytes)).toEqual(['82,6 Go', '5 Mo', '1,5 ko'])
    expect(formatsFor('es').bytes(82_600_000_000)).toBe('82,6 GB')
  })

  it('durations have the unit that fits', () => {
    const { duration } = formatsFor('en')
    expect([12.4, 3_400, 300_000, 7_200_000].map(duration)).toEqual(['12 ms', '3.4 s', '5 min', '2 h'])
  })

  it('durations for people have no fraction, and use the language’s own letters', () => {
    const lengths = [106_400, 150_000, 7_300_000, 260_000_000]
    const said = (language: LanguageId) => lengths.map(formatsFor(language).span)
    expect(said('en')).toEqual(['106 sec', '3 min', '2 hr', '3 days'])
    expect(said('zh-Hans')).toEqual(['106秒', '3分钟', '2小时', '3天'])
    expect(said('ar')).toEqual(['106 ث', '3 د', '2 س', '3 أيام'])
  })
})

it('times have 24 hours and begin at 00, in old browsers as in present ones', () => {
  const midnight = Date.UTC(2026, 10, 25, 23, 5, 7)
  for (const id of LANGUAGE_IDS) {
    const [old, present] = [withOldDateFormat(() => formatsFor(id, 'Europe/Madrid')), formatsFor(id, 'Europe/Madrid')]
    expect(old.time(midnight), id).toBe('00:05:07')
    expect([old.time(midnight), old.exactTime(midnight)], id).toEqual([
      present.time(midnight),
      present.exactTime(midnight),
    ])
    expect(old.dateTime(midnight), id).toContain('0:05')
    expect(old.dateTime(Date.UTC(2026, 10, 25, 17, 40)), id).toContain('18:40')
  }
})
