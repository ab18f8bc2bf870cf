// Epson's pictures dot by dot, two-byte characters, positions on the line, labels and page mode.
import { describe, expect, it } from 'vitest'
import { dotRows, pictureOf } from '#test/fixtures/picture-dots.ts'
import { PaperInterpreter, type PaperOptions } from './paper.ts'
import type { TextLine } from './paper-ticket.ts'

function print(text: string, options: PaperOptions = {}) {
  const paper = new PaperInterpreter(options)
  paper.push(Buffer.from(text, 'latin1'))
  return paper.current
}

describe('pictures', () => {
  it('GS v 0 prints rows, doubled if requested', () => {
    const ticket = print('\x1dv0\x03\x01\x00\x02\x00\x81\x7e')
    expect(dotRows(pictureOf(ticket.lines[0]))).toEqual(['#......#', '.######.'])
    expect(pictureOf(ticket.lines[0])).toMatchObject({ dotWidth: 2, dotHeight: 2 })
    expect(ticket.text()).toBe('[raster 16x4]')
  })

  it('bands are one picture to the reader, and separate lines on paper', () => {
    const band = `\x1dv0\x00\x01\x00\x18\x00${'\xff'.repeat(24)}`
    const ticket = print(`${band}${band}text\n${band}`)
    expect(ticket.text()).toBe('[raster 8x48]\ntext\n[raster 8x24]')
    expect(ticket.lines).toHaveLength(4)
  })

  it.each([
    [0, 1, { dotWidth: 2, dotHeight: 3 }],
    [1, 1, { dotWidth: 1, dotHeight: 3 }],
    [32, 3, { dotWidth: 2, dotHeight: 1 }],
    [33, 3, { dotWidth: 1, dotHeight: 1 }],
  ])('ESC * %i has columns of %i bytes', (mode, bytes, size) => {
    const column = `\x80${'\x00'.repeat(bytes - 1)}`
    const last = `${'\x00'.repeat(bytes - 1)}\x01`
    const ticket = print(`\x1b*${String.fromCharCode(mode)}\x02\x00${column}${last}\n`)
    const picture = pictureOf(ticket.lines[0])
    expect(picture).toMatchObject(size)
    expect(dotRows(picture).at(0)).toBe('#.')
    expect(dotRows(picture).at(-1)).toBe('.#')
  })

  it('ESC * prints between the characters of its line', () => {
    const ticket = print('AB\x1b*\x21\x08\x00'.concat('\xff'.repeat(24), 'C\n'))
    const line = ticket.lines[0] as TextLine
    expect(line.pictures.map(({ xDots }) => xDots)).toEqual([24])
    expect(line.runs.map((run) => [run.text, run.xDots])).toEqual([
      ['AB', 0],
      ['C', 32],
    ])
  })

  it('are red while red is selected', () => {
    const picture = '\x1b*\x00\x01\x00\xff\x1bJ\x10'
    const ticket = print(`\x1br\x01${picture}\x1br\x00${picture}`, { isImpact: true })
    expect(ticket.lines.map((line) => line.kind === 'graphic' && line.red)).toEqual([true, false])
  })

  it('GS ( L and GS 8 L store a picture that a second command prints', () => {
    const store = '0p0\x01\x01\x31\x08\x00\x02\x00\xff\x81'
    const once = '\x1d(L\x02\x0002'
    const ticket = print(`\x1d(L\x0c\x00${store}\x1d8L\x0c\x00\x00\x00${store}${once}${once}`)
    expect(ticket.text()).toBe('[raster 8x2]')
    expect(dotRows(pictureOf(ticket.lines[0]))).toEqual(['########', '#......#'])
    expect(ticket.lines).toHaveLength(1)
  })

  it('GS * defines a picture that GS / prints', () => {
    const ticket = print(`\x1d*\x01\x01${'\xf0'.repeat(8)}\x1d/\x01`)
    expect(ticket.text()).toBe('[raster 16x8]')
  })

  it('are cut at the edge of the paper', () => {
    const ticket = print(`\x1dv0\x00\xff\x00\x01\x00${'\xff'.repeat(255)}`, { dots: 384, columns: 32 })
    expect(pictureOf(ticket.lines[0])).toMatchObject({ widthDots: 384 })
    expect(pictureOf(print('\x1d*\xff\x01'.concat('\xff'.repeat(2040), '\x1d/\x01')).lines[0])).toMatchObject({
      widthDots: 288,
    })
  })

  it('prints no pictures from the printer’s memory, and reports it', () => {
    expect(print('\x1cp\x01\x00\x1d(L\x06\x000E  \x01\x01').ignored).toEqual(['FS p', 'GS ( L'])
  })
})

describe('two-byte characters', () => {
  it.each([
    ['gb18030', '\x1c&\xba\xba\xb1\xa4\x1c.', '汉堡'],
    ['big5', '\x1c&\xba\x7e\xb3\xf9\x1c.', '漢堡'],
    ['euc-kr', '\x1c&\xc7\xdc\xb9\xf6\xb0\xc5\x1c.', '햄버거'],
    ['shift-jis', '\x1cC\x01\x8e\xf5\x8e\x69\x1cC\x00', '寿司'],
    // JIS codes below 0x80, in Kanji mode.
    ['shift-jis', '\x1c&\x3c\x77\x3b\x4a\x1c.', '寿司'],
  ] as const)('%s', (kanji, bytes, text) => {
    const ticket = print(`${bytes}x2\n`, { kanji })
    expect(ticket.text()).toBe(`${text}x2`)
    const [wide, narrow] = (ticket.lines[0] as TextLine).runs
    expect([wide?.advanceDots, narrow?.xDots]).toEqual([24, Array.from(text).length * 24])
  })

  it('Shift-JIS continues after FS . until FS C 0: accents would print as Kanji', () => {
    const text = (bytes: string) => print(`\x1bt\x10${bytes}\n`, { kanji: 'shift-jis' }).text()
    expect(text('\x1cC\x01\x1c.\xe9\x8a')).not.toContain('é')
    expect(text('\x1cC\x01\x1cC\x00\xe9')).toBe('é')
  })

  it('GB18030 has characters of four bytes', () => {
    expect(print('\x1c&\x81\x30\x84\x36\x1c.\n').text()).toBe('¥')
  })

  it('prints a replacement for an invalid second byte, and continues', () => {
    expect(print('\x1c&\xba\x20AB\x1c.\n').text()).toBe('\ufffdAB')
  })
})

describe('positions', () => {
  it('are counted in dots: font B, space between characters, margins, areas and relative moves', () => {
    const runs = (bytes: string) =>
      (print(bytes).lines[0] as TextLine).runs.map((run) => [run.text, run.xDots, run.advanceDots])
    expect(runs('\x1bM\x01ab\x1bM\x00c\n')).toEqual([
      ['ab', 0, 9],
      ['c', 18, 12],
    ])
    expect(runs('\x1b \x02ab\x1b \x00\n')).toEqual([['ab', 0, 14]])
    expect(runs('\x1dL\x18\x00ab\n')).toEqual([['ab', 24, 12]])
    expect(runs('ab\x1b\\\x06\x00c\n')).toEqual([
      ['ab', 0, 12],
      ['c', 30, 12],
    ])
    expect(runs('\x1dW\x78\x00\x1ba\x02ab\n')).toEqual([['ab', 96, 12]])
    expect(runs('\x1bD\x05\x0a\x00a\tb\tc\n').map(([, x]) => x)).toEqual([0, 60, 120])
  })

  it('allow 40 letters of font B, or 33 of font A, on an impact printer of 400 half dots', () => {
    const widest = (font: string, columns: number) => {
      const ticket = print(`\x1b!${font}${'x'.repeat(columns)}y\n`, { columns, dots: 400, isImpact: true })
      return ticket.lines.map((line) => line.kind === 'text' && line.columns)
    }
    expect(widest('\x01', 40)).toEqual([40, 1])
    expect(widest('\x00', 33)).toEqual([33, 1])
  })

  it('wraps at the print area', () => {
    expect(print('\x1dW\x30\x00abcdef\n').text()).toBe('abcd\nef')
  })

  it('fix the alignment at the first character of a line', () => {
    expect(print('ab\x1ba\x01cd\n', { columns: 10 }).text()).toBe('abcd')
  })

  it('are centred in whole columns if the paper has a few dots more', () => {
    expect(print('\x1ba\x01abcd\n', { columns: 42, dots: 512 }).text()).toBe(`${' '.repeat(19)}abcd`)
    expect(print('\x1ba\x02abcd\n', { columns: 42, dots: 576 }).text()).toBe(`${' '.repeat(38)}abcd`)
  })
})

describe('labels and pages', () => {
  it('feeds to the next label', () => {
    const ticket = print('one\n\x1d\x0c\x0ctwo\n\x1c(L\x02\x00\x41\x30', { labelDots: 320 })
    expect(ticket.heightDots).toBe(640)
    expect(ticket.text()).toBe('one\ntwo')
  })

  it('prints page mode in the order in which it was sent, at FF, and reports that positions are not shown', () => {
    const ticket = print('\x1bL\x1bW\x00\x00\x00\x00\x00\x02\x00\x02one\ntwo\n\x0cthree\n')
    expect(ticket.text()).toBe('one\ntwo\nthree')
    expect(ticket.ignored).toEqual(['ESC L', 'ESC W'])
    expect(print('\x1bLlost\n\x18kept\n\x0c').text()).toBe('kept')
    expect(print('\x1bLlost\n\x1bSkept\n').text()).toBe('kept')
  })
})
