// Columns of text as printers and raster set it.
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
    ['♥ ☺ ► ™ ©', 9],
    ['', 0],
  ])('%s takes %i', (text, columns) => {
    expect(displayWidth(text)).toBe(columns)
  })

  it('takes one code point for what the segmenter takes it for', () => {
    const wrong: string[] = []
    for (let point = 0; point <= 0x10ffff; point += 211) {
      const character = String.fromCodePoint(point)
      const [only, ...others] = graphemes(character)
      if (others.length > 0 || only?.width !== displayWidth(character)) wrong.push(point.toString(16))
    }
    expect(wrong).toEqual([])
  })

  it('is the sum of what a reader sees as characters', () => {
    expect(graphemes('a寿👩🏽‍🍳')).toEqual([
      { text: 'a', width: 1 },
      { text: '寿', width: 2 },
      { text: '👩🏽‍🍳', width: 2 },
    ])
  })
})
