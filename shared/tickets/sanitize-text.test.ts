// What foreign text loses before it is laid out.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { sanitizeText } from './sanitize-text.ts'

const name = (text: string, maxLength = 100) => sanitizeText(text, { maxLength })
const note = (text: string, maxLength = 500) => sanitizeText(text, { maxLength, lineBreaks: true })

describe('sanitizeText', () => {
  it.each([
    ['ESC p and DLE DC4', 'a\x1bp\x00\x19\xfa\x10\x14\x01b', 'apúb'],
    ['C1 codes and DEL', 'a\x7f\x80\x9bb', 'ab'],
    ['bidi overrides and isolates', 'a\u202eb\u2066c\u200fd', 'abcd'],
    ['zero-width characters and tags', 'a\u200bb\ufeffc\u{e0041}d', 'abcd'],
    ['fillers that nobody sees', 'a\u3164b\u115fc\u034fd', 'abcd'],
    ['variation selectors', '❤\ufe0f', '❤'],
  ])('removes %s', (_, text, expected) => {
    expect(name(text)).toBe(expected)
  })

  it('keeps every character that has something to show, also unknown ones', () => {
    for (const text of ['a\ue000b', 'a\u{f0000}b', 'a\u0378b', 'a\u{10fffd}b', 'a\uffffb', '\u0604\u0661'])
      expect(name(text)).toBe(text)
  })

  it('puts a combining mark without a base character on a dotted circle', () => {
    expect(name('\u0301a \u093f')).toBe('\u25cc\u0301a \u25cc\u093f')
    expect(note('a\n\u0e38')).toBe('a\n\u25cc\u0e38')
  })

  it('keeps the joiners that change how text is read, and no other', () => {
    const persian = 'می\u200cخواهم'
    const hindi = 'क्\u200dष'
    const cook = '👩🏽\u200d🍳'
    const malayalam = 'ന്\u200d'
    const sinhala = 'ශ්\u200dරී'
    for (const text of [persian, hindi, cook, malayalam, sinhala]) expect(name(text)).toBe(text)
    expect(name('a\u200db\u200cc \u200dم\u200d')).toBe('abc م')
    expect(name('❤\ufe0f\u200d🔥')).toBe('❤\u200d🔥')
  })

  it('turns every kind of line end into a line feed in notes, and into a space in names', () => {
    const text = 'a\r\nb\rc\nd\u0085e\u2028f\u2029g'
    expect(note(text)).toBe('a\nb\nc\nd\ne\nf\ng')
    expect(name(text)).toBe('a b c d e f g')
  })

  it('collapses spaces, tabs and blank lines', () => {
    expect(name('  a\t\t b\u00a0\u3000c ')).toBe('a b c')
    expect(note('a\n\n \n b')).toBe('a\nb')
  })

  it('composes accents, and prevents a character from growing over the lines around it', () => {
    expect(name('Cafe\u0301')).toBe('Café')
    expect(name(`e${'\u0316'.repeat(40)}x`)).toBe(`e${'\u0316'.repeat(4)}\ufffdx`)
    expect(name(`က${'\u103d'.repeat(40)}x`)).toBe(`က${'\u103d'.repeat(12)}\ufffdx`)
    expect(name(`က${'\u103d\u0316'.repeat(40)}x`)).toBe(`က${'\u103d\u0316'.repeat(4)}\u103d\ufffdx`)
  })

  it.each([
    ...['လျှို့ဝှက်', 'မြွှော့', 'ကြွှို့', 'ကြွို့', 'ဆွှို့'],
    ...['རྡྷྱཱུཾ', 'ཧྐྵྨླྺྼྻྂ', 'ကြွားကြွားပြောင်ပြောင်', 'ក្រុមហ៊ុន', 'ᩈ᩠ᨶ᩶ᩣ᩠ᨾ', 'ꦥ꧀ꦫꦺꦴ'],
    ...['בְּרֵאשִׁ֖ית', 'ٱلرَّحْمَٰنِ', 'क्ष्म्यैंः', 'শ্রীমন্ত্র্যঃ', 'น้ำปู่'],
  ])('keeps every mark of the word %s', (word) => {
    expect(name(word)).toBe(word.normalize('NFC'))
  })

  it('marks a text as cut if endless marks use up its limit', () => {
    expect(name(`x${'\u0316'.repeat(5_000)} NUT ALLERGY`)).toBe(`x${'\u0316'.repeat(4)}\ufffd...`)
    expect(name(`${'\u200b'.repeat(5_000)}milk`)).toBe('...')
    expect(name(`က${'\u103d\u200d'.repeat(40)}x`)).toBe(`က${'\u103d\u200d'.repeat(12)}\ufffdx`)
  })

  it('replaces lone surrogates', () => {
    expect(name('a\ud83dz')).toBe('a\ufffdz')
  })

  it('shortens long text and marks it', () => {
    expect(name('x'.repeat(101))).toBe(`${'x'.repeat(97)}...`)
    expect(name('😀'.repeat(10), 5)).toBe('😀😀...')
    expect(name('ab👩🏽\u200d🍳cdefgh', 8)).toBe('ab...')
  })

  it('leaves ordinary text unchanged', () => {
    for (const text of ['2 Cheeseburgers (no onion) @ $5 & more', 'Jalapeño €', '寿司', 'Пирог', 'שלום']) {
      expect(name(text)).toBe(text)
    }
  })

  it('returns only printable characters and line feeds, within its limits, for any input', () => {
    assertProperty(
      fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), fc.boolean(), (text, lineBreaks) => {
        const clean = sanitizeText(text, { maxLength: 60, lineBreaks })
        expect(clean).not.toMatch(lineBreaks ? /[^\P{Cc}\n]/u : /\p{Cc}/u)
        expect(clean.replace(/\u200c|\u200d|[\u180b-\u180f]/gu, '')).not.toMatch(/\p{Default_Ignorable_Code_Point}/u)
        expect(clean).not.toMatch(/[\u2028\u2029]| {2}|^ | $|\p{Bidi_Control}|\p{Cs}/u)
        expect(Array.from(clean).length).toBeLessThanOrEqual(60)
        expect(sanitizeText(clean, { maxLength: 60, lineBreaks })).toBe(clean)
      }),
      { numRuns: 3_000 },
    )
  })

  it('keeps every word of a note with too many lines', () => {
    const note = sanitizeText(`${'x\n'.repeat(40)}NUT ALLERGY`, { maxLength: 500, lineBreaks: true })
    expect(note.split('\n')).toHaveLength(20)
    expect(note).toMatch(/NUT ALLERGY$/)
  })
})
