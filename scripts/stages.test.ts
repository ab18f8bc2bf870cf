// What `npm test`, `npm run check` and `npm run drills` consist of: no kind of test is left out without somebody saying so here.
import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Stage {
  name: string
  tool: string
  args: string[]
  env?: () => Record<string, string>
  files?: () => string[]
}

const here = (file: string): string => new URL(file, import.meta.url).href
const { TESTS, CHECKS, DRILLS }: Record<'TESTS' | 'CHECKS' | 'DRILLS', Stage[]> = await import(here('./stages.mjs'))
const { default: config }: { default: { test: { projects: { test: { name: string } }[] } } } = await import(
  here('../vitest.config.ts')
)

const PROJECTS = config.test.projects.map(({ test }) => test.name)

/** Projects that are run whole: with no file named. */
const whole = (stages: Stage[]): string[] =>
  stages.filter(({ tool, args }) => tool === 'vitest' && args.length === 3).map(({ args }) => args[2] ?? '')

const tools = (stages: Stage[]): string[] =>
  stages.filter(({ tool }) => tool !== 'vitest').map(({ tool, args }) => [tool, ...args].join(' '))

/** What `npm test` leaves to the drills. */
const IN_DRILLS_ALONE = ['package', 'systemd', 'fire', 'twice', 'pg-newer', 'pg-races', 'pg-rooms']

describe('npm test', () => {
  it('runs every project whole, but for those that need the packages, and those that are drills alone', () => {
    expect(whole(TESTS).toSorted()).toEqual(PROJECTS.filter((name) => !IN_DRILLS_ALONE.includes(name)).toSorted())
  })

  it('holds format, types of every world and dead code', () => {
    const said = tools(TESTS).join('\n')
    const worlds = ['tsconfig.json', 'tsconfig.web.json', 'tsconfig.box-web.json'].map((file) => `--project ${file}`)
    for (const part of ['biome ci', ...worlds, 'knip']) expect(said).toContain(part)
  })

  it('builds the pages and the executable before the browser tests that run them', () => {
    const names = TESTS.map(({ name }) => name)
    const [pages, executable, browser] = ['web pages of the cloud', 'executable', 'browser tests'].map((name) =>
      names.indexOf(name),
    )
    expect(pages).toBeGreaterThan(0)
    expect(executable).toBeGreaterThan(pages ?? 0)
    expect(browser).toBeGreaterThan(executable ?? 0)
  })
})

it('npm run check has every unit test, and the same tools as npm test but the builds', () => {
  expect(whole(CHECKS)).toEqual(['unit'])
  const builds = [
    'vite build --logLevel error',
    'vite build --config vite.cloud.config.ts --logLevel error',
    'node scripts/package/this-machine.ts',
  ]
  expect(tools(CHECKS)).toEqual(tools(TESTS).filter((tool) => !builds.includes(tool)))
})

describe('npm run drills', () => {
  const inFull = DRILLS.filter(({ env }) => env?.()['DRILL'] === '1')
  const root = new URL('../', import.meta.url).pathname
  const filesOf = (folder: string): string[] => globSync(`test/${folder}/**/*.test.ts`, { cwd: root })

  it('has the projects that npm test leaves out', () => {
    expect(whole(DRILLS)).toEqual(expect.arrayContaining(IN_DRILLS_ALONE))
  })

  it('has every unit test whose properties are tried with fewer cases in npm test', () => {
    const found = DRILLS.flatMap(({ files }) => files?.() ?? [])
    expect(found).toEqual(
      expect.arrayContaining(['shared/connection-places.test.ts', 'cloud/limits/token-bucket.test.ts']),
    )
    expect(found.length).toBeGreaterThan(50)
  })

  it('names no file that is not there', () => {
    for (const { args } of inFull) {
      const [, , project = '', ...names] = args
      for (const name of names) expect(filesOf(project).join('\n')).toContain(name)
    }
  })
})
