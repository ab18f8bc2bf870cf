// The body hash: equal requests hash alike however their JSON is ordered, different ones never.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { bodyHash, canonicalJson } from './body-hash.ts'

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
      const distinct = canonicalJson(a) === canonicalJson(b) || bodyHash(a) !== bodyHash(b)
      return same && distinct && JSON.stringify(JSON.parse(canonicalJson(a))) !== undefined
    }),
  )
})

test('an absent field and an undefined one are the same; the order of a list is not', () => {
  expect(bodyHash({ a: 1, b: undefined })).toBe(bodyHash({ a: 1 }))
  expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]))
  expect(bodyHash({ a: '1' })).not.toBe(bodyHash({ a: 1 }))
})

test('begins with the version of the rule', () => {
  expect(bodyHash({})).toMatch(/^01[0-9a-f]{64}$/)
})
