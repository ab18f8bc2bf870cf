// When a display reloads itself for a newer version: at night, and never while it is in use.
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

it('reloads at night in the restaurant’s time zone', () => {
  expect(mayFetchNewPage(use)).toBe(true)
  expect(mayFetchNewPage({ ...use, timeZone: 'Asia/Shanghai' })).toBe(false)
  expect(mayFetchNewPage({ ...use, nowMs: use.nowMs + 2 * 3_600_000 })).toBe(false)
})

it('does not reload with an open order, an unsent tap, or after a recent touch', () => {
  expect(mayFetchNewPage({ ...use, open: 1 })).toBe(false)
  expect(mayFetchNewPage({ ...use, waitingTaps: 1 })).toBe(false)
  expect(mayFetchNewPage({ ...use, untouchedMs: 60_000 })).toBe(false)
})

it('does not reload while the gateway does not answer: a browser that finds no page does not try again', () => {
  expect(mayFetchNewPage({ ...use, isLive: false })).toBe(false)
})
