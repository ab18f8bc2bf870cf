// The drawing of paper: aligned to the grid, dot by dot, and safe to show.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { PaperInterpreter, type PaperOptions } from './paper.ts'
import { isBlack, pictureOfRows } from './picture.ts'
import { qrModules } from './qr-code.ts'
import { paperToSvg } from './svg.ts'

function draw(text: string, options: PaperOptions = { columns: 20 }): string {
  const paper = new PaperInterpreter(options)
  paper.push(Buffer.from(text, 'latin1'))
  return paperToSvg(paper.tickets[0] ?? paper.current)
}

/** The dots that the strokes of a path cover: rows of `#` and `.`. */
function painted(svg: string, width: number, height: number): string[] {
  const path = /<path [^>]*d="([^"]*)"/.exec(svg)?.[1] ?? ''
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, () => '.'))
  let [x, y] = [0, 0]
  for (const [, command, a, b] of path.matchAll(/([Mmh])(-?[\d.]+)(?: (-?[\d.]+))?/g)) {
    if (command === 'M') [x, y] = [Number(a), Math.floor(Number(b))]
    if (command === 'm') x += Number(a)
    if (command !== 'h') continue
    for (let dot = 0; dot < Number(a); dot++) (rows[y] ?? [])[x + dot] = '#'
    x += Number(a)
  }
  return rows.map((row) => row.join(''))
}

it('draws styles on the dot grid, and where the paper is cut', () => {
  const svg = draw('\x1ba\x01\x1d!\x11\x1dB\x01VOID\x1dB\x00\x1d!\x00\n\x1br\x01red\n\x1dVB\x00')
  expect(svg).toContain('width="288"')
  // Four double-width cells in the middle of 20: a black box 96 dots wide, white text scaled to it, each letter in its own cell.
  expect(svg).toContain('<rect x="72" y="24" width="96" height="48" fill="#111"/>')
  expect(svg).toContain(
    '<text xml:space="preserve" transform="translate(72 24) scale(2 2)" x="0 12 24 36" y="18.96" font-size="19.92" fill="#fff">VOID<',
  )
  expect(svg).toContain('fill="#c1121f"')
  // A partial cut leaves a bridge, a full one does not.
  expect(svg.match(/stroke-dasharray/g)).toHaveLength(2)
  expect(draw('x\n\x1dV\x00').match(/stroke-dasharray/g)).toHaveLength(1)
})

it('keeps the width of the paper in dots, for any number of columns', () => {
  expect(draw('x\n', { columns: 42, dots: 512 })).toContain('viewBox="-24 0 560 ')
  expect(draw('x\n', { columns: 33, dots: 400, isImpact: true })).toContain('viewBox="-24 0 448 ')
})

it('puts letters of different heights on one baseline, and rotates upside-down lines', () => {
  const svg = draw('a\x1d!\x01b\x1d!\x00\n')
  expect(svg).toContain('transform="translate(0 48)" x="0"')
  expect(svg).toContain('transform="translate(12 24) scale(1 2)"')
  expect(draw('\x1b{\x01ab\n')).toContain('<g transform="rotate(180 12 36)">')
})

it('draws ideographs two columns wide', () => {
  expect(draw('\x1c&\xba\xba\xb1\xa4\x1c.x\n')).toMatch(/x="0 24" [^>]*>汉堡<.*translate\(48 24\)" x="0" [^>]*>x</)
})

it('draws every picture dot by dot', () => {
  const pictures = fc.record({
    rowBytes: fc.integer({ min: 1, max: 6 }),
    data: fc.uint8Array({ minLength: 6, maxLength: 60 }),
  })
  assertProperty(
    fc.property(pictures, ({ rowBytes, data }) => {
      const picture = pictureOfRows(data, { rowBytes, mostDots: 576, size: { dotWidth: 1, dotHeight: 1 } })
      const { widthDots, heightDots, rows } = picture
      const head = Buffer.from([0x1d, 0x76, 0x30, 0, rowBytes, 0, heightDots, 0])
      const svg = draw(Buffer.concat([head, rows]).toString('latin1'), {})
      const dots = Array.from({ length: heightDots }, (_, y) =>
        Array.from({ length: widthDots }, (__, x) => (isBlack(picture, x, y) ? '#' : '.')).join(''),
      )
      expect(painted(svg, widthDots, heightDots)).toEqual(dots)
    }),
  )
})

it('draws the modules of a QR code in their size', () => {
  const svg = draw('\x1d(k\x03\x001C\x04\x1d(k\x08\x001P0hello\x1d(k\x03\x001Q0', {})
  const modules = qrModules(Buffer.from('hello'), 'L') ?? []
  expect(painted(svg, 21, 21)).toEqual(modules.map((row) => row.map((black) => (black ? '#' : '.')).join('')))
  expect(svg).toContain('translate(0 24) scale(4)')
})

it('draws stored data again if the error correction level changes', () => {
  const [low, print, high] = ['\x1d(k\x03\x001E0', '\x1d(k\x03\x001Q0', '\x1d(k\x03\x001E3']
  const svg = draw(`\x1d(k\x08\x001P0hello${low}${print}${high}${print}${low}${print}`, {})
  const [first, second, third] = Array.from(svg.matchAll(/ d="([^"]*)"/g), ([, path]) => path)
  const modules = qrModules(Buffer.from('hello'), 'H') ?? []
  expect(painted(`<path d="${second}"`, 21, 21)).toEqual(
    modules.map((row) => row.map((black) => (black ? '#' : '.')).join('')),
  )
  expect(third).toBe(first)
  expect(second).not.toBe(first)
})

it('draws bars with their text below, and other barcodes as boxes with their data', () => {
  const svg = draw('\x1dH\x02\x1dh\x50\x1dw\x02\x1dkI\x05{B123', {})
  // Start B: bars of 2, 1 and 1 modules.
  expect(svg).toContain('d="M0 24h4v80h-4zM6 24h2v80h-2zM12 24h2v80h-2z')
  expect(svg).toMatch(/text-anchor="middle"[^>]*>123</)
  expect(draw('\x1dk\x04AB\x00', {})).toContain('>barcode: AB<')
})

it('draws the gaps between labels', () => {
  const svg = draw('one\n\x0ctwo\n\x0c', { columns: 20, labelDots: 100 })
  expect([...svg.matchAll(/y1="(\d+)"[^>]*stroke="#e0a800"/g)].map(([, y]) => y)).toEqual(['124', '224'])
})

it('escapes all text', () => {
  const svg = draw('</text><script>"&\'\n\x1dk\x04<\x07>&\x00')
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&quot;')
  expect(svg).toContain('barcode: &lt;\ufffd&gt;&amp;')
})
