// Characters to bytes: which page a line uses, and what replaces characters that no page has.
import { describe, expect, it } from 'vitest'
import { CodePages } from './code-page.ts'
import { profileById } from './printer-profiles.ts'
import { transliterate } from './transliteration.ts'

const only = (page: number, encoding: string) =>
  new CodePages({ id: 'test', codePages: [{ page, encoding }], kanji: null })
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('CodePages', () => {
  it('encodes accents and the euro sign by the page', () => {
    const text = 'ñéüçå½€'
    expect(hex(only(16, 'windows1252').encode(text, 16)[0]?.bytes ?? new Uint8Array())).toBe('f1e9fce7e5bd80')
    expect(hex(only(19, 'cp858').encode(text, 19)[0]?.bytes ?? new Uint8Array())).toBe(
      'a4828187 86ab d5'.replaceAll(' ', ''),
    )
  })

  it('selects the first page that has the whole line', () => {
    const pages = new CodePages(profileById('epson-thermal-203'))
    expect(pages.pageFor('plain')).toBe(16)
    expect(pages.pageFor('Jalapeño “smart” €')).toBe(16)
    expect(pages.pageFor('Łódź ćma')).toBe(18)
    expect(pages.pageFor('Пирог')).toBe(17)
    expect(pages.pageFor('Μουσακάς')).toBe(14)
    expect(pages.pageFor('İşkembe')).toBe(13)
  })

  it('switches between pages within a line only when no page has all of it', () => {
    const pages = new CodePages(profileById('epson-thermal-203'))
    const text = 'Пирог €5'
    expect(pages.pageFor(text)).toBeNull()
    expect(pages.encode(text, null).map((part) => ['page' in part && part.page, hex(part.bytes)])).toEqual([
      [17, '8fa8e0aea320'],
      [16, '8035'],
    ])
  })

  it('replaces characters that no page has, one printable character a column', () => {
    const pages = only(19, 'cp858')
    expect(pages.printable('“Łosoś” – ½ Пирог… 寿司 🥜')).toBe('"Losos" - ½ Pirog... ?? :peanuts:')
    expect(only(0, 'cp437').printable('€5 ½ ™')).toBe('EUR5 ½ TM')
  })

  it('never returns a control byte', () => {
    for (const profile of ['epson-thermal-203', 'bematech', 'daruma', 'elgin']) {
      const pages = new CodePages(profileById(profile))
      for (let point = 0x80; point < 0x3000; point++) {
        const text = pages.printable(String.fromCodePoint(point))
        for (const { bytes } of pages.encode(text, pages.pageFor(text))) {
          expect(bytes.every((byte) => byte >= 0x20 && byte !== 0x7f)).toBe(true)
        }
      }
    }
  })

  it('refuses a profile with an unknown encoding', () => {
    expect(() => only(99, 'klingon')).toThrow('klingon')
  })
})

describe('transliterate', () => {
  it.each([
    ['ﬁ', 'fi'],
    ['Ａ', 'A'],
    ['ǻ', 'a'],
    ['Щ', 'Shch'],
    ['θ', 'th'],
    ['字', '?'],
    ['\ufffd', '?'],
    ['\u0301', ''],
    ['⅓', '1/3'],
  ])('prints %s as %s', (character, expected) => {
    expect(transliterate(character)).toBe(expected)
  })
})
