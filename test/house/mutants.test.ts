// The planted faults of `npm run mutants`: each still stands in its file as the list says, and no room is without one.
import { stripTypeScriptTypes } from 'node:module'
import { describe, expect, it } from 'vitest'
import { MUTANTS } from '#test/mutants/all-mutants.ts'
import { planted } from '#test/mutants/mutant.ts'
import { projectFiles, read } from './source-files.ts'

/** `gateway/queue` of `gateway/queue/outage-desk.ts`, `shared` of `shared/ids.ts`, `scripts` of everything below it. */
function roomOf(path: string): string {
  const [program = '', room = '', ...rest] = path.split('/')
  return program === 'scripts' || rest.length === 0 ? program : `${program}/${room}`
}

/** What the two programs' own files put together, every program test and every flow runs. */
const PUT_TOGETHER = ['gateway', 'cloud']
const ROOMS = new Set(
  projectFiles('.ts', '.tsx', '.mjs')
    .filter((path) => /^(shared|gateway|cloud|scripts)\//.test(path) && !path.includes('.test.'))
    .map(roomOf)
    .filter((room) => !PUT_TOGETHER.includes(room)),
)

describe('the planted faults', () => {
  it.each(MUTANTS)('$name occurs once in its file, and can be planted', (mutant) => {
    const faulty = planted(read(mutant.file), mutant)
    expect(faulty).not.toBe(read(mutant.file))
    // A fault that cannot be read would be caught by any test.
    expect(() => (mutant.file.endsWith('.ts') ? stripTypeScriptTypes(faulty) : faulty)).not.toThrow()
  })

  it.each(MUTANTS)('$name names tests that are there', ({ tests }) => {
    expect(tests.files.length).toBeGreaterThan(0)
    for (const file of tests.files) expect(projectFiles('.test.ts')).toContain(file)
  })

  it('describe in one sentence what each would do', () => {
    for (const { harm } of MUTANTS) expect(harm).toMatch(/^\p{Lu}.{20,160}\.$|^"/u)
  })

  it('have names of their own, in kebab-case', () => {
    const names = MUTANTS.map(({ name }) => name)
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)+$/.test(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })

  it('are in every room', () => {
    const planted = new Set(MUTANTS.map(({ file }) => roomOf(file)))
    expect([...ROOMS].filter((room) => !planted.has(room))).toEqual([])
  })
})
