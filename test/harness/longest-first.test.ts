// The list of the longest test files names files that there are, and puts them before all others.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { TestSpecification, Vitest } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { LONGEST, LongestFirst, rankOf } from './longest-first.ts'

const ROOT = new URL('../../', import.meta.url).pathname

describe('the list of the longest test files', () => {
  it('names files that there are, each once', () => {
    expect(LONGEST.filter((name) => !existsSync(join(ROOT, name)))).toEqual([])
    expect(new Set(LONGEST).size).toBe(LONGEST.length)
  })

  it('puts them before all others, in its own order', () => {
    const others = ['gateway/gateway.test.ts', 'test/flows/outage.test.ts'].map((name) => join(ROOT, name))
    const named = LONGEST.map((name) => join(ROOT, name))
    const sorted = [...others, ...named.toReversed()].toSorted((a, b) => rankOf(a) - rankOf(b))
    expect(sorted).toEqual([...named, ...others])
  })

  it('is what vitest goes by', async () => {
    const { default: config } = await import(join(ROOT, 'vitest.config.ts'))
    expect(config.test.sequence.sequencer).toBe(LongestFirst)
    // Its own order, whatever that is, comes first.
    vi.spyOn(BaseSequencer.prototype, 'sort').mockImplementation(async (files) => files)
    const paths = ['test/flows/outage.test.ts', ...LONGEST.toReversed()].map((name) => join(ROOT, name))
    const files = paths.map((moduleId) => ({ moduleId })) as TestSpecification[]
    const sorted = await new LongestFirst({} as Vitest).sort(files)
    expect(sorted.map(({ moduleId }) => moduleId)).toEqual(paths.toReversed())
  })
})
