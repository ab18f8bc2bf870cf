// Draws paper as SVG on the printer's dot grid, for previews. Stands alone: no fonts, scripts or links from elsewhere.
import type { GraphicLine, PaperAlign, PaperLine, PaperRun, PaperTicket, TextLine } from './paper-ticket.ts'

const COLUMN_DOTS = 12
const CHARACTER_DOTS = 24
/** From the top of a character cell to the baseline. */
const BASELINE_DOTS = 19
const MARGIN_DOTS = 24
const CUT_DOTS = 20
const BLACK = '#111'
const RED = '#c1121f'

/** One SVG document as text; its size in pixels is the paper's size in dots. All text is escaped. */
export function paperToSvg(ticket: PaperTicket): string {
  const width = ticket.columns * COLUMN_DOTS
  const parts: string[] = []
  let y = MARGIN_DOTS
  for (const line of ticket.lines) {
    parts.push(drawLine(line, y, width))
    y += line.heightDots
  }
  if (ticket.cut !== null) {
    const cutY = y + CUT_DOTS / 2
    parts.push(
      `<line x1="${-MARGIN_DOTS}" y1="${cutY}" x2="${width + MARGIN_DOTS}" y2="${cutY}" stroke="#999" stroke-dasharray="8 6"/>`,
    )
    y += CUT_DOTS
  }
  const totalWidth = width + 2 * MARGIN_DOTS
  const height = y + MARGIN_DOTS
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${totalWidth}" height="${height}" ` +
    `viewBox="${-MARGIN_DOTS} 0 ${totalWidth} ${height}">` +
    `<rect x="${-MARGIN_DOTS}" width="${totalWidth}" height="${height}" fill="#fdfdf8"/>` +
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', monospace" font-size="20" xml:space="preserve">` +
    `${parts.join('')}</g></svg>`
  )
}

function drawLine(line: PaperLine, y: number, width: number): string {
  switch (line.kind) {
    case 'feed':
      return ''
    case 'graphic':
      return drawGraphic(line, y, width)
    case 'text':
      return drawText(line, y, width)
  }
}

function left(align: PaperAlign, lineWidth: number, width: number): number {
  const free = Math.max(0, width - lineWidth)
  return align === 'left' ? 0 : align === 'right' ? free : free / 2
}

function drawText(line: TextLine, y: number, width: number): string {
  const lineWidth = line.columns * COLUMN_DOTS
  const tallest = line.runs.reduce((most, run) => Math.max(most, run.heightScale), 1) * CHARACTER_DOTS
  let x = left(line.align, lineWidth, width)
  const middle = { x: x + lineWidth / 2, y: y + tallest / 2 }
  let drawn = ''
  for (const run of line.runs) {
    const runWidth = Array.from(run.text).length * COLUMN_DOTS * run.widthScale
    // Characters of different heights stand on one baseline.
    drawn += drawRun(run, x, y + tallest - run.heightScale * CHARACTER_DOTS, runWidth)
    x += runWidth
  }
  return line.upsideDown ? `<g transform="rotate(180 ${middle.x} ${middle.y})">${drawn}</g>` : drawn
}

function drawRun(run: PaperRun, x: number, y: number, width: number): string {
  const ink = run.red ? RED : BLACK
  const height = run.heightScale * CHARACTER_DOTS
  const box = run.inverse ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${ink}"/>` : ''
  const rule = run.underline
    ? `<rect x="${x}" y="${y + height - 2}" width="${width}" height="2" fill="${run.inverse ? '#fff' : ink}"/>`
    : ''
  if (run.text.trim() === '') return box + rule
  const weight = run.bold ? ' font-weight="bold"' : ''
  const cells = Array.from(run.text).length * COLUMN_DOTS
  return (
    `${box}<g transform="translate(${x} ${y}) scale(${run.widthScale} ${run.heightScale})">` +
    `<text y="${BASELINE_DOTS}" fill="${run.inverse ? '#fff' : ink}"${weight} textLength="${cells}" ` +
    `lengthAdjust="spacingAndGlyphs">${escapeXml(run.text)}</text></g>${rule}`
  )
}

function drawGraphic(line: GraphicLine, y: number, width: number): string {
  const x = left(line.align, line.widthDots, width)
  const label = line.data === null ? line.what : `${line.what}: ${line.data}`
  return (
    `<rect x="${x}" y="${y}" width="${line.widthDots}" height="${line.heightDots}" fill="#ddd" stroke="#999"/>` +
    `<text x="${x + 4}" y="${y + BASELINE_DOTS}" fill="${BLACK}">${escapeXml(label)}</text>`
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for XML. Control codes, which XML cannot hold at all, become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
