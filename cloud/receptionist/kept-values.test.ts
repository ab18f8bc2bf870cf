// What is kept, and until when.
import { expect, test } from 'vitest'
import { KeptValues } from './kept-values.ts'

test('a value is made once for its mark, and again for another one', () => {
  const kept = new KeptValues<object>(2)
  const first = kept.of('a', '1', () => ({}))
  expect(kept.of('a', '1', () => ({}))).toBe(first)
  const second = kept.of('a', '2', () => ({}))
  expect(second).not.toBe(first)
  expect(kept.last('a')).toBe(second)
})

test('the one that was used least recently is forgotten', () => {
  const kept = new KeptValues<string>(2)
  for (const name of ['a', 'b', 'a', 'c']) kept.of(name, '1', () => name)
  expect(['a', 'b', 'c'].map((name) => kept.last(name))).toEqual(['a', undefined, 'c'])
})

test('one that cannot be made leaves the one before', () => {
  const kept = new KeptValues<string>(2)
  kept.of('a', '1', () => 'first')
  expect(() =>
    kept.of('a', '2', () => {
      throw new Error('unreadable')
    }),
  ).toThrow('unreadable')
  expect(kept.last('a')).toBe('first')
})
