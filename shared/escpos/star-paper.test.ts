// Compares the interpreter with what a Star printer does with the same bytes.
import { describe, expect, it } from 'vitest'
import { dotRows, pictureOf } from '#test/fixtures/picture-dots.ts'
import { PaperInterpreter, type PaperOptions } from './paper.ts'
import type { TextLine } from './paper-ticket.ts'

function print(text: string, options: PaperOptions = {}): PaperInterpreter {
  const paper = new PaperInterpreter({ family: 'star', ...options })
  paper.push(Buffer.from(text, 'latin1'))
  return paper
}

describe('PaperInterpreter, for Star printers', () => {
  it('reads styles, sizes, alignment and code pages of Line Mode', () => {
    const paper = print(
      '\x1b\x1da\x01\x1bi\x01\x01\x1b4VOID\x1b5\x1bi\x00\x00\n\x1b\x1da\x00\x1bEB\x1bF \x1b-\x01U\x1b-\x00\n',
      {
        columns: 20,
      },
    )
    expect(paper.current.text()).toBe(`${' '.repeat(6)}VOID\nB U`)
    const [banner, styled] = paper.current.lines as TextLine[]
    expect(banner?.runs[0]).toMatchObject({ inverse: true, red: false, widthScale: 2, heightScale: 2, xDots: 72 })
    expect(styled?.runs.map((run) => [run.text, run.bold, run.underline])).toEqual([
      ['B', true, false],
      [' ', false, false],
      ['U', false, true],
    ])
    expect(print('\x1b\x1dt\x20Jalape\xf1o \x80\n').current.text()).toBe('Jalapeño €')
    expect(print('\x1b\x1dt\x0a\x8f\xa8\xe0\xae\xa3\n').current.text()).toBe('Пирог')
  })

  it('prints red instead of inverse on a printer with a ribbon', () => {
    const run = (options: PaperOptions) => (print('\x1b4ALLERGY\x1b5\n', options).current.lines[0] as TextLine).runs[0]
    expect(run({ isImpact: true })).toMatchObject({ red: true, inverse: false })
    expect(run({})).toMatchObject({ red: false, inverse: true })
  })

  it('reads ESC a as feed and ESC d as cut, unlike Epson', () => {
    const paper = print('one\n\x1ba\x02\x1bd\x03two\n\x1bd\x02')
    expect(paper.tickets.map((ticket) => [ticket.text(), ticket.cut])).toEqual([
      ['one', 'partial'],
      ['two', 'full'],
    ])
    expect(paper.tickets[0]?.heightDots).toBe(96)
  })

  it('opens the drawer with BEL, FS, EM and SUB; beeps only with the buzzer commands; counts ETB', () => {
    const paper = print('\x07\x1c\x19\x1a\x1b\x1d\x19\x11\x31\x05\x05\x1b\x1d\x19\x12\x31\x03\x00\x17\x17')
    expect(paper.current).toMatchObject({ drawerPulses: 4, beeps: 3, ignored: [] })
    expect(paper.etbs).toBe(2)
  })

  it('draws 24 rows of ESC k, columns of ESC X, and StarPRNT pictures dot by dot', () => {
    const rows = `\x80${'\x00'.repeat(22)}\x01`
    const narrow = print(`\x1b0\x1bk\x01\x00${rows}\n\x1bk\x01\x00${rows}\n`)
    expect(narrow.current.text()).toBe('[raster 8x48]')
    expect(dotRows(pictureOf(narrow.current.lines[0]))[0]).toBe('#.......')
    expect(dotRows(pictureOf(narrow.current.lines[0]))[23]).toBe('.......#')
    const columns = print('\x1bX\x02\x00\x80\x00\x01\x00\x00\x00\n').current.lines[0]
    expect(dotRows(pictureOf(columns))).toEqual(['#.', ...Array.from({ length: 22 }, () => '..'), '#.'])
    const starprnt = print('\x1b\x1dS\x01\x01\x00\x02\x00\x00\xf0\x0f').current.lines[0]
    expect(dotRows(pictureOf(starprnt))).toEqual(['####....', '....####'])
  })

  it('prints QR codes and barcodes with their sizes', () => {
    const paper = print(
      '\x1b\x1dyS0\x02\x1b\x1dyS1\x01\x1b\x1dyS2\x04\x1b\x1dyD1\x00\x05\x00hello\x1b\x1dyP\x1bb612\x50A%0B\x1e',
    )
    // Version 1: 21 modules. CODE 128: start, 3 characters, check, stop.
    expect(paper.current.text()).toBe('[qr "hello" 84x84]\n[barcode "A%B" 204x80]')
  })

  it('collects rows in raster mode and prints them at form feed, with the selected cut', () => {
    const page = 'b\x02\x00\xff\x01b\x01\x00\x80\x1b*rY3\0b\x01\x00\x01'
    const paper = print(`\x1b*rA\x1b*rP0\0${page}\x1b\x0c\0${page}\x1b*rF1\0\x1b\x0c\0\x1b*rB`, {
      family: 'star-raster',
    })
    expect(paper.tickets.map((ticket) => [ticket.text(), ticket.cut])).toEqual([['[raster 16x6]', 'partial']])
    expect(dotRows(pictureOf(paper.tickets[0]?.lines[0]))).toEqual([
      '########.......#',
      '#...............',
      '................',
      '................',
      '................',
      '.......#........',
    ])
    // F 1: no cut. B prints nothing, because the page was printed already.
    expect([paper.current.text(), paper.current.cut]).toEqual(['[raster 16x6]', null])
  })

  it('ends the document if raster mode is left with dots on the page', () => {
    expect(print('\x1b*rA\x1b*rE9\0b\x01\x00\xff\x1b*rB').tickets.map((ticket) => ticket.cut)).toEqual(['full'])
    expect(print('\x1b*rAb\x01\x00\xff\x1b*rC\x1b*rB').tickets).toEqual([])
  })

  it('combines rows of k, and limits a feed', () => {
    const paper = print(`\x1b*rAk\x01\x00\xf0b\x01\x00\x0f\x1b*rY${'9'.repeat(20)}\0\x1b\x0c\0`)
    expect(dotRows(pictureOf(paper.tickets[0]?.lines[0]))[0]).toBe('########')
    expect(paper.tickets[0]?.heightDots).toBeLessThanOrEqual(40_000)
  })

  it('prints no text on a printer without characters, and reports it', () => {
    const paper = print('plain text\n', { family: 'star-raster' })
    expect(paper.current.text()).toBe('')
    expect(paper.current.ignored).toEqual(['text'])
  })

  it('opens the drawer in raster mode too', () => {
    expect(print('\x1b*rA\x1b*rD1\0\x1b*rD0\0').current.drawerPulses).toBe(1)
  })

  it('reads Shift-JIS after ESC $ 1', () => {
    expect(print('\x1b$\x01\x8e\xf5\x8e\x69\xb1\x1b$\x00\n', { kanji: 'shift-jis' }).current.text()).toMatch(/^寿司/)
  })
})
