// Columns of text, as printers and the raster place it.
import { describe, expect, it } from 'vitest'
import { displayWidth, graphemes } from './display-width.ts'

describe('displayWidth', () => {
  it.each([
    ['Cheeseburger', 12],
    ['Jalapeño “smart” – ½ €', 22],
    ['Łódź Пирог Μουσακάς', 19],
    ['寿司', 4],
    ['カレー', 6],
    ['한국', 4],
    ['ＡＢ！', 6],
    ['שניצל', 5],
    ['شوربة', 5],
    ['ต้มยำกุ้ง', 6],
    ['e\u0316\u0316', 1],
    ['🥜', 2],
    ['👩🏽‍🍳', 2],
    ['🇪🇸🇫🇷', 4],
    ['⚠ ❤', 5],
    ['♥ ☺ ► ™ ©', 10],
    ['पनीर', 3],
    ['பன்னீர்', 7],
    ['မုန့်', 2],
    ['ხაჭაპური', 9],
    ['☐ ✗', 4],
    ['', 0],
  ])('%s takes %i', (text, columns) => {
    expect(displayWidth(text)).toBe(columns)
  })

  it('treats one code point as the segmenter does', () => {
    const wrong: string[] = []
    for (let point = 0; point <= 0x10ffff; point += 211) {
      const character = String.fromCodePoint(point)
      const [only, ...others] = graphemes(character)
      if (others.length > 0 || Math.ceil(only?.width ?? 0) !== displayWidth(character)) wrong.push(point.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it.each([
    ['a letter with its vowel sign', 'கோழி', ['கோ', 'ழி']],
    ['letters joined by a sign', 'ಮತ್ತು ත්‍රී', ['ಮ', 'ತ್ತು', ' ', 'ත්‍රී']],
    ['a stack of Khmer', 'ត្រី', ['ត្រី']],
    ['Burmese with the signs behind it', 'ခါး', ['ခါး']],
    ['Hangul from its parts', '\u1100\u1161\u11a8', ['\u1100\u1161\u11a8']],
    ['an emoji of many parts', '👩🏽\u200d❤️\u200d💋\u200d👨🏽', ['👩🏽\u200d❤️\u200d💋\u200d👨🏽']],
  ])('takes %s for one character', (_, text, expected) => {
    expect(graphemes(text).map((each) => each.text)).toEqual(expected)
  })

  it.each(['क्', 'ᄀ', 'ခ္', 'x\u0301'])(
    'splits sequences that Unicode treats as one character without a limit: %s',
    (part) => {
      const parts = graphemes(part.repeat(500)).map((each) => each.text)
      expect(parts.join('')).toBe(part.repeat(500))
      expect(Math.max(...parts.map((each) => each.length))).toBeLessThanOrEqual(24)
    },
  )

  it('makes a letter with a spacing vowel sign wider than the letter', () => {
    const widthOf = (text: string) => graphemes(text)[0]?.width ?? 0
    for (const [letter, sign] of ['कि', 'கோ', 'কা', 'ကာ'].map((text) => Array.from(text))) {
      expect(widthOf(`${letter}${sign}`)).toBeGreaterThan(widthOf(letter ?? ''))
    }
  })

  it('is the sum of the widths of the visible characters', () => {
    expect(graphemes('a寿👩🏽‍🍳')).toEqual([
      { text: 'a', width: 1 },
      { text: '寿', width: 2 },
      { text: '👩🏽‍🍳', width: 2 },
    ])
  })
})

it('gives a character the same width alone and next to others', () => {
  const wrong: string[] = []
  for (let point = 0x20; point < 0x2100; point++) {
    const character = String.fromCodePoint(point)
    const [, ...own] = graphemes(`宫${character}`)
    const among = own.reduce((sum, { width }) => sum + width, 0)
    // A character that joins the one before it has no width of its own.
    if (own.length > 0 && Math.ceil(among) !== displayWidth(character)) wrong.push(point.toString(16))
  }
  expect(wrong).toEqual([])
})
