// How the pieces of a line are made to fit: all evenly while that is readable, otherwise only those that are too wide for their columns.
import { describe, expect, it } from 'vitest'
import { fittedPlan, type Item } from './line-plan.ts'
import type { Piece } from './piece.ts'

const piece = (text: string, columns: number, kind: Piece['kind'] = 'free'): Piece => ({
  ...{ text, columns, kind, face: 1, family: 'any', size: { size: 20, baseline: 24 }, isRightToLeft: false },
  ...{ bold: false, columnDots: 10, lineDots: 32, squeeze: 1 },
})
const free = (text: string, columns: number): Item => ({ piece: piece(text, columns), widthDots: null })
const cell = (text: string): Item => ({ piece: piece(text, 1, 'cell'), widthDots: 10 })

/** The squeeze of each piece of a run that is 100 dots wide. */
function fitted(items: Item[], widths: Readonly<Record<string, number>>): Record<string, number> {
  const run = { items, xDots: 0, widthDots: 100, heightDots: 32, underline: false, alarm: false }
  const plan = fittedPlan({ widthDots: 100, heightDots: 32, runs: [run] }, ({ text }) => widths[text] ?? 0)
  return Object.fromEntries(
    plan.runs.flatMap((each) => each.items.map(({ piece: own }) => [own?.text ?? '', own?.squeeze ?? 0])),
  )
}

describe('a run that is wider than its columns', () => {
  it('is squeezed evenly while that is readable', () => {
    expect(fitted([free('a', 5), free('b', 5)], { a: 50, b: 75 })).toEqual({ a: 25 / 32, b: 25 / 32 })
  })

  it('leaves words unchanged next to one sign that is far too wide', () => {
    expect(fitted([free('word', 7), free('sign', 1), free('end', 2)], { word: 70, sign: 160, end: 15 })).toEqual({
      ...{ word: 1, end: 1 },
      sign: 3 / 32,
    })
  })

  it('is never wider than its space', () => {
    const widths = { a: 200, b: 90, c: 18, d: 12 }
    const squeezes = fitted([free('a', 4), free('b', 3), free('c', 2), free('d', 1)], widths)
    const sum = Object.entries(widths).reduce((all, [text, width]) => all + width * (squeezes[text] ?? 0), 0)
    expect(sum).toBeLessThanOrEqual(100)
    expect(squeezes['c']).toBe(1)
  })
})

it('a letter of a monospaced font is squeezed only if it would cover the next one', () => {
  expect(fitted([cell('W'), cell('Ǆ')], { W: 11.5, Ǆ: 20 })).toEqual({ W: 1, Ǆ: 0.5 })
})
