// Which orders count for the time to paper.
import { expect, test } from 'vitest'
import { paperSeconds } from './paper-seconds.ts'

const HERE = [{ station: null, way: 'printer', name: 'Hot' }]
const order = (ways: object[] | null, change: object = {}) => ({
  order: {
    result: JSON.stringify({ status: 'accepted', ...(ways === null ? {} : { ways }) }),
    ...{ queued_at: 10_000, fire_at: null, fired_at: 10_000 },
    ...change,
  },
  confirmation: 'confirmed' as const,
  printedAtMs: 11_500,
})

test('an order that was due at once, with its printers online', () => {
  expect(paperSeconds(order(HERE))).toBe(1.5)
})

test.each([
  ['was for later', order(HERE, { fire_at: 12_000, fired_at: 12_000 })],
  ['was fired later', order(HERE, { fired_at: 11_000 })],
  ['found a printer away', order([...HERE, { station: 'bar', way: null, name: null }])],
  ['came while nothing was known of its kitchen', order(null)],
])('says nothing when it %s', (_, one) => {
  expect(paperSeconds(one)).toBeNull()
})

test('a clock that is behind gives no negative time', () => {
  expect(paperSeconds({ ...order(HERE), printedAtMs: 9_000 })).toBe(0)
})
