// The body hash: equal requests hash alike however their JSON is ordered, different ones never.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { bodyHash, canonicalJson, isHashOf } from './body-hash.ts'

/** The input of the hash, computed another way: empty fields are removed first, then the keys are sorted. */
function withoutEmpty(value: unknown): string {
  const isEmpty = (one: unknown) =>
    one === '' || (typeof one === 'object' && one !== null && Object.keys(one).length === 0)
  const cut = JSON.stringify(value, function (this: unknown, _key, one: unknown) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).filter(([, field]) => !isEmpty(JSON.parse(withoutEmpty(field)))))
  })
  return canonicalJson(JSON.parse(cut))
}

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, field]) => [key, shuffled(field)]),
  )
}

test('the order of keys does not matter, every value does', () => {
  assertProperty(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const same = JSON.stringify(shuffled(a)) === JSON.stringify(a) || bodyHash(shuffled(a)) === bodyHash(a)
      const distinct = withoutEmpty(a) === withoutEmpty(b) || bodyHash(a) !== bodyHash(b)
      return same && distinct && JSON.stringify(JSON.parse(canonicalJson(a))) !== undefined
    }),
  )
})

test('an absent field and an undefined one are the same; the order of a list is not', () => {
  expect(bodyHash({ a: 1, b: undefined })).toBe(bodyHash({ a: 1 }))
  expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]))
  expect(bodyHash({ a: '1' })).not.toBe(bodyHash({ a: 1 }))
})

test('an empty text, list or object and an absent field are the same, however deep; false, 0 and an item of a list are not', () => {
  const line = { umsId: 'UMS-1', qty: 1 }
  const same = [
    { items: [line] },
    { items: [{ ...line, note: '', modifiers: [], allergens: [] }], note: '' },
    { items: [line], customer: {} },
    { items: [line], customer: { name: '' } },
  ]
  expect(new Set(same.map((body) => bodyHash(body))).size).toBe(1)
  expect(bodyHash({ a: false })).not.toBe(bodyHash({}))
  expect(bodyHash({ a: 0 })).not.toBe(bodyHash({}))
  expect(bodyHash({ a: ['', ''] })).not.toBe(bodyHash({ a: [''] }))
})

/** As the release before this one makes it, and as it compares: it takes this text alone. */
const olderHash = (body: unknown) => `01${createHash('sha256').update(canonicalJson(body)).digest('hex')}`

test('of a body without empty fields is the one that an older relay makes and takes: both serve orders during an update', () => {
  expect(bodyHash({ qty: 1, note: 'no onion' })).toBe(
    `01${createHash('sha256').update('{"note":"no onion","qty":1}').digest('hex')}`,
  )
  assertProperty(
    fc.property(fc.jsonValue(), (body) => {
      const full: unknown = JSON.parse(withoutEmpty(body))
      return bodyHash(full) === olderHash(full) && isHashOf(bodyHash(full), body)
    }),
  )
})

test('of an older relay is taken too: with empty fields it is of the body that has them', () => {
  const body = { note: '', qty: 1 }
  expect([isHashOf(olderHash(body), body), isHashOf(olderHash(body), { qty: 1 })]).toEqual([true, false])
  expect([isHashOf(bodyHash(body), body), isHashOf(bodyHash(body), { qty: 1 })]).toEqual([true, true])
})

test('of another body, a part of one and one of an unknown version are not taken', () => {
  const body = { note: '', qty: 1 }
  const hash = bodyHash(body)
  const stored = [
    bodyHash({ qty: 2 }),
    olderHash({ note: 'a', qty: 1 }),
    '',
    '01',
    hash.slice(0, -1),
    `03${hash.slice(2)}`,
  ]
  expect(stored.filter((one) => isHashOf(one, body))).toEqual([])
})

test('a tip of 0 is none, and any other number is kept', () => {
  expect(bodyHash({ total: 5, tip: 0 })).toBe(bodyHash({ total: 5 }))
  expect(isHashOf(bodyHash({ total: 5 }), { total: 5, tip: 0 })).toBe(true)
  expect(bodyHash({ total: 5, tip: 0.01 })).not.toBe(bodyHash({ total: 5 }))
  expect(bodyHash({ quantity: 0 })).not.toBe(bodyHash({}))
})
