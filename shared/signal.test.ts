// Signals and backoff: wake-ups reach everybody once, waits stay in their bounds.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from '#test/harness/property.ts'
import { fullJitterMs } from './backoff.ts'
import { Signal } from './signal.ts'

describe('Signal', () => {
  it('wakes every listener and none that has left', () => {
    const signal = new Signal<number>()
    const seen: string[] = []
    const leave = signal.subscribe((n) => seen.push(`a${n}`))
    signal.subscribe((n) => seen.push(`b${n}`))
    signal.notify(1)
    leave()
    signal.notify(2)
    expect(seen).toEqual(['a1', 'b1', 'b2'])
  })

  it('resolves next with the first value that matches', async () => {
    const signal = new Signal<number>()
    const next = signal.next((n) => n > 1)
    signal.notify(1)
    signal.notify(2)
    expect(await next).toBe(2)
  })

  it('rejects next when aborted and leaves no listener behind', async () => {
    const signal = new Signal<number>()
    const stop = new AbortController()
    const next = signal.next(undefined, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(next).rejects.toThrow('stopped')
    await expect(signal.next(undefined, stop.signal)).rejects.toThrow('stopped')
  })
})

describe('fullJitterMs', () => {
  it('never waits longer than the doubling bound nor the cap', () => {
    assertProperty(
      fc.property(fc.nat(2_000), fc.double({ min: 0, max: 0.999_999, noNaN: true }), (attempt, r) => {
        const wait = fullJitterMs(attempt, { firstMs: 250, maxMs: 5_000, random: () => r })
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(Math.min(5_000, 250 * 2 ** Math.min(attempt, 30)))
      }),
    )
  })
})
