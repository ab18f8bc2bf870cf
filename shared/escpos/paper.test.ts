// Compares the interpreter with what a printer does with the same bytes.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { PaperInterpreter } from './paper.ts'
import type { TextLine } from './paper-ticket.ts'

const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1')

function print(text: string, options?: ConstructorParameters<typeof PaperInterpreter>[0]): PaperInterpreter {
  const paper = new PaperInterpreter(options)
  paper.push(latin1(text))
  return paper
}

describe('PaperInterpreter', () => {
  it('splits the paper into tickets at the cuts', () => {
    const paper = print('\x1b@one\n\x1dVB\x00two\n\x1dV\x00three\n')
    expect(paper.tickets.map((ticket) => [ticket.text(), ticket.cut])).toEqual([
      ['one', 'partial'],
      ['two', 'full'],
    ])
    expect(paper.current.text()).toBe('three')
  })

  it('reads styles, sizes and alignment', () => {
    const paper = print(
      '\x1ba\x01\x1d!\x11\x1dB\x01VOID\x1dB\x00\x1d!\x00\n\x1ba\x00\x1bE\x01B\x1bE\x00 \x1b-\x01U\n',
      {
        columns: 20,
      },
    )
    expect(paper.current.text()).toBe(`${' '.repeat(6)}VOID\nB U`)
    const [banner, styled] = paper.current.lines as TextLine[]
    expect(banner).toMatchObject({ align: 'center', columns: 8, heightDots: 48 })
    const style = { bold: false, underline: false, inverse: true, red: false, widthScale: 2, heightScale: 2 }
    expect(banner?.runs).toEqual([{ text: 'VOID', ...style, xDots: 72, advanceDots: 24, heightDots: 48 }])
    expect(styled?.runs.map((run) => [run.text, run.bold, run.underline])).toEqual([
      ['B', true, false],
      [' ', false, false],
      ['U', false, true],
    ])
  })

  it('decodes accents and the euro sign by the selected page', () => {
    expect(print('\x1bt\x10Jalape\xf1o \x80\n').current.text()).toBe('Jalapeño €')
    expect(print('\x1bt\x13Jalape\xa4o \xd5\n').current.text()).toBe('Jalapeño €')
    expect(print('\x1bt\x11\x8f\xa8\xe0\xae\xa3\n').current.text()).toBe('Пирог')
  })

  it('prints Chinese instead of accents while a clone is in Kanji mode', () => {
    const clone = { kanjiAtStart: true }
    expect(print('\x1bt\x10Caf\xe9s\n', clone).current.text()).not.toContain('é')
    expect(print('\x1c.\x1bt\x10Caf\xe9s\n', clone).current.text()).toBe('Cafés')
  })

  it('wraps a line that is longer than the paper, and marks the wrap', () => {
    const paper = print('abcdefgh\n\x1d!\x10abc\n', { columns: 5 })
    expect(paper.current.lines.map((line) => line.kind === 'text' && [line.runs[0]?.text, line.wrapped])).toEqual([
      ['abcde', false],
      ['fgh', true],
      ['ab', false],
      ['c', true],
    ])
  })

  it('counts drawer pulses and beeps', () => {
    const paper = print('\x1bp\x00\x19\xfa\x10\x14\x01\x00\x01\x1bB\x03\x02\x07\x1b(A\x05\x00ad\x02\x01\x01\n')
    expect(paper.current).toMatchObject({ drawerPulses: 2, beeps: 6 })
  })

  it('discards unprinted text at ESC @, as a printer does, and resets styles and page', () => {
    const paper = print('\x1bt\x10\x1bE\x01lost\x1b@\xe9\n')
    expect(paper.current.text()).toBe('Θ')
    expect((paper.current.lines[0] as TextLine).runs[0]?.bold).toBe(false)
  })

  it('ignores NUL bytes, as sent after a power cut', () => {
    expect(print(`${'\0'.repeat(3000)}\x1b@text\0\0\n`).current.text()).toBe('text')
  })

  it('shows pictures, QR codes and barcodes with their size', () => {
    const paper = print(
      '\x1dv0\x00\x02\x00\x03\x00abcdef' +
        '\x1d(k\x03\x001C\x04\x1d(k\x08\x001P0hello\x1d(k\x03\x001Q0' +
        '\x1dh\x50\x1dw\x02\x1dkI\x05{B123',
    )
    expect(paper.current.text()).toBe('[raster 16x3]\n[qr "hello" 84x84]\n[barcode "123" 136x80]')
  })

  it('feeds paper, and includes the feeds in the height', () => {
    const paper = print('text\x1bd\x03\x1bJ\x0a')
    expect(paper.current.lines.map((line) => [line.kind, line.heightDots])).toEqual([
      ['text', 30],
      ['feed', 60],
      ['feed', 10],
    ])
    expect(paper.current.heightDots).toBe(100)
  })

  it('moves to tab stops and absolute positions', () => {
    expect(print('a\tb\x1b$\xf0\x00c\n').current.text()).toBe(`a       b${' '.repeat(11)}c`)
  })

  it('reports commands that it did not interpret', () => {
    expect(print('\x1bL\x1b\x01\n').current.ignored).toEqual(['ESC L', 'ESC 0x01?'])
  })

  it('discards a half-received image and the unprinted text when power fails, but not the paper', () => {
    const paper = print('kept\nlost\x1dv0\x00\x02\x00\x03\x00ab')
    expect(paper.pendingBytes).toBe(10)
    paper.powerOff()
    paper.push(latin1('new\n'))
    expect(paper.current.text()).toBe('kept\nnew')
  })

  it('prints the same wherever the stream is split', () => {
    const part = fc.constantFrom(
      'Caf\xe9 \x80',
      '\n',
      '\x1bt\x10',
      '\x1d!\x11',
      '\x1c&\xba\xba\xb1\xa4\x1c.',
      '\x1ba\x01',
      '\x1dv0\x00\x01\x00\x02\x00ab',
      '\x1b*\x21\x01\x00abc',
      '\x1dVB\x00',
      '\x1b@',
    )
    assertProperty(
      fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 7 }), (parts, step) => {
        const bytes = latin1(parts.join(''))
        const [whole, pieces] = [new PaperInterpreter(), new PaperInterpreter()]
        whole.push(bytes)
        for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.subarray(at, at + step))
        const linesOf = (paper: PaperInterpreter) => [...paper.tickets, paper.current].map(({ lines }) => lines)
        expect(linesOf(pieces)).toEqual(linesOf(whole))
      }),
    )
  })
})
