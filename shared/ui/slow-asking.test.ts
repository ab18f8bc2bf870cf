// While its live feed is silent, and only then, a page polls slowly.
import { expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { SlowAsking } from './slow-asking.ts'

function asking() {
  const clock = new ManualClock()
  let asked = 0
  const ask = () => {
    asked += 1
  }
  const slow = new SlowAsking({ clock, everyMs: 15_000, ask })
  return { clock, slow, asked: () => asked }
}

test('a page polls at once when its feed falls silent, and every 15 seconds until the feed is back', async () => {
  const { clock, slow, asked } = asking()
  slow.become('waiting')
  slow.become('live')
  await clock.advance(60_000)
  expect(asked()).toBe(0)
  slow.become('silent')
  expect(asked()).toBe(1)
  slow.become('silent')
  await clock.advance(30_000)
  expect(asked()).toBe(3)
  slow.become('live')
  await clock.advance(60_000)
  expect(asked()).toBe(3)
})

test('a page that is left or hidden stops polling', async () => {
  const { clock, slow, asked } = asking()
  slow.become('silent')
  slow.stop()
  await clock.advance(60_000)
  slow.become('silent')
  slow.become('waiting')
  await clock.advance(60_000)
  expect(asked()).toBe(2)
})
