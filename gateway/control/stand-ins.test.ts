// What a screen shows after it stood in for others: what it had, without what it was lent, with what a person has changed meanwhile.
import { describe, expect, it } from 'vitest'
import { givenBack, together } from './stand-in-operations.ts'

const back = (before: string[], lent: string[][], now: string[], going: string[][] = []): string[] =>
  givenBack(now, {
    ended: lent.map((one) => ({ before, lent: one })),
    going: going.map((one) => ({ before, lent: one })),
  })

describe('a screen that gives back', () => {
  it.each<[string, string[], string[], string[], string[]]>([
    ['has what it had', ['fry'], ['grill'], ['fry', 'grill'], ['fry']],
    ['keeps what a person added', ['fry'], ['bar'], ['fry', 'bar', 'dessert'], ['fry', 'dessert']],
    ['does without what a person took away', ['fry', 'wok'], ['bar'], ['fry', 'Bar'], ['fry']],
    ['keeps what is its own, also if it was lent', ['fry', 'bar'], ['BAR'], ['fry', 'bar'], ['fry', 'bar']],
    ['keeps what a person has left it alone', ['a'], ['bar'], ['bar'], ['bar']],
    ['is expo again', [], ['bar'], [], []],
    ['that was expo keeps the stations that a person gave it', [], ['bar'], ['dessert'], ['dessert']],
    ['that was lent everything has what it had', ['fry'], [], [], ['fry']],
    ['that was lent everything keeps what a person gave it', ['fry'], [], ['dessert'], ['dessert']],
    ['stays expo when a person has made it that', ['fry'], ['bar'], [], []],
  ])('%s', (_, before, lent, now, expected) => {
    expect(back(before, [lent], now)).toEqual(expected)
  })

  it('keeps the paper that others still lend it', () => {
    expect(back(['fry'], [['grill']], ['fry', 'grill', 'cold', 'x'], [['cold']])).toEqual(['fry', 'cold', 'x'])
    expect(back(['fry'], [['grill']], [], [[]])).toEqual([])
    expect(back(['fry'], [[]], [], [['cold']])).toEqual(['fry', 'cold'])
  })
})

it('expo and a station together are expo', () => {
  expect(together([], ['a'])).toEqual([])
  expect(together(['a'], [])).toEqual([])
  expect(together(['a'], ['A', 'b'])).toEqual(['a', 'b'])
})
