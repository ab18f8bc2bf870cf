// The size of the numbers on the guests' board: all fit, and each can be read across the room.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { numberSize } from './pick-up-layout.ts'

const TELEVISION = { widthPx: 1_920, heightPx: 1_080 }
const HALF = { widthPx: 900, heightPx: 900 }
const two = { letters: 2, nameLetters: 0 }

describe('the numbers of a board', () => {
  it('are as large as possible so that all fit', () => {
    const fontOf = (count: number) => numberSize({ ...two, count }, HALF, TELEVISION).fontPx
    expect([1, 12, 40].map(fontOf)).toEqual([240, 150, 76])
  })

  it('are counted instead of shown below the minimum size', () => {
    const { fontPx, shown } = numberSize({ ...two, count: 300 }, HALF, TELEVISION)
    expect(fontPx).toBe(60)
    expect(shown).toBeLessThan(300)
  })

  it('that are long have fewer columns, and at least one on a phone', () => {
    const phone = { widthPx: 390, heightPx: 844 }
    expect(numberSize({ count: 3, letters: 9, nameLetters: 5 }, { widthPx: 180, heightPx: 700 }, phone)).toEqual({
      fontPx: 24,
      columns: 1,
      shown: 3,
    })
  })

  it('leave room for a name, and long names are cut rather than making all smaller', () => {
    const fontOf = (nameLetters: number) => numberSize({ count: 9, letters: 2, nameLetters }, HALF, TELEVISION).fontPx
    expect([0, 5, 10, 12, 40].map(fontOf)).toEqual([150, 150, 96, 76, 76])
  })

  it('never exceed their area, whatever its size', () => {
    const px = fc.integer({ min: 320, max: 3_840 })
    const share = fc.double({ min: 0.3, max: 0.7, noNaN: true })
    assertProperty(
      fc.property(
        fc.record({ widthPx: px, heightPx: px }),
        share,
        fc.record({
          count: fc.integer({ min: 1, max: 200 }),
          letters: fc.integer({ min: 1, max: 4 }),
          nameLetters: fc.integer({ min: 0, max: 30 }),
        }),
        (screen, part, numbers) => {
          const box = { widthPx: screen.widthPx * part, heightPx: screen.heightPx * 0.8 }
          const { fontPx, columns, shown } = numberSize(numbers, box, screen)
          const places = shown + (shown < numbers.count ? 1 : 0)
          const rows = Math.ceil(places / columns)
          expect(columns * fontPx * numbers.letters * 0.6).toBeLessThanOrEqual(box.widthPx)
          if (shown > 1) expect(rows * fontPx * 1.5).toBeLessThanOrEqual(box.heightPx)
        },
      ),
    )
  })
})
