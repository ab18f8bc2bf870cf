// Which lines fit a die-cut label.
import { describe, expect, it } from 'vitest'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { tokenize } from '#shared/escpos/tokenize.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { fitToLabel } from './label-height.ts'
import type { TicketLine } from './line-layout.ts'
import { profileById } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'

const label = profileById('epson-label')
const line = (text: string, heightScale: 1 | 2 = 1): TicketLine => ({ align: 'left', runs: [{ text, heightScale }] })
const texts = (lines: readonly TicketLine[]) => lines.map((each) => each.runs.map((run) => run.text).join(''))
const numbered = (count: number) => Array.from({ length: count }, (_, i) => line(`line ${i + 1}`))

describe('a label', () => {
  it('of 40 mm has room for eight lines, of 25 mm for five; a roll has no limit', () => {
    const fitting = (id: string) => fitToLabel(numbered(100), profileById(id)).length
    expect([fitting('epson-label'), fitting('epson-label-25'), fitting('epson-thermal-203')]).toEqual([8, 5, 100])
  })

  it('keeps what fits unchanged', () => {
    expect(fitToLabel(numbered(8), label)).toEqual(numbered(8))
    expect(fitToLabel([...numbered(8), line(''), line(' ')], label)).toEqual(numbered(8))
  })

  it('ends in dots if something is left out', () => {
    expect(texts(fitToLabel(numbered(9), label))).toEqual([...texts(numbered(7)), 'line 8...'])
    expect(texts(fitToLabel([...numbered(7), line('x'.repeat(32)), line('y')], label)).at(-1)).toBe(
      `${'x'.repeat(29)}...`,
    )
  })

  it('does not get wider by the dots', () => {
    const wide: TicketLine = { align: 'left', runs: [{ text: 'x'.repeat(31) }, { text: 'y', widthScale: 1 }] }
    expect(texts(fitToLabel([...numbered(7), wide, line('z')], label)).at(-1)).toBe(`${'x'.repeat(31)}.`)
    const double: TicketLine = { align: 'left', runs: [{ text: 'W'.repeat(16), widthScale: 2 }] }
    expect(texts(fitToLabel([...numbered(7), double, line('z')], label)).at(-1)).toBe(`${'W'.repeat(13)}...`)
  })

  it('counts tall lines as tall, and codes by their dots', () => {
    expect(
      fitToLabel(
        Array.from({ length: 9 }, () => line('tall', 2)),
        label,
      ),
    ).toHaveLength(5)
    const code: TicketLine = { align: 'left', runs: [], symbol: { what: 'barcode', data: 'A' } }
    expect(texts(fitToLabel([code, ...numbered(8)], label))).toEqual(['', ...texts(numbered(5)), 'line 6...'])
  })

  it('begins at the print start and ends at the peel position, without a cut', () => {
    const { operations } = tokenize(new EscposEncoder(label).encode(numbered(20)))
    const commands = operations.filter((operation) => operation.kind === 'command')
    expect(commands.filter(({ name }) => name === 'LF')).toHaveLength(8)
    expect(commands.filter(({ name }) => name === 'FS ( L').map(({ params }) => [...params])).toEqual([
      [67, 48],
      [65, 48],
    ])
    expect(commands.at(-1)?.name).toBe('FS ( L')
    expect(commands.some(({ name }) => name === 'GS V')).toBe(false)
  })

  it.each(['epson-label', 'epson-label-25', 'epson-label-60'])(
    'that runs on over the next ones (%s) has no line across the gap between two, and loses none',
    (id) => {
      const profile = profileById(id)
      const options = paperOptionsFor(profile)
      const lines = Array.from({ length: 40 }, (_, i) => line(`line ${i + 1}`, i % 3 === 0 ? 2 : 1))
      const paper = new PaperInterpreter(options)
      paper.push(new EscposEncoder(profile).encode(lines, { runsOn: true }))
      const labelDots = options.labelDots ?? 0
      let top = 0
      for (const each of paper.current.lines) {
        const bottom = top + each.heightDots
        if (each.kind === 'text') expect(Math.floor(top / labelDots)).toBe(Math.floor((bottom - 1) / labelDots))
        top = bottom
      }
      expect(
        paper.current
          .text()
          .trim()
          .split(/\s*\n\s*/),
      ).toEqual(texts(lines))
    },
  )
})
