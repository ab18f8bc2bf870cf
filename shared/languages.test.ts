// The language that a browser gets, and that each language of the list can be written.
import { describe, expect, it } from 'vitest'
import { isLanguage, LANGUAGE_IDS, LANGUAGES, languageFacts, languageFor } from './languages.ts'

describe('the language of a page', () => {
  it.each([
    [['it-IT', 'es-MX', 'en'], 'es'],
    [['de-AT', 'en'], 'de'],
    [['zh-CN'], 'zh-Hans'],
    [['zh'], 'zh-Hans'],
    [['zh-TW', 'tlh'], 'en'],
    [['fr-CA', 'en'], 'fr'],
    [['ar-EG', 'en'], 'ar'],
    [['zh-Hant-HK', 'es'], 'es'],
    [[], 'en'],
  ])('asked for %j it is %s', (asked, language) => {
    expect(languageFor(asked)).toBe(language)
  })
})

describe('each language', () => {
  it('is one that Intl supports on every runtime, and has the digits that are printed on paper', () => {
    for (const { id, locale } of LANGUAGES) {
      expect(Intl.NumberFormat.supportedLocalesOf(locale), id).toEqual([locale])
      expect(new Intl.NumberFormat(locale).format(105), id).toBe('105')
    }
  })

  it('is written in the direction that its script has', () => {
    const rightToLeft = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm'])
    for (const { id, direction } of LANGUAGES)
      expect(direction, id).toBe(rightToLeft.has(new Intl.Locale(id).maximize().script ?? '') ? 'rtl' : 'ltr')
  })

  it('is found by the id under which it is stored; any other text is English', () => {
    for (const id of LANGUAGE_IDS)
      expect([isLanguage(id), languageFacts(id).id, languageFor([id])]).toEqual([true, id, id])
    expect([isLanguage('tlh'), languageFacts('tlh').id]).toEqual([false, 'en'])
  })
})
