// Properties end in time: the first cases are always tried, the others as long as there is time, and a case that fails is told.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProperty } from './property.ts'

const FOR_EVER_MS = 600_000

describe('a property', () => {
  it('tries all its cases when there is time', async () => {
    const tried = { now: 0, later: 0 }
    assertProperty(
      fc.property(fc.integer(), () => void tried.now++),
      { numRuns: 300 },
      FOR_EVER_MS,
    )
    await assertProperty(
      fc.asyncProperty(fc.integer(), async () => void tried.later++),
      { numRuns: 300 },
      FOR_EVER_MS,
    )
    expect(tried).toEqual({ now: 300, later: 300 })
  })

  it('tries ten cases and its examples when there is none', async () => {
    const tried: number[] = []
    const examples: [number][] = Array.from({ length: 12 }, (_, i) => [-1 - i])
    assertProperty(
      fc.property(fc.nat(), (n) => void tried.push(n)),
      { numRuns: 1_000_000_000, examples },
      0,
    )
    expect(tried).toEqual(expect.arrayContaining(examples.flat()))
    let later = 0
    await assertProperty(
      fc.asyncProperty(fc.nat(), async () => void later++),
      { numRuns: 1_000_000_000 },
      0,
    )
    expect(later).toBeGreaterThanOrEqual(10)
  })

  it('reports the smallest case that fails', async () => {
    const small = (n: number): boolean => n < 1_000
    expect(() => assertProperty(fc.property(fc.nat(), small), {}, FOR_EVER_MS)).toThrow('Counterexample: [1000]')
    const later = assertProperty(
      fc.asyncProperty(fc.nat(), async (n) => small(n)),
      {},
      FOR_EVER_MS,
    )
    await expect(later).rejects.toThrow('Counterexample: [1000]')
  })
})
