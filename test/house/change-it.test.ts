// docs/change-it.md names files, what stands in them, and commands: all of it exists.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT, read } from './source-files.ts'

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
      if (/^npx (tsc|biome) /.test(command)) return false
      const paths = /^(?:[A-Z_]+=1 )?npx vitest run --project \w+ (.+)$/.exec(command)?.[1]?.split(' ') ?? [
        'no command that is known',
      ]
      return paths.some((path) => !existsSync(join(ROOT, path)))
    })
    expect(wrong).toEqual([])
  })
})
