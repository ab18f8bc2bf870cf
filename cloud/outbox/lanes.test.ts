// How many attempts a lane may have: none takes what others need, and failing lanes get little.
import { describe, expect, test } from 'vitest'
import { Lanes } from './lanes.ts'

const begin = (lanes: Lanes, name: string, count: number): void => {
  for (let i = 0; i < count; i++) lanes.begun(name)
}

describe('lanes', () => {
  test('have room for so many each, and for so many in all', () => {
    const lanes = new Lanes({ total: 6, perLane: 4 })
    begin(lanes, 'a', 4)
    expect([lanes.room('a'), lanes.room('b'), lanes.free, lanes.full]).toEqual([0, 2, 2, ['a']])
    lanes.ended('a')
    expect([lanes.room('a'), lanes.room('b')]).toEqual([1, 3])
  })

  test('of whoever failed last have one place each, and half of all together', () => {
    const lanes = new Lanes({ total: 8, perLane: 4, failing: { perLane: 1, total: 2 } })
    for (const name of ['a', 'b', 'c']) lanes.answered(name, false)
    expect(lanes.room('a')).toBe(1)
    begin(lanes, 'a', 1)
    begin(lanes, 'b', 1)
    expect([lanes.room('a'), lanes.room('c'), lanes.room('well')]).toEqual([0, 0, 4])
    lanes.answered('b', true)
    expect([lanes.room('b'), lanes.room('c')]).toEqual([3, 1])
  })

  test('take of what was found for all what each has room for, in the order in which it was found', () => {
    const lanes = new Lanes({ total: 32, perLane: 2 })
    begin(lanes, 'a', 1)
    const found = ['a1', 'b1', 'a2', 'b2', 'b3']
    expect(lanes.within(found, (item) => item.slice(0, 1))).toEqual(['a1', 'b1', 'b2'])
  })

  test('take turns: the one that waited longest is first', () => {
    const lanes = new Lanes({ total: 8, perLane: 4, failing: { perLane: 1, total: 4 } })
    lanes.took('a')
    lanes.took('b')
    expect(lanes.inTurn(['b', 'a', 'new'], (name) => name)).toEqual(['new', 'a', 'b'])
  })
})
