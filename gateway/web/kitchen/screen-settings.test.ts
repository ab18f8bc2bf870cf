// The settings of a display, read from storage that may contain anything.
import { expect, it } from 'vitest'
import { THRESHOLD_KEYS } from '#shared/kitchen-times.ts'
import { ORDER_TYPES } from '#shared/order.ts'
import { readSettings } from './screen-settings.ts'

it('uses valid values and defaults for the rest', () => {
  const usual = readSettings(null)
  const kept =
    '{"density":"XL","columns":"9","volume":7,"doubleTap":true,"expoAsk":"perhaps","sounds":{"new":"off","void":"loud"}}'
  expect(readSettings(kept)).toEqual({
    ...usual,
    density: 'XL',
    doubleTap: true,
    sounds: { ...usual.sounds, new: 'off' },
  })
  for (const damaged of ['', 'null', '[1', '"x"', '{"sounds":5}', '{"thresholds":[5]}', '{"ownThresholds":7}'])
    expect(readSettings(damaged)).toEqual(usual)
})

it('reads the size of letters from an older page as the size of tickets', () => {
  expect(readSettings('{"size":"L"}').density).toBe('L')
  expect(readSettings('{"size":"L","density":"S"}').density).toBe('S')
})

it('has no times of its own until somebody sets them', () => {
  expect(THRESHOLD_KEYS).toEqual(['usual', ...ORDER_TYPES])
  expect(readSettings(null).ownThresholds).toEqual({})
})

it('keeps its own valid times, type by type, even if they are the default', () => {
  const kept = {
    usual: { soonMin: 5, lateMin: 10 },
    delivery: { soonMin: 9, lateMin: 2 },
    catering: { soonMin: 0.5, lateMin: 20 },
    takeaway: { soonMin: 3, lateMin: 181 },
  }
  expect(readSettings(JSON.stringify({ ownThresholds: kept })).ownThresholds).toEqual({ usual: kept.usual })
})

it('reads from an older page, which stored every type, only the times that differ from the default', () => {
  const usual = { soonMin: 5, lateMin: 10 }
  const delivery = { soonMin: 8, lateMin: 15 }
  const short = { soonMin: 3, lateMin: 6 }
  const ownOf = (kept: object) => readSettings(JSON.stringify({ thresholds: kept })).ownThresholds
  expect(ownOf({ usual, 'dine-in': short, delivery, catering: usual })).toEqual({ 'dine-in': short })
  // There the default times were those of orders without a type.
  expect(ownOf({ usual: short, 'dine-in': usual, delivery, catering: short })).toEqual({
    usual: short,
    'dine-in': usual,
  })
})
