// What a screen was set to is read from storage that may hold anything.
import { expect, it } from 'vitest'
import { ORDER_TYPES } from '#shared/order.ts'
import { readSettings, THRESHOLD_KEYS, withMinutes } from './screen-settings.ts'

it('takes what makes sense and leaves the rest as usual', () => {
  const usual = readSettings(null)
  const kept =
    '{"density":"XL","columns":"9","volume":7,"doubleTap":true,"expoAsk":"perhaps","sounds":{"new":"off","void":"loud"}}'
  expect(readSettings(kept)).toEqual({
    ...usual,
    density: 'XL',
    doubleTap: true,
    sounds: { ...usual.sounds, new: 'off' },
  })
  for (const damaged of ['', 'null', '[1', '"x"', '{"sounds":5}', '{"thresholds":[5]}'])
    expect(readSettings(damaged)).toEqual(usual)
})

it('reads the size of the letters that an older page kept as the size of the tickets', () => {
  expect(readSettings('{"size":"L"}').density).toBe('L')
  expect(readSettings('{"size":"L","density":"S"}').density).toBe('S')
})

it('knows times for every type of order: five and ten minutes, for delivery eight and fifteen', () => {
  const { thresholds } = readSettings(null)
  expect(THRESHOLD_KEYS).toEqual(['usual', ...ORDER_TYPES])
  expect(thresholds.usual).toEqual({ soonMin: 5, lateMin: 10 })
  expect(thresholds.delivery).toEqual({ soonMin: 8, lateMin: 15 })
})

it('keeps times that make sense, type by type', () => {
  const kept = { usual: { soonMin: 3, lateMin: 6 }, delivery: { soonMin: 9, lateMin: 2 }, catering: { soonMin: 0.5 } }
  const { thresholds } = readSettings(JSON.stringify({ thresholds: kept }))
  expect(thresholds.usual).toEqual({ soonMin: 3, lateMin: 6 })
  expect(thresholds.delivery).toEqual({ soonMin: 8, lateMin: 15 })
  expect(thresholds.catering).toEqual({ soonMin: 5, lateMin: 10 })
})

it('never lets soon come after late: the other minute follows', () => {
  const before = { soonMin: 5, lateMin: 10 }
  expect(withMinutes(before, { soonMin: 12 })).toEqual({ soonMin: 12, lateMin: 12 })
  expect(withMinutes(before, { lateMin: 4 })).toEqual({ soonMin: 4, lateMin: 4 })
  expect(withMinutes(before, { lateMin: 0 })).toEqual(before)
  expect(withMinutes(before, { soonMin: 1_000 })).toEqual(before)
})
