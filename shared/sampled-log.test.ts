// Log lines that a stranger's messages can cause: how many are written, and that the others are counted.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { createLogger, type Logger } from './log.ts'
import { SampledLog, writesInto } from './sampled-log.ts'

let clock: ManualClock
let log: Logger
let lines: Record<string, unknown>[]
let text: string

beforeEach(() => {
  clock = new ManualClock()
  lines = []
  text = ''
  log = createLogger('test', 'info', {
    destination: {
      write: (line) => {
        text += line
        lines.push(JSON.parse(line))
      },
    },
  })
})

const told = () =>
  lines
    .filter(({ msg }) => msg === 'lines were left out')
    .map(({ level, line, leftOut, subjects, most }) => ({ level, line, leftOut, subjects, most }))
const said = (message: string) => lines.filter(({ msg }) => msg === message)

describe('lines of one subject and kind', () => {
  it('are so many a minute, each subject its own', async () => {
    const one = new SampledLog(log, clock, 1)
    for (let i = 0; i < 5; i++) one.warn('gw_a', { bytes: i }, 'damaged')
    one.warn('gw_b', { bytes: 9 }, 'damaged')
    await clock.advance(60_000)
    for (let i = 5; i < 8; i++) one.warn('gw_a', { bytes: i }, 'damaged')
    expect(said('damaged').map(({ level, bytes }) => [level, bytes])).toEqual([
      [40, 0],
      [40, 9],
      [40, 5],
    ])
  })

  it('that are left out are counted within a minute, also without another line of the kind', async () => {
    const one = new SampledLog(log, clock, 1)
    for (let i = 0; i < 5; i++) one.warn('gw_a', {}, 'damaged')
    for (let i = 0; i < 3; i++) one.warn('gw_b', {}, 'damaged')
    one.error('gw_a', {}, 'not stored')
    await clock.advance(59_999)
    expect(told()).toEqual([])
    await clock.advance(1)
    expect(told()).toEqual([{ level: 40, line: 'damaged', leftOut: 6, subjects: 2, most: { gw_a: 4, gw_b: 2 } }])
    await clock.advance(600_000)
    expect(told()).toHaveLength(1)
  })

  it('of one kind silence no other, whatever their level', () => {
    const two = new SampledLog(log, clock, 2)
    for (let i = 0; i < 4; i++) two.info('gw_a', { i }, 'here')
    for (let i = 0; i < 4; i++) two.error('gw_a', { i }, 'not stored')
    expect(lines.map(({ level, i, msg }) => [level, i, msg])).toEqual([
      [30, 0, 'here'],
      [30, 1, 'here'],
      [50, 0, 'not stored'],
      [50, 1, 'not stored'],
    ])
  })
})

describe('lines of a whole program', () => {
  it('are limited to a hundred a minute per kind, from any number of subjects and parts', async () => {
    const parts = [new SampledLog(log, clock), new SampledLog(log, clock)]
    for (let n = 0; n < 10_000; n++) parts[n % 2]?.info(`gw_${n}`, {}, 'gateway is here')
    expect(said('gateway is here')).toHaveLength(100)
    await clock.advance(60_000)
    expect(told()).toMatchObject([{ line: 'gateway is here', leftOut: 9_900, subjects: 9_900 }])
    parts[0]?.info('gw_1', {}, 'gateway is here')
    expect(said('gateway is here')).toHaveLength(101)
  })

  it('are less than a megabyte a minute, whatever floods it', async () => {
    const all = new SampledLog(log, clock)
    const err = new Error('x'.repeat(200))
    for (let kind = 0; kind < 40; kind++)
      for (let n = 0; n < 1_000; n++)
        all.error(`gw_${n % 300}`, { gatewayId: `gw_${n}`, reason: err.message }, `kind ${kind}`)
    await clock.advance(60_000)
    expect(lines.length).toBeLessThanOrEqual(1_500 + 40)
    expect(text.length).toBeLessThan(1_000_000)
    expect(told().reduce((sum, { leftOut }) => sum + Number(leftOut), 0)).toBe(40_000 - 1_500)
  })

  it.each<[string, (n: number) => object]>([
    [
      'texts of strangers, each letter of which is written with six',
      () => ({ stream: '\u0001'.repeat(64), app: '\u0001'.repeat(64) }),
    ],
    [
      'errors of several errors',
      (n) => ({
        err: new AggregateError(
          [1, 2, 3].map((at) => new Error(`${at} ${n} ${'x'.repeat(400)}`)),
          'all failed',
        ),
      }),
    ],
    [
      'errors that refer to themselves',
      (n) => {
        const held: Record<string, unknown> = {}
        held['itself'] = held
        return { err: Object.assign(new Error(`${n} ${'x'.repeat(10_000)}`), { held }) }
      },
    ],
    ['errors with their stacks', (n) => ({ err: new Error(`no disk ${n}`, { cause: new Error('x'.repeat(2_000)) }) })],
  ])('are that also beside a thousand of a kind of its own, when they are %s', async (_, detail) => {
    const facts = new SampledLog(log, clock, 1_000)
    const all = new SampledLog(log, clock)
    for (let n = 0; n < 2_000; n++) facts.warn('gw_a', { printJobId: '\u0001'.repeat(64), n }, 'unknown job')
    for (let kind = 0; kind < 10; kind++) for (let n = 0; n < 200; n++) all.error(`gw_${n}`, detail(n), `kind ${kind}`)
    await clock.advance(60_000)
    expect(said('unknown job')).toHaveLength(1_000)
    expect(Buffer.byteLength(text)).toBeLessThan(1_000_000)
    expect(told()).toHaveLength(11)
  })

  it('are written again in the next minute, when one was full of long ones', async () => {
    const all = new SampledLog(log, clock)
    const long = { text: 'x'.repeat(100_000) }
    for (let n = 0; n < 20; n++) all.warn(`gw_${n}`, long, 'long')
    expect(said('long')).toHaveLength(9)
    await clock.advance(60_000)
    all.warn('gw_a', long, 'long')
    expect(said('long')).toHaveLength(10)
  })

  it('with independent causes, so that all of an honest one are written, have their own count', () => {
    const facts = new SampledLog(log, clock, 1_000)
    for (let n = 0; n < 1_200; n++) facts.warn('gw_a', { n }, 'unknown job')
    expect(said('unknown job')).toHaveLength(1_000)
  })

  it('are counted together also where a part has its own logger that writes into the program’s', async () => {
    const quiet: Logger = Object.create(log)
    const quieter: Logger = Object.create(quiet)
    writesInto(quiet, log)
    writesInto(quieter, quiet)
    const parts = [quieter, log, quiet].map((one) => new SampledLog(one, clock, 1))
    for (const part of parts) part.warn('gw_a', {}, 'damaged')
    expect(said('damaged')).toHaveLength(1)
    await clock.advance(60_000)
    expect(told()).toMatchObject([{ line: 'damaged', leftOut: 2 }])
  })

  it('of another logger are counted apart', () => {
    const other: unknown[] = []
    const second = createLogger('test', 'info', { destination: { write: (line) => other.push(line) } })
    for (const one of [new SampledLog(log, clock, 1), new SampledLog(second, clock, 1)]) one.info('a', {}, 'here')
    expect([lines.length, other.length]).toEqual([1, 1])
  })
})
