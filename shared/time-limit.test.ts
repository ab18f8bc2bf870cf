// A time limit: what aborts its signal, and what it says of it.
import { expect, test } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { aborted, timeLimit } from './time-limit.ts'

test('the signal aborts when the time is over', async () => {
  const clock = new ManualClock()
  const limit = timeLimit(clock, 100)
  await clock.advance(99)
  expect([limit.signal.aborted, limit.isOver()]).toEqual([false, false])
  await clock.advance(1)
  expect([limit.signal.aborted, limit.isOver()]).toEqual([true, true])
})

test('the signal aborts when the work is stopped, and the time is not over then', () => {
  const stop = new AbortController()
  const limit = timeLimit(new ManualClock(), 100, stop.signal)
  stop.abort()
  expect([limit.signal.aborted, limit.isOver()]).toEqual([true, false])
})

test('the signal stays quiet when the work has ended in time', async () => {
  const clock = new ManualClock()
  const limit = timeLimit(clock, 100)
  limit.end()
  await clock.advance(1_000)
  expect(limit.signal.aborted).toBe(false)
})

test('an abort is an error for who waits, also one that was before', async () => {
  const stop = new AbortController()
  const waits = aborted(stop.signal)
  stop.abort(new Error('enough'))
  await expect(waits).rejects.toThrow('enough')
  await expect(aborted(stop.signal)).rejects.toThrow('enough')
})
