// Clocks: long waits do not fire at once, sleeping ends on abort, ISO text both ways, and the manual clock of the tests keeps order.
import { describe, expect, it, vi } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { fromIso, systemClock, toIso } from './clock.ts'

describe('systemClock', () => {
  it('does not fire a wait of 30 days at once, as a bare setTimeout would', () => {
    vi.useFakeTimers()
    try {
      const fired = vi.fn()
      const days = 24 * 3_600_000
      systemClock.after(30 * days, fired)
      vi.advanceTimersByTime(29 * days)
      expect(fired).not.toHaveBeenCalled()
      vi.advanceTimersByTime(2 * days)
      expect(fired).toHaveBeenCalledTimes(1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('cancels a long wait in any of its parts', () => {
    vi.useFakeTimers()
    try {
      const fired = vi.fn()
      const days = 24 * 3_600_000
      const cancel = systemClock.after(60 * days, fired)
      vi.advanceTimersByTime(40 * days)
      cancel()
      vi.advanceTimersByTime(40 * days)
      expect(fired).not.toHaveBeenCalled()
    } finally {
      vi.useRealTimers()
    }
  })

  it('ends a sleep when the signal aborts', async () => {
    const stop = new AbortController()
    const sleeping = systemClock.sleep(60_000, stop.signal)
    stop.abort()
    await sleeping
    await systemClock.sleep(60_000, stop.signal)
  })
})

describe('ISO time', () => {
  it('is UTC with milliseconds', () => {
    expect(toIso(1_795_000_000_123)).toBe('2026-11-18T11:06:40.123Z')
  })

  it.each([
    ['before 1970', -1, '1970-01-01T00:00:00.000Z'],
    ['after 9999', 253_402_300_800_000, '9999-12-31T23:59:59.999Z'],
    ['beyond every date', 1e308, '9999-12-31T23:59:59.999Z'],
    ['long before every date', -1e308, '1970-01-01T00:00:00.000Z'],
  ])('of an instant %s is the nearest with four digits for its year: it never throws', (_words, ms, iso) => {
    expect(toIso(ms)).toBe(iso)
  })

  it('reads offsets and refuses nonsense', () => {
    expect(fromIso('2026-11-18T13:06:40.123+02:00')).toBe(1_795_000_000_123)
    expect(fromIso('soon')).toBeNull()
  })
})

describe('ManualClock', () => {
  it('fires timers in the order of their times, also those set by timers', async () => {
    const clock = new ManualClock()
    const seen: string[] = []
    clock.after(20, () => seen.push('b'))
    clock.after(10, () => {
      seen.push('a')
      clock.after(5, () => seen.push('a2'))
    })
    clock.every(12, () => seen.push('t'))
    await clock.advance(25)
    expect(seen).toEqual(['a', 't', 'a2', 'b', 't'])
  })

  it('lets the wall clock jump without moving timers', async () => {
    const clock = new ManualClock(1_000)
    const fired = vi.fn()
    clock.after(100, fired)
    clock.jump(1_000_000)
    expect(fired).not.toHaveBeenCalled()
    expect(clock.now()).toBe(1_001_000)
    await clock.advance(100)
    expect(fired).toHaveBeenCalledTimes(1)
  })
})
