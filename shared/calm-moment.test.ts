// When work that stops the program is done: not while it is busy, and once.
import { expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { atACalmMoment } from './calm-moment.ts'
import { systemClock } from './clock.ts'

it('waits for a second in which the program had nothing to do, and does the work once', async () => {
  const clock = new ManualClock()
  const shares = [1, 0.5, 0.04, 0.01, 0, 0]
  let done = 0
  atACalmMoment(
    clock,
    () => {
      done++
    },
    () => shares.shift() ?? 0,
  )
  await clock.advance(2_000)
  expect(done).toBe(0)
  await clock.advance(1_000)
  expect(done).toBe(1)
  await clock.advance(10_000)
  expect(done).toBe(1)
})

it('detects by itself when this program is busy', async () => {
  const order: string[] = []
  await new Promise<void>((resolve) => {
    atACalmMoment(systemClock, () => {
      order.push('calm')
      resolve()
    })
    // More than a second of work in short turns.
    let turns = 0
    const work = (): void => {
      const until = performance.now() + 20
      while (performance.now() < until);
      if (++turns < 75) setTimeout(work, 1)
      else order.push('worked')
    }
    work()
  })
  expect(order).toEqual(['worked', 'calm'])
})
