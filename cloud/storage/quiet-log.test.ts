// The log of code that uses the database: quiet about what the watch logs, and without a second share of the program's log limit.
import { expect, it } from 'vitest'
import { createLogger } from '#shared/log.ts'
import { SampledLog } from '#shared/sampled-log.ts'
import { ManualClock } from '#test/doubles/manual-clock.ts'
import { quietWhileRefused } from './quiet-log.ts'
import { StorageRefusal } from './storage-refusal.ts'

function logOf(level: 'info' | 'debug') {
  const lines: { level: number; msg: string }[] = []
  const log = createLogger('cloud', level, { destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  return { log, said: () => lines.map(({ level, msg }) => [level, msg]) }
}

it('reports of the watch have level debug, everything else stays unchanged', () => {
  const { log, said } = logOf('debug')
  const quiet = quietWhileRefused(log)
  quiet.error({ err: new StorageRefusal('full') }, 'not stored')
  quiet.warn({ err: new Error('other') }, 'not answered')
  expect(said()).toEqual([
    [20, 'not stored'],
    [40, 'not answered'],
  ])
})

it('an error of one call alone is logged as it is: nothing else reports it', () => {
  const { log, said } = logOf('debug')
  const quiet = quietWhileRefused(log)
  for (const reason of ['unknown', 'slow', 'undone'] as const) quiet.warn({ err: new StorageRefusal(reason) }, reason)
  expect(said()).toEqual([
    [40, 'unknown'],
    [40, 'slow'],
    [40, 'undone'],
  ])
})

it('sampled lines by it and by the log of the program are counted together, in any order', () => {
  for (const isQuietFirst of [true, false]) {
    const { log, said } = logOf('info')
    const loggers = [log, quietWhileRefused(log), quietWhileRefused(log)]
    if (isQuietFirst) loggers.reverse()
    const clock = new ManualClock()
    for (const one of loggers) new SampledLog(one, clock).info('gw_a', {}, 'here')
    const parts = loggers.map((one) => new SampledLog(one, clock))
    for (let n = 0; n < 3_000; n++) parts[n % 3]?.info(`gw_${n}`, {}, `kind ${n % 50}`)
    expect(said()).toHaveLength(1_500)
  }
})
