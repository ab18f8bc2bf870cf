// What people type to find an order, and which orders match.
import { describe, expect, it } from 'vitest'
import { kitchenOrder } from '#shared/order.ts'
import { webOrder } from '#test/fixtures/kitchen-orders.ts'
import { orderWords } from './order-words.ts'

const ORDER = webOrder(
  [
    { umsId: 'U-1', name: 'Jalapeño "Fire" Burger', qty: 1, modifiers: [{ umsId: 'M', name: 'Café sauce' }] },
    { umsId: 'U-2', name: '宫保鸡丁', qty: 2 },
  ],
  { customer: { name: 'Ana Maria Lopez' }, table: 'T12', orderType: 'dine-in' },
)

/** A search in two steps: by the text first. */
function finds(search: string, order = ORDER): boolean {
  const words = orderWords(search)
  const text = JSON.stringify({ kind: 'order', order })
  return words?.mayFit('pj_0001', text) === true && words.fits('pj_0001', order)
}

describe('an order', () => {
  it.each([
    ['#42', 'its number'],
    ['42', 'the digits of its number'],
    ['web-1042', "the client's id"],
    ['1042', 'a number within that'],
    ['jalapeno', 'a dish, without its accent'],
    ['JALAPEÑO', 'a dish in capitals'],
    ['"fire"', 'a dish with signs that JSON escapes'],
    ['cafe', 'a modifier'],
    ['宫保', 'a dish in Chinese'],
    ['ana', "the guest's first name"],
    ['Ana L.', 'the guest as paper calls him'],
    ['t12', 'a table'],
    ['dine-in', 'a type'],
    ['burger ana #42', 'several of them'],
    ['pj_0001', 'its job'],
  ])('is found by %s: %s', (search) => {
    expect(finds(search)).toBe(true)
  })

  it.each([
    ['#4', 'a part of its number'],
    ['04', 'digits in the middle of an id'],
    ['#1042', "the client's id as a number"],
    ['lopez', 'more of the name than paper shows'],
    ['maria', 'a middle name'],
    ['burger pizza', 'a word that it does not have'],
  ])('is not found by %s: %s', (search) => {
    expect(finds(search)).toBe(false)
  })
})

it.each(['', '   ', '#', '.'])('%j is no search', (search) => {
  expect(orderWords(search)).toBeNull()
})

it('an order whose guest was blanked is not found by the name any more', () => {
  expect(finds('ana', kitchenOrder.parse({ ...ORDER, customer: undefined }))).toBe(false)
})
