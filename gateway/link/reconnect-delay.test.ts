// Waiting times of the gateway's link: quick where a restart is likely, slow where hammering would hurt.
import { expect, test } from 'vitest'
import { type AttemptEnd, ReconnectDelays } from './reconnect-delay.ts'

const longest = () => 0.999_999

/** The waits after these attempts, one after the other. */
function waits(ends: AttemptEnd[], awayMs = 0): number[] {
  const delays = new ReconnectDelays(longest)
  return ends.map((end) => Math.round(delays.afterMs(end, awayMs)))
}
const times = (count: number, end: AttemptEnd) => Array.from({ length: count }, () => end)

test('a lost session is retried within 300 ms, whatever was before', () => {
  expect(waits(['lost'])).toEqual([300])
  expect(waits([...times(9, 'failed'), 'lost']).at(-1)).toBe(300)
})

test('a refused port is tried twice a second at first, then every two seconds, after ten minutes like any failure', () => {
  const at = (awayMs: number) => waits(times(20, 'refused'), awayMs).at(-1)
  expect([at(1_000), at(29_000), at(60_000), at(700_000)]).toEqual([500, 500, 2_000, 60_000])
})

test('other failures double to a minute', () => {
  const all = waits(times(101, 'failed'))
  expect([0, 1, 2, 3, 7, 8, 100].map((count) => all[count])).toEqual([
    ...[300, 600, 1_200, 2_400, 38_400, 60_000, 60_000],
  ])
})

test('a relay that starts slowly is tried again soon, though its port was refused often and it did not answer at once', () => {
  expect(waits([...times(40, 'refused'), 'failed', 'failed']).slice(-2)).toEqual([300, 600])
})

test('a welcome resets the delay', () => {
  const delays = new ReconnectDelays(longest)
  for (const end of times(9, 'failed')) delays.afterMs(end, 0)
  expect(delays.inVain).toBe(9)
  delays.welcomed()
  expect([delays.inVain, Math.round(delays.afterMs('failed', 0))]).toEqual([0, 300])
})

test('the jitter is full: the shortest wait is none', () => {
  const delays = new ReconnectDelays(() => 0)
  expect(times(5, 'failed').map((end) => delays.afterMs(end, 0))).toEqual([0, 0, 0, 0, 0])
})
