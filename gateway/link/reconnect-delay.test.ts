// Waiting times of the gateway's link: quick where a restart is likely, slow where hammering would hurt.
import { expect, test } from 'vitest'
import { reconnectDelayMs } from './reconnect-delay.ts'

const longest = () => 0.999_999

test('a lost session is retried within 300 ms, however short it was', () => {
  expect(reconnectDelayMs('lost', { failures: 0, awayMs: 0 }, longest)).toBeLessThan(300)
  expect(reconnectDelayMs('lost', { failures: 9, awayMs: 0 }, longest)).toBeLessThan(300)
})

test('a refused port is tried twice a second at first, then every two seconds, after ten minutes like any failure', () => {
  const at = (awayMs: number) => Math.round(reconnectDelayMs('refused', { failures: 20, awayMs }, longest))
  expect([at(1_000), at(29_000), at(60_000), at(700_000)]).toEqual([500, 500, 2_000, 60_000])
})

test('other failures double to a minute', () => {
  const at = (failures: number) => Math.round(reconnectDelayMs('failed', { failures, awayMs: 0 }, longest))
  expect([0, 1, 2, 3, 7, 8, 100].map(at)).toEqual([300, 600, 1_200, 2_400, 38_400, 60_000, 60_000])
})

test('the jitter is full: the shortest wait is none', () => {
  expect(reconnectDelayMs('failed', { failures: 5, awayMs: 0 }, () => 0)).toBe(0)
})
