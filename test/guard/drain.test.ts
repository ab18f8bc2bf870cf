// The pace of a backlog: what every ticket or every tenth one waits for is in it, what stops the machine now and then is not.
import { expect, it } from 'vitest'
import { pace } from './drain.ts'

/** 200 tickets, one each `gapMs(n)` after the one before. */
function printed(gapMs: (n: number) => number): number[] {
  const times = [0]
  for (let n = 1; n <= 200; n++) times.push((times.at(-1) ?? 0) + gapMs(n))
  return times
}

it('is the time from ticket to ticket', () => {
  expect(pace(printed(() => 3))).toBe(3)
})

it('has in it what every second and every tenth ticket waits for', () => {
  expect(pace(printed((n) => (n % 2 === 0 ? 33 : 3)))).toBe(18)
  expect(pace(printed((n) => (n % 10 === 0 ? 33 : 3)))).toBe(6)
})

it('does not have in it what stops some tickets for a while', () => {
  expect(pace(printed((n) => (n % 40 < 10 ? 50 : 3)))).toBe(3)
})

it('is no number when there were too few tickets', () => {
  expect(pace([0, 1, 2])).toBeNaN()
})
