// Arranges many pieces on one SVG sheet, so that they are drawn in one job, and cuts the drawing into pieces again. Pure.
import type { Drawn } from './drawing-thread.ts'
import { DESIGN_BASELINE, DESIGN_LINE } from './font-box.ts'
import type { DrawnPiece, Piece } from './piece.ts'

/** Design grid of a line: letters of 12 dots, 24 high with accents and descenders, 32 with line spacing. */
const DESIGN_COLUMN = 12
const FONT_SIZE: Readonly<Record<Exclude<Piece['kind'], 'free'>, number>> = {
  cell: 20,
  wide: 24,
  // The pictures of an emoji font are a quarter wider than its font size.
  emoji: 19,
}
const BOLD_STROKE = 1
/**
 * Threshold for black, of 255. Low, so that thin strokes between two dots do not vanish, and lower for coarse letters, whose strokes are
 * all thin.
 */
const BLACK = 100
const BLACK_WHEN_COARSE = 72

const SHEET_WIDTH = 1_024
const MAX_SHEET_HEIGHT = 4_096
/** Space for ink to the left of a piece, and above and below its line. */
const PAD = 8
/** How much wider than its columns a word may be before it is drawn again, narrower. */
const FREE_SLOT = 1.8

/** Stacked marks may extend into the slot above without touching its edge. */
const STACKED = /\p{M}{3}/u

interface Slot {
  piece: Piece
  x: number
  y: number
  width: number
}

export interface Sheet {
  svg: string
  /** The same with a clip around each piece, which is slower to draw: for pieces that exceed their slots. */
  framedSvg: () => string
  faces: number[]
  slots: readonly Slot[]
}

/** Arranges the pieces on as few sheets as possible. */
export function sheetsOf(pieces: readonly Piece[]): Sheet[] {
  const sheets: Slot[][] = []
  let slots: Slot[] = []
  let [x, y, shelfHeight] = [0, 0, 0]
  // Pieces of the same height are side by side.
  for (const piece of pieces.toSorted((a, b) => a.lineDots - b.lineDots)) {
    const width = Math.min(SHEET_WIDTH, slotWidth(piece))
    if (x + width > SHEET_WIDTH) [x, y, shelfHeight] = [0, y + shelfHeight, 0]
    const height = slotHeight(piece)
    if (y + height > MAX_SHEET_HEIGHT && slots.length > 0) {
      sheets.push(slots)
      ;[slots, x, y, shelfHeight] = [[], 0, 0, 0]
    }
    slots.push({ piece, x, y, width })
    x += width
    shelfHeight = Math.max(shelfHeight, height)
  }
  if (slots.length > 0) sheets.push(slots)
  return sheets.map((each) => ({
    slots: each,
    faces: [...new Set(each.map(({ piece }) => piece.face))],
    svg: svgOf(each, { framed: each.some(({ piece }) => STACKED.test(piece.text)) }),
    framedSvg: () => svgOf(each, { framed: true }),
  }))
}

/** True if ink of a piece reaches the edge of its slot, so that it may extend into another one. */
export function hasOverflow({ slots }: Sheet, { width: sheetWidth, black }: Drawn): boolean {
  return slots.some(({ piece, x, y, width }) => {
    const bottom = y + slotHeight(piece) - 1
    for (let column = x; column < x + width; column++) {
      if (black[y * sheetWidth + column] || black[bottom * sheetWidth + column]) return true
    }
    for (let row = y; row <= bottom; row++) {
      if (black[row * sheetWidth + x] || black[row * sheetWidth + x + width - 1]) return true
    }
    return false
  })
}

/** The pieces of a drawn sheet, in the order of its slots. */
export function cutOut(sheet: Sheet, drawn: Drawn): DrawnPiece[] {
  return sheet.slots.map((slot) => cutPiece(slot, drawn))
}

/** The baseline, in dots from the top of a line of this height. */
export function baselineOf(lineDots: number): number {
  return Math.round((DESIGN_BASELINE / DESIGN_LINE) * lineDots)
}

/** True if the ink reaches the end of the slot, where it may be cut off. */
export function isCutOff(piece: Piece, drawn: DrawnPiece): boolean {
  return piece.kind === 'free' && drawn.left + drawn.widthDots >= Math.min(SHEET_WIDTH, slotWidth(piece)) - PAD - 1
}

/** Western letters are one column wide; some other letters of monospaced fonts are two. */
const WESTERN = /^[\0-\u00ff]*$/

function slotWidth({ text, kind, columns, columnDots }: Piece): number {
  const slot = kind === 'free' ? FREE_SLOT : kind !== 'cell' ? 1.3 : WESTERN.test(text) ? 1 : 2
  return Math.ceil(columns * columnDots * slot) + 3 * PAD
}

function slotHeight(piece: Piece): number {
  return piece.lineDots + 2 * marginOf(piece)
}

function marginOf({ lineDots }: Piece): number {
  return Math.ceil(lineDots / 4)
}

function svgOf(slots: readonly Slot[], { framed }: { framed: boolean }): string {
  const height = Math.max(...slots.map(({ piece, y }) => y + slotHeight(piece)))
  const pictures = slots.map(({ piece, x, y, width }) =>
    framed
      ? `<svg x="${x}" y="${y}" width="${width}" height="${slotHeight(piece)}" overflow="hidden">${textOf(piece)}</svg>`
      : `<g transform="translate(${x} ${y})">${textOf(piece)}</g>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${SHEET_WIDTH}" height="${height}">${pictures.join('')}</svg>`
}

function textOf(piece: Piece): string {
  const { columnDots, lineDots, squeeze, kind, family, bold } = piece
  const { size, baseline } = kind === 'free' ? piece.size : { size: FONT_SIZE[kind], baseline: DESIGN_BASELINE }
  const scaleX = (columnDots / DESIGN_COLUMN) * squeeze
  const scaleY = lineDots / DESIGN_LINE
  const at = `translate(${PAD + middleOf(piece)} ${marginOf(piece) + Math.round((baseline / DESIGN_LINE) * lineDots)}) scale(${scaleX} ${scaleY})`
  // On coarse heads there is no space for thicker strokes: letters would be illegible.
  const stroke = bold && scaleX >= 0.75 ? ` stroke="#000" stroke-width="${BOLD_STROKE}"` : ''
  return `<text xml:space="preserve" transform="${at}" font-family="${family}" font-size="${size}"${stroke}>${contentOf(piece)}</text>`
}

/** Aligns the middle of letters with a centre stroke (T, i, +) to one dot, not between two that would both stay white. */
function middleOf(piece: Piece): number {
  return piece.kind === 'cell' && isCoarse(piece) && piece.columnDots % 2 === 0 ? 0.5 : 0
}

/** True for a 9-pin head, whose dots are larger than the strokes of letters. */
function isCoarse({ columnDots }: Piece): boolean {
  return columnDots < 8
}

/** Adds embedding marks, so that brackets and full stops of right-to-left text are on the correct side. */
function contentOf({ text, isRightToLeft }: Piece): string {
  const escaped = escapeXml(text)
  return isRightToLeft ? `\u202b${escaped}\u202c` : escaped
}

const NOT_IN_XML = /[^\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

/** Escapes text for the content of an XML element. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(NOT_IN_XML, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
}

function cutPiece({ piece, x, y, width }: Slot, { width: sheetWidth, black: cover }: Drawn): DrawnPiece {
  const heightDots = piece.lineDots
  const black = isCoarse(piece) ? BLACK_WHEN_COARSE : BLACK
  const top = y + marginOf(piece)
  let first = width
  let last = -1
  for (let row = 0; row < heightDots; row++) {
    const from = (top + row) * sheetWidth + x
    for (let column = 0; column < width; column++) {
      if ((cover[from + column] ?? 0) < black) continue
      if (column < first) first = column
      if (column > last) last = column
    }
  }
  const widthDots = Math.max(0, last - first + 1)
  const dots = new Uint8Array(widthDots * heightDots)
  for (let row = 0; row < heightDots; row++) {
    const from = (top + row) * sheetWidth + x + first
    for (let column = 0; column < widthDots; column++) {
      if ((cover[from + column] ?? 0) >= black) dots[row * widthDots + column] = 1
    }
  }
  return { left: widthDots === 0 ? 0 : first - PAD, widthDots, heightDots, dots }
}
