// Draws paper as SVG on the printer's dot grid, for previews. The SVG is self-contained: no external fonts, scripts or links.
import { characters, type GraphicLine, type PaperRun, type PaperTicket, type TextLine } from './paper-ticket.ts'
import { isBlack, type Picture } from './picture.ts'
import { type QrLevel, qrModules } from './qr-code.ts'

const MARGIN_DOTS = 24
const CUT_DOTS = 20
const NOTE_DOTS = 22
const BLACK = '#111'
const RED = '#c1121f'
const PALE = '#999'
/** Position of the baseline and size of the letters, as shares of the height of a character cell. */
const BASELINE = 0.79
const FONT_SIZE = 0.83
/** Width of a monospace letter as a share of its font size, so that no letter is wider than its cell. */
const LETTER_WIDTH = 0.6
const CAPTION_SIZE = 20
/** A few bytes can print a large picture repeatedly. Beyond this size the drawing ends with a note. */
const MOST_CHARACTERS = 8_000_000
/** Title of the drawing: the positions are exact, the shapes of letters are the browser's. */
const TITLE = 'Layout as sent to the printer; letter shapes differ on paper'

/** One SVG document as text, whose size in pixels is the size of the paper in dots. All text is escaped. */
export function paperToSvg(ticket: PaperTicket): string {
  return papersToSvg([ticket])
}

/** Several tickets, one below the other, in print order. */
export function papersToSvg(tickets: readonly PaperTicket[]): string {
  const width = tickets.reduce((most, { grid }) => Math.max(most, grid.dots), 0)
  const parts: string[] = []
  let y = MARGIN_DOTS
  let room = MOST_CHARACTERS
  for (const ticket of tickets) {
    const drawn = drawTicket(ticket, y, room)
    parts.push(drawn.svg)
    room -= drawn.svg.length
    y = drawn.endDots
    if (room <= 0) break
  }
  const totalWidth = width + 2 * MARGIN_DOTS
  const height = y + MARGIN_DOTS
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${totalWidth}" height="${height}" ` +
    `viewBox="${-MARGIN_DOTS} 0 ${totalWidth} ${height}"><title>${TITLE}</title>` +
    `<rect x="${-MARGIN_DOTS}" width="${totalWidth}" height="${height}" fill="#fdfdf8"/>` +
    // Bytes print from left to right, in any script.
    `<g font-family="ui-monospace, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace" ` +
    `style="direction:ltr;unicode-bidi:bidi-override">${parts.join('')}</g></svg>`
  )
}

function drawTicket(ticket: PaperTicket, top: number, room: number): { svg: string; endDots: number } {
  const { dots } = ticket.grid
  const parts: string[] = []
  let y = top
  let length = 0
  for (const line of ticket.lines) {
    const drawn = line.kind === 'text' ? drawText(line, y) : line.kind === 'graphic' ? drawGraphic(line, y) : ''
    parts.push(drawn)
    y += line.heightDots
    length += drawn.length
    if (length <= room) continue
    parts.push(noteAt(y, 'the drawing ends here: it would be too large'))
    return { svg: parts.join(''), endDots: y + NOTE_DOTS }
  }
  parts.push(labelGaps(ticket, top, y))
  const notes = [
    ...(ticket.drawerPulses > 0 ? [`cash drawer opens${times(ticket.drawerPulses)}`] : []),
    ...(ticket.beeps > 0 ? [`beeps${times(ticket.beeps)}`] : []),
  ]
  for (const note of notes) {
    parts.push(noteAt(y, note))
    y += NOTE_DOTS
  }
  if (ticket.cut !== null) {
    const cutY = y + CUT_DOTS / 2
    // A partial cut leaves a bridge in the middle.
    const bridge = ticket.cut === 'partial' ? dots / 2 - 12 : dots + MARGIN_DOTS
    parts.push(edge(-MARGIN_DOTS, bridge, cutY))
    if (ticket.cut === 'partial') parts.push(edge(dots / 2 + 12, dots + MARGIN_DOTS, cutY))
    y += CUT_DOTS
  }
  return { svg: parts.join(''), endDots: y }
}

function noteAt(y: number, note: string): string {
  return `<text x="0" y="${y + NOTE_DOTS - 6}" font-size="16" fill="${PALE}">${note}</text>`
}

function times(count: number): string {
  return count === 1 ? '' : ` ${count} times`
}

function edge(from: number, to: number, y: number): string {
  return `<line x1="${from}" y1="${y}" x2="${to}" y2="${y}" stroke="${PALE}" stroke-dasharray="8 6"/>`
}

/** Lines between die-cut labels. */
function labelGaps({ grid }: PaperTicket, top: number, end: number): string {
  if (grid.labelDots === null) return ''
  let gaps = ''
  const most = 200
  for (let y = top + grid.labelDots, i = 0; y <= end && i < most; y += grid.labelDots, i++) {
    gaps += `<line x1="${-MARGIN_DOTS}" y1="${y}" x2="${grid.dots + MARGIN_DOTS}" y2="${y}" stroke="#e0a800" stroke-width="2"/>`
  }
  return gaps
}

function drawText(line: TextLine, y: number): string {
  const heights = [
    ...line.runs.map((run) => run.heightDots),
    ...line.pictures.map(({ picture }) => picture.heightDots * picture.dotHeight),
  ]
  const tallest = heights.reduce((most, height) => Math.max(most, height), 0)
  // Characters of different heights are on one baseline, pictures at the lower edge.
  const runs = line.runs.map((run) => drawRun(run, y + tallest - run.heightDots))
  const pictures = line.pictures.map(({ picture, xDots, red }) =>
    drawPicture(picture, { x: xDots, y: y + tallest - picture.heightDots * picture.dotHeight, red }),
  )
  const drawn = [...runs, ...pictures].join('')
  if (!line.upsideDown) return drawn
  const left = Math.min(...line.runs.map((run) => run.xDots), ...line.pictures.map(({ xDots }) => xDots))
  const right = Math.max(...line.runs.map((run) => run.xDots + characters(run.text) * run.advanceDots), left)
  return `<g transform="rotate(180 ${(left + right) / 2} ${y + tallest / 2})">${drawn}</g>`
}

function drawRun(run: PaperRun, y: number): string {
  const ink = run.red ? RED : BLACK
  const { xDots: x, heightDots: height, advanceDots } = run
  const letters = Array.from(run.text)
  const width = letters.length * advanceDots
  const box = run.inverse ? `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${ink}"/>` : ''
  const rule = run.underline
    ? `<rect x="${x}" y="${y + height - 2}" width="${width}" height="2" fill="${run.inverse ? '#fff' : ink}"/>`
    : ''
  if (run.text.trim() === '') return box + rule
  const weight = run.bold ? ' font-weight="bold"' : ''
  const cellHeight = height / run.heightScale
  const cellWidth = advanceDots / run.widthScale
  const size = round(Math.min(cellHeight * FONT_SIZE, cellWidth / LETTER_WIDTH))
  const scale = run.widthScale === 1 && run.heightScale === 1 ? '' : ` scale(${run.widthScale} ${run.heightScale})`
  return (
    `${box}<text xml:space="preserve" transform="translate(${x} ${y})${scale}" x="${places(letters, cellWidth)}" y="${round(cellHeight * BASELINE)}" ` +
    `font-size="${size}" fill="${run.inverse ? '#fff' : ink}"${weight}>${escapeXml(run.text)}</text>${rule}`
  )
}

/** An x position for each letter, so that columns stay aligned with any font. SVG counts in UTF-16 units. */
function places(letters: readonly string[], cellWidth: number): string {
  return letters.flatMap((letter, i) => Array.from({ length: letter.length }, () => round(i * cellWidth))).join(' ')
}

function drawGraphic(line: GraphicLine, y: number): string {
  const { drawing, xDots } = line
  switch (drawing.kind) {
    case 'picture':
      return drawPicture(drawing.picture, { x: xDots, y, red: line.red })
    case 'qr':
      return drawCode(codePath(drawing.bytes, drawing.level), { x: xDots, y, moduleDots: drawing.moduleDots })
    case 'bars':
      return drawBars(drawing, xDots, y) + drawCaption(line, y + drawing.barsDots)
    case 'box':
      return drawBox(line, y)
  }
}

function drawBox(line: GraphicLine, y: number): string {
  const label = line.data === null ? line.what : `${line.what}: ${line.data}`
  return (
    `<rect x="${line.xDots}" y="${y}" width="${line.widthDots}" height="${line.heightDots}" fill="#ddd" stroke="${PALE}"/>` +
    `<text x="${line.xDots + 4}" y="${y + CAPTION_SIZE}" font-size="${CAPTION_SIZE}" fill="${BLACK}">${escapeXml(label)}</text>`
  )
}

function drawCaption(line: GraphicLine, y: number): string {
  if (line.caption === null) return ''
  const middle = line.xDots + line.widthDots / 2
  return `<text x="${middle}" y="${y + CAPTION_SIZE}" font-size="${CAPTION_SIZE}" text-anchor="middle" fill="${BLACK}">${escapeXml(line.caption)}</text>`
}

function drawBars(
  { widths, moduleDots, barsDots }: { widths: readonly number[]; moduleDots: number; barsDots: number },
  x: number,
  y: number,
): string {
  let path = ''
  let at = x
  widths.forEach((width, i) => {
    const dots = width * moduleDots
    if (i % 2 === 0) path += `M${at} ${y}h${dots}v${barsDots}h${-dots}z`
    at += dots
  })
  return `<path d="${path}" fill="${BLACK}" shape-rendering="crispEdges"/>`
}

function drawPicture(picture: Picture, { x, y, red }: { x: number; y: number; red: boolean }): string {
  const { widthDots, heightDots, dotWidth, dotHeight } = picture
  const rows = Array.from({ length: heightDots }, (_, row) => (column: number) => isBlack(picture, column, row))
  const path = runsPath(rows, widthDots)
  if (path === '') return ''
  const scale = dotWidth === 1 && dotHeight === 1 ? '' : ` scale(${dotWidth} ${dotHeight})`
  return `<path transform="translate(${x} ${y})${scale}" d="${path}" stroke="${red ? RED : BLACK}" shape-rendering="crispEdges"/>`
}

// A few bytes can print stored data repeatedly, so the code is computed once. The bytes are never modified.
const codePaths = new WeakMap<Uint8Array, { level: QrLevel; path: string }>()

function codePath(bytes: Uint8Array, level: QrLevel): string {
  const known = codePaths.get(bytes)
  if (known?.level === level) return known.path
  const modules = qrModules(bytes, level) ?? []
  const rows = modules.map((row) => (column: number) => row[column] === true)
  const path = runsPath(rows, modules.length)
  codePaths.set(bytes, { level, path })
  return path
}

function drawCode(path: string, { x, y, moduleDots }: { x: number; y: number; moduleDots: number }): string {
  return `<path transform="translate(${x} ${y}) scale(${moduleDots})" d="${path}" stroke="${BLACK}" shape-rendering="crispEdges"/>`
}

/** Black runs of all rows as strokes one unit high: the shortest form that all browsers draw the same. */
function runsPath(rows: readonly ((column: number) => boolean)[], width: number): string {
  const parts: string[] = []
  rows.forEach((isBlackAt, y) => {
    let end = -1
    for (let x = 0; x < width; x++) {
      if (!isBlackAt(x)) continue
      const start = x
      while (x < width && isBlackAt(x)) x++
      parts.push(end === -1 ? `M${start} ${y}.5h${x - start}` : `m${start - end} 0h${x - start}`)
      end = x
    }
  })
  return parts.join('')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for XML. Control codes and noncharacters, which XML does not allow, become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
