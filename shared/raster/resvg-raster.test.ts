// Drawn text in every script, in the columns of the paper; and recovery from a failed worker.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { systemClock } from '#shared/clock.ts'
import { type Bitmap, rowBytes } from '#shared/tickets/bitmap.ts'
import { displayWidth, graphemes } from '#shared/tickets/display-width.ts'
import type { RunStyle, TicketLine } from '#shared/tickets/line-layout.ts'
import { sanitizeText } from '#shared/tickets/sanitize-text.ts'
import type { RasterRequest } from '#shared/tickets/text-raster.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { WORDS_OF_SCRIPTS } from '#test/fixtures/words-of-scripts.ts'
import { charactersOf } from './character-map.ts'
import { FontLibrary } from './font-library.ts'
import { baseFonts } from './raster-files.ts'
import { ResvgRaster, type ResvgRasterOptions } from './resvg-raster.ts'
import { readFont, writeFont } from './sfnt.ts'

const COLUMNS = 48
const CELL = { widthDots: 12, heightDots: 24 }

const raster = new ResvgRaster({ clock: systemClock })
afterAll(() => raster.stop())

function request(text: string, style: RunStyle = {}, align: TicketLine['align'] = 'left'): RasterRequest {
  return { line: { align, runs: [{ ...style, text }] }, columns: COLUMNS, dots: COLUMNS * CELL.widthDots, cell: CELL }
}

async function drawn(text: string, style: RunStyle = {}, align: TicketLine['align'] = 'left'): Promise<Bitmap> {
  const [bitmap] = await raster.draw([request(text, style, align)])
  if (bitmap === undefined) throw new Error('Nothing was drawn')
  return bitmap
}

function isBlack(bitmap: Bitmap, x: number, y: number): boolean {
  return x < bitmap.widthDots && ((bitmap.rows[y * rowBytes(bitmap) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
}

/** Black dots from column `from` up to, but not including, column `to`. */
function ink(bitmap: Bitmap, from = 0, to = bitmap.widthDots): number {
  let count = 0
  for (let y = 0; y < bitmap.heightDots; y++) for (let x = from; x < to; x++) count += Number(isBlack(bitmap, x, y))
  return count
}

/** Rows with ink. */
const inkedRows = ({ heightDots, ...bitmap }: Bitmap) =>
  Array.from({ length: heightDots }, (_, y) => y).filter((y) =>
    Array.from({ length: bitmap.widthDots }, (_, x) => x).some((x) => isBlack({ ...bitmap, heightDots }, x, y)),
  )

const dotsOf = (bitmap: Bitmap) => Buffer.from(bitmap.rows).toString('hex')

describe('ResvgRaster', () => {
  it.each(WORDS_OF_SCRIPTS)('draws %s without boxes and without squeezing', async (_, text) => {
    const letters = graphemes(text).filter((each) => each.text !== ' ')
    expect(await raster.missing(letters.map((each) => each.text))).toEqual(new Map())
    const box = dotsOf(await drawn('\u0378'))
    for (const letter of letters) {
      const bitmap = await drawn(letter.text)
      expect(dotsOf(bitmap), letter.text).not.toBe(box)
      expect(ink(bitmap), letter.text).toBeGreaterThan(1)
    }
    const bitmap = await drawn(text)
    expect(bitmap.heightDots).toBe(32)
    // With more space after it, it is the same: it was not squeezed.
    if (
      !/[\u0590-\u08ff]|\p{Script=Thaana}|\p{Script=Nko}|\p{Script=Adlam}|\p{Script=Hanifi_Rohingya}|\p{Script=Mende_Kikakui}/u.test(
        text,
      )
    )
      expect(dotsOf(bitmap)).toBe(dotsOf(await drawn(`${text}${' '.repeat(20)}`)))
  })

  it('writes a sentence sign as its code point, and draws word signs at their full width', async () => {
    expect(await raster.missing(['\ufdfd', '\ufdfa'])).toEqual(new Map([['\ufdfd', '\ufdfd']]))
    expect(displayWidth('\ufdf4')).toBe(4)
  })

  it('fits letters of two columns into their one, so that the next letter is readable', async () => {
    for (const wide of ['Ǆ', 'Ἂ', 'ѭ']) expect(ink(await drawn(wide), 14), wide).toBe(0)
  })

  it('reports what no font has, and draws a box for it and the rest of the line', async () => {
    expect(await raster.missing(['a', '\u0378', 'e\u1acf', '\u{10fffd}', '가'])).toEqual(
      new Map([
        ['\u0378', '\u0378'],
        ['e\u1acf', '\u1acf'],
        ['\u{10fffd}', '\u{10fffd}'],
      ]),
    )
    const bitmap = await drawn('\u0378 Bibimbap')
    expect(ink(bitmap, 0, 12)).toBeGreaterThan(5)
    expect(ink(bitmap, 24)).toBeGreaterThan(50)
  })

  it('places each letter of an Indian script after the whole letter before it, including vowel signs', async () => {
    for (const [letter, next] of [
      ['கா', 'க'],
      ['को', 'क'],
      ['কা', 'ক'],
      ['ကာ', 'က'],
      ['ยำ', 'ก'],
    ]) {
      const alone = await drawn(letter ?? '')
      const both = await drawn(`${letter}${next}`)
      // The first letter is drawn the same next to the second, which may touch a dot at its edge.
      expect(ink(both, 0, alone.widthDots - 2), letter).toBe(ink(alone, 0, alone.widthDots - 2))
      expect(both.widthDots, letter).toBeGreaterThan(alone.widthDots + 4)
    }
  })

  it('draws Chinese characters in the style of the ticket’s language', async () => {
    const shapes = async (rest: string, timeZone?: string) => {
      const [bitmap] = await raster.draw([request('骨直次'), request(rest)], timeZone === undefined ? {} : { timeZone })
      return bitmap === undefined ? '' : dotsOf(bitmap)
    }
    const [japanese, simplified, traditional] = [await shapes('カレー'), await shapes('鸡丁'), await shapes('滷飯')]
    expect(new Set([japanese, simplified, traditional]).size).toBe(3)
    expect(await shapes('')).toBe(simplified)
    expect(await shapes('', 'Asia/Tokyo')).toBe(japanese)
    expect(await shapes('', 'Asia/Taipei')).toBe(traditional)
    expect(await shapes('カレー', 'Asia/Taipei')).toBe(japanese)
  })

  it('puts the first letter of Hebrew at the right', async () => {
    // Yod is a small stroke, shin is wide.
    const [first, last] = [await drawn('שי'), await drawn('יש')]
    const half = (bitmap: Bitmap) => ink(bitmap, 0, 9) / ink(bitmap)
    expect(half(first)).toBeLessThan(half(last) - 0.1)
  })

  it('joins Arabic letters', async () => {
    const gaps = (bitmap: Bitmap) =>
      Array.from({ length: bitmap.widthDots - 2 }, (_, x) => ink(bitmap, x + 1, x + 2)).filter((dots) => dots === 0)
        .length
    expect(gaps(await drawn('ببب'))).toBe(0)
    // Alef does not join to the letter after it.
    expect(gaps(await drawn('اااا'))).toBeGreaterThan(3)
  })

  it('aligns Latin and Chinese with the columns of the printer’s own characters', async () => {
    const bitmap = await drawn('ab 中文 c')
    const letter = await drawn('c')
    expect(ink(bitmap, 96, 108)).toBe(ink(letter))
    expect(ink(bitmap, 24, 36)).toBe(0)
    expect(ink(bitmap, 84, 96)).toBe(0)
    expect(ink(bitmap, 36, 60)).toBe(ink(await drawn('中')))
  })

  // A minus instead of a plus means that something is left out, and 9 99 is not an amount.
  it.each([
    [5, 1],
    [6, 1],
    [5, 2],
    [6, 2],
  ] as const)(
    'keeps the thin signs on a 9-pin head of %i dots a column, lines %i high',
    async (widthDots, heightScale) => {
      const cell = { widthDots, heightDots: 16 }
      const signOf = async (text: string) => {
        const line: TicketLine = { align: 'left', runs: [{ text, heightScale }] }
        const [bitmap] = await raster.draw([{ line, columns: 33, dots: 33 * widthDots, cell }])
        if (bitmap === undefined) throw new Error('Nothing was drawn')
        return bitmap
      }
      expect(inkedRows(await signOf('+')).length).toBeGreaterThan(inkedRows(await signOf('-')).length + 2)
      for (const sign of '.,:!|1') expect(ink(await signOf(sign)), sign).toBeGreaterThan(0)
    },
  )

  it('stays within the paper at any size, also with letters far wider than their columns', async () => {
    for (const text of [
      '﷽'.repeat(24),
      '𒐫'.repeat(24),
      'W'.repeat(24),
      '中'.repeat(12),
      'ش'.repeat(24),
      '👨‍👩‍👧‍👦'.repeat(12),
    ]) {
      const bitmap = await drawn(text, { widthScale: 2, heightScale: 2, bold: true })
      expect(bitmap).toMatchObject({ heightDots: 64 })
      expect(bitmap.widthDots).toBeLessThanOrEqual(576)
      expect(bitmap.rows).toHaveLength(rowBytes(bitmap) * 64)
      expect(ink(bitmap)).toBeGreaterThan(100)
    }
  })

  it('lets no word overlap another', async () => {
    const alone = await drawn('שלום')
    const [, beside] = await raster.draw([request('﷽', { heightScale: 2 }), request('שלום', {})])
    expect(beside && dotsOf(beside)).toBe(dotsOf(alone))
  })

  it('aligns, underlines and inverts as the printer does', async () => {
    const plain = await drawn('中文')
    expect(ink(await drawn('中文', {}, 'right'), 576 - 48, 576)).toBe(ink(plain))
    expect(ink(await drawn('中文', {}, 'center'), 288 - 24, 288 + 24)).toBe(ink(plain))
    expect(ink(await drawn('中文', { underline: true }))).toBeGreaterThan(ink(plain) + 40)
    expect(ink(await drawn('中文', { bold: true }))).toBeGreaterThan(ink(plain) * 1.1)
    expect(ink(await drawn('中文', { alarm: true }))).toBe(48 * 32 - ink(plain))
  })

  it('draws for 9-pin heads', async () => {
    const [bitmap] = await raster.draw([
      { ...request('Борщ 中'), dots: 200, columns: 33, cell: { widthDots: 6, heightDots: 16 } },
    ])
    expect(bitmap?.heightDots).toBe(16)
    expect(bitmap?.widthDots).toBeLessThanOrEqual(48)
    expect(bitmap && ink(bitmap)).toBeGreaterThan(60)
  })

  it('draws markup characters as text', async () => {
    const hostile = [
      '</text><script>x</script>',
      '&lt;&#0;&amp;',
      '<![CDATA[x]]>',
      'a\ud83db\udc00',
      '\ufffe\uffff\u{1fffe}',
      '\u0000\u001b@',
      sanitizeText(`e${'\u0301'.repeat(10_000)}`, { maxLength: 500 }),
      sanitizeText('\u202e\u2066abc', { maxLength: 500 }),
      `x${'\u0e47'.repeat(500)}`,
    ]
    const bitmaps = await raster.draw(hostile.map((text) => request(text.slice(0, 500))))
    expect(bitmaps).toHaveLength(hostile.length)
    // A bracket is a bracket: as many columns have ink as there are letters.
    expect(await drawn('<b>')).toEqual(await drawn('<b>'))
    expect(ink(await drawn('<'))).toBeGreaterThan(5)
    expect(ink(await drawn('<b>'), 12, 24)).toBe(ink(await drawn('b')))
  })
})

describe('the worker of ResvgRaster', () => {
  const script = (onMessage: string) =>
    new URL(`data:text/javascript,import{parentPort as p}from'node:worker_threads';p.on('message',${onMessage})`)

  async function withRaster(options: Partial<ResvgRasterOptions>, use: (own: ResvgRaster) => Promise<void>) {
    const own = new ResvgRaster({ clock: systemClock, ...options })
    await own.start()
    try {
      await use(own)
    } finally {
      await own.stop()
    }
  }

  it('starts with the first text, ends when idle, and starts again', async () => {
    const clock = new ManualClock()
    await withRaster({ clock, idleMs: 1_000 }, async (own) => {
      expect(own.isWorkerRunning).toBe(false)
      const [first] = await own.draw([request('中文')])
      expect(own.isWorkerRunning).toBe(true)
      await clock.advance(1_000)
      expect(own.isWorkerRunning).toBe(false)
      // Drawn pieces are cached: no worker is needed for them.
      expect(await own.draw([request('文中中文')])).toHaveLength(1)
      expect(await own.draw([request('中文')])).toEqual([first])
      expect(own.isWorkerRunning).toBe(false)
      await own.draw([request('شوربة')])
      expect(own.isWorkerRunning).toBe(true)
    })
  })

  it.each([
    ['throws', script('()=>{throw new Error(7)}'), '7'],
    ['ends', script('()=>process.exit(1)'), 'ended'],
    ['hangs', script('()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0)'), '300 ms', 300],
    ['says that it failed', script("()=>p.postMessage({error:'no'})"), 'no'],
  ])('is replaced when it %s; the drawing is rejected in words', async (_, workerFile, words, timeoutMs = 30_000) => {
    await withRaster({ workerFile, timeoutMs }, async (own) => {
      await expect(own.draw([request('中')])).rejects.toThrow(words)
      expect(own.isWorkerRunning).toBe(false)
      await expect(own.draw([request('中')])).rejects.toThrow(words)
    })
  })

  it('draws a box for a word that it cannot draw, and draws the others', async () => {
    const workerFile = new URL('./raster-worker.mjs', import.meta.url)
    const failing = new URL(
      `data:text/javascript,import{Worker}from'node:worker_threads';import{parentPort as p,workerData}from'node:worker_threads';` +
        `const w=new Worker(new URL('${workerFile.href}'),{workerData});w.on('message',m=>p.postMessage(m));` +
        `p.on('message',j=>j.svg.includes('\u05e9')?p.postMessage({error:'unreachable'}):w.postMessage(j))`,
    )
    await withRaster({ workerFile: failing }, async (own) => {
      const [broken, whole] = await own.draw([request('中文 שלום'), request('中文')])
      expect(broken?.undrawn).toBe(1)
      expect(whole).toEqual(await drawn('中文'))
    })
  })

  it('draws nothing after it is stopped', async () => {
    const own = new ResvgRaster({ clock: systemClock })
    await own.stop()
    await expect(own.draw([request('中')])).rejects.toThrow('stopped')
  })

  it('draws for many tickets at once', async () => {
    const texts = ['中文', 'شوربة', 'שלום', 'Борщ', '🥜']
    const bitmaps = await Promise.all(texts.map((text) => drawn(text)))
    for (const [i, text] of texts.entries()) expect(bitmaps[i]).toEqual(await drawn(text))
  })
})

describe('installed fonts', () => {
  it('go before the built-in ones, are listed with their scripts, and may be damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ticketrail-fonts-'))
    try {
      const { scripts } = await baseFonts()
      const hebrew = scripts.find(({ name }) => name === 'noto-sans-hebrew/hebrew')
      writeFileSync(join(folder, 'hebrew.woff'), (await hebrew?.read()) ?? '')
      writeFileSync(join(folder, 'broken.ttf'), 'no font at all')
      copyFileSync(join(folder, 'broken.ttf'), join(folder, 'read me.txt'))
      const library = new FontLibrary(folder)
      const installed = (await library.packs()).filter(({ state }) => state !== 'built-in')
      expect(installed).toEqual([
        { name: 'broken.ttf', scripts: '', state: 'damaged' },
        { name: 'hebrew.woff', scripts: 'Hebrew', state: 'installed' },
      ])
      // Faces are numbered in order of first use. Of the built-in ones, Arabic comes before Hebrew.
      const [own, arabic] = [await library.find('ש', false, 'sc'), await library.find('ش', false, 'sc')]
      expect(own.face.id).toBeLessThan(arabic.face.id)
      const drawing = new ResvgRaster({ clock: systemClock, packsFolder: folder })
      const [bitmap] = await drawing.draw([request('שלום')])
      expect(bitmap).toEqual(await drawn('שלום'))
      await drawing.stop()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('are read completely: unpacked and written again they have the same tables', async () => {
    const { text, scripts, emoji } = await baseFonts()
    for (const source of [...text, ...scripts.slice(0, 20), ...emoji.slice(0, 3)]) {
      const font = await readFont(await source.read())
      const again = await readFont(writeFont(font, 'other'))
      expect(charactersOf(again)).toEqual(charactersOf(font))
      expect([...again.tables.keys()].sort()).toEqual([...font.tables.keys()].sort())
      const cmap = [again, font].map(({ tables }) => Buffer.from(tables.get('cmap') ?? []))
      expect(cmap[0]).toEqual(cmap[1])
    }
  })

  it('are refused if they are truncated', async () => {
    const { text } = await baseFonts()
    const file = (await text[0]?.read()) ?? new Uint8Array()
    await expect(readFont(file.subarray(0, 200))).rejects.toThrow('cut off')
    await expect(readFont(new Uint8Array(64))).rejects.toThrow('Not a')
  })
})
