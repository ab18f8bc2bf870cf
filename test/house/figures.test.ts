// The figures: twelve in the README, which are those of docs/figures.md, and a bench that writes both.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { IN_README, writeTables } from '#test/bench/figure-tables.ts'
import type { Figure } from '#test/bench/figures.ts'
import { read } from './source-files.ts'

const rowsOf = (text: string) =>
  (text.split('<!-- bench:start -->')[1] ?? '').split('\n').filter((line) => /^\| (?!Figure|---)/.test(line))
const nameOf = (row: string) => row.split(' | ')[0]?.slice(2)

describe('the figures', () => {
  it('of the README are twelve', () => {
    expect(rowsOf(read('README.md')).map(nameOf)).toEqual(IN_README)
    expect(IN_README).toHaveLength(12)
  })

  it('of the README are rows of docs/figures.md, word for word', () => {
    const all = rowsOf(read('docs/figures.md'))
    expect(all.length).toBeGreaterThan(100)
    expect(all).toEqual(expect.arrayContaining(rowsOf(read('README.md'))))
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

  it('writes every figure into docs/figures.md and twelve into the README, and leaves the rest of both', () => {
    const names = [...IN_README, 'one more']
    writeTables(names.toReversed().map(figure), 'Measured today.', root)
    expect(rowsOf(textOf('docs/figures.md')).map(nameOf)).toEqual(names.toReversed())
    expect(rowsOf(textOf('README.md')).map(nameOf)).toEqual(IN_README)
    expect(textOf('README.md')).toContain('| $& of gateway memory, idle | yes |')
    expect(textOf('docs/figures.md')).toContain('\n\nMeasured today.\n<!-- bench:end -->')
    for (const file of ['README.md', 'docs/figures.md']) {
      expect(textOf(file)).toMatch(
        new RegExp(`^# ${file}\n\n<!-- bench:start -->\n[^]*<!-- bench:end -->\n\nAfter\\.\n$`),
      )
      expect(textOf(file)).not.toContain('old')
    }
  })

  it('writes nothing when a figure of the README was not measured', () => {
    expect(() => writeTables(IN_README.slice(1).map(figure), 'Measured today.', root)).toThrow(
      /first byte at the printer/,
    )
    expect([textOf('README.md'), textOf('docs/figures.md')].every((text) => text.includes('\nold\n'))).toBe(true)
  })
})
