// The clock that waits for the process: a time limit never passes before the answer that has arrived could be read.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ManualClock } from './manual-clock.ts'
import { UnhurriedClock } from './unhurried-clock.ts'

let real: ManualClock
let clock: UnhurriedClock
beforeEach(() => {
  real = new ManualClock()
  clock = new UnhurriedClock(real)
  clock.start()
})
afterEach(() => clock.stop())

test('waits fire in the order of their times, and never too early', async () => {
  const fired: [number, number][] = []
  for (const ms of [30, 10, 20]) clock.after(ms, () => fired.push([ms, real.monotonicMs()]))
  clock.after(5, () => fired.push([-1, 0]))()
  await real.advance(9)
  expect(fired).toEqual([])
  await real.advance(40)
  expect(fired).toEqual([
    [10, 10],
    [20, 20],
    [30, 30],
  ])
})

test('what has arrived while the process stood still is heard before the limit', async () => {
  const heard: string[] = []
  const onSystem = new UnhurriedClock()
  onSystem.start()
  onSystem.after(50, () => heard.push('limit'))
  standStill(200)
  setImmediate(() => heard.push('answer'))
  await onSystem.sleep(60)
  onSystem.stop()
  expect(heard).toEqual(['answer', 'limit'])
})

test('a repeated call continues until it is cancelled; a sleep ends at once when it is aborted', async () => {
  let calls = 0
  const cancel = clock.every(5, () => calls++)
  await real.advance(52)
  cancel()
  expect(calls).toBe(10)
  const stop = new AbortController()
  const sleeping = clock.sleep(60_000, stop.signal)
  stop.abort()
  await sleeping
  await real.advance(20)
  expect(calls).toBe(10)
})

/** The process does nothing else for so long, as on a machine that is too busy. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
