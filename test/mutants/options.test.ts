// Which planted faults are asked for, and what is said of a name that there is not.
import { describe, expect, it } from 'vitest'
import { type Mutant, planted, unit } from './mutant.ts'
import { mutantOptions } from './options.ts'

const mutant = (name: string, change: Partial<Mutant> = {}): Mutant => ({
  ...{
    name,
    file: 'a.ts',
    original: 'a < b',
    replacement: 'a <= b',
    harm: 'Nothing prints.',
    tests: unit('a.test.ts'),
  },
  ...change,
})
const ALL = ['queue-one', 'queue-two', 'link-one'].map((name) => mutant(name))
const namesFor = (...args: string[]) => mutantOptions(args, ALL).mutants.map(({ name }) => name)

describe('npm run mutants', () => {
  it('plants all of them', () => {
    expect(namesFor()).toEqual(['queue-one', 'queue-two', 'link-one'])
  })

  it('plants those that are named, or that begin so', () => {
    expect(namesFor('--only', 'link-one, queue-two')).toEqual(['queue-two', 'link-one'])
    expect(namesFor('--only', 'queue-*')).toEqual(['queue-one', 'queue-two'])
  })

  it('plants none for a list', () => {
    expect(mutantOptions(['--list'], ALL).isList).toBe(true)
  })

  it.each([['queue'], ['door-*'], ['']])('reports that there is no "%s', (name) => {
    expect(() => namesFor('--only', name)).toThrow(`no planted fault "${name}"`)
  })

  it('names the unknown option', () => {
    expect(() => namesFor('--fast')).toThrow('--fast')
  })
})

describe('planting', () => {
  it('changes the one place, and takes a replacement as it is written', () => {
    expect(planted('if (a < b) go()', mutant('x', { replacement: "a < b || '$&'" }))).toBe("if (a < b || '$&') go()")
  })

  it.each([
    ['none', 'if (a > b) go()', 0],
    ['two', 'a < b, a < b', 2],
  ])('refuses a file with %s of the original, and says what to do', (_word, text, count) => {
    expect(() => planted(text, mutant('x'))).toThrow(`the original stands in a.ts ${count} times instead of once`)
  })
})
