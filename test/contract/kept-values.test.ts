// What an example of the reference keeps when it is recorded again.
import { expect, test } from 'vitest'
import { keptValues } from './kept-values.ts'

test('a field that is new comes with its value, and what was there keeps its own', () => {
  const old = { orderId: 'ord_1', queuedAt: '2026-01-01T00:00:00.000Z', customer: { name: 'Ana' } }
  const fresh = {
    orderId: 'ord_2',
    queuedAt: '2026-11-30T00:00:00.000Z',
    customer: { name: 'Ben', phone: '1' },
    pager: '7',
  }
  expect(keptValues(old, fresh)).toEqual({ ...old, customer: { name: 'Ana', phone: '1' }, pager: '7' })
})

test('a field that is gone is left out', () => {
  expect(keptValues({ a: 1, b: 2 }, { a: 3 })).toEqual({ a: 1 })
})

test('a list keeps its length, and each of its members gets what is new', () => {
  const old = { data: [{ id: 'a' }, { id: 'b' }] }
  expect(keptValues(old, { data: [{ id: 'c', pager: null }] })).toEqual({
    data: [
      { id: 'a', pager: null },
      { id: 'b', pager: null },
    ],
  })
  expect(keptValues(old, { data: [] })).toEqual(old)
})

test('nothing that was null or a number becomes another one', () => {
  expect(keptValues({ printedAt: null, total: 5 }, { printedAt: '2026-11-30T00:00:00.000Z', total: 9 })).toEqual({
    printedAt: null,
    total: 5,
  })
})
