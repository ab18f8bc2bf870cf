// Which movements of a finger turn the page.
import { expect, it } from 'vitest'
import { turnBy } from './swipe.ts'

it('turns forward to the left and back to the right, reversed in right-to-left languages', () => {
  expect(turnBy({ dxPx: -120, dyPx: 10 }, false)).toBe(1)
  expect(turnBy({ dxPx: 120, dyPx: 10 }, false)).toBe(-1)
  expect(turnBy({ dxPx: -120, dyPx: 10 }, true)).toBe(-1)
  expect(turnBy({ dxPx: 120, dyPx: 10 }, true)).toBe(1)
})

it('ignores small movements and vertical ones', () => {
  expect(turnBy({ dxPx: 40, dyPx: 0 }, false)).toBe(0)
  expect(turnBy({ dxPx: 80, dyPx: 70 }, false)).toBe(0)
})
