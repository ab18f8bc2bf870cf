// No test asserts wall time: how quick a machine is, is for bench and guard to measure. The finder itself is tested first.
import { describe, expect, it } from 'vitest'
import { projectFiles, read } from './source-files.ts'
import { timedNamesOf, wallTimesIn } from './wall-time.ts'

const TESTS = projectFiles('.test.ts')
const AROUND = projectFiles('.ts').filter(
  (path) => /^test\/(?!bench\/|guard\/|mutants\/|house\/)/.test(path) && !TESTS.includes(path),
)
const TIMED = timedNamesOf(AROUND.map(read))

const linesOf = (source: string, timed?: string[]) => wallTimesIn(source, timed).map(({ line }) => line)

describe('the finder finds', () => {
  it.each([
    ['a difference', 'const t = performance.now()\nawait act()\nexpect(performance.now() - t).toBeLessThan(8_000)', 3],
    [
      'a difference with a name',
      'const t = Date.now()\nawait act()\nconst ms = Date.now() - t\nexpect(ms).toBeLessThan(9)',
      4,
    ],
    [
      'a lower bound of it',
      'const t = Date.now()\nconst late = Date.now() - t\nexpect(late).toBeGreaterThanOrEqual(-5)',
      3,
    ],
    [
      'one among many',
      'const ms: number[] = []\nconst t = systemClock.now()\nms.push(systemClock.now() - t)\nms.sort()\nexpect(ms[5]).toBeLessThan(30)',
      5,
    ],
    [
      'the sorted ones',
      'const all: number[] = []\nconst t = Date.now()\nall.push(Date.now() - t)\nconst sorted = all.toSorted()\nexpect(sorted[1]).toBe(3)',
      5,
    ],
    [
      'a function',
      'function took() {\n  const t = Date.now()\n  return Date.now() - t\n}\nexpect(took()).toBeLessThan(3)',
      5,
    ],
    [
      'a function above it',
      'expect(took()).toBeLessThan(3)\nfunction took() {\n  const t = Date.now()\n  return Date.now() - t\n}',
      1,
    ],
    ['an arrow', 'const t = Date.now()\nconst since = () => Date.now() - t\nexpect(since()).toBeLessThan(3)', 3],
    ['processor time', 'const { user } = process.cpuUsage(before)\nexpect(user / 1_000).toBeLessThan(15)', 2],
    ['high resolution', 'const t = process.hrtime.bigint()\nexpect(process.hrtime.bigint() - t).toBeLessThan(5n)', 2],
    ['an instant that must have come by now', 'expect(job.printedAtMs).toBeLessThanOrEqual(Date.now() + 500)', 1],
    [
      'a poll',
      'const t = Date.now()\nawait expect\n  .poll(() => 1)\n  .toBe(1)\nexpect.soft(Date.now() - t).toBe(1)',
      5,
    ],
    ['the instant of another program', 'expect(Math.abs(Date.now() - told.atMs)).toBeLessThan(10)', 1],
    ['a comparison', 'const end = Date.now() + 50\nexpect(Date.now() < end).toBe(true)', 2],
    ['a measure', "expect(performance.measure('act').duration).toBeLessThan(5)", 1],
    ['told instants', 'expect(Math.abs(Date.parse(told) - paper.cutAtMs)).toBeLessThan(1_500)', 1],
    [
      'the parameter of a function',
      'const t = Date.now()\nconst took = Date.now() - t\nexpectSpeed(took)\nfunction expectSpeed(all: number): void {\n  expect(all).toBeLessThan(5)\n}',
      5,
    ],
    [
      'the best of several',
      'const all: number[] = []\nconst t = Date.now()\nall.push(Date.now() - t)\nexpect(Math.min(...all)).toBeLessThan(600)',
      4,
    ],
    ['more lines', 'const t = Date.now()\nexpect(\n  Date.now() - t,\n).toBeLessThan(3)', 2],
    [
      'a clock of the test that says how soon',
      'const t = rig.clock.monotonicMs()\nexpect(rig.clock.monotonicMs() - t).toBeLessThan(3)',
      2,
    ],
  ])('%s', (_, source, line) => {
    expect(linesOf(source)).toEqual([line])
  })

  it('what a helper of another file has timed', () => {
    const program = `class Program {
  async start(): Promise<Ready> {
    const t = performance.now()
    const line = await ready()
    return { line, ms: performance.now() - t }
  }
}`
    const site = `class Site {
  async startAll(): Promise<number> {
    const ready = await this.program.start()
    return ready.ms
  }
}`
    const timed = timedNamesOf([site, program])
    expect(timed.toSorted()).toEqual(['ms', 'startAll'])
    expect(linesOf('const { line } = await it.start()\nexpect(await site.startAll()).toBe(1)', timed)).toEqual([2])
    expect(linesOf('const ready = await it.start()\nexpect(ready.ms).toBeLessThan(600)', timed)).toEqual([2])
  })
})

describe('the finder lets pass', () => {
  it.each([
    ['an instant in the past', 'const since = new Date(Date.now() - 3_600_000)\nexpect(list(since)).toEqual([])'],
    [
      'not before its time',
      'const fireAtMs = Date.now() + 6_000\nexpect(ticket.receivedAtMs).toBeGreaterThanOrEqual(fireAtMs)',
    ],
    [
      'a clock that stands still',
      'const clock = new ManualClock()\nconst t = clock.monotonicMs()\nexpect(clock.monotonicMs() - t).toBeLessThan(3)',
    ],
    [
      'a clock of the test that says what came too early',
      'const t = rig.clock.monotonicMs()\nexpect(rig.clock.monotonicMs() - t).toBeGreaterThanOrEqual(119)',
    ],
    [
      'a limit of patience',
      'const end = performance.now() + 60_000\nwhile (!done()) if (performance.now() > end) throw new Error()\nexpect(done()).toBe(true)',
    ],
    ['words and comments', "// expect(Date.now() - t).toBe(1)\nexpect(said).toBe('Date.now() - t')"],
    [
      'the same name elsewhere',
      'it(() => {\n  const ms = Date.now() - t\n  log(ms)\n})\nit(() => {\n  const ms = 5\n  expect(ms).toBe(5)\n})',
    ],
    ['an identity', "const id = newId('ord', Date.now())\nexpect(order.id).toBe(id)"],
    ['other numbers', 'expect(a - b).toBeLessThan(5)'],
  ])('%s', (_, source) => {
    expect(linesOf(source)).toEqual([])
  })
})

describe('no test asserts wall time', () => {
  it('in any of its files, and none in the files around them', () => {
    expect(TESTS.length).toBeGreaterThan(250)
    expect(AROUND.length).toBeGreaterThan(50)
    const found = [...TESTS.filter((path) => path !== 'test/house/wall-time.test.ts'), ...AROUND].flatMap((path) =>
      wallTimesIn(read(path), TIMED).map(({ line, text }) => `${path}:${line}: ${text}`),
    )
    expect(found).toEqual([])
  })

  it('nor does a page measure for them', () => {
    const pages = [...TESTS, ...AROUND].filter((path) => path.startsWith('test/browser/'))
    expect(pages.length).toBeGreaterThan(8)
    expect(pages.filter((path) => /performance\.now|Performance\.getMetrics|TaskDuration/.test(read(path)))).toEqual([])
  })
})
