// The walk of one order: the ten files, their first lines and functions agree with the table in docs/architecture.md.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { firstLine, ROOT, read } from './source-files.ts'

interface Step {
  number: number
  /** File of the step before, `a client` or, at the end, the client's endpoint. */
  from: string
  to: string
  file: string
  functionName: string
}

const WALK = walkOfDocs()

function walkOfDocs(): Step[] {
  const table = /<!-- walk:start -->([\s\S]*?)<!-- walk:end -->/.exec(read('docs/architecture.md'))?.[1] ?? ''
  const rows = [...table.matchAll(/^\| (\d+) +\| (\S+) +\| (\S+) +\| (\S+) +\| (\S+) +\|/gm)]
  const fileOf = (step: string | undefined): string => rows.find(([, number]) => number === step)?.[4] ?? 'client'
  return rows.map(([, number, from, to, file, functionName]) => ({
    number: Number(number),
    from: fileOf(from),
    to: fileOf(to),
    file: file ?? '',
    functionName: functionName ?? '',
  }))
}

/** Where the name is declared: a function, a method, or a constant. */
function declarationOf(name: string): RegExp {
  return new RegExp(
    `^(?:export )?(?:async )?function ${name}\\b|^ {2}(?:async )?#?${name}(?:<[^>]*>)?\\(|^(?:export )?const ${name}\\b`,
    'm',
  )
}

describe('the walk of one order', () => {
  it('has ten steps in docs/architecture.md, in order', () => {
    expect(WALK.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it.each(WALK)('step $number is in $file with its previous and its next step', (step) => {
    const { number, file } = step
    expect(existsSync(join(ROOT, file)), `${file} exists`).toBe(true)
    const pattern = /^\/\/ Walk (\d+)\/10: comes from (.+?), goes on to (.+?)\. \S/
    const [, own, from, to] = pattern.exec(firstLine(file)) ?? []
    expect(Number(own), `first line of ${file}`).toBe(number)
    expect(from).toContain(step.from)
    expect(to).toContain(step.to)
  })

  it.each(WALK)('$functionName of step $number is in $file', ({ file, functionName }) => {
    expect(read(file)).toMatch(declarationOf(functionName))
  })

  it.each(WALK)('$functionName of step $number has at most 40 lines', ({ file, functionName }) => {
    const source = read(file)
    const start = declarationOf(functionName).exec(source)?.index ?? -1
    const lines = source.slice(start).split('\n')
    const indent = /^ */.exec(lines[0] ?? '')?.[0] ?? ''
    const end = lines.findIndex((line, index) => index > 0 && line.startsWith(`${indent}}`) && !line.includes('{'))
    expect(end, `${file}: end of ${functionName}`).toBeGreaterThan(0)
    expect(end + 1).toBeLessThanOrEqual(40)
  })

  it.each(WALK)('step $number logs its line', ({ number, file }) => {
    const folder = file.slice(0, file.lastIndexOf('/'))
    const logsIt = (source: string): boolean => source.includes(`'${number}/10'`) && source.includes('logWalk(')
    // A pure step is logged by the step that calls it.
    const previous = WALK[number - 2]?.file ?? file
    expect(
      [file, previous].some((path) => logsIt(read(path))),
      `${folder} logs ${number}/10`,
    ).toBe(true)
  })
})
