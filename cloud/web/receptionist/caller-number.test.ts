// A caller's number, and how long a call lasted, as people read them.
import { expect, test } from 'vitest'
import { lasted, shownNumber } from './caller-number.tsx'

test('a number of North America is grouped, and every other stays whole', () => {
  expect(shownNumber('+12125550142')).toBe('+1 212-555-0142')
  for (const other of ['+34912345678', '+1…42', '+1212555014']) expect(shownNumber(other)).toBe(other)
})

test('a call lasts minutes and seconds', () => {
  expect([0, 9_400, 65_000, 3_600_000].map(lasted)).toEqual(['0:00', '0:09', '1:05', '60:00'])
})
