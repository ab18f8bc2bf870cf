// The figures: twelve in the README, which are those of docs/figures.md, and a bench that writes both.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IN_README, nameOf, type Run, tableRows, withoutLastCell, writeTables } from '#test/bench/figure-tables.ts'
import type { Figure } from '#test/bench/figures.ts'
import { read } from './source-files.ts'

describe('the figures', () => {
  it('of the README are twelve', () => {
    expect(tableRows(read('README.md')).map(nameOf)).toEqual(IN_README)
    expect(IN_README).toHaveLength(12)
  })

  it('of the README are rows of docs/figures.md, word for word', () => {
    const all = tableRows(read('docs/figures.md'))
    expect(all.length).toBeGreaterThan(100)
    expect(all.map(withoutLastCell)).toEqual(expect.arrayContaining(tableRows(read('README.md'))))
  })
})

describe('npm run bench -- --readme', () => {
  let root: string
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'figures-'))
    mkdirSync(join(root, 'docs'))
    for (const file of ['README.md', 'docs/figures.md'])
      writeFileSync(join(root, file), `# ${file}\n\n<!-- bench:start -->\nold\n<!-- bench:end -->\n\nAfter.\n`)
  })
  afterEach(() => rmSync(root, { recursive: true }))

  const textOf = (file: string) => readFileSync(join(root, file), 'utf8')
  const figure = (name: string): Figure => ({
    name,
    goal: '<= 1 ms',
    value: `$& of ${name}`,
    met: name.length % 2 === 0,
  })

  const run = (names: readonly string[], change: Partial<Run> = {}) =>
    writeTables(
      { figures: names.map(figure), at: 'today abc', machine: 'A machine.', isPartial: false, ...change },
      root,
    )

  it('writes every figure into docs/figures.md and twelve into the README, and leaves the rest of both', () => {
    const names = [...IN_README, 'one more']
    run(names.toReversed())
    expect(tableRows(textOf('docs/figures.md')).map(nameOf)).toEqual(names.toReversed())
    expect(tableRows(textOf('README.md')).map(nameOf)).toEqual(IN_README)
    expect(textOf('README.md')).toContain('| $& of gateway memory, idle | yes |\n')
    expect(textOf('docs/figures.md')).toContain('| $& of gateway memory, idle | yes | today abc |\n')
    expect(textOf('docs/figures.md')).toContain('\n\nA machine.\n<!-- bench:end -->')
    for (const file of ['README.md', 'docs/figures.md']) {
      expect(textOf(file)).toMatch(
        new RegExp(`^# ${file}\n\n<!-- bench:start -->\n[^]*<!-- bench:end -->\n\nAfter\\.\n$`),
      )
      expect(textOf(file)).not.toContain('old')
    }
  })

  it('of some parts leaves the rows of the others, each with its own run, in their order', () => {
    run([...IN_README, 'one flood', 'the same: lost', 'another flood', 'the same: lost'])
    run(['another flood', 'the same: new', 'the same: lost'], { at: 'tomorrow def', isPartial: true })
    expect(tableRows(textOf('docs/figures.md')).slice(-5)).toEqual([
      expect.stringMatching(/^\| one flood .* today abc \|$/),
      expect.stringMatching(/^\| the same: lost .* today abc \|$/),
      expect.stringMatching(/^\| another flood .* tomorrow def \|$/),
      expect.stringMatching(/^\| the same: new .* tomorrow def \|$/),
      expect.stringMatching(/^\| the same: lost .* tomorrow def \|$/),
    ])
    expect(tableRows(textOf('README.md')).map(nameOf)).toEqual(IN_README)
  })

  it('writes nothing when a figure of the README is in no run', () => {
    for (const isPartial of [false, true])
      expect(() => run(IN_README.slice(1), { isPartial })).toThrow(/first byte at the printer/)
    expect([textOf('README.md'), textOf('docs/figures.md')].every((text) => text.includes('\nold\n'))).toBe(true)
  })
})
