// The guard measures what it was asked to, or says what is wrong with the question.
import { describe, expect, it } from 'vitest'
import { guardOptions, PARTS } from './options.ts'

const HERE = new URL('../../', import.meta.url).pathname
const of = (...args: string[]) => guardOptions(args, HERE)

describe('the options of the guard', () => {
  it('are everything, of this checkout, and write nothing', () => {
    expect(of()).toEqual({ root: HERE, parts: new Set(PARTS), reached: false, reference: false })
  })

  it('name parts', () => {
    expect(of('--only', 'browser,heap').parts).toEqual(new Set(['browser', 'heap']))
  })

  it('ask for the tree of the limits', () => {
    expect(of('--reference').reference).toBe(true)
  })

  it('name another checkout', () => {
    expect(of('--programs', HERE.slice(0, -1)).root).toBe(HERE)
  })

  it.each([
    [['--only', 'browsr'], '--only: "browsr" is none of rounds, drain, heap, browser'],
    [['--only', ''], '--only: "" is none of'],
    [['--programs', '/nonexistent'], '--programs: /nonexistent/ has no gateway/main.ts'],
    [['--programs', HERE, '--reached'], '--reached is for the limits of this checkout'],
    [['--programs', HERE, '--reference'], '--reference is for the programs of this checkout'],
    [['--reached', '--reference'], 'not both'],
    [['--fast'], "Unknown option '--fast'"],
  ])('%j are refused', (args, words) => {
    expect(() => of(...args)).toThrow(words)
  })
})
