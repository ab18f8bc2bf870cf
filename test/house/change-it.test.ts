// docs/change-it.md names files, what stands in them, and commands: all of it exists.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { orderFromJson } from '#scripts/ticket/order-file.ts'
import { codePageRows } from '#shared/code-page-rows.ts'
import { ROOT, read } from './source-files.ts'

interface Source {
  tables: { maker: string; pages: string }[]
}
const SOURCES: Source[] = JSON.parse(read('shared/tickets/code-page-facts.json'))
const TABLES = SOURCES.flatMap(({ tables }) => tables)

const PAGE = read('docs/change-it.md')

/** The numbered steps: a file, and what to change in it. */
const STEPS = [...PAGE.matchAll(/^\d+\. `([^`]+)`, `([^`]+)`: /gm)].map(([, file = '', name = '']) => ({ file, name }))

const COMMANDS = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n'))

describe('each step of a worked change', () => {
  it('has a file and a name in it', () => {
    expect(STEPS.length).toBe([...PAGE.matchAll(/^\d+\. /gm)].length)
    expect(STEPS.length).toBeGreaterThan(25)
  })

  it.each(STEPS)('finds $name in $file', ({ file, name }) => {
    expect(existsSync(join(ROOT, file)), `${file} exists`).toBe(true)
    expect(read(file)).toContain(name)
  })
})

it('every other file that the page names exists', () => {
  const named = [...PAGE.matchAll(/`([\w-]+(?:\/[\w.-]+)+)`/g)].map(([, path = '']) => path)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

describe('each command', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

  it('names a script of package.json, or paths that exist', () => {
    const wrong = COMMANDS.flatMap((command) => command.split(' && ')).filter((command) => {
      const script = /^npm run (?:-s )?([\w:-]+)/.exec(command)?.[1]
      if (script !== undefined) return !(script in scripts)
      if (/^npx tsc /.test(command)) return false
      const written = /^echo '(.+)' > (\S+)$/.exec(command)
      if (written)
        return orderFromJson(written[1] ?? '', written[2] ?? '', { nowMs: 0, timeZone: 'UTC' }).items.length === 0
      const removed = /^rm (\S+)$/.exec(command)?.[1]
      if (removed !== undefined) return !COMMANDS.some((other) => other.endsWith(`' > ${removed}`))
      // The second file of `diff` is written by the tests that ran before it.
      const [, files = 'no command that is known'] =
        /^(?:[A-Z_]+=1 )?npx (?:vitest run --project \w+|biome check --write) (.+)$/.exec(command) ??
        /^diff (\S+) \S+$/.exec(command) ??
        []
      const paths = files.split(' ').filter((word) => !word.startsWith('--'))
      return paths.some((path) => !existsSync(join(ROOT, path)))
    })
    expect(wrong).toEqual([])
  })
})

describe('the example of a printer profile', () => {
  const [, section = ''] = PAGE.split('\n## A printer profile\n')

  it('has the numbers that its source says, and no other', () => {
    const [, rows = ''] = /const MUNBYN: Rows = \[([^\]]+)\]/.exec(section) ?? []
    const named = [...rows.matchAll(/page: (\d+), encoding: '(\w+)'/g)].map(
      ([, page, encoding]) => `${page}:${encoding}`,
    )
    const { pages } = TABLES.find(({ maker }) => maker === 'Munbyn') ?? { pages: '' }
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((row) => !pages.split(', ').includes(row))).toEqual([])
  })

  it('shows a source with the fields that the sources have', () => {
    const source: Source = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '')
    const known = new Set(SOURCES.flatMap((each) => Object.keys(each)))
    expect(Object.keys(source).filter((key) => !known.has(key))).toEqual([])
    for (const { pages } of source.tables) expect(codePageRows(pages), pages).toBeDefined()
  })
})
