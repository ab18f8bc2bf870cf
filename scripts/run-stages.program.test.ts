// How stages run: one after the other, and those of a lane beside the rest.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

interface Stage {
  name: string
  tool: string
  args: string[]
  beside?: string
  alone?: boolean
  vitest?: boolean
}

const { runStages } = (await import(new URL('./run-stages.mjs', import.meta.url).href)) as {
  runStages: (stages: Stage[], args: string[]) => Promise<number>
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'run-stages-'))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(dir, { recursive: true })
})

const PATIENCE_MS = 10_000

interface Where {
  beside?: string
  patienceMs?: number
}

/** Says that it has begun, and ends once these others have begun, with 1 when one of them does not in time. */
const stage = (name: string, others: string[], { beside, patienceMs = PATIENCE_MS }: Where = {}): Stage => {
  const script = `
    const { existsSync, writeFileSync } = require('node:fs')
    writeFileSync(${JSON.stringify(join(dir, name))}, '')
    const others = ${JSON.stringify(others.map((other) => join(dir, other)))}
    const look = () => others.every((file) => existsSync(file)) ? process.exit(0) : setTimeout(look, 20)
    setTimeout(() => process.exit(1), ${patienceMs})
    look()`
  return { name, tool: 'node', args: ['-e', script], ...(beside !== undefined && { beside }) }
}

it('those of two lanes and those of none run in parallel', async () => {
  const stages = [
    stage('a', ['b', 'main'], { beside: 'one' }),
    stage('b', ['a', 'main'], { beside: 'two' }),
    stage('main', ['a', 'b']),
  ]
  expect(await runStages(stages, ['--no-install'])).toBe(0)
})

it('those of one lane, and those of none, run one after the other', async () => {
  const inLane = [
    stage('a', [], { beside: 'one' }),
    stage('b', ['a'], { beside: 'one' }),
    stage('main', []),
    stage('end', ['main']),
  ]
  expect(await runStages(inLane, ['--no-install'])).toBe(0)
  const turned = [stage('c', ['d'], { beside: 'one', patienceMs: 500 }), stage('d', [], { beside: 'one' })]
  expect(await runStages(turned, ['--no-install'])).toBe(1)
})

it('one that runs alone begins when those beside it have ended', async () => {
  const beside = stage('a', ['end'], { beside: 'one', patienceMs: 500 })
  expect(await runStages([beside, { ...stage('end', []), alone: true }], ['--no-install'])).toBe(1)
})

it('with --minutes no stage begins after them, and those that did not are named', async () => {
  const stages = [stage('a', [], { beside: 'one' }), stage('b', [])]
  expect(await runStages(stages, ['--no-install', '--minutes=0'])).toBe(0)
  expect(readdirSync(dir)).toEqual([])
  expect(printed()).toMatch(/skipped a +not begun within 0 minutes\n +skipped b +not begun within 0 minutes\n/)
  expect(printed()).toContain('Everything that ran passed.')
  expect(await runStages(stages, ['--no-install', '--minutes=5'])).toBe(0)
  expect(readdirSync(dir)).toEqual(['a', 'b'])
  await expect(runStages(stages, ['--no-install', '--minutes=soon'])).rejects.toThrow('--minutes=soon: say how many')
})

/** Says as vitest does that tests of these files have failed, until it was run `times` times. */
const failing = (files: string[], times: number): Stage => {
  const script = `
    const { appendFileSync, readFileSync } = require('node:fs')
    const runs = ${JSON.stringify(join(dir, 'runs'))}
    appendFileSync(runs, process.argv.slice(1).join(' ') + '\\n')
    if (readFileSync(runs, 'utf8').split('\\n').length - 1 > ${times}) process.exit(0)
    for (const file of ${JSON.stringify(files)}) console.log(' FAIL  rooms ' + file + ' > holds')
    process.exit(1)`
  return { name: 'rooms', tool: 'node', args: ['-e', script, '--', 'first-filter'], vitest: true }
}
const runs = (): string[] => readFileSync(join(dir, 'runs'), 'utf8').split('\n').slice(0, -1)
const printed = (): string => vi.mocked(process.stdout.write).mock.calls.join('')

it('in CI the files of a failed stage are run once more, alone, and what passes then is named', async () => {
  vi.stubEnv('SECOND_TRY', 'true')
  expect(await runStages([failing(['a.test.ts'], 1)], ['--no-install'])).toBe(0)
  expect(runs()).toEqual(['first-filter', 'a.test.ts'])
  expect(printed()).toMatch(/passed +rooms .*, at the second try: a\.test\.ts\n/)
  expect(printed()).toContain('has failed once: "rooms". Find out why\n FAIL  rooms a.test.ts > holds')
})

it('a stage that fails twice has failed, and so do many at once, and every failure outside CI', async () => {
  vi.stubEnv('SECOND_TRY', 'true')
  expect(await runStages([failing(['a.test.ts'], 2)], ['--no-install'])).toBe(1)
  expect(runs()).toHaveLength(2)
  expect(
    await runStages(
      [
        failing(
          ['a', 'b', 'c', 'd'].map((name) => `${name}.test.ts`),
          3,
        ),
      ],
      ['--no-install'],
    ),
  ).toBe(1)
  expect(runs()).toHaveLength(3)
  // CI runs this test, too.
  vi.stubEnv('SECOND_TRY', '')
  expect(await runStages([failing(['a.test.ts'], 4)], ['--no-install'])).toBe(1)
  expect(runs()).toHaveLength(4)
})
