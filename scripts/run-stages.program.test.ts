// How stages run: one after the other, and those of a lane beside the rest.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

interface Stage {
  name: string
  tool: string
  args: string[]
  beside?: string
  alone?: boolean
}

const { runStages } = (await import(new URL('./run-stages.mjs', import.meta.url).href)) as {
  runStages: (stages: Stage[], args: string[]) => Promise<number>
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'run-stages-'))
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
})
afterEach(() => rmSync(dir, { recursive: true }))

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

it('those of two lanes and those of none run beside each other', async () => {
  const stages = [
    stage('a', ['b', 'main'], { beside: 'one' }),
    stage('b', ['a', 'main'], { beside: 'two' }),
    stage('main', ['a', 'b']),
  ]
  expect(await runStages(stages, ['--no-install'])).toBe(0)
})

it('those of one lane, and those of none, come one after the other', async () => {
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
