// Ratios of samples in turns, figures beside their limits, and the file of limits rewritten.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { judge, lineOf, pairedRatios, tableOf, withReached } from './judge.ts'
import { LIMITS, limitOf } from './limits.ts'

describe('ratios of samples in turns', () => {
  it('divide each of ours by the mean of the floors before and after it', () => {
    expect(pairedRatios([6, 12], [2, 4, 8])).toEqual([2, 2])
  })

  it('do with the floor before when there is none after', () => {
    expect(pairedRatios([6], [2])).toEqual([3])
  })
})

describe('a limit', () => {
  it('is a quarter above what was reached', () => {
    expect(limitOf({ reached: 4 })).toBe(5)
  })

  it('is never above what was promised', () => {
    expect(limitOf({ reached: 1.4, promised: 1.5 })).toBe(1.5)
    expect(limitOf({ reached: 1, promised: 1.5 })).toBe(1.25)
  })

  it('has a reason in words for every figure', () => {
    for (const { what, reason, reached } of Object.values(LIMITS)) {
      expect(what.length).toBeGreaterThan(10)
      expect(reason.length).toBeGreaterThan(20)
      expect(reached).toBeGreaterThan(0)
    }
  })
})

describe('a figure', () => {
  const limit = limitOf(LIMITS['relay.quiet'])

  it('is the median of its samples, and crosses its limit only above it', () => {
    expect(judge('relay.quiet', [0, limit, 100 * limit], 'x')).toMatchObject({ value: limit, isCrossed: false })
    expect(judge('relay.quiet', [limit * 1.01], 'x')).toMatchObject({ isCrossed: true })
  })

  it('that could not be measured has crossed it', () => {
    expect(judge('relay.quiet', [], 'x').isCrossed).toBe(true)
    expect(judge('relay.quiet', [Number.NaN], 'x').isCrossed).toBe(true)
  })

  it('is printed with its limit and what stands behind it', () => {
    const line = lineOf(judge('relay.quiet', [limit * 2], '3 ms to 1 ms'))
    expect(line).toContain(`CROSSED ${LIMITS['relay.quiet'].what}`)
    expect(line).toContain('3 ms to 1 ms')
    expect(tableOf([judge('relay.quiet', [limit / 2], 'x')])).toMatch(/^ {2}ok .*relay/m)
  })
})

describe('the file of limits', () => {
  const text = readFileSync(new URL('./limits.ts', import.meta.url), 'utf8')

  it('gets what was reached in the place of what stood there, and nothing else changes', () => {
    const was = LIMITS['drain.60'].reached
    const changed = withReached(text, [judge('drain.60', [123.456], 'x')])
    expect(changed).toBe(withReached(changed, [judge('drain.60', [123.456], 'x')]))
    expect(changed).toContain('reached: 123,')
    expect(withReached(changed, [judge('drain.60', [was], 'x')])).toBe(text)
  })

  it('keeps what was not measured', () => {
    expect(withReached(text, [judge('drain.60', [], 'x')])).toBe(text)
  })
})
