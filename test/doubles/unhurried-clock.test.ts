// The clock that waits for the process: a time limit never passes before the answer that has arrived could be read.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { UnhurriedClock } from './unhurried-clock.ts'

let clock: UnhurriedClock
beforeEach(() => {
  clock = new UnhurriedClock()
  clock.start()
})
afterEach(() => clock.stop())

/** The process does nothing else for so long, as on a machine that is too busy. */
function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('waits fire in the order of their times, and never too early', async () => {
  const fired: number[] = []
  const startedMs = performance.now()
  for (const ms of [30, 10, 20]) clock.after(ms, () => fired.push(ms))
  clock.after(5, () => fired.push(-1))()
  await clock.sleep(40)
  expect(fired).toEqual([10, 20, 30])
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(39)
})

test('what has arrived while the process stood still is heard before the limit', async () => {
  const heard: string[] = []
  clock.after(50, () => heard.push('limit'))
  block(200)
  setImmediate(() => heard.push('answer'))
  await clock.sleep(60)
  expect(heard).toEqual(['answer', 'limit'])
})

test('a repeated call goes on until it is cancelled; a sleep ends at once when it is aborted', async () => {
  let calls = 0
  const cancel = clock.every(5, () => calls++)
  await clock.sleep(50)
  cancel()
  const seen = calls
  expect(seen).toBeGreaterThan(3)
  const stop = new AbortController()
  const sleeping = clock.sleep(60_000, stop.signal)
  stop.abort()
  await sleeping
  await clock.sleep(20)
  expect(calls).toBe(seen)
})
