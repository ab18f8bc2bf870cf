// The preview of any bytes: text, drawing and warnings. No input breaks it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import type { PaperOptions } from './paper.ts'
import { previewOf } from './preview.ts'

const bytesOf = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const preview = (text: string, options?: PaperOptions) => previewOf(bytesOf(text), options)

describe('previewOf', () => {
  it('returns the offset, name and description of each command', () => {
    const { operations } = preview('\x1b@\x1bt\x10\x1b!\x30caf\xe9\n\x1dVB\x00')
    expect(operations).toEqual([
      { offset: 0, length: 2, name: 'ESC @', detail: 'initialise: styles, page and unprinted text are forgotten' },
      { offset: 2, length: 3, name: 'ESC t', detail: 'code page 16' },
      { offset: 5, length: 3, name: 'ESC !', detail: 'style: tall wide' },
      { offset: 8, length: 4, name: 'text', detail: 'café' },
      { offset: 12, length: 1, name: 'LF', detail: 'print the line' },
      { offset: 13, length: 4, name: 'GS V', detail: 'partial cut, fed to the cutter' },
    ])
  })

  it('shows all tickets, one below the other', () => {
    const { text, svg, tickets, warnings } = preview('one\n\x1dV\x00two\n\x1dV\x01')
    expect(text).toBe('one\n- - - - cut - - - -\ntwo')
    expect(tickets).toHaveLength(2)
    expect(svg.match(/<line /g)).toHaveLength(3)
    expect(svg).toContain('<title>Layout as sent to the printer; letter shapes differ on paper</title>')
    expect(warnings).toEqual([])
  })

  it('describes Star’s commands for Star’s bytes', () => {
    const { operations, warnings } = preview('\x1bETable\x1bF\n\x07\x1bd\x03', { family: 'star' })
    expect(operations.map(({ detail }) => detail)).toEqual([
      'bold on',
      'Table',
      'bold off',
      'print the line',
      'OPENS CASH DRAWER 1',
      'partial cut, fed to the cutter',
    ])
    expect(warnings).toEqual(['It opens the cash drawer.'])
  })

  it.each([
    ['\x1b\x01text\n\x1dV\x00', 'Unknown commands; what follows them may be read wrongly: ESC 0x01.'],
    ['a\n\x1b=\x01\x1dV\x00', 'Not shown, because it is not interpreted: ESC =.'],
    [
      'a\n\x1dV\x00\x1dv0\x00\x01\x00\x09\x00',
      'The last command does not end: the printer waits for more, and swallows what comes next.',
    ],
    [`${'x'.repeat(50)}\n\x1dV\x00`, 'A line is longer than the paper and goes on in the next one.'],
    [
      '\x1bt\xc8\xe9\n\x1dV\x00',
      'Some bytes have no character in the selected code page; nobody can say what the printer prints for them.',
    ],
    ['text\n', 'The paper behind the last line is not cut.'],
    ['text\n\x10\x14\x01\x00\x01\x1dV\x00', 'It opens the cash drawer.'],
    ['', 'There are no bytes.'],
  ])('warns of %j', (bytes, warning) => {
    expect(preview(bytes).warnings).toEqual([warning])
  })

  it('expects no cut from a printer without a cutter', () => {
    expect(preview('text\n', { hasCutter: false }).warnings).toEqual([])
  })

  it('counts drawer pulses and beeps, and notes them in the drawing', () => {
    const { drawerPulses, beeps, svg } = preview('\x1bp\x00\x19\xfa\x1bB\x03\x02')
    expect([drawerPulses, beeps]).toEqual([1, 3])
    expect(svg).toContain('>cash drawer opens<')
    expect(svg).toContain('>beeps 3 times<')
  })

  it('treats a picture of 65535 by 65535 dots as invalid: no printer could hold it', () => {
    const { warnings, svg } = preview('\x1dv0\x00\xff\xff\xff\xfftext\n\x1dV\x00')
    expect(warnings).toEqual(['Unknown commands; what follows them may be read wrongly: GS v 0.'])
    expect(svg.length).toBeLessThan(2_000)
  })

  it('never throws, loses no byte and returns valid XML, for any bytes', () => {
    const codes = fc.constantFrom(
      0x1b,
      0x1d,
      0x1c,
      0x10,
      0x00,
      0x0a,
      0x0c,
      0x28,
      0x76,
      0x30,
      0x2a,
      0x4c,
      0x6b,
      0x72,
      0x41,
      0x1e,
    )
    const parts = fc.oneof(
      fc.array(fc.oneof(codes, fc.integer({ min: 0, max: 255 })), { maxLength: 60 }),
      fc
        .constantFrom(
          '\x1b*rAb\x02\x00ab',
          '\x1dv0\x03\x02\x00\x02\x00abcd',
          '\x1b*\x21\x02\x00abcdef',
          '\x1d(L\x02\x0002',
        )
        .map((text) => Array.from(bytesOf(text))),
    )
    const stream = fc.array(parts, { maxLength: 8 }).map((list) => Uint8Array.from(list.flat()))
    const options = fc.record({
      family: fc.constantFrom('epson', 'daruma', 'star', 'star-raster'),
      columns: fc.integer({ min: 24, max: 64 }),
      dots: fc.constantFrom(384, 400, 512, 576),
      kanji: fc.constantFrom('gb18030', 'big5', 'shift-jis', 'euc-kr'),
      kanjiAtStart: fc.boolean(),
      isImpact: fc.boolean(),
      labelDots: fc.constantFrom(null, 320),
    })
    assertProperty(
      fc.property(stream, options, (bytes, paper) => {
        const { operations, svg } = previewOf(bytes, paper)
        expect(operations.reduce((sum, { length }) => sum + length, 0)).toBe(bytes.length)
        // Tags are balanced, and there is no text that XML does not allow.
        expect(svg).toMatch(/^<svg [^<>]*>(<[^<>]+>|[^<>]*)*<\/svg>$/)
        expect(svg.replace(/[\n\t]/g, '')).not.toMatch(/\p{Cc}|\ufffe|\uffff/u)
        expect(svg.length).toBeLessThan(20_000 + bytes.length * 100)
      }),
      { numRuns: 3_000 },
    )
  })

  it('ends, far within the time limit of a test, also for bytes that were made to be slow', () => {
    const worst = ['\n', '\x1d!\x00', 'a\x1bE\x01b\x1bE\x00', '\x1b\x01', '\x1dV\x00', '\t', 'x'].map((text) => [
      '',
      text,
    ])
    // A stored picture of 2040 by 2040 dots and a QR code of 2900 bytes, each printed again by every few bytes.
    const picture = `\x1d*\xff\xff${'\xaa'.repeat(520_200)}`
    const qr = `\x1d(k\x57\x0b1P0${'q'.repeat(2900)}`
    for (const [before = '', text = ''] of [...worst, [picture, '\x1d/\x03'], [qr, '\x1d(k\x03\x001Q0']]) {
      const bytes = bytesOf(before + text.repeat(Math.floor(60_000 / text.length)))
      expect(previewOf(bytes).svg, JSON.stringify(text)).toMatch(/<\/svg>$/)
    }
  })
})
