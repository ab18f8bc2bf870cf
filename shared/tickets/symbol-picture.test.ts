// Codes that we draw are equal to those of other encoders.
import { describe, expect, it } from 'vitest'
import { PaperInterpreter } from '#shared/escpos/paper.ts'
import { rowBytes } from './bitmap.ts'
import { EscposEncoder } from './escpos-encoder.ts'
import { profileById } from './printer-profiles.ts'
import { paperOptionsFor } from './profile-paper.ts'
import { symbolPicture } from './symbol-picture.ts'
import { sizeOfSymbol } from './symbols.ts'

const SIZE = { moduleDots: 1, heightDots: 3 }

/** Rows of `#` (black) and `.` (white). */
function drawing(symbol: Parameters<typeof symbolPicture>[0], size = SIZE): string[] {
  const bitmap = symbolPicture(symbol, size)
  if (bitmap === null) return []
  const black = (x: number, y: number) =>
    ((bitmap.rows[y * rowBytes(bitmap) + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) !== 0
  return Array.from({ length: bitmap.heightDots }, (_, y) =>
    Array.from({ length: bitmap.widthDots }, (__, x) => (black(x, y) ? '#' : '.')).join(''),
  )
}

describe('symbolPicture', () => {
  it('draws CODE 128 as in the standard: start B, the data, the check digit, stop', () => {
    const [bars, ...others] = drawing({ what: 'barcode', data: 'A' })
    // 211214 (start B), 111323 (A, value 33), 131123 (check: (104 + 33) mod 103 = 34), 2331112 (stop)
    expect(bars).toBe('##.#..#....' + '#.#...##...' + '#...#.##...' + '##...###.#.##')
    expect(others).toEqual([bars, bars])
  })

  it('draws a QR code with its three finder patterns, in the requested size', () => {
    const small = drawing({ what: 'qr', data: 'https://example.com' })
    expect(small).toHaveLength(25)
    for (const row of [small[0], small[6]]) expect(row?.startsWith('#######.') && row.endsWith('.#######')).toBe(true)
    expect(small[18]?.startsWith('#######.')).toBe(true)
    expect(drawing({ what: 'qr', data: 'https://example.com' }, { moduleDots: 4, heightDots: 100 })).toHaveLength(100)
  })

  it('is null for data that the code cannot hold', () => {
    expect(symbolPicture({ what: 'qr', data: 'x'.repeat(3_000) }, SIZE)).toBeNull()
    expect(symbolPicture({ what: 'barcode', data: 'é' }, SIZE)).toBeNull()
  })
})

it.each(['bematech', 'epson-legacy', 'star-raster'])(
  '%s prints it as a picture of the size that layout planned',
  (id) => {
    const profile = profileById(id)
    const symbol = { what: 'qr', data: 'https://example.com' } as const
    const size = sizeOfSymbol(symbol, profile)
    const paper = new PaperInterpreter(paperOptionsFor(profile))
    paper.push(new EscposEncoder(profile).encode([{ align: 'left', runs: [], symbol }]))
    const heights = paper.tickets[0]?.lines.flatMap((line) => (line.kind === 'graphic' ? [line.heightDots] : [])) ?? []
    const height = heights.reduce((sum, dots) => sum + dots, 0)
    expect(height).toBeGreaterThanOrEqual(size?.heightDots ?? Number.NaN)
    // The last band of 24 rows may have white rows at the end.
    expect(height).toBeLessThan((size?.heightDots ?? 0) + 24)
  },
)
