// No character of an order is lost silently: it is printed as itself, in the nearest letters, or as a code point that is counted.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANY_CHARACTER } from '#test/harness/any-character.ts'
import { assertProperty } from '#test/harness/property.ts'
import { graphemes } from './display-width.ts'
import type { TicketLine } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { renderDocument, renderTransliterated } from './render-ticket.ts'
import { sanitizeText } from './sanitize-text.ts'
import type { RasterRequest, TextRaster } from './text-raster.ts'
import { paperText, type TicketPaper } from './ticket-paper.ts'
import { plainPunctuation } from './transliteration.ts'

const PROFILE = profileById('epson-thermal-203')

/** Has every character except the listed ones. */
class LackingRaster implements TextRaster {
  readonly #lacks: (character: string) => boolean

  constructor(lacks: (character: string) => boolean) {
    this.#lacks = lacks
  }

  async draw(requests: readonly RasterRequest[]) {
    return requests.map(() => ({ widthDots: 8, heightDots: 32, rows: new Uint8Array(32).fill(0xff) }))
  }

  async missing(texts: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const pairs = Array.from(texts, (text): [string, string] => [text, Array.from(text).filter(this.#lacks).join('')])
    return new Map(pairs.filter(([, lacking]) => lacking !== ''))
  }
}

/** The text as it is printed in the end, in one line. */
async function printedWith(text: string, lacks: (character: string) => boolean) {
  let printed = ''
  const layout = (paper: TicketPaper): TicketLine[] => {
    printed = paperText(paper, text, { maxLength: 500 })
    return [{ align: 'left', runs: [{ text: printed }] }]
  }
  const { unprintable } = await renderDocument(layout, PROFILE, { raster: new LackingRaster(lacks) })
  return { unprintable, printed }
}

describe('a character that no font has', () => {
  it.each([
    ['private use', '\ue000', 'x[U+E000]y'],
    ['unassigned', '\u0378', 'x[U+0378]y'],
    ['of the last plane', '\u{10fffd}', 'x[U+10FFFD]y'],
    ['a mark on a letter', '\u1acf', 'x[U+1ACF]y'],
  ])('is told by its code point and counted: %s', async (_, unknown, expected) => {
    const isUnknown = (character: string) => character === unknown
    expect(await printedWith(`x${unknown}y`, isUnknown)).toEqual({ unprintable: 1, printed: expected })
    expect(await printedWith(`寿 x${unknown}y`, isUnknown)).toEqual({ unprintable: 1, printed: `寿 ${expected}` })
  })

  it('is counted once for each place where it occurs', async () => {
    expect(await printedWith('\u0378\u0378 a\u0378', (character) => character === '\u0378')).toEqual({
      unprintable: 3,
      printed: '[U+0378][U+0378] a[U+0378]',
    })
  })

  it('does not waste paper: after the first sixteen it is a question mark', async () => {
    const { unprintable, printed } = await printedWith('\ue000'.repeat(300), (character) => character === '\ue000')
    expect(unprintable).toBe(300)
    expect(printed).toBe('[U+E000]'.repeat(16) + '?'.repeat(284))
  })

  it('is written in digits if it is a fraction, separated from the number before it', async () => {
    expect(await printedWith('2⅓ kg', (character) => character === '⅓')).toEqual({
      unprintable: 0,
      printed: '2 1/3 kg',
    })
  })
})

const layout =
  (text: string) =>
  (paper: TicketPaper): TicketLine[] => [
    { align: 'left', runs: [{ text: paperText(paper, text, { maxLength: 500 }) }] },
  ]

describe('a word that breaks the drawing engine', () => {
  it('is counted for each line in which a box replaces it', async () => {
    const box = { widthDots: 8, heightDots: 32, rows: new Uint8Array(32).fill(0xff), undrawn: 1 }
    const raster: TextRaster = {
      draw: async (requests) => requests.map(() => box),
      missing: async () => new Map(),
    }
    expect(await renderDocument(layout('寿司'), PROFILE, { raster })).toMatchObject({ unprintable: 1 })
    const twoLines = (paper: TicketPaper) => [...layout('寿')(paper), ...layout('司')(paper)]
    expect(await renderDocument(twoLines, PROFILE, { raster })).toMatchObject({ unprintable: 2 })
    expect(await renderDocument(layout('soup'), PROFILE, { raster })).toMatchObject({ unprintable: 0 })
  })
})

describe('a printer without pictures', () => {
  it('counts what it prints as a question mark, but not characters with nearest letters', () => {
    const profile = { ...PROFILE, image: 'none' as const }
    const count = (text: string) => renderTransliterated(layout(text), profile).unprintable
    expect(count('Łódź 🥜 “yes”?')).toBe(0)
    expect(count('땅콩 알레르기?')).toBe(6)
    expect(count('हिन्दी')).toBe(2)
  })
})

/** Invisible code points: controls, spaces, and those that Unicode calls ignorable. */
const UNSEEN = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}]/gu

it('any visible character is on the ticket as itself, or is counted', async () => {
  const unit = fc.oneof(ANY_CHARACTER, fc.constantFrom('क्षि', 'கோ', 'မုန့်', 'ü', '\u0378', ' ', '👩🏽\u200d🍳', '½', '“'))
  const texts = fc.string({ unit, maxLength: 60 })
  await assertProperty(
    fc.asyncProperty(texts, fc.nat({ max: 7 }), async (text, rest) => {
      const lacks = (character: string) => character > '\u2fff' && (character.codePointAt(0) ?? 0) % 8 === rest
      const { unprintable, printed } = await printedWith(text, lacks)
      // As many marks on one letter as the paper takes: see sanitize-text.test.ts.
      const clean = text
        .toWellFormed()
        .normalize('NFC')
        .replace(/(\p{M}{4})\p{M}+/gu, '$1')
      const seen = graphemes(sanitizeText(clean, { maxLength: 500 })).filter(
        (each) => each.text.replace(UNSEEN, '') !== '',
      )
      const isPrinted = (each: string) => [each, plain(each)].some((text) => printed.includes(text))
      const lost = seen.filter((each) => !isPrinted(each.text))
      expect(lost.every((each) => Array.from(each.text).some(lacks))).toBe(true)
      expect(unprintable).toBe(seen.filter((each) => Array.from(each.text).some(lacks)).length)
      // The sanitizer itself removes nothing visible.
      const visible = Array.from(clean.replace(UNSEEN, ''))
      expect(visible.filter((character) => !seen.some((each) => each.text.includes(character)))).toEqual([])
    }),
    { numRuns: 1_000 },
  )
})

/** Typographic marks are printed as plain ones with the same meaning. */
function plain(text: string): string {
  return Array.from(text, (character) => plainPunctuation(character) ?? character).join('')
}
