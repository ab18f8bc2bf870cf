// The difference between a flood and a printer that reports a lot.
import { describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { FloodGuard, MOST_UNASKED_BYTES } from './flood-guard.ts'

describe('FloodGuard', () => {
  it('allows as much as real printers send, and not one byte more than the limit', () => {
    const guard = new FloodGuard(new ManualClock())
    expect(guard.isTooMuch(MOST_UNASKED_BYTES)).toBe(false)
    expect(guard.isTooMuch(1)).toBe(true)
  })

  it('adds up small pieces', () => {
    const guard = new FloodGuard(new ManualClock())
    const pieces = Array.from({ length: MOST_UNASKED_BYTES / 64 }, () => guard.isTooMuch(64))
    expect(pieces).not.toContain(true)
    expect(guard.isTooMuch(64)).toBe(true)
  })

  it('does not count answers, however many tickets one connection prints', () => {
    const guard = new FloodGuard(new ManualClock())
    for (let ticket = 0; ticket < 10_000; ticket++) {
      guard.said(500)
      expect(guard.isTooMuch(30)).toBe(false)
    }
  })

  it('does not let earlier queries pay for a flood', () => {
    const guard = new FloodGuard(new ManualClock())
    guard.said(1_000_000)
    expect(guard.isTooMuch(MOST_UNASKED_BYTES + 1)).toBe(true)
  })

  it('forgets what was pushed a minute ago: a connection is open for months', async () => {
    const clock = new ManualClock()
    const guard = new FloodGuard(clock)
    guard.isTooMuch(MOST_UNASKED_BYTES)
    await clock.advance(60_000)
    expect(guard.isTooMuch(MOST_UNASKED_BYTES)).toBe(false)
  })
})
