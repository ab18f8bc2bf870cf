// Combines the drawn pieces of a line to one picture as wide as the paper. Pure.
import { type Bitmap, rowBytes } from '#shared/tickets/bitmap.ts'
import { advanceOf, type LinePlan, type RunPlan } from './line-plan.ts'
import type { DrawnPiece, Piece } from './piece.ts'
import { baselineOf } from './piece-sheet.ts'

interface Canvas {
  widthDots: number
  heightDots: number
  /** One byte per dot: 1 = black. */
  dots: Uint8Array
}

export function linePicture(plan: LinePlan, drawnOf: (piece: Piece) => DrawnPiece | undefined): Bitmap {
  const { widthDots, heightDots } = plan
  const canvas: Canvas = { widthDots, heightDots, dots: new Uint8Array(widthDots * heightDots) }
  for (const run of plan.runs) drawRun(canvas, run, drawnOf)
  const undrawn = plan.runs
    .flatMap(({ items }) => items)
    .filter(({ piece }) => piece !== null && drawnOf(piece)?.isUndrawn === true).length
  return undrawn === 0 ? packed(canvas) : { ...packed(canvas), undrawn }
}

function drawRun(canvas: Canvas, run: RunPlan, drawnOf: (piece: Piece) => DrawnPiece | undefined): void {
  const end = Math.min(canvas.widthDots, run.xDots + run.widthDots)
  // Letters of both heights have the same baseline.
  const top = baselineOf(canvas.heightDots) - baselineOf(run.heightDots)
  let x = run.xDots
  for (const { piece, widthDots } of run.items) {
    const drawn = piece === null ? undefined : drawnOf(piece)
    if (drawn !== undefined) blit(canvas, drawn, { x: x + drawn.left, top, end })
    x += widthDots ?? (piece === null || drawn === undefined ? 0 : advanceOf(piece, drawn))
  }
  if (run.underline) underline(canvas, run, { top, end })
  if (run.alarm) invert(canvas, run.xDots, end)
}

function blit(
  canvas: Canvas,
  { widthDots, heightDots, dots }: DrawnPiece,
  { x, top, end }: { x: number; top: number; end: number },
): void {
  const from = Math.max(0, -x)
  const to = Math.min(widthDots, end - x)
  for (let row = 0; row < heightDots && top + row < canvas.heightDots; row++) {
    const target = (top + row) * canvas.widthDots + x
    for (let column = from; column < to; column++) {
      if (dots[row * widthDots + column] === 1) canvas.dots[target + column] = 1
    }
  }
}

function underline(canvas: Canvas, { xDots, heightDots }: RunPlan, { top, end }: { top: number; end: number }): void {
  const thickness = Math.max(1, Math.round(heightDots / 32))
  const first = Math.min(canvas.heightDots - thickness, top + baselineOf(heightDots) + Math.ceil(heightDots / 8))
  for (let row = first; row < first + thickness; row++) {
    canvas.dots.fill(1, row * canvas.widthDots + xDots, row * canvas.widthDots + end)
  }
}

function invert(canvas: Canvas, from: number, to: number): void {
  for (let row = 0; row < canvas.heightDots; row++) {
    for (let at = row * canvas.widthDots + from; at < row * canvas.widthDots + to; at++) {
      canvas.dots[at] = canvas.dots[at] === 1 ? 0 : 1
    }
  }
}

/** Packs eight dots into a byte, without the white at the right. */
export function packed({ widthDots, heightDots, dots }: Canvas): Bitmap {
  const bitmap: Bitmap = {
    widthDots: Math.max(8, inkWidth({ widthDots, heightDots, dots })),
    heightDots,
    rows: new Uint8Array(),
  }
  const bytes = rowBytes(bitmap)
  const rows = new Uint8Array(bytes * heightDots)
  for (let row = 0; row < heightDots; row++) {
    for (let column = 0; column < bitmap.widthDots; column++) {
      if (dots[row * widthDots + column] !== 1) continue
      const at = row * bytes + (column >> 3)
      rows[at] = (rows[at] ?? 0) | (0x80 >> (column & 7))
    }
  }
  return { ...bitmap, rows }
}

function inkWidth({ widthDots, heightDots, dots }: Canvas): number {
  let width = 0
  for (let row = 0; row < heightDots; row++) {
    const end = (row + 1) * widthDots
    const last = dots.lastIndexOf(1, end - 1) - row * widthDots
    if (last >= width) width = last + 1
  }
  return Math.min(widthDots, width)
}
