// Wrapping: no line is wider than the paper, nothing is lost, and only words longer than a line are broken.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { barLines, hangingLines, lineWidth } from './line-layout.ts'
import { wrapText } from './wrap-text.ts'

describe('wrapText', () => {
  it('breaks between words and at line feeds', () => {
    expect(wrapText('double cheeseburger with bacon', 12)).toEqual(['double', 'cheeseburger', 'with bacon'])
    expect(wrapText('a b\nc', 10)).toEqual(['a b', 'c'])
    expect(wrapText('', 10)).toEqual([''])
  })

  it('cuts a word that is longer than a line, starting where it stands', () => {
    expect(wrapText('an Unabhaengigkeit', 8)).toEqual(['an Unabh', 'aengigke', 'it'])
    expect(wrapText('before Unabhaengigkeit', 8)).toEqual(['before', 'Unabhaen', 'gigkeit'])
  })

  it('never makes a line too long, never loses a character, and breaks only words that must be broken', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '€'), minLength: 1, maxLength: 30 })
    assertProperty(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 4, max: 24 }), (words, width) => {
        const lines = wrapText(words.join(' '), width)
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
        expect(lines.join('').replaceAll(' ', '')).toBe(words.join(''))
        const printed = lines.flatMap((line) => line.split(' '))
        const shortWords = words.filter((text) => text.length <= width)
        for (const text of shortWords) expect(printed).toContain(text)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('hangingLines', () => {
  it('keeps the prefix with the text, and aligns further lines with the first', () => {
    const lines = hangingLines(14, { first: ' 2  ', text: 'Fish and chips', style: { bold: true } })
    expect(lines.map((line) => line.runs.map((run) => run.text).join(''))).toEqual([' 2  Fish and', '    chips'])
    const long = hangingLines(14, { first: '12  ', text: 'Donaudampfschiff' })
    expect(long.map((line) => line.runs.map((run) => run.text).join(''))).toEqual(['12  Donaudampf', '    schiff'])
  })
})

describe('barLines', () => {
  it('fills the width, in double width where the text fits', () => {
    const [wide] = barLines(48, '*** VOID ***')
    expect(wide?.runs[0]).toMatchObject({ widthScale: 2, heightScale: 2, alarm: true })
    expect(wide && lineWidth(wide)).toBe(48)
    const [narrow] = barLines(42, '*** POSSIBLE DUPLICATE ***')
    expect(narrow?.runs[0]).toMatchObject({ widthScale: 1, heightScale: 2, alarm: true })
    expect(narrow && lineWidth(narrow)).toBe(42)
  })
})

describe('a paragraph that begins with Hebrew or Arabic', () => {
  it('is marked on each of its lines, and no other paragraph is', () => {
    const lines = hangingLines(20, { first: '  > ', text: '🥜 אבג cola zero cola zero\nno אבג' })
    expect(lines.map((line) => line.runs.map((run) => run.isRightToLeft ?? false))).toEqual([
      [false, true],
      [false, true],
      [false, false],
    ])
  })
})
