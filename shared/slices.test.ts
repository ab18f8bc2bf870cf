// Long work in slices: a pause after each that holds the event loop for too long, and an end when its time is used up.
import { expect, it } from 'vitest'
import { Slices } from './slices.ts'

/** A clock on which only `work` takes time; sleeping takes its own. */
function byHand() {
  let nowMs = 0
  const slept: number[] = []
  const clock = {
    now: () => nowMs,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      slept.push(ms)
      nowMs += ms
    },
    after: () => () => undefined,
    every: () => () => undefined,
  }
  const work = (ms: number): void => {
    nowMs += ms
  }
  return { clock, slept, work }
}

it('pauses three times as long as the slice took, and not after a short step', async () => {
  const { clock, slept, work } = byHand()
  const slices = new Slices(clock)
  work(3)
  expect(await slices.breathe()).toBe(true)
  expect(slept).toEqual([])
  work(2)
  expect(await slices.breathe()).toBe(true)
  expect(slept).toEqual([15])
  work(3)
  await slices.breathe()
  expect(slept).toEqual([15])
})

it('ends when it has worked for its time, of which pauses are no part', async () => {
  const { clock, slept, work } = byHand()
  const slices = new Slices(clock, 20)
  work(10)
  expect(await slices.breathe()).toBe(true)
  work(9)
  expect(await slices.breathe()).toBe(true)
  work(4)
  expect(await slices.breathe()).toBe(false)
  expect(slept).toEqual([30, 27])
})
