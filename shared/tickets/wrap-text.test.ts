// Wrapping in every script: no line is wider than the paper, nothing is lost, no character is split.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { displayWidth, graphemes } from './display-width.ts'
import { barLines, hangingLines, lineWidth, type TicketLine, textLines } from './line-layout.ts'
import { sanitizeText } from './sanitize-text.ts'
import { wrapText } from './wrap-text.ts'

const word = fc.oneof(
  fc.constantFrom(
    'Burger',
    'Jalapeño',
    'شاورما',
    'שניצל',
    'ต้มยำกุ้ง',
    '한국어',
    '🥜',
    '👩🏽‍🍳',
    '🇪🇸',
    'क्षमा',
    'e\u0316\u0316x',
  ),
  fc.string({
    unit: fc.constantFrom('宫', '保', '鸡', '、', '。', '「', '」', 'カ', 'ー', 'a', '5'),
    minLength: 1,
    maxLength: 30,
  }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
)
const text = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .map((words) => sanitizeText(words.join(' '), { maxLength: 400 }))
const width = fc.integer({ min: 24, max: 64 })
const unspaced = (value: string) => value.replaceAll(' ', '')
const textOf = (lines: readonly TicketLine[]) => lines.map(({ runs }) => runs.map((run) => run.text).join('')).join('')

describe('wrapText', () => {
  it('breaks between Chinese characters, but not before a closing mark or after an opening one', () => {
    expect(wrapText('宫保鸡丁不要花生', 8)).toEqual(['宫保鸡丁', '不要花生'])
    expect(wrapText('宫保鸡丁。花生', 8)).toEqual(['宫保鸡', '丁。花生'])
    expect(wrapText('宫保鸡「花生」', 8)).toEqual(['宫保鸡', '「花生」'])
    expect(wrapText('no 花生 please', 8)).toEqual(['no 花生', 'please'])
  })

  it('keeps Korean words together, since Korean has spaces', () => {
    expect(wrapText('비빔밥 불고기', 8)).toEqual(['비빔밥', '불고기'])
  })

  it('breaks Thai between words, although it has no spaces', () => {
    const words = ['ไม่', 'ใส่', 'ผัก', 'ชี', 'แพ้', 'ถั่ว']
    const lines = wrapText(words.join(''), 8)
    expect(lines.length).toBeGreaterThan(1)
    const ends = words.map((_, i) => words.slice(0, i + 1).join(''))
    for (const i of lines.keys()) expect(ends).toContain(lines.slice(0, i + 1).join(''))
  })

  it('never splits the stand-in of a character that no font has', () => {
    expect(wrapText('aaaa[U+0368][U+13000]', 12)).toEqual(['aaaa[U+0368]', '[U+13000]'])
    expect(wrapText('aaaaaa[U+0368]', 12)).toEqual(['aaaaaa', '[U+0368]'])
    expect(wrapText('[U+0368]', 6)).toEqual(['[U+036', '8]'])
  })

  it('never splits a visible character', () => {
    expect(wrapText('👩🏽‍🍳'.repeat(3), 5)).toEqual(['👩🏽‍🍳👩🏽‍🍳', '👩🏽‍🍳'])
    expect(wrapText('e\u0316\u0317'.repeat(4), 3)).toEqual(['e\u0316\u0317'.repeat(3), 'e\u0316\u0317'])
  })

  it('makes no line too wide and loses nothing, at any width, in any script', () => {
    assertProperty(
      fc.property(text, fc.integer({ min: 2, max: 64 }), (words, columns) => {
        const lines = wrapText(words, columns)
        // A single letter may be wider than two columns. It is never split.
        for (const line of lines)
          if (graphemes(line).length > 1) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
        expect(unspaced(lines.join(''))).toBe(unspaced(words))
        const whole = new Set(graphemes(words).map((each) => each.text))
        for (const line of lines) for (const each of graphemes(line)) expect(whole).toContain(each.text)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('lines of any text', () => {
  it('are never wider than the paper, from 24 to 64 columns, at single and double width, and lose nothing', () => {
    const scale = fc.constantFrom(1 as const, 2 as const)
    assertProperty(
      fc.property(text, width, scale, (words, columns, widthScale) => {
        const hanging = hangingLines(columns, { first: ' 12  ', text: words, style: { widthScale }, prefixStyle: {} })
        const plain = textLines(columns, words, { widthScale })
        const bars = barLines(columns, words)
        for (const line of [...hanging, ...plain, ...bars]) expect(lineWidth(line)).toBeLessThanOrEqual(columns)
        expect(unspaced(textOf(hanging))).toBe(`12${unspaced(words)}`)
        expect(unspaced(textOf(plain))).toBe(unspaced(words))
        expect(unspaced(textOf(bars))).toBe(unspaced(words))
      }),
      { numRuns: 1_000 },
    )
  })
})
