// From which age an order is late: what a screen is set to, else the box, else the usual minutes.
import { expect, it } from 'vitest'
import { thresholdOf, thresholdsOf, withMinutes } from './kitchen-times.ts'

const minutes = (soonMin: number, lateMin: number) => ({ soonMin, lateMin })

it('is five and ten minutes, for a delivery eight and fifteen', () => {
  const usual = thresholdsOf()
  expect(thresholdOf(null, usual)).toEqual(minutes(5, 10))
  expect(thresholdOf('takeaway', usual)).toEqual(minutes(5, 10))
  expect(thresholdOf('delivery', usual)).toEqual(minutes(8, 15))
})

it('is the box’s value, else the screen’s own default, each type for itself', () => {
  const box = { usual: minutes(6, 12), catering: minutes(30, 60) }
  const known = thresholdsOf(box, { catering: minutes(20, 40) })
  expect(thresholdOf('dine-in', known)).toEqual(minutes(6, 12))
  expect(thresholdOf('catering', known)).toEqual(minutes(20, 40))
  expect(thresholdOf('delivery', known)).toEqual(minutes(8, 15))
})

it('never puts soon after late: the other minute follows', () => {
  const before = { soonMin: 5, lateMin: 10 }
  expect(withMinutes(before, { soonMin: 12 })).toEqual({ soonMin: 12, lateMin: 12 })
  expect(withMinutes(before, { lateMin: 4 })).toEqual({ soonMin: 4, lateMin: 4 })
  expect(withMinutes(before, { lateMin: 0 })).toEqual(before)
  expect(withMinutes(before, { soonMin: 1_000 })).toEqual(before)
})
