// Which way of a finger turns the page.
import { expect, it } from 'vitest'
import { turnBy } from './swipe.ts'

it('turns forward to the left and back to the right, the other way round where letters run from the right', () => {
  expect(turnBy({ dxPx: -120, dyPx: 10 }, false)).toBe(1)
  expect(turnBy({ dxPx: 120, dyPx: 10 }, false)).toBe(-1)
  expect(turnBy({ dxPx: -120, dyPx: 10 }, true)).toBe(-1)
  expect(turnBy({ dxPx: 120, dyPx: 10 }, true)).toBe(1)
})

it('takes a hand that is not quite still, or that goes down, for none', () => {
  expect(turnBy({ dxPx: 40, dyPx: 0 }, false)).toBe(0)
  expect(turnBy({ dxPx: 80, dyPx: 70 }, false)).toBe(0)
})
