// When a screen fetches the page of a newer program: at night, and never while anybody works with it.
import { expect, it } from 'vitest'
import { mayFetchNewPage } from './new-page.ts'

// 3:30 in the morning in New York.
const use = {
  nowMs: Date.parse('2026-07-01T07:30:00Z'),
  timeZone: 'America/New_York',
  open: 0,
  waitingTaps: 0,
  untouchedMs: 3_600_000,
  isLive: true,
}

it('fetches it at night by the clock of the restaurant', () => {
  expect(mayFetchNewPage(use)).toBe(true)
  expect(mayFetchNewPage({ ...use, timeZone: 'Asia/Shanghai' })).toBe(false)
  expect(mayFetchNewPage({ ...use, nowMs: use.nowMs + 2 * 3_600_000 })).toBe(false)
})

it('leaves it while an order stands there, a tap waits, or somebody touched the screen', () => {
  expect(mayFetchNewPage({ ...use, open: 1 })).toBe(false)
  expect(mayFetchNewPage({ ...use, waitingTaps: 1 })).toBe(false)
  expect(mayFetchNewPage({ ...use, untouchedMs: 60_000 })).toBe(false)
})

it('stays as it is while the box does not answer: a browser that finds no page never tries again', () => {
  expect(mayFetchNewPage({ ...use, isLive: false })).toBe(false)
})
