// The drawing of paper: on the grid, and safe to show.
import { expect, it } from 'vitest'
import { PaperInterpreter } from './paper.ts'
import { paperToSvg } from './svg.ts'

function draw(text: string, columns = 20): string {
  const paper = new PaperInterpreter({ columns })
  paper.push(Buffer.from(text, 'latin1'))
  return paperToSvg(paper.tickets[0] ?? paper.current)
}

it('draws styles on the dot grid, and where the paper is cut', () => {
  const svg = draw('\x1ba\x01\x1d!\x11\x1dB\x01VOID\x1dB\x00\x1d!\x00\n\x1br\x01red\n\x1dVB\x00')
  expect(svg).toContain('width="288"')
  // Four double-width cells in the middle of 20: a black box 96 dots wide, white text scaled to it.
  expect(svg).toContain('<rect x="72" y="24" width="96" height="48" fill="#111"/>')
  expect(svg).toContain(
    '<text xml:space="preserve" transform="translate(72 24) scale(2 2)" x="0 12 24 36" y="18.96" font-size="19.92" fill="#fff">',
  )
  expect(svg).toContain('fill="#c1121f"')
  expect(svg).toContain('stroke-dasharray')
})

it('never lets text out of its element', () => {
  const svg = draw('</text><script>"&\'\n\x1dk\x04<\x07>&\x00')
  expect(svg).not.toContain('<script')
  expect(svg).toContain('&lt;/text&gt;&lt;script&gt;&quot;')
  expect(svg).toContain('barcode: &lt;\ufffd&gt;&amp;')
})
