// The list of the longest test files names files that there are, and puts them before all others.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONGEST, rankOf } from './longest-first.ts'

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
})
