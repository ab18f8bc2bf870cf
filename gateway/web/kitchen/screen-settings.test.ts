// What a browser has kept of this screen: whatever stands there, the screen is usable.
import { expect, it } from 'vitest'
import { readSettings } from './screen-settings.ts'

it('takes what makes sense and leaves the rest as usual', () => {
  const usual = readSettings(null)
  expect(readSettings('{"size":"XL","columns":"9","volume":7,"sounds":{"new":"off","void":"loud"}}')).toEqual({
    ...usual,
    size: 'XL',
    sounds: { ...usual.sounds, new: 'off' },
  })
  for (const damaged of ['', 'null', '[1', '"x"', '{"sounds":5}']) expect(readSettings(damaged)).toEqual(usual)
})
