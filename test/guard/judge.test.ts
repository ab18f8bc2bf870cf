// Ratios of samples in turns, figures beside their limits, and the file of limits rewritten.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  besideReference,
  failuresOf,
  judge,
  lineOf,
  quickerHalf,
  reachedInTurns,
  tableOf,
  withReached,
} from './judge.ts'
import { LIMITS, limitOf } from './limits.ts'

describe('samples', () => {
  it('count with the mean of their quicker half', () => {
    expect(quickerHalf([9, 1, 3])).toBe(2)
    expect(quickerHalf([4, 1, 3, 100])).toBe(2)
    expect(quickerHalf([5])).toBe(5)
    expect(quickerHalf([])).toBeNaN()
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

  it('is the ratio of what counts of both, and crosses its limit only above it', () => {
    expect(judge('relay.quiet', [2 * limit, 2.5 * limit], [2, 300])).toMatchObject({ value: limit, isCrossed: false })
    expect(judge('relay.quiet', [limit * 1.01], [1])).toMatchObject({ isCrossed: true })
  })

  it('that could not be measured has crossed it', () => {
    expect(judge('relay.quiet', [], [1]).isCrossed).toBe(true)
    expect(judge('relay.quiet', [1], [Number.NaN]).isCrossed).toBe(true)
  })

  it('has crossed it as soon as one sample of either side has no value', () => {
    for (const none of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(judge('relay.quiet', [1, 1, 1, none], [1]), `${none}`).toMatchObject({
        isCrossed: true,
        lost: 1,
        value: 1,
      })
      expect(judge('relay.quiet', [1], [none, 1, 1, 1]), `${none}`).toMatchObject({
        isCrossed: true,
        lost: 1,
        value: 1,
      })
    }
  })

  it('has crossed it when half of the samples lie far above it', () => {
    expect(judge('relay.quiet', [1, 1, 1, 9 * limit, 9 * limit, 9 * limit], [1]).isCrossed).toBe(true)
    expect(judge('relay.quiet', [1, 1, 1, 1, 9 * limit, 9 * limit], [1]).isCrossed).toBe(false)
  })

  it('is printed with its limit and its source', () => {
    const line = lineOf(judge('relay.quiet', [limit * 2], [1], 'MB'))
    expect(line).toContain(`CROSSED ${LIMITS['relay.quiet'].what}`)
    expect(line).toContain('MB to 1 MB')
    expect(tableOf([judge('relay.quiet', [limit / 2], [1])])).toMatch(/^ {2}ok .*relay/m)
  })
})

describe('a run', () => {
  const good = judge('browser.update', [limitOf(LIMITS['browser.update'])], [1])
  const asked = new Set(['browser'] as const)
  const run = { asked, judged: [good], skipped: [], flaws: [] }

  it('passes when all requested figures are within their limits', () => {
    expect(failuresOf(run, true)).toEqual([])
  })

  it('fails when something is above its limit', () => {
    const judged = [judge('browser.update', [1_000], [1])]
    expect(failuresOf({ ...run, judged }, false)).toEqual(['above the limit: browser.update'])
  })

  it('fails when a requested figure was not measured, and nothing else is asked of it', () => {
    expect(failuresOf({ ...run, judged: [] }, false)).toEqual(['not measured: browser.update'])
    const others = { ...run, asked: new Set(['heap', 'drain'] as const) }
    expect(failuresOf(others, false)).toEqual([
      'not measured: drain.60, drain.1000, drain.wall, drain.length, heap.gateway, heap.relay',
    ])
  })

  it('passes with what this machine cannot measure, but in CI', () => {
    const without = { ...run, judged: [], skipped: ['browser.update: no browser'] }
    expect(failuresOf(without, false)).toEqual([])
    expect(failuresOf(without, true)).toEqual(['not measured: browser.update'])
  })

  it('fails when something did not happen while it was measured', () => {
    const flaws = ['3 orders of "quiet" were not on paper in time']
    expect(failuresOf({ ...run, flaws }, false)).toEqual(flaws)
  })
})

describe('what is crossed, beside the tree of the limits', () => {
  const limit = limitOf(LIMITS['drain.60'])
  const crossed = judge('drain.60', [limit * 1.2], [1])
  const reaching = (value: number) => judge('drain.60', [value], [1])

  it('is within its limit where that tree costs as much more', () => {
    const [figure] = besideReference([crossed], [reaching(limit)])
    expect(figure).toMatchObject({ isCrossed: false, limit: limit * 1.25 })
    expect(figure?.note).toContain('the tree of the limits reaches')
  })

  it('stays crossed where that tree is as cheap as it was', () => {
    expect(besideReference([crossed], [reaching(LIMITS['drain.60'].reached)])).toMatchObject([{ isCrossed: true }])
  })

  it('stays crossed when that tree was not measured', () => {
    expect(besideReference([crossed], [])).toEqual([crossed])
    expect(besideReference([crossed], [judge('drain.60', [Number.NaN, 100], [1])])).toEqual([crossed])
  })

  it('stays crossed when it was not measured itself, or jumps', () => {
    const unmeasured = judge('drain.60', [Number.NaN, 2 * limit], [1])
    const jumping = judge('drain.60', [1.05 * limit, 1.1 * limit, 9 * limit, 9 * limit], [1])
    expect(jumping).toMatchObject({ isErratic: true, isCrossed: true })
    expect(besideReference([unmeasured, jumping], [reaching(limit)])).toEqual([unmeasured, jumping])
  })

  it('stays crossed far above its limit, whatever that tree reaches', () => {
    const far = judge('drain.60', [limit * 1.7], [1])
    expect(besideReference([far], [reaching(9 * limit)])).toMatchObject([{ isCrossed: true, limit: limit * 1.6 }])
  })

  it('stays crossed above what was promised', () => {
    const seals = judge('link.seals', [1.2], [1])
    expect(besideReference([seals], [judge('link.seals', [1.2], [1])])).toMatchObject([{ isCrossed: true }])
  })

  it('is no other figure: what is within its limit is not read', () => {
    const fine = judge('drain.60', [limit], [1])
    expect(besideReference([fine], [reaching(0.1)])).toEqual([fine])
  })
})

describe('what the tree of the limits reaches in turns with this one', () => {
  const limit = limitOf(LIMITS['relay.quiet'])
  const crossed = judge('relay.quiet', [limit * 1.1], [1])
  const verdict = (ours: number[], reference: number[]) =>
    besideReference([crossed], [reachedInTurns(crossed, ours, reference)])

  it('lets a figure pass whose work is the same, however cheap the floor was', () => {
    expect(verdict([6, 6.3], [6, 6.2])).toMatchObject([{ isCrossed: false, limit: 1.25 * crossed.value }])
  })

  it('keeps one crossed that costs more than a quarter more', () => {
    expect(verdict([7.6, 7.7], [6, 6.2])).toMatchObject([{ isCrossed: true }])
    expect(verdict([7.4, 7.7], [6, 6.2])).toMatchObject([{ isCrossed: false }])
  })

  it('keeps one crossed when a sample of either has no value', () => {
    expect(verdict([6, Number.NaN], [6, 6])).toEqual([crossed])
    expect(verdict([6, 6], [])).toEqual([crossed])
  })
})

describe('the file of limits', () => {
  const text = readFileSync(new URL('./limits.ts', import.meta.url), 'utf8')

  it('gets what was reached in the place of what stood there, and nothing else changes', () => {
    const was = LIMITS['drain.60'].reached
    const changed = withReached(text, [judge('drain.60', [123.456], [1])])
    expect(changed).toBe(withReached(changed, [judge('drain.60', [123.456], [1])]))
    expect(changed).toContain('reached: 123,')
    expect(withReached(changed, [judge('drain.60', [was], [1])])).toBe(text)
  })

  it('keeps what was not measured', () => {
    expect(withReached(text, [judge('drain.60', [], [])])).toBe(text)
    expect(withReached(text, [judge('drain.60', [123, Number.NaN], [1])])).toBe(text)
  })
})
