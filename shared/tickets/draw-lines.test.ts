// How a line is printed: in one code page, in several, in the printer's two-column characters, as a picture, and last in the nearest letters.
import { describe, expect, it } from 'vitest'
import type { PrinterProfile } from '#shared/printer-profile.ts'
import type { Bitmap } from './bitmap.ts'
import { CodePages, type EncodedSegment } from './code-page.ts'
import { displayWidth } from './display-width.ts'
import { pictureGrid } from './graphics.ts'
import type { TicketLine } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { renderDocument, renderTransliterated } from './render-ticket.ts'
import type { RasterRequest, TextRaster } from './text-raster.ts'
import type { TicketPaper } from './ticket-paper.ts'

const EPSON = profileById('epson-thermal-203')

/** Draws bars, and records its requests. */
class BarRaster implements TextRaster {
  readonly asked: RasterRequest[] = []
  readonly #heightDots: number

  constructor(heightDots = 32) {
    this.#heightDots = heightDots
  }

  missing(): Promise<ReadonlyMap<string, string>> {
    return missing()
  }

  async draw(requests: readonly RasterRequest[]): Promise<readonly Bitmap[]> {
    this.asked.push(...requests)
    const heightDots = this.#heightDots
    return requests.map(() => ({ widthDots: 16, heightDots, rows: new Uint8Array(2 * heightDots).fill(0xff) }))
  }
}

const missing = async (): Promise<ReadonlyMap<string, string>> => new Map()
const BROKEN: TextRaster = { draw: () => Promise.reject(new Error('no worker')), missing }

const layout =
  (...texts: string[]) =>
  (paper: TicketPaper): TicketLine[] =>
    texts.map((text) => ({ align: 'center', runs: [{ text: paper.printable(text), alarm: true }] }))

const asked = (raster: BarRaster) => raster.asked.map(({ line }) => line.runs.map((run) => run.text).join(''))
const contains = (bytes: Uint8Array, part: string) => Buffer.from(bytes).includes(Buffer.from(part, 'latin1'))

describe('renderDocument', () => {
  it('draws the lines with characters that the printer lacks, and no others', async () => {
    const raster = new BarRaster()
    const texts = ['Jalapeño €', 'Пирог €5', '寿司 with rice', 'שניצל', 'żurek']
    const { bytes } = await renderDocument(layout(...texts), EPSON, { raster })
    expect(asked(raster)).toEqual(['寿司 with rice', 'שניצל'])
    const { columns } = EPSON
    expect(raster.asked[0]).toMatchObject({ columns, ...pictureGrid(EPSON) })
    expect(contains(bytes, '\x1dv0')).toBe(true)
    expect(contains(bytes, 'rice')).toBe(false)
  })

  it('ends a full label with dots on the last line that fits, even if pictures are higher than their text', async () => {
    const raster = new BarRaster(80)
    await renderDocument(layout('!! ALLERGY !!', '寿司', '味噌汁', 'うどん'), profileById('epson-label-25'), { raster })
    // 10 mm each, and 4 mm of text: one of them fits.
    expect(asked(raster)).toEqual(['寿司', '味噌汁', 'うどん', '寿司...'])
  })

  it('does not draw a line because of a quotation mark or a dash', async () => {
    const raster = new BarRaster()
    const plain: PrinterProfile = { ...EPSON, id: 'one-page', codePages: [{ page: 19, encoding: 'cp858' }] }
    const { bytes } = await renderDocument(layout('“No” onion – please…'), plain, { raster })
    expect(asked(raster)).toEqual([])
    expect(contains(bytes, '"No" onion - please...')).toBe(true)
  })

  it('prints the nearest letters when drawing fails, without a raster, and on printers without pictures', async () => {
    const text = layout('Пирог 寿司 🥜')
    const cyrillic = renderTransliterated(text, EPSON).bytes
    for (const raster of [BROKEN, null]) expect((await renderDocument(text, EPSON, { raster })).bytes).toEqual(cyrillic)
    expect(contains(cyrillic, '??')).toBe(true)
    expect(contains(cyrillic, ':peanuts:')).toBe(true)
    const raster = new BarRaster()
    await renderDocument(text, { ...EPSON, id: 'no-pictures', image: 'none' }, { raster })
    expect(raster.asked).toEqual([])
  })

  it('draws every line on a printer without characters', async () => {
    const raster = new BarRaster()
    await renderDocument(layout('Cheeseburger', '', 'ñ'), profileById('star-raster'), { raster })
    expect(asked(raster)).toEqual(['Cheeseburger', 'ñ'])
  })

  it('draws again in the nearest letters on a printer that prints pictures only, and refuses rather than prints nothing', async () => {
    const raster = new BarRaster()
    let tries = 0
    const fallible: TextRaster = {
      draw: (requests) => (++tries === 1 ? Promise.reject(new Error('no worker')) : raster.draw(requests)),
      missing,
    }
    await renderDocument(layout('寿司'), profileById('star-raster'), { raster: fallible })
    expect(asked(raster)).toEqual(['??'])
    for (const none of [BROKEN, null])
      await expect(renderDocument(layout('Soup'), profileById('star-raster'), { raster: none })).rejects.toThrow()
  })

  it('prints alarming lines in red on a two-colour ribbon', async () => {
    const [black, red] = [new BarRaster(), new BarRaster()]
    await renderDocument(layout('花生'), EPSON, { raster: black })
    await renderDocument(layout('花生'), profileById('epson-impact'), { raster: red })
    expect(black.asked[0]?.line.runs[0]?.alarm).toBe(true)
    expect(red.asked[0]?.line.runs[0]?.alarm).toBe(false)
  })

  it('includes drawn lines in the height of the paper', async () => {
    const text = layout(...Array.from({ length: 20 }, () => '寿司'))
    const drawn = await renderDocument(text, EPSON, { raster: new BarRaster() })
    expect(drawn.heightMm).toBe(Math.ceil(15 + (20 * 32 * 25.4) / 203))
    expect(drawn.lines).toBe(20 * 4)
  })
})

describe('two-column characters', () => {
  const shown = (segments: readonly EncodedSegment[]) =>
    segments.map((each) => ['kanji' in each ? each.kanji : each.page, Buffer.from(each.bytes).toString('hex')])
  const pages = (kanji: PrinterProfile['kanji']) => new CodePages({ ...EPSON, kanji })

  it.each([
    ['gb18030', '鸡丁', 'gbk', 'bca6b6a1'],
    ['big5', '菜單', 'big5', 'b5e6b3e6'],
    ['shift-jis', '寿司', 'sjis', '8ef58e69'],
    ['euc-kr', '한국', 'euckr', 'c7d1b1b9'],
  ] as const)('are sent in %s by printers that have them', (mode, text, _, hex) => {
    expect(pages(mode).has(text)).toBe(true)
    expect(shown(pages(mode).encode(text, null))).toEqual([[mode, hex]])
  })

  it('are combined with code pages in one line', () => {
    const mixed = pages('gb18030')
    expect(mixed.pageFor('café 鸡 €5')).toBeNull()
    expect(shown(mixed.encode('café 鸡 €5', null))).toEqual([
      [16, '636166e920'],
      ['gb18030', 'bca6'],
      [16, '208035'],
    ])
  })

  it('include only characters of two columns, in byte pairs that are no commands', () => {
    expect(pages('gb18030').has('Ж')).toBe(true)
    expect(shown(pages('gb18030').encode('Ж', 17))).toEqual([[17, '86']])
    for (const text of ['가', '𠀀', 'א']) expect(pages('gb18030').has(text)).toBe(false)
    // Drawn, they would be as wide: the line reserves two columns for each.
    for (const text of ['①', '★']) expect([pages('gb18030').has(text), displayWidth(text)]).toEqual([true, 2])
    for (const mode of ['gb18030', 'big5', 'shift-jis', 'euc-kr'] as const) {
      const own = pages(mode)
      const texts = Array.from({ length: 0x7180 }, (_, i) => String.fromCodePoint(0x2e80 + i)).filter((text) =>
        own.has(text),
      )
      expect(texts.length).toBeGreaterThan(4_000)
      const wrong = texts.filter((text) => {
        const [segment] = own.encode(text, null)
        return segment?.bytes.length !== 2 || segment.bytes.some((byte) => byte < 0x20 || byte === 0x7f)
      })
      expect(wrong).toEqual([])
    }
  })

  it('are not used for right-to-left text or stacked marks: printers place bytes side by side', () => {
    const wide = new CodePages({
      id: 'test',
      kanji: null,
      codePages: [
        { page: 49, encoding: 'windows1255' },
        { page: 50, encoding: 'windows1256' },
        { page: 20, encoding: 'thai42' },
      ],
    })
    for (const text of ['שלום', 'مرحبا', 'ต้ม']) expect(wide.has(text)).toBe(false)
  })
})
